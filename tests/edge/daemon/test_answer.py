"""How an answer comes in: held text before the finish, each choice, call and field on its own, replays."""

import json
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_edge.daemon.answer import RestoringAnswer, StoredAnswer, replay
from keepmum_edge.daemon.chat import AnswerEvent, MemoriesUsed
from keepmum_edge.daemon.visibility import Visibility
from keepmum_edge.errors import CloudBrokeOffError, UnrestorableArgumentsError
from keepmum_edge.vault.binding import Origin
from keepmum_edge.vault.conversation import ConversationVault, MemoryProfileNumbers
from keepmum_shared import codec
from keepmum_shared.ids import MemoryId
from keepmum_shared.messages import ChatMessage, ContentDelta, Finished, FunctionCall, ToolCall, ToolCallDelta, Usage
from keepmum_shared.placeholder import Placeholder
from keepmum_shared.taxonomy import EntityType, Level

MAIL = "mara.quill+vet@example.org"
MEMORY = MemoryId("mem_x")


def rights() -> Visibility:
    """EMAIL_1 and NAME_1 are the owner's, NAME_100001 a page's, PASSWORD_100001 a secret, NAME_7 a memory's."""
    vault = ConversationVault(profile_scope=True, volatile_all=False)
    numbers = MemoryProfileNumbers()
    for entity_type, level, surface, origin in (
        (EntityType.EMAIL, Level.PL2, MAIL, Origin.OWNER),
        (EntityType.NAME, Level.PL2, 'Mara "Q"', Origin.OWNER),
        (EntityType.NAME, Level.PL2, "Tomasz", Origin.FOREIGN),
        (EntityType.PASSWORD, Level.PL4, "kite", Origin.OWNER),
    ):
        vault.bind(entity_type, level, surface, origin=origin, profile=numbers)
    carried = frozenset(binding.placeholder for binding in vault.bindings())
    return Visibility(vault=vault, carried=carried, memories={Placeholder(EntityType.NAME, 7): "Ola"})


def run(events: Iterable[ContentDelta | ToolCallDelta | Finished | Usage]) -> tuple[RestoringAnswer, list[AnswerEvent]]:
    answer = RestoringAnswer(rights())
    return answer, [out for event in events for out in answer.feed(event)]


def text_of(events: Iterable[AnswerEvent], choice: int = 0) -> str:
    return "".join(event.text for event in events if isinstance(event, ContentDelta) and event.choice == choice)


def arguments_of(events: Iterable[AnswerEvent], index: int = 0, choice: int = 0) -> str:
    calls = [event for event in events if isinstance(event, ToolCallDelta) and event.choice == choice]
    return "".join(call.arguments for call in calls if call.index == index)


def test_a_token_cut_in_three_is_never_shown_in_parts() -> None:
    _, out = run(ContentDelta(text=piece) for piece in ("Sure, I'll mail <EM", "AIL_1", "> now."))
    assert text_of(out) == f"Sure, I'll mail {MAIL} now."
    assert not any("<" in event.text for event in out if isinstance(event, ContentDelta))


def test_an_ordinary_less_than_goes_on_with_the_next_piece() -> None:
    answer = RestoringAnswer(rights())
    assert text_of(answer.feed(ContentDelta(text="if a <"))) == "if a "
    assert text_of(answer.feed(ContentDelta(text=" b and"))) == "< b and"


def test_held_text_goes_out_before_the_finish_which_comes_once_and_usage_last() -> None:
    answer, out = run(
        [ContentDelta(text="by <EMAIL_1"), Usage(prompt_tokens=1, completion_tokens=2), Finished(reason="stop")]
    )
    assert [type(event) for event in out] == [ContentDelta, ContentDelta]
    assert text_of(out) == f"by {MAIL}"
    closing = list(answer.closing())
    assert closing == [Finished(reason="stop"), Usage(prompt_tokens=1, completion_tokens=2)]


def test_choices_calls_and_fields_are_restored_apart() -> None:
    _, out = run(
        [
            ContentDelta(text="<EMA", choice=0),
            ContentDelta(text="<NA", choice=1),
            ToolCallDelta(index=0, id="a", name="f", arguments='{"x":"<EM', choice=0),
            ToolCallDelta(index=1, id="b", name="g", arguments='{"y":"<NAM', choice=0),
            ContentDelta(text="IL_1>", choice=0),
            ToolCallDelta(index=0, arguments='AIL_1>"}', choice=0),
            ContentDelta(text="ME_7", choice=1),
            ToolCallDelta(index=1, arguments='E_1>"}', choice=0),
            Finished(reason="stop", choice=1),
            Finished(reason="tool_calls", choice=0),
        ]
    )
    assert text_of(out, 0) == MAIL
    assert text_of(out, 1) == "Ola"
    assert json.loads(arguments_of(out, 0)) == {"x": MAIL}
    assert json.loads(arguments_of(out, 1)) == {"y": 'Mara "Q"'}
    named = [(event.id, event.name) for event in out if isinstance(event, ToolCallDelta) and event.id]
    assert named == [("a", "f"), ("b", "g")]


def test_finishing_one_choice_leaves_the_others_held_text_alone() -> None:
    answer, out = run([ContentDelta(text="a <EM"), ContentDelta(text="b <EM", choice=1), Finished(reason="stop")])
    assert (text_of(out), text_of(out, 1)) == ("a <EM", "b ")
    assert text_of(answer.flush(), 1) == "<EM"


