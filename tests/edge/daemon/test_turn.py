"""What leaves: every text of a request in placeholder text, by who wrote it."""

import json
from collections.abc import Sequence

import pytest
from keepmum_edge.daemon.chat import ChatRequest, Context
from keepmum_edge.daemon.identity import Digester
from keepmum_edge.daemon.turn import KnownMessages, MaskedChat, Masker, find_spans, texts_of_owner, texts_to_read
from keepmum_edge.daemon.visibility import Visibility
from keepmum_edge.errors import ExtractorUnavailableError, InvalidRequestError, UnrestorableArgumentsError
from keepmum_edge.spans.extractor import TextKind
from keepmum_edge.spans.public_figures import PublicFigures
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.vault.binding import Origin
from keepmum_edge.vault.conversation import ConversationVault, MemoryProfileNumbers
from keepmum_edge.vault.pseudonymise import MaskSettings
from keepmum_edge.vault.restore import restore
from keepmum_shared import codec
from keepmum_shared.messages import ChatMessage, FunctionCall, Sampling, ToolCall
from keepmum_shared.placeholder import Placeholder
from keepmum_shared.taxonomy import EntityType, Level
from private_texts import spans_of

DIGESTER = Digester(bytes(32))
PEOPLE = [
    (name, EntityType.NAME)
    for name in ("Mira Talvi", "Ada Fenwick", "Orrin Bask", "Root Admin", "Ben Orlow", "Cy Dent")
] + [("root.fake@example.org", EntityType.EMAIL), ("Kite#4471!", EntityType.PASSWORD)]


class Conversation:
    """One conversation on one profile; spans of names are given."""

    def __init__(self, context: Context | None = None, numbers: MemoryProfileNumbers | None = None) -> None:
        self.context = context or Context()
        incognito = self.context.mode == "incognito"
        self.numbers = numbers or MemoryProfileNumbers()
        self.vault = ConversationVault(profile_scope=not incognito, volatile_all=incognito)
        self.known: dict[bytes, ChatMessage] = {}
        self.read: list[str] = []

    def extract(self, text: str) -> tuple[PrivateSpan, ...]:
        self.read.append(text)
        return spans_of(text, PEOPLE)

    def read_text(self, text: str, kind: TextKind) -> tuple[PrivateSpan, ...]:
        return self.extract(text)

    def send(self, *messages: ChatMessage, **fields: object) -> MaskedChat:
        return self.mask(ChatRequest(messages=messages, **fields), self.known)

    def mask(self, chat: ChatRequest, known: KnownMessages) -> MaskedChat:
        digests = DIGESTER.history(chat.messages).messages
        found = find_spans(texts_to_read(chat, known, digests, self.vault), self.read_text, self.vault)
        masker = Masker(
            context=self.context,
            vault=self.vault,
            profile=self.numbers,
            settings=MaskSettings(),
            spans_of=lambda text: found[text],
        )
        masked = masker.mask(chat, known, digests)
        self.known.update(zip(digests, masked.chat.messages, strict=True))
        return masked

    def answer(self, clear: str, written: str) -> None:
        message = ChatMessage(role="assistant", content=clear)
        self.known[DIGESTER.message(message)] = ChatMessage(role="assistant", content=written)


def user(text: str) -> ChatMessage:
    return ChatMessage(role="user", content=text)


def says(role: str, text: str, **fields: str) -> ChatMessage:
    return ChatMessage(role=role, content=text, **fields)  # type: ignore[arg-type]


def contents(masked: MaskedChat) -> list[str | None]:
    return [message.content for message in masked.chat.messages]


