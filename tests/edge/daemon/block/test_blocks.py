"""The block over a whole daemon: who sees it, when it is made, and that it never comes back into anything."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from edge.daemon.profile import Profile, ScriptedCloud, profile
from keepmum_edge.daemon.block.canonical import canonical_text
from keepmum_edge.daemon.chat import Answer, Attempt, ChatRequest, Context, FromThisComputer
from keepmum_edge.memory.record import CloudState, Consent
from keepmum_inference.embedding import load_embedder
from keepmum_shared import codec
from keepmum_shared.messages import ChatMessage, FunctionCall, Sampling, ToolCall, TurnEvent, TurnRequest

CANARY = "zqboatword"
LOCAL: dict[str, Any] = {"cloud": CloudState.LOCAL_ONLY, "consent": Consent.GRANTED}
QUESTION = f"What do I know of the {CANARY}?"


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def user(text: str) -> ChatMessage:
    return ChatMessage(role="user", content=text)


def assistant(text: str) -> ChatMessage:
    return ChatMessage(role="assistant", content=text)


def sent(me: Profile) -> str:
    """Everything that the newest request holds, as it goes onto the wire."""
    return codec.encode(me.cloud.turns[-1]).decode()


def shown(blocks: list[FromThisComputer]) -> list[str]:
    return [memory.text for block in blocks for memory in block.memories]


def chat(text: str) -> ChatRequest:
    return ChatRequest(messages=(user(text),))


async def ask(me: Profile, text: str = QUESTION, **how: Any) -> tuple[str, list[FromThisComputer], Answer]:
    return await me.ask(user(text), **({"block": "apart"} | how))


async def told(me: Profile, text: str = f"I own the {CANARY} with Ines", **fields: Any) -> Any:
    record = await me.record(text, **(LOCAL | fields))
    await me.embedded()
    return record


def test_what_only_this_computer_knows_is_shown_below_the_answer_and_nothing_of_it_is_sent(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            record = await told(me)
            answer, blocks, _ = await ask(me, "Which vessel do I own with a friend? The zqboatword?")
            assert shown(blocks) == [record.text]
            assert "Ines" not in answer
            assert "Ines" not in sent(me)
            text, blocks, _ = await ask(me, block="inline")
            assert blocks == []
            assert text.index("You said") < text.index("from this computer") < text.index("Ines")
            assert "Ines" not in sent(me)

    run(work())


@pytest.mark.parametrize(
    "how",
    [
        {"block": "off"},
        {"block": None},
        {"mode": "incognito"},
        {"audience": "mum"},
        {"scope": "work"},
        {"application": "editor"},
    ],
)
def test_nobody_else_gets_a_block(tmp_path: Path, how: dict[str, Any]) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await told(me, application="chat")
            assert shown((await ask(me, application="chat"))[1])
            text, blocks, _ = await ask(me, **({"application": "chat"} | how))
            assert blocks == []
            assert "Ines" not in text

    run(work())


@pytest.mark.parametrize(
    "fields",
    [
        {"cloud": CloudState.SHARED, "sent": "x"},
        {"cloud": CloudState.QUEUED},
        {"trust": 20},
        {"valid_to": 1_700_000_000},
        {"scope": "work"},
    ],
)
def test_what_the_cloud_has_or_may_not_be_trusted_or_holds_no_more_is_in_no_block(
    tmp_path: Path, fields: dict[str, Any]
) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await told(me, **fields)
            assert (await ask(me))[1] == []

    run(work())


def test_what_held_once_is_in_the_block_of_a_question_about_the_past_and_says_until_when(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await told(me, valid_to=int(me.now) - 86_400)
            _, blocks, _ = await ask(me)
            assert shown(blocks) == []
            _, blocks, _ = await ask(me, f"Did I use to own a {CANARY}?")
            assert shown(blocks) == [f"I own the {CANARY} with Ines (until 2027-01-14)"]

    run(work())


def test_what_the_owner_keeps_here_is_in_the_block_and_narrower_scopes_have_their_own(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            kept = await told(me, cloud=CloudState.KEPT)
            ours = await told(me, f"The {CANARY} of the club is in dock", scope="club")
            assert shown((await ask(me))[1]) == [kept.text]
            assert shown((await ask(me, scope="club"))[1]) == [ours.text]

    run(work())


def test_what_has_nothing_to_do_with_the_question_is_not_shown(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            metformin = "I have type-2 diabetes and take metformin"
            for text in (metformin, "My sister is pregnant", "我对花生过敏"):
                await told(me, text)
            for question in ("Write a function that sorts a list", "Who wrote Hamlet?", "今天天气怎么样？", "hello"):
                assert (await ask(me, question))[1] == [], question
            assert shown((await ask(me, "Present for my sister's birthday?"))[1]) == ["My sister is pregnant"]
            assert shown((await ask(me, "Side effects of metformin"))[1]) == [
                "I have type-2 diabetes and take metformin"
            ]
            assert shown((await ask(me, "含花生的菜有哪些？"))[1]) == ["我对花生过敏"]

    run(work())


def test_what_was_told_in_this_conversation_is_not_told_back(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            said = user("Please remember that I have type-2 diabetes")
            answer, blocks, _ = await me.ask(said, block="apart", conversation="c1")
            (record,) = await me.service.memories("user")
            assert record.cloud is CloudState.LOCAL_ONLY
            await me.embedded()
            assert blocks == []
            again = user("What does type-2 diabetes mean for my diet?")
            assert (await me.ask(said, assistant(answer), again, block="apart", conversation="c1"))[1] == []
            assert shown((await me.ask(again, block="apart", conversation="c2"))[1]) == [record.text]

    run(work())


def test_an_answer_that_comes_back_with_its_block_is_the_answer_that_was_given(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await told(me)
            wrote = [str.strip, lambda text: text.replace("\n", "\r\n"), lambda text: text + "\n", lambda text: text]
            for number, copied in enumerate(wrote):
                first = user(f"{QUESTION} ({number})")
                text, _, begun = await me.ask(first, block="inline")
                assert "Ines" in text
                _, _, answer = await me.ask(first, assistant(copied(text)), user("And the weather?"), block="off")
                assert answer.conversation == begun.conversation
                assert "Ines" not in sent(me)
                answers = [m.content for m in me.cloud.turns[-1].messages if m.role == "assistant"]
                assert answers == [f"You said: {first.content}"], "the very bytes that the model wrote"

    run(work())


def test_without_its_frame_a_block_is_known_by_its_lines_and_changes_no_conversation(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            record = await told(me)
            _, (block,), _ = await ask(me)
            (memory,) = block.memories
            line = f"{memory.day}  {memory.text}"
            for role in ("user", "system", "assistant", "developer"):
                bare = ChatMessage(role=role, content=f"Title of this: {line}")  # type: ignore[arg-type]
                await me.ask(bare, user("A title, please"))
                assert CANARY not in sent(me), role
            assert (await me.ask(user(f"Sum it up: {line}"), block="apart"))[1] == [], "a program asks"
            own = await me.ask(user(record.text), conversation="c9")
            assert CANARY in sent(me), "the owner's own words, typed again, are the owner's own"
            await me.ask(user(record.text), assistant(own[0]), user(f"And {line}?"), conversation="c9")
            assert sent(me).count(CANARY) == 2, "once said and once echoed; not in the new message"

    run(work())


def test_nothing_of_a_block_is_stored_not_even_after_a_retry(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            record = await told(me, "Keeps the sloop at Porto and calls her Quokkabelle")
            question = "Where is the sloop that I keep, at Porto?"
            turn = await me.service.answer(chat(question), Context(block="inline"), Attempt(idempotency_key="k1"))
            first = [event async for event in turn.events]
            assert "Quokkabelle" in repr([getattr(event, "text", "") for event in first])
            everything = await me.texts()
            assert everything.count("Quokkabelle") == everything.count(record.text), "in its record alone"
            again = await me.service.answer(chat(question), Context(block="inline"), Attempt(idempotency_key="k1"))
            assert again.replayed
            assert "Quokkabelle" not in repr([getattr(e, "text", "") async for e in again.events]), (
                "no block, or the same"
            )
            used = await me.read(lambda db: db.value("SELECT last_used FROM memory WHERE id = ?", record.id))
            assert used is None, "what is looked up for a block is no use"

    run(work())


def test_a_forgotten_record_leaves_no_text_and_its_line_is_still_kept_off_the_wire(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            record = await told(me)
            text, _, _ = await ask(me, "Where is the Zqboatword?", block="inline")
            _, (block,), _ = await ask(me, "Where is the Zqboatword?")
            receipt = await me.forget(matching=CANARY)
            assert record.id in receipt.records
            assert receipt.verified
            assert CANARY not in await me.texts()
            line = f"{block.memories[0].day} {block.memories[0].text}"
            for back in (text, line):
                await me.ask(user(f"Title of: {back[back.find('---') :] if '---' in back else back}"))
                assert "Ines" not in sent(me)

    run(work())


def test_a_client_that_goes_away_before_the_block_has_a_whole_turn(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await told(me)
            answer = await me.service.answer(chat(QUESTION), Context(block="apart"), Attempt())
            async for event in answer.events:
                if not isinstance(event, FromThisComputer):
                    continue
                break
            await answer.events.aclose()
            trace = await me.service.trace(answer.turn)
            assert trace.failure is None
            assert trace.received

    run(work())


def test_it_is_looked_up_when_the_turn_is_over_and_its_connection_is_closed(tmp_path: Path) -> None:
    class Closing(ScriptedCloud):
        is_open = False

        async def turn(self, request: TurnRequest) -> AsyncGenerator[TurnEvent, None]:
            self.is_open = True
            try:
                async for event in super().turn(request):
                    yield event
            finally:
                self.is_open = False

    async def work() -> None:
        cloud = Closing()
        async with profile(tmp_path, cloud) as me:
            await told(me)
            maker, looked = me.parts.turns._blocks._maker, []
            find = maker.find

            async def noting(question: Any) -> Any:
                state = await me.read(lambda db: db.value("SELECT state FROM turn WHERE id = ?", question.turn))
                looked.append((cloud.is_open, state, len(me.parts.turns._under_way._running)))
                return await find(question)

            maker.find = noting  # type: ignore[method-assign]
            assert shown((await ask(me))[1])
            assert looked == [(False, "answered", 0)]

    run(work())


def test_an_answer_that_breaks_off_has_no_block(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await told(me)

            async def broken(request: Any) -> Any:
                async for event in type(me.cloud).turn(me.cloud, request):
                    yield event
                    if type(event).__name__ == "ContentDelta":
                        return

            me.cloud.turn = broken  # type: ignore[method-assign]
            events = []
            answer = await me.service.answer(chat(QUESTION), Context(block="apart"), Attempt())
            with pytest.raises(Exception, match="ended the answer in the middle"):
                events += [event async for event in answer.events]
            assert not any(isinstance(event, FromThisComputer) for event in events)

    run(work())


def test_calls_of_tools_json_and_several_choices_have_no_block(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await told(me)
            call = ToolCall(id="c1", function=FunctionCall(name="f", arguments="{}"))
            looked = ChatMessage(role="assistant", tool_calls=(call,))
            result = ChatMessage(role="tool", content=QUESTION, tool_call_id="c1")
            assert (await me.ask(user(QUESTION), looked, result, block="apart"))[1] == []
            for wanted, is_shown in (
                (replace(chat(QUESTION), response_format={"type": "json_object"}), False),
                (replace(chat(f"{QUESTION} "), sampling=Sampling(n=2)), False),
                (replace(chat(f"{QUESTION}  "), sampling=Sampling(n=1)), True),
            ):
                me.cloud.choices = wanted.sampling.n
                answer = await me.service.answer(wanted, Context(block="apart"), Attempt())
                blocks = [event async for event in answer.events if isinstance(event, FromThisComputer)]
                assert bool(blocks) is is_shown

    run(work())


def test_without_the_model_words_find_what_is_shown(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path, load_embedder=partial(load_embedder, tmp_path / "nothing")) as me:
            record = await me.record(f"I own the {CANARY}", **LOCAL)
            assert shown((await ask(me))[1]) == [record.text]

    run(work())


def test_a_memory_that_holds_a_block_shows_a_block_with_clear_ends(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await told(me)
            block = (await ask(me, block="inline"))[0].partition("\n\n")[2]
            await told(me, f"Told again: {CANARY} and {block}")
            text, _, _ = await ask(me, block="inline")
            given, _, shown_block = text.partition("\n\n")
            assert given == f"You said: {QUESTION}"
            assert "Told again" in shown_block
            assert canonical_text(shown_block).count("endfromthiscomputer") == 1

    run(work())
