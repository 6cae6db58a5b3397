"""One answer on its way in, sans-IO: values come back while it arrives, and what the model wrote is kept.

Two forms are built side by side: the placeholder form, which is stored, re-sent and traced, and the shown form, which
the client gets and sends back in its next request. The closing events wait until the answer is stored: an answer that
a client has seen complete is never given differently again.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from keepmum_shared.ids import MemoryId
from keepmum_shared.messages import (
    ChatMessage,
    ContentDelta,
    Finished,
    FinishReason,
    FunctionCall,
    ToolCall,
    ToolCallDelta,
    Usage,
)
from keepmum_shared.placeholder import Placeholder, parse

from keepmum_edge.daemon.chat import AnswerEvent, MemoriesUsed
from keepmum_edge.daemon.visibility import Visibility
from keepmum_edge.errors import CloudBrokeOffError
from keepmum_edge.vault.restore import Lookup
from keepmum_edge.vault.stream import StreamRestorer


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One complete choice in placeholder text."""

    message: ChatMessage = field(repr=False)
    reason: FinishReason


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAnswer:
    """A complete answer in placeholder text, as it is stored for a retry and a trace.

    Attributes:
        carried: Exact tokens of the request, so that a replay restores what the answer restored.
        memories: Records that the cloud named and this edge's index admits.
    """

    model: str
    created: int
    choices: tuple[Choice, ...] = field(repr=False)
    usage: Usage | None = None
    memories: tuple[MemoryId, ...]
    carried: tuple[str, ...]

    @property
    def placeholders(self) -> frozenset[Placeholder]:
        """`carried`, read."""
        return frozenset(parse(token) for token in self.carried)


class _Text:
    """A text that grows: as the model writes it, and as it is shown."""

    def __init__(self, lookup: Lookup, *, arguments: bool = False) -> None:
        self.restorer = StreamRestorer(lookup, kind="tool_arguments" if arguments else "text")
        self.written: list[str] = []
        self.shown: list[str] = []

    def feed(self, piece: str) -> str:
        self.written.append(piece)
        out = self.restorer.feed(piece)
        self.shown.append(out)
        return out

    def flush(self) -> str:
        out = self.restorer.flush()
        self.shown.append(out)
        return out

    def abandon(self) -> str:
        out = self.restorer.abandon()
        self.shown.append(out)
        return out


@dataclass(slots=True)
class _Call:
    arguments: _Text
    id: str = ""
    name: str = ""


@dataclass(slots=True)
class _Growing:
    """One choice that is still arriving."""

    content: _Text
    calls: dict[int, _Call] = field(default_factory=dict)
    reason: FinishReason | None = None

    def message(self, *, shown: bool) -> ChatMessage:
        def joined(text: _Text) -> str:
            return "".join(text.shown if shown else text.written)

        calls = tuple(
            ToolCall(id=call.id, function=FunctionCall(name=call.name, arguments=joined(call.arguments)))
            for _, call in sorted(self.calls.items())
        )
        content = joined(self.content)
        return ChatMessage(role="assistant", content=content or (None if calls else ""), tool_calls=calls or None)