def test_a_page_the_owner_and_a_memory_name_three_people_with_three_tokens() -> None:
    conversation = Conversation()
    masked = conversation.send(
        user("Ada Fenwick asks"), says("tool", "Ben Orlow writes to Ada Fenwick", tool_call_id="c1")
    )
    assert contents(masked) == ["<NAME_1> asks", "<NAME_100001> writes to <NAME_100002>"]
    memory = Placeholder(EntityType.NAME, 9)
    rights = Visibility(vault=conversation.vault, carried=masked.carried, memories={memory: "Cy Dent"})
    shown = restore("<NAME_1> <NAME_100001> <NAME_100002> <NAME_9> <NAME_2>", rights.in_text).text
    assert shown == "Ada Fenwick Ben Orlow Ada Fenwick Cy Dent <NAME_2>"


def test_the_id_that_the_model_gave_to_a_call_comes_back_whatever_it_looks_like() -> None:
    conversation = Conversation()
    call = ToolCall(id="Ada Fenwick", function=FunctionCall(name="look", arguments="{}"))
    asked = ChatMessage(role="assistant", content=None, tool_calls=(call,))
    conversation.known[DIGESTER.message(asked)] = asked
    masked = conversation.send(user("look"), asked, says("tool", "seen", tool_call_id="Ada Fenwick"))
    assert masked.chat.messages[2].tool_call_id == "Ada Fenwick"
    with pytest.raises(InvalidRequestError):
        conversation.send(user("look"), asked, says("tool", "seen", tool_call_id="Ben Orlow"))


def test_a_secret_whose_value_a_restart_lost_is_still_masked_when_it_is_repeated() -> None:
    conversation = Conversation()
    first = user("the door opens with Kite#4471!")
    conversation.send(first)
    conversation.vault = ConversationVault(
        profile_scope=True, volatile_all=False, next_numbers=conversation.vault.next_numbers
    )
    repeated = conversation.send(first, user("again: xKite#4471! and Kite#4471!"))
    assert contents(repeated)[0] == "the door opens with <PASSWORD_100001>"
    assert contents(repeated)[1].endswith("and <PASSWORD_100002>")


def test_a_value_that_is_sent_under_a_coarse_type_is_found_again() -> None:
    vault, numbers = ConversationVault(profile_scope=True, volatile_all=False), MemoryProfileNumbers()
    vault.bind(
        EntityType.BANK_ACCOUNT,
        Level.PL3,
        "00 4471 9921",
        origin=Origin.OWNER,
        profile=numbers,
        wire_type=EntityType.DETAIL,
    )
    (span,) = find_spans([("is 00 4471 9921 mine?", TextKind.PROSE)], lambda *_: (), vault)["is 00 4471 9921 mine?"]
    assert (span.surface, span.entity_type) == ("00 4471 9921", EntityType.BANK_ACCOUNT)


def told(*values: tuple[str, EntityType]) -> list[tuple[str, EntityType, Level]]:
    return [(surface, entity_type, Level.PL2) for surface, entity_type in values]


def test_what_was_told_elsewhere_is_found_in_every_text_of_the_request() -> None:
    texts = ["weather for Clara Berg?", '{"who": "berg, clara"}', "nobody"]
    vault = ConversationVault(profile_scope=True, volatile_all=False)
    found = find_spans(
        [(text, TextKind.PROSE) for text in texts],
        lambda *_: (),
        vault,
        lambda: told(("Clara Berg", EntityType.NAME)),
    )
    assert [[span.surface for span in found[text]] for text in texts] == [["Clara Berg"], ["berg, clara"], []]


def test_a_public_name_that_passes_here_stays_public_though_somebody_is_called_like_that() -> None:
    text = "what did Ada Lovelace write?"
    passing = PublicFigures([["Ada Lovelace"]]).let_pass(text, spans_of(text, [("Ada Lovelace", EntityType.NAME)]))
    vault = ConversationVault(profile_scope=True, volatile_all=False)
    found = find_spans(
        [(text, TextKind.PROSE)], lambda *_: passing, vault, lambda: told(("Ada Lovelace", EntityType.NAME))
    )
    assert [span.level for span in found[text]] == [Level.PL1]


