"""One turn on its way out, sans-IO: every text of a chat request becomes placeholder text (design sections 3, 5, 9).

Earlier messages that this conversation knows are sent as they were sent before, byte for byte, and assistant turns as
the model produced them; only what is new is read by the extractor. Who wrote a text decides its placeholders
(`vault.binding.Origin`). What cannot be masked because a provider would refuse it there (a function's name, an id, the
key of an object) is refused with the field's name.
"""

import dataclasses
from bisect import bisect_right
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from keepmum_shared.messages import ChatMessage, FunctionCall, Sampling, ToolCall
from keepmum_shared.placeholder import EXACT, Placeholder, scan
from keepmum_shared.taxonomy import EntityType, Level

from keepmum_edge.daemon.chat import SELF, ChatRequest, Context
from keepmum_edge.errors import InvalidRequestError
from keepmum_edge.spans.extractor import TextKind, fail_closed
from keepmum_edge.spans.graphemes import with_whole_graphemes
from keepmum_edge.spans.merge import merge
from keepmum_edge.spans.namesakes import Namesakes
from keepmum_edge.spans.recurrence import Known, Recurrences
from keepmum_edge.spans.span import GUESSES, PrivateSpan
from keepmum_edge.vault import json_text, tolerant
from keepmum_edge.vault.binding import Origin
from keepmum_edge.vault.conversation import ConversationVault, ProfileNumbers
from keepmum_edge.vault.json_text import pseudonymise_arguments, pseudonymise_json
from keepmum_edge.vault.pseudonymise import MaskSettings, pseudonymise

KnownMessages = Mapping[bytes, ChatMessage]
"""Digest of a message in clear -> the message as it was sent or produced, in placeholder text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskedChat:
    """A chat request in placeholder text.

    Attributes:
        carried: Every bound placeholder that stands in it.
    """

    chat: ChatRequest
    carried: frozenset[Placeholder]


def texts_to_read(
    chat: ChatRequest, known: KnownMessages, digests: Sequence[bytes], vault: ConversationVault
) -> Iterator[tuple[str, TextKind]]:
    """Yield every text that the extractor must read before `mask` can work; may repeat. `digests`: of each message.

    A known message is sent as it was, but read again where it holds a token whose value is gone (a restart loses PL4):
    nothing else could tell that value when a new message repeats it.
    """
    for message, digest in zip(chat.messages, digests, strict=True):
        sent = known.get(digest)
        if sent is not None and all(vault.get(token) is not None for token in _tokens(sent)):
            continue
        for written in filter(None, (message.content, message.name)):
            yield written, TextKind.PROSE
        if message.tool_call_id:
            yield message.tool_call_id, TextKind.WORD
        for call in message.tool_calls or ():
            yield call.id, TextKind.WORD
            yield call.function.name, TextKind.WORD
            yield from _document_texts(call.function.arguments, TextKind.ARGUMENTS)
    for stop in chat.sampling.stop or ():
        yield stop, TextKind.PROSE
    for value in _documents(chat):
        yield from _document_texts(json_text.to_document(value), TextKind.DEFINITION)


def texts_of_owner(
    chat: ChatRequest, known: KnownMessages, digests: Sequence[bytes], context: Context
) -> Iterator[str]:
    """Yield the new messages of the owner: where `mask` takes them to be the owner's own words."""
    for message, digest in zip(chat.messages, digests, strict=True):
        if digest not in known and message.content and origin_of(message, context) is Origin.OWNER:
            yield message.content


def origin_of(message: ChatMessage, context: Context) -> Origin:
    """Only the owner's own words are the owner's: a contact's message is foreign text (design section 5)."""
    if message.role == "user" and context.audience == SELF:
        return Origin.OWNER
    return Origin.SYSTEM if message.role in ("system", "developer") else Origin.FOREIGN


def _document_texts(document: str, kind: TextKind) -> Iterator[tuple[str, TextKind]]:
    """Yield a document as a whole, and each text in it: one word alone says nothing that the whole does not."""
    yield document, kind
    for text in json_text.texts(document):
        if text != document:
            yield text, TextKind.WORD if json_text.is_one_word(text) else kind