class RestoringAnswer:
    """Takes the cloud's events and gives the client's, restored.

    Args:
        visibility: What may become its value; its `memories` may be filled before the first delta.
    """

    def __init__(self, visibility: Visibility) -> None:
        self._visibility = visibility
        self._choices: dict[int, _Growing] = {}
        self._usage: Usage | None = None

    def feed(self, event: ContentDelta | ToolCallDelta | Finished | Usage) -> Iterator[AnswerEvent]:
        """Take one event; Finished and Usage are held until `closing`.

        Raises:
            UnrestorableArgumentsError: a tool call holds a placeholder that may not become its value there.
        """
        if isinstance(event, Usage):
            self._usage = event
            return
        choice = self._choice(event.choice)
        if isinstance(event, ContentDelta):
            if text := choice.content.feed(event.text):
                yield ContentDelta(text=text, choice=event.choice)
        elif isinstance(event, ToolCallDelta):
            call = self._call(choice, event)
            arguments = call.arguments.feed(event.arguments)
            if arguments or event.id or event.name:
                yield ToolCallDelta(
                    index=event.index, arguments=arguments, id=event.id, name=event.name, choice=event.choice
                )
        else:
            choice.reason = event.reason
            yield from _ended(event.choice, choice, _Text.flush)

    def abandon(self) -> Iterator[AnswerEvent]:
        """Give what is held back as it is; called before an error ends the stream."""
        for number, choice in self._choices.items():
            if choice.reason is None:
                yield from _ended(number, choice, _Text.abandon)

    def closing(self) -> Iterator[AnswerEvent]:
        """Give the finish of every choice and the usage, once the answer is stored."""
        for number, choice in sorted(self._choices.items()):
            assert choice.reason is not None
            yield Finished(reason=choice.reason, choice=number)
        if self._usage is not None:
            yield self._usage

    def stored(self, *, model: str, created: int, memories: tuple[MemoryId, ...]) -> StoredAnswer:
        """Return the complete answer in placeholder text.

        Raises:
            CloudBrokeOffError: a choice did not finish, or there is none.
        """
        choices: list[Choice] = []
        for _, choice in sorted(self._choices.items()):
            if choice.reason is None:
                raise CloudBrokeOffError("the answer ended in the middle")
            choices.append(Choice(message=choice.message(shown=False), reason=choice.reason))
        if not choices:
            raise CloudBrokeOffError("the cloud half sent no answer")
        return StoredAnswer(
            model=model,
            created=created,
            choices=tuple(choices),
            usage=self._usage,
            memories=memories,
            carried=tuple(sorted(str(placeholder) for placeholder in self._visibility.carried)),
        )

    def shown(self) -> tuple[ChatMessage, ...]:
        """Return each choice's message as the client got it."""
        return tuple(choice.message(shown=True) for _, choice in sorted(self._choices.items()))

    @property
    def is_one_text(self) -> bool:
        """Whether it is one choice that says something and calls nothing."""
        (choice, *others) = self._choices.values()
        return not others and not choice.calls and bool(choice.content.written)

    @property
    def unresolved(self) -> int:
        """How many tokens stayed as they were because nothing stands behind them here."""
        texts = [choice.content for choice in self._choices.values()]
        texts += [call.arguments for choice in self._choices.values() for call in choice.calls.values()]
        return sum(len(text.restorer.unresolved) for text in texts)

    def _choice(self, number: int) -> _Growing:
        if number not in self._choices:
            self._choices[number] = _Growing(_Text(self._visibility.in_text))
        return self._choices[number]

    def _call(self, choice: _Growing, event: ToolCallDelta) -> _Call:
        if event.index not in choice.calls:
            choice.calls[event.index] = _Call(_Text(self._visibility.in_arguments, arguments=True))
        call = choice.calls[event.index]
        call.id = event.id or call.id
        call.name = event.name or call.name
        return call


def _ended(number: int, choice: _Growing, end: Callable[[_Text], str]) -> Iterator[AnswerEvent]:
    """End every text of a choice and yield what that gives."""
    if text := end(choice.content):
        yield ContentDelta(text=text, choice=number)
    for index, call in choice.calls.items():
        if arguments := end(call.arguments):
            yield ToolCallDelta(index=index, arguments=arguments, choice=number)


def replay(stored: StoredAnswer, visibility: Visibility) -> Iterator[AnswerEvent]:
    """Give a stored answer again, restored with the rights it had.

    Raises:
        UnrestorableArgumentsError: a value is gone (a restart loses PL4) that a tool call needs.
    """
    if stored.memories:
        yield MemoriesUsed(memories=stored.memories)
    answer = RestoringAnswer(visibility)
    for number, choice in enumerate(stored.choices):
        if choice.message.content is not None:
            yield from answer.feed(ContentDelta(text=choice.message.content, choice=number))
        for index, call in enumerate(choice.message.tool_calls or ()):
            function = call.function
            yield from answer.feed(
                ToolCallDelta(index=index, arguments=function.arguments, id=call.id, name=function.name, choice=number)
            )
        yield from answer.feed(Finished(reason=choice.reason, choice=number))
    if stored.usage is not None:
        yield from answer.feed(stored.usage)
    yield from answer.closing()