def test_what_this_conversation_knows_keeps_its_type_whatever_it_was_elsewhere() -> None:
    vault, numbers = ConversationVault(profile_scope=True, volatile_all=False), MemoryProfileNumbers()
    vault.bind(EntityType.USERNAME, Level.PL2, "kestrel42", origin=Origin.OWNER, profile=numbers)
    text = "kestrel42 again"
    (span,) = find_spans(
        [(text, TextKind.PROSE)], lambda *_: (), vault, lambda: told(("kestrel42", EntityType.ACCOUNT_ID))
    )[text]
    assert span.entity_type is EntityType.USERNAME


def test_only_new_messages_of_the_owner_are_the_owners_words() -> None:
    messages = (
        says("system", "a"),
        user("b"),
        says("assistant", "c"),
        says("tool", "d", tool_call_id="c1"),
        user("e"),
    )
    digests = DIGESTER.history(messages).messages
    chat, known = ChatRequest(messages=messages), {digests[1]: messages[1]}
    assert list(texts_of_owner(chat, known, digests, Context())) == ["e"]
    assert list(texts_of_owner(chat, known, digests, Context(mode="incognito"))) == ["e"]
    assert list(texts_of_owner(chat, known, digests, Context(audience="bob"))) == []


def test_a_value_only_a_system_text_holds_cannot_be_asked_for() -> None:
    conversation = Conversation()
    masked = conversation.send(
        says("system", "The admin is Root Admin <root.fake@example.org>"),
        user("what is <EMAIL_1>? and <EMAIL_100001>?"),
    )
    assert contents(masked) == [
        "The admin is <NAME_100001> <<EMAIL_100001>>",
        "what is <LITERAL_1>? and <LITERAL_2>?",
    ]
    rights = Visibility(vault=conversation.vault, carried=masked.carried)
    assert (
        restore("<EMAIL_100001> <LITERAL_1> <LITERAL_2>", rights.in_text).text
        == "<EMAIL_100001> <EMAIL_1> <EMAIL_100001>"
    )
    later = conversation.send(user("mail root.fake@example.org"))
    assert contents(later) == ["mail <EMAIL_1>"]
    rights = Visibility(vault=conversation.vault, carried=later.carried)
    assert restore("<EMAIL_1>", rights.in_text).text == "root.fake@example.org"


@pytest.mark.parametrize("role", ["system", "developer", "tool", "assistant"])
def test_only_the_owners_own_words_take_profile_numbers(role: str) -> None:
    conversation = Conversation()
    conversation.send(user("Ada Fenwick"))
    masked = conversation.send(says(role, "Ada Fenwick and Ben Orlow"))
    assert contents(masked) == ["<NAME_100001> and <NAME_100002>"]
    assert conversation.numbers.numbers(EntityType.NAME, "ben orlow") == ()


def test_a_contacts_words_are_foreign() -> None:
    masked = Conversation(Context(audience="ben")).send(user("Ada Fenwick"))
    assert contents(masked) == ["<NAME_100001>"]


def test_incognito_leaves_nothing_to_store_and_no_profile_number() -> None:
    conversation = Conversation(Context(mode="incognito"))
    assert contents(conversation.send(user("I am Ada Fenwick"))) == ["I am <NAME_1>"]
    assert conversation.vault.unsaved() == ()
    assert conversation.numbers.numbers(EntityType.NAME, "ada fenwick") == ()


def test_history_is_sent_as_it_was_sent_and_never_read_again() -> None:
    conversation = Conversation()
    first = user("Mira Talvi wrote to Ada Fenwick")
    assert contents(conversation.send(first)) == ["<NAME_1> wrote to <NAME_2>"]
    reply = "Ada Fenwick should answer Mira Talvi"
    conversation.answer(reply, "<NAME_2> should answer <name_1>")
    conversation.read.clear()
    masked = conversation.send(first, says("assistant", reply + "\n"), user("and tell Orrin Bask; what did you say?"))
    assert contents(masked) == [
        "<NAME_1> wrote to <NAME_2>",
        "<NAME_2> should answer <name_1>",
        "and tell <NAME_3>; what did you say?",
    ]
    assert conversation.read == ["and tell Orrin Bask; what did you say?"]
    rights = Visibility(vault=conversation.vault, carried=masked.carried)
    assert restore("<NAME_1>, <NAME_3>", rights.in_text).text == "Mira Talvi, Orrin Bask"