def find_spans(
    texts: Iterable[tuple[str, TextKind]],
    extract: Callable[[str, TextKind], Sequence[PrivateSpan]],
    vault: ConversationVault,
    told: Callable[[], Iterable[Known]] = tuple,
) -> dict[str, tuple[PrivateSpan, ...]]:
    """Read each text, and look again in all of them for what was found in any or is known to the conversation.

    A value is looked for as it stands and in other spellings (`Recurrences`), a name also alone, in lower case or
    turned round (`Namesakes`). A public name (`spans.public_figures`) is masked in every text if any part of it is
    somebody private in one. In what a document needs verbatim (`_needed`) a find refuses the request, so there nothing
    counts that is a guess or another spelling.

    Args:
        told: Returns what the owner told elsewhere and writes here again (`daemon.own_values`). What this conversation
            knows has the type that it has here, and a public name that passes here stays public.

    Raises:
        ExtractorUnavailableError: the extractor failed.
    """
    kinds: dict[str, TextKind] = {}
    for text, kind in texts:  # what is prose in one place is read as that
        kinds[text] = min(kind, kinds.get(text, kind), key=lambda each: each.value)
    with fail_closed("finding private spans"):
        needed = _needed(kinds)
        found = {
            text: tuple(s for s in extract(text, kind) if s.source not in GUESSES or not needed[text](s))
            for text, kind in kinds.items()
        }
        public = {s.surface for spans in found.values() for s in spans if s.level is Level.PL1}
        known = {value[0]: value for value in told() if value[0] not in public}
        known |= {b.surface: (b.surface, b.entity_type, b.level) for b in vault.bindings() if b.level is not None}
        for spans in found.values():
            known.update({s.surface: (s.surface, s.entity_type, s.level) for s in spans if s.level is not Level.PL1})
        if not known:
            return found
        everything = _KnownValues.of(known.values(), found)
        as_written = _KnownValues.of(known.values(), found, respelled=False)
        for text, spans in found.items():
            again = everything.added_to(text, spans)
            if kinds[text] is not TextKind.PROSE:
                elsewhere = (span for span in again if not needed[text](span))
                again = merge(text, as_written.added_to(text, spans), elsewhere)
            found[text] = tuple(with_whole_graphemes(text, again))
    return found


_Inside = Callable[[PrivateSpan], bool]


def _needed(kinds: Mapping[str, TextKind]) -> dict[str, _Inside]:
    """Say for each text what lies where a document needs the very word: replaced, the request would be refused.

    That is a key of a call's arguments, every single word of a definition (`boolean`, the name of a function), and a
    WORD, which may be either. In a message it is a key only if a call or a definition has that word too: `{"Sigrid":
    7}` is about Sigrid, `{"city": 7}` is what a tool calls it.
    """
    words = {text: json_text.words(text, keys_only=kind is not TextKind.DEFINITION) for text, kind in kinds.items()}
    vocabulary = {
        text[start:end].lower()
        for text, kind in kinds.items()
        if kind in (TextKind.ARGUMENTS, TextKind.DEFINITION)
        for start, end in words[text]
    }
    for text, kind in kinds.items():
        if kind is TextKind.PROSE:
            words[text] = [(start, end) for start, end in words[text] if text[start:end].lower() in vocabulary]
        elif kind is TextKind.WORD:
            words[text] = [(0, len(text))]
    return {text: _inside(stretches) for text, stretches in words.items()}


def _inside(stretches: Sequence[tuple[int, int]]) -> _Inside:
    """Say what lies inside one of these stretches, which are sorted and do not overlap."""
    starts = [start for start, _ in stretches]

    def is_inside(span: PrivateSpan) -> bool:
        number = bisect_right(starts, span.start)
        return number > 0 and span.end <= stretches[number - 1][1]

    return is_inside


@dataclass(frozen=True, slots=True)
class _KnownValues:
    """What is known to be private, ready to be found in any of the texts."""

    recurrences: Recurrences
    namesakes: Namesakes

    @classmethod
    def of(cls, known: Collection[Known], texts: Iterable[str], *, respelled: bool = True) -> Self:
        names = (surface for surface, entity_type, _ in known if entity_type is EntityType.NAME)
        return cls(Recurrences(known, texts, respelled=respelled), Namesakes(names))

    def added_to(self, text: str, spans: tuple[PrivateSpan, ...]) -> tuple[PrivateSpan, ...]:
        spans = self.namesakes.taken_back(text, spans)
        again = self.recurrences.spans(text)
        places = {(span.start, span.end) for span in spans}
        if not all((span.start, span.end) in places for span in again):  # as a rule each is found where it stands
            spans = merge(text, spans, again)
        return self.namesakes.added_to(text, spans)