def test_what_is_held_goes_out_before_a_break_and_nothing_is_stored() -> None:
    answer, out = run([ContentDelta(text="by <EMAIL_1"), ToolCallDelta(index=0, id="a", name="f", arguments='{"x":"N')])
    flushed = list(answer.flush())
    assert text_of(out) + text_of(flushed) == f"by {MAIL}"
    assert arguments_of([*out, *flushed]) == '{"x":"N'
    with pytest.raises(CloudBrokeOffError):
        answer.stored(model="m", created=1, memories=())


def test_no_choice_at_all_is_no_answer() -> None:
    with pytest.raises(CloudBrokeOffError):
        RestoringAnswer(rights()).stored(model="m", created=1, memories=())


@pytest.mark.parametrize(
    "token", ["<NAME_100001>", "<PASSWORD_100001>", "<NAME_7>", "[name_7]", "\\u003cNAME_7\\u003e"]
)
def test_a_call_with_a_value_that_may_not_enter_it_is_withheld_before_a_word_of_it_leaves(token: str) -> None:
    answer = RestoringAnswer(rights())
    events = list(answer.feed(ToolCallDelta(index=0, id="a", name="f", arguments='{"x":"')))
    rest = [ToolCallDelta(index=0, arguments=character) for character in f'{token}"}}']
    with pytest.raises(UnrestorableArgumentsError):
        events.extend(out for event in [*rest, Finished(reason="tool_calls")] for out in answer.feed(event))
    assert not any(value in arguments_of(events) for value in ("Tomasz", "kite", "Ola"))


def test_after_a_withheld_call_the_other_held_text_still_comes_and_the_call_does_not() -> None:
    answer, _ = run([ContentDelta(text="by <EM"), ContentDelta(text="or <EM", choice=1)])
    with pytest.raises(UnrestorableArgumentsError):
        list(answer.feed(ToolCallDelta(index=0, id="a", name="f", arguments='{"n":1,"x":"<NAME_7>"}')))
    rest = list(answer.flush())
    assert (text_of(rest), text_of(rest, 1), arguments_of(rest)) == ("<EM", "<EM", "")


def test_in_the_text_the_same_values_are_shown() -> None:
    _, out = run([ContentDelta(text="<NAME_100001> <PASSWORD_100001> <NAME_7>"), Finished(reason="stop")])
    assert text_of(out) == "Tomasz kite Ola"


def test_the_model_keeps_its_own_bytes_and_the_client_gets_the_values() -> None:
    answer, _ = run(
        [
            ContentDelta(text="mail [email_1] or <NAME_99>"),
            ToolCallDelta(index=0, id="a", name="f", arguments='{"x":"<EMAIL_1>"}'),
            Finished(reason="tool_calls"),
        ]
    )
    stored = answer.stored(model="m", created=1, memories=())
    call = ToolCall(id="a", function=FunctionCall(name="f", arguments='{"x":"<EMAIL_1>"}'))
    assert stored.choices[0].message == ChatMessage(
        role="assistant", content="mail [email_1] or <NAME_99>", tool_calls=(call,)
    )
    assert MAIL not in codec.encode(stored).decode() + repr(stored)
    assert answer.shown()[0].content == f"mail {MAIL} or <NAME_99>"
    assert answer.unresolved == 1


def test_an_answer_of_calls_alone_has_no_content_and_an_empty_one_has_an_empty_text() -> None:
    answer, _ = run([ToolCallDelta(index=0, id="a", name="f", arguments="{}"), Finished(reason="tool_calls")])
    assert answer.shown()[0].content is None
    answer, _ = run([Finished(reason="stop")])
    assert answer.shown()[0].content == ""


def stored_answer(content: str, arguments: str | None = None) -> StoredAnswer:
    events: list[ContentDelta | ToolCallDelta | Finished | Usage] = [ContentDelta(text=content)]
    if arguments is not None:
        events.append(ToolCallDelta(index=0, id="a", name="f", arguments=arguments))
    answer, _ = run([*events, Finished(reason="stop"), Usage(prompt_tokens=1, completion_tokens=1)])
    return answer.stored(model="m", created=1, memories=(MEMORY,))


def test_a_replay_gives_the_same_answer_again() -> None:
    stored = codec.decode(StoredAnswer, codec.encode(stored_answer("to <EMAIL_1> by <NAME_7", '{"x":"<NAME_1>"}')))
    again = list(replay(stored, rights()))
    assert again[0] == MemoriesUsed(memories=(MEMORY,))
    assert text_of(again) == f"to {MAIL} by Ola"
    assert json.loads(arguments_of(again)) == {"x": 'Mara "Q"'}
    assert [type(event) for event in again[-2:]] == [Finished, Usage]
    assert stored.placeholders == rights().carried


def test_a_replay_after_a_restart_leaves_lost_secrets_as_tokens() -> None:
    stored = stored_answer("it is <PASSWORD_100001>")
    after = rights()
    after.vault.forget(Placeholder(EntityType.PASSWORD, 100_001))
    assert text_of(replay(stored, after)) == "it is <PASSWORD_100001>"


pieces = st.lists(
    st.sampled_from(
        ["<EM", "AIL_1", ">", " a ", "<NAME_1>", "NAME", "_", "1", "&lt;", "\n", "```", "王", "<NAME_7", "https://a/"]
    ),
    max_size=12,
)


@settings(max_examples=150, deadline=None)
@given(pieces)
def test_streamed_or_replayed_the_client_sees_the_same_text(chunks: list[str]) -> None:
    answer, out = run([*(ContentDelta(text=chunk) for chunk in chunks), Finished(reason="stop")])
    stored = answer.stored(model="m", created=1, memories=())
    assert text_of(replay(stored, rights())) == text_of(out) == answer.shown()[0].content
    assert stored.choices[0].message.content == "".join(chunks)