def test_two_conversations_that_begin_alike_do_not_share_what_was_carried() -> None:
    one = Conversation()
    one.send(user("Ada Fenwick"))
    two = Conversation(numbers=one.numbers)
    masked = two.send(user("hi"))
    rights = Visibility(vault=two.vault, carried=masked.carried)
    assert restore("<NAME_1>", rights.in_text).text == "<NAME_1>"


def test_every_field_that_holds_text_is_masked() -> None:
    conversation = Conversation()
    call = ToolCall(id="c1", function=FunctionCall(name="write", arguments='{"to":"Ada Fenwick"}'))
    masked = conversation.send(
        ChatMessage(role="user", content="Ada Fenwick", name="Orrin Bask"),
        ChatMessage(role="assistant", tool_calls=(call,)),
        sampling=Sampling(stop=("Mira Talvi",)),
        tools=({"type": "function", "function": {"name": "write", "description": "for Ben Orlow", "parameters": {}}},),
        response_format={"type": "json_schema", "json_schema": {"description": "Cy Dent"}},
    )
    sent = codec.encode(masked.chat).decode()
    assert not [name for name, _ in PEOPLE if name in sent]
    assert masked.chat.messages[0].name == "NAME_2"
    assert Placeholder(EntityType.NAME, 2) in masked.carried
    assert masked.chat.messages[1].tool_calls is not None
    assert json.loads(masked.chat.messages[1].tool_calls[0].function.arguments) == {"to": "<NAME_100001>"}
    assert len(masked.carried) == 6


TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
PROPERTIES = "function.parameters.properties"


def schema_with(key: str) -> dict[str, object]:
    """Return a tool one of whose parameters is an object with that key."""
    people = {"type": "object", "properties": {key: {"type": "string"}}}
    parameters = {"type": "object", "properties": {"city": {"type": "string"}, "people": people}}
    return {"type": "function", "function": {"name": "look", "parameters": parameters}}


@pytest.mark.parametrize(
    ("messages", "fields", "param"),
    [
        ((says("tool", "x", tool_call_id="Ada Fenwick"),), {}, "messages[0].tool_call_id"),
        (
            (
                ChatMessage(
                    role="assistant",
                    tool_calls=(ToolCall(id="Ada Fenwick", function=FunctionCall(name="f", arguments="{}")),),
                ),
            ),
            {},
            "messages[0].tool_calls[0].id",
        ),
        (
            (
                ChatMessage(
                    role="assistant",
                    tool_calls=(ToolCall(id="c", function=FunctionCall(name="NAME_1", arguments="{}")),),
                ),
            ),
            {},
            "messages[0].tool_calls[0].function.name",
        ),
        ((user("x"),), {"tools": ({"type": "function", "function": {"name": "NAME_1"}},)}, "tools[0].function.name"),
        ((user("x"),), {"tools": ({"type": "function", "Ada Fenwick": 1},)}, "tools[0].{2}"),
        ((user("x"),), {"tools": (TOOL, schema_with("Ada Fenwick"))}, f"tools[1].{PROPERTIES}.{{2}}.properties.{{1}}"),
        (
            (user("x"),),
            {"response_format": {"json_schema": [{"Ada Fenwick": 1}]}},
            "response_format.json_schema[0].{1}",
        ),
        (
            (
                ChatMessage(
                    role="assistant",
                    tool_calls=(
                        ToolCall(id="b", function=FunctionCall(name="f", arguments="{}")),
                        ToolCall(id="c", function=FunctionCall(name="f", arguments='{"a":[0,{"Ada Fenwick":1}]}')),
                    ),
                ),
            ),
            {},
            "messages[0].tool_calls[1].function.arguments.{1}[1].{1}",
        ),
    ],
)
def test_what_can_be_neither_masked_nor_sent_is_refused(
    messages: Sequence[ChatMessage], fields: dict[str, object], param: str
) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        Conversation().send(*messages, **fields)
    assert "Ada" not in str(caught.value)
    assert caught.value.param == param