@dataclass(frozen=True, slots=True, kw_only=True)
class Masker:
    """Masks the texts of one request into one conversation.

    Attributes:
        vault: The conversation's bindings; it is extended.
        spans_of: The spans of a text, as `find_spans` found them.
    """

    context: Context
    vault: ConversationVault
    profile: ProfileNumbers
    settings: MaskSettings
    spans_of: Callable[[str], Sequence[PrivateSpan]] = field(repr=False)

    def mask(self, chat: ChatRequest, known: KnownMessages, digests: Sequence[bytes]) -> MaskedChat:
        """Return the request in placeholder text; `digests` are those of its messages.

        Raises:
            InvalidRequestError: private text stands where it can be neither masked nor sent.
            VaultUnavailableError: numbers are used up.
        """
        messages: list[ChatMessage] = []
        given = {call.id for message in known.values() for call in message.tool_calls or ()}
        for number, (message, digest) in enumerate(zip(chat.messages, digests, strict=True)):
            messages.append(known.get(digest) or self._message(message, f"messages[{number}]", given))
        masked = ChatRequest(
            messages=tuple(messages),
            sampling=self._sampling(chat.sampling),
            tools=None
            if chat.tools is None
            else tuple(self._json(tool, f"tools[{n}]") for n, tool in enumerate(chat.tools)),
            tool_choice=self._json(chat.tool_choice, "tool_choice"),
            parallel_tool_calls=chat.parallel_tool_calls,
            response_format=self._json(chat.response_format, "response_format"),
        )
        return MaskedChat(chat=masked, carried=self._carried(masked))

    def _message(self, message: ChatMessage, path: str, given: Container[str]) -> ChatMessage:
        """Mask one message; `given` are the ids that the model gave to its calls, which may look like anything."""
        origin = origin_of(message, self.context)
        calls, answers = message.tool_calls, message.tool_call_id
        return dataclasses.replace(
            message,
            content=None if message.content is None else self._text(message.content, origin),
            name=None if message.name is None else self._name(message.name, origin),
            tool_call_id=answers if answers in given else self._clean(answers, f"{path}.tool_call_id"),
            tool_calls=None
            if calls is None
            else tuple(self._call(call, origin, f"{path}.tool_calls[{n}]", given) for n, call in enumerate(calls)),
        )

    def _call(self, call: ToolCall, origin: Origin, path: str, given: Container[str]) -> ToolCall:
        if call.id not in given:
            self._clean(call.id, f"{path}.id")
        self._clean(call.function.name, f"{path}.function.name")
        arguments = pseudonymise_arguments(
            call.function.arguments,
            self.spans_of,
            self.vault,
            origin=origin,
            profile=self.profile,
            settings=self.settings,
            path=f"{path}.function.arguments",
        )
        return dataclasses.replace(call, function=FunctionCall(name=call.function.name, arguments=arguments))

    def _text(self, text: str, origin: Origin) -> str:
        return pseudonymise(
            text, self.spans_of(text), self.vault, origin=origin, profile=self.profile, settings=self.settings
        ).text

    def _name(self, name: str, origin: Origin) -> str:
        """Providers allow letters, digits, `_` and `-` in a name, so a placeholder goes without its brackets."""
        return self._text(name, origin).replace("<", "").replace(">", "")

    def _json(self, value: Any, path: str) -> Any:
        """Mask what an application wrote around the conversation; names of functions stay and must be clean."""
        if value is None:
            return None
        if isinstance(value, dict) and isinstance(value.get("function"), dict):
            self._clean(value["function"].get("name"), f"{path}.function.name")
        return pseudonymise_json(
            value,
            self.spans_of,
            self.vault,
            origin=Origin.SYSTEM,
            profile=self.profile,
            settings=self.settings,
            path=path,
        )

    def _sampling(self, sampling: Sampling) -> Sampling:
        if sampling.stop is None:
            return sampling
        return dataclasses.replace(sampling, stop=tuple(self._text(stop, Origin.SYSTEM) for stop in sampling.stop))

    def _clean(self, text: str | None, path: str) -> str | None:
        if text is not None and self._text(text, Origin.SYSTEM) != text:
            raise InvalidRequestError("private text stands where it cannot be masked; rename it", param=path)
        return text

    def _carried(self, chat: ChatRequest) -> frozenset[Placeholder]:
        texts: list[str] = []
        for message in chat.messages:
            texts.append(message.content or "")
            texts += [call.function.arguments for call in message.tool_calls or ()]
        texts += chat.sampling.stop or ()
        texts += [json_text.to_document(value) for value in _documents(chat)]
        seen = {found for text in texts for found in EXACT.findall(text)}
        tokens = {Placeholder(EntityType(kind), int(number)) for kind, number in seen}
        names = [message.name for message in chat.messages if message.name]
        tokens |= {match.placeholder for name in names for match in tolerant.scan(name)}  # without brackets there
        return frozenset(token for token in tokens if self.vault.get(token) is not None)


def _tokens(message: ChatMessage) -> Iterator[Placeholder]:
    """Yield the exact tokens of a message in placeholder text."""
    for text in (message.content or "", *(call.function.arguments for call in message.tool_calls or ())):
        for _, _, token in scan(text):
            yield token


def _documents(chat: ChatRequest) -> Iterator[Any]:
    """Yield the JSON values around the conversation, each of which is masked as one document."""
    yield from chat.tools or ()
    yield from (value for value in (chat.tool_choice, chat.response_format) if value is not None)