def test_a_key_that_another_message_makes_private_is_refused_with_its_place() -> None:
    with pytest.raises(InvalidRequestError) as caught:
        Conversation().send(user("my neighbour Ada Fenwick"), tools=(schema_with("Fenwick"),))
    assert caught.value.param == f"tools[0].{PROPERTIES}.{{2}}.properties.{{1}}"


def test_a_secret_told_once_is_found_again_where_nothing_gives_it_away() -> None:
    conversation = Conversation()
    extractor = RuleExtractor()
    conversation.extract = extractor.extract  # type: ignore[method-assign]
    first = conversation.send(user("my password is Kite#4471xZ"))
    assert contents(first) == ["my password is <PASSWORD_100001>"]
    again = conversation.send(user("is Kite#4471xZ good?"), says("tool", "log: Kite#4471xZ", tool_call_id="c"))
    assert contents(again) == ["is <PASSWORD_100001> good?", "log: <PASSWORD_100002>"]


def test_identifiers_are_read_by_form_and_what_people_wrote_by_everything() -> None:
    conversation = Conversation()
    kinds: dict[str, TextKind] = {}

    def read_text(text: str, kind: TextKind) -> tuple[PrivateSpan, ...]:
        kinds[text] = kind
        return ()

    conversation.read_text = read_text  # type: ignore[method-assign]
    call = ToolCall(id="toolu_01A09q90", function=FunctionCall(name="memory_add", arguments='{"to": "Ada", "n": 7}'))
    tool = {"type": "function", "function": {"name": "weather", "description": "Look at it"}}
    conversation.send(
        user("hi Ada"),
        ChatMessage(role="assistant", content=None, tool_calls=(call,)),
        says("tool", "done it", tool_call_id="toolu_01A09q90", name="orrin"),
        tools=(tool,),
        sampling=Sampling(stop=("Ben Orlow",)),
    )
    words = {
        "toolu_01A09q90",
        "memory_add",
        "to",
        "Ada",
        "n",
        "7",
        "type",
        "function",
        "name",
        "weather",
        "description",
    }
    definitions = {json.dumps(tool), "Look at it"}
    prose = {"hi Ada", "done it", "orrin", "Ben Orlow"}
    assert {text for text, kind in kinds.items() if kind is TextKind.WORD} == words
    assert {text for text, kind in kinds.items() if kind is TextKind.DEFINITION} == definitions
    assert {text for text, kind in kinds.items() if kind is TextKind.PROSE} == prose
    assert {text for text, kind in kinds.items() if kind is TextKind.ARGUMENTS} == {'{"to": "Ada", "n": 7}'}


def guess(text: str, surface: str, source: str = "encoder") -> PrivateSpan:
    start = text.index(surface)
    return PrivateSpan(
        start=start,
        end=start + len(surface),
        entity_type=EntityType.NAME,
        level=Level.PL2,
        source=source,
        certainty=80,
        surface=surface,
    )


def test_a_name_that_is_a_key_in_a_message_is_masked_and_the_word_of_a_tool_is_not() -> None:
    conversation = Conversation()
    patients = json.dumps({"patients": {"Sigrid": "hepatitis"}, "City": "Leeds"})

    def extract(text: str) -> tuple[PrivateSpan, ...]:
        return (guess(text, "Sigrid"), guess(text, "City")) if text == patients else ()

    conversation.extract = extract  # type: ignore[method-assign]
    tool = {"type": "function", "function": {"name": "look", "parameters": {"properties": {"city": {}}}}}
    masked = conversation.send(user(patients), says("tool", "Sigrid!", tool_call_id="c"), tools=(tool,))
    assert contents(masked) == ['{"patients": {"<NAME_1>": "hepatitis"}, "City": "Leeds"}', "<NAME_100001>!"]
    assert masked.chat.tools == (tool,)


def test_another_spelling_of_a_known_value_does_not_refuse_a_document_that_needs_the_word() -> None:
    conversation = Conversation()
    conversation.extract = lambda text: spans_of(text, [("Weather", EntityType.ORGANIZATION)])  # type: ignore[method-assign]
    arguments = json.dumps({"weather": "at WEATHER"})
    call = ToolCall(id="c", function=FunctionCall(name="look", arguments=arguments))
    masked = conversation.send(
        user("I work at Weather"), ChatMessage(role="assistant", content=None, tool_calls=(call,))
    )
    assert masked.chat.messages[1].tool_calls is not None
    assert masked.chat.messages[1].tool_calls[0].function.arguments == '{"weather": "at <ORGANIZATION_100001>"}'


def test_a_word_that_a_document_needs_is_not_taken_on_a_guess_and_private_forms_are() -> None:
    tool = json.dumps({"type": "boolean", "path": "ada@example.org", "description": "ask Ada Fenwick"})
    arguments = json.dumps({"path": "Ada"})

    def extract(text: str, kind: TextKind) -> tuple[PrivateSpan, ...]:
        if text == tool:
            parts = (
                ("boolean", "encoder"),
                ("path", "namesake"),
                ("ada@example.org", "email"),
                ("Ada Fenwick", "encoder"),
            )
            return tuple(guess(text, surface, source) for surface, source in parts)
        return (guess(text, "path"), guess(text, "Ada"))

    vault = ConversationVault(profile_scope=True, volatile_all=False)
    found = find_spans([(tool, TextKind.DEFINITION), (arguments, TextKind.ARGUMENTS)], extract, vault)
    assert [span.surface for span in found[tool]] == ["ada@example.org", "Ada Fenwick"]
    assert [span.surface for span in found[arguments]] == ["Ada"]


def test_a_text_that_is_a_word_in_one_place_and_a_message_in_another_is_read_as_a_message() -> None:
    asked: list[tuple[str, TextKind]] = []

    def extract(text: str, kind: TextKind) -> tuple[PrivateSpan, ...]:
        asked.append((text, kind))
        return ()

    vault = ConversationVault(profile_scope=True, volatile_all=False)
    find_spans([("Ada", TextKind.WORD), ("Ada", TextKind.PROSE), ("Ada", TextKind.WORD)], extract, vault)
    assert asked == [("Ada", TextKind.PROSE)]


def test_a_failing_extractor_sends_nothing() -> None:
    conversation = Conversation()

    def broken(text: str) -> tuple[PrivateSpan, ...]:
        raise ExtractorUnavailableError("the rules", "Start again.")

    conversation.extract = broken  # type: ignore[method-assign]
    with pytest.raises(ExtractorUnavailableError):
        conversation.send(user("Ada Fenwick"))
    assert list(conversation.vault.bindings()) == []


def test_a_secret_is_never_written_back_through_a_tool() -> None:
    conversation = Conversation()
    masked = conversation.send(says("tool", "DB_PASS=Kite#4471!", tool_call_id="c1"))
    assert contents(masked) == ["DB_PASS=<PASSWORD_100001>"]
    rights = Visibility(vault=conversation.vault, carried=masked.carried)
    arguments = json.dumps({"text": "DB_PASS=<PASSWORD_100001>\nDEBUG=1"})
    with pytest.raises(UnrestorableArgumentsError):
        restore(arguments, rights.in_arguments, kind="tool_arguments")


@pytest.mark.parametrize("field", ["content", "name", "arguments", "stop", "tools"])
def test_a_lone_surrogate_is_refused_in_every_field(field: str) -> None:
    bad = "x\ud800"
    messages, fields = [user("hi")], {}
    if field == "content":
        messages = [user(bad)]
    elif field == "name":
        messages = [ChatMessage(role="user", content="x", name=bad)]
    elif field == "arguments":
        messages = [
            ChatMessage(
                role="assistant", tool_calls=(ToolCall(id="c", function=FunctionCall(name="f", arguments=bad)),)
            )
        ]
    elif field == "stop":
        fields = {"sampling": Sampling(stop=(bad,))}
    else:
        fields = {"tools": ({"description": bad},)}
    with pytest.raises(InvalidRequestError):
        Conversation().send(*messages, **fields)


def test_a_name_with_more_than_the_value_is_masked_and_carried() -> None:
    conversation = Conversation()
    masked = conversation.send(ChatMessage(role="user", content="hi", name="dr-Ada Fenwick"))
    assert masked.chat.messages[0].name == "dr-NAME_1"
    rights = Visibility(vault=conversation.vault, carried=masked.carried)
    assert restore("Hello <NAME_1>", rights.in_text).text == "Hello Ada Fenwick"


def test_a_name_of_an_earlier_turn_is_found_again_alone_and_in_lower_case() -> None:
    conversation = Conversation()
    conversation.send(user("I am Mira Talvi"))
    text = "tell talvi, mira talvi\nThen Mira and Talvi, Mira left."
    masked = conversation.send(user(text))
    assert contents(masked) == ["tell <NAME_2>, <NAME_3>\nThen <NAME_4> and <NAME_5> left."]
    rights = Visibility(vault=conversation.vault, carried=masked.carried)
    assert restore(contents(masked)[0], rights.in_text).text == text
    assert contents(conversation.send(user("Mira?"))) == ["<NAME_4>?"]


@pytest.mark.parametrize(
    ("told", "asked", "sent"),
    [
        ("Fenwick next door", "Tell me about Ada Fenwick", "Tell me about <NAME_2>"),
        ("our son Ada", "Ada Fenwick said it. Fenwick knew.", "<NAME_2> said it. <NAME_3> knew."),
        ("Orlow next door", "Tell me about Ada Fenwick", "Tell me about Ada Fenwick"),
    ],
)
def test_a_public_name_of_which_a_part_is_somebody_private_is_masked_whole(told: str, asked: str, sent: str) -> None:
    listed = PublicFigures([["Ada Fenwick"]])
    conversation = Conversation()
    private = [(told.split()[-1] if told.startswith("our") else told.split()[0], EntityType.NAME)]

    def extract(text: str) -> tuple[PrivateSpan, ...]:
        if text == told:
            return spans_of(text, private)
        return listed.let_pass(text, spans_of(text, [("Ada Fenwick", EntityType.NAME), ("Fenwick", EntityType.NAME)]))

    conversation.extract = extract  # type: ignore[method-assign]
    assert contents(conversation.send(user(told), user(asked)))[1] == sent


def test_a_public_name_that_is_somebody_private_in_the_conversation_is_masked_everywhere() -> None:
    conversation = Conversation()
    listed = PublicFigures([["Ada Fenwick"], ["Ben Orlow"]])
    conversation.extract = lambda text: listed.let_pass(text, spans_of(text, PEOPLE))  # type: ignore[method-assign]
    assert contents(conversation.send(user("Was Ada Fenwick or Ben Orlow first?"))) == [
        "Was Ada Fenwick or Ben Orlow first?"
    ]
    masked = conversation.send(
        user("my friend Ada Fenwick asks"), says("tool", "Who is Ada Fenwick?", tool_call_id="c")
    )
    assert contents(masked) == ["my friend <NAME_1> asks", "Who is <NAME_100001>?"]
    assert contents(conversation.send(user("Is Ada Fenwick older than Ben Orlow?"))) == [
        "Is <NAME_1> older than Ben Orlow?"
    ]
