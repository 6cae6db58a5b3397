"""Inferred preferences in a whole daemon over a real database: made, superseded, confirmed, deleted, forgotten."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from edge.daemon.profile import Profile, profile
from keepmum_edge.daemon.forget.request import ForgetRequest
from keepmum_edge.daemon.memory_commands import Edit, Telling
from keepmum_edge.memory.behaviour_store import KEPT_SESSIONS
from keepmum_edge.memory.record import Channel, CloudState, Kind, MemoryRecord
from keepmum_edge.memory.scope import Reach
from keepmum_edge.memory.store import MemoryStore
from keepmum_shared.ids import TurnId

SHORT = "Usually asks for short answers"
DETAILED = "Usually asks for detailed answers"
ASKS = ("what are clouds?", "what is rain?", "what is snow?", "what is hail?", "what is fog?", "what is dew?")


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


async def ask(me: Profile, how: str, count: int, *, start: int = 0, **context: Any) -> list[TurnId]:
    """Ask in so many conversations for answers of one kind."""
    turns = []
    for number in range(start, start + count):
        turn, _ = await me.say(f"{ASKS[number % 6]} {how}", conversation=f"{how}{number}".replace(" ", "-"), **context)
        turns.append(turn)
    return turns


async def inferred(me: Profile, scope: str = "user") -> dict[str, MemoryRecord]:
    """What holds now of all that was inferred, but for the language, which every message shows."""
    records = await me.service.memories(scope)
    return {r.text: r for r in records if r.kind is Kind.INFERRED and r.valid_to is None and "writes in" not in r.text}


async def rows(me: Profile, trait: str = "answer length") -> int:
    count = "SELECT count(*) FROM behaviour WHERE trait = ?"
    return int(await me.read(lambda db: db.value(count, trait)))


def test_four_sessions_make_a_preference_that_says_where_it_comes_from_and_how_sure_it_is(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            turns = await ask(me, "keep it short", 3)
            assert await inferred(me) == {}
            turns += await ask(me, "keep it short", 1, start=3)
            record = (await inferred(me))[SHORT]
            assert (record.channel, record.sources, record.trust) == (Channel.BEHAVIOUR, frozenset(turns), 100)
            assert 90 <= record.confidence < 100
            assert (record.cloud, record.placeholder_text, record.attributes) == (CloudState.QUEUED, SHORT, frozenset())
            turns += await ask(me, "keep it short", 2, start=4)
            again = (await inferred(me))[SHORT]
            assert (again.id, again.sources) == (record.id, frozenset(turns))
            assert again.confidence > record.confidence
            writes = [write for request in me.cloud.turns for write in request.writes if write.id == record.id]
            assert [write.text for write in writes] == [SHORT], "once: how sure it is stays here"

    run(work())


def test_one_conversation_of_one_day_is_one_session_however_often_it_asks(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            for question in ASKS:
                await me.say(f"{question} briefly", conversation="c")
            assert (await rows(me), await inferred(me)) == (1, {})
            await me.say("what is ice? in detail", conversation="c")
            assert await rows(me) == 1, "the newest choice stands alone"
            for _ in range(4):
                me.now += 24 * 3600
                await me.say("and what is steam? in detail", conversation="c")
            assert set(await inferred(me)) == {DETAILED}

    run(work())


def test_the_language_of_messages_takes_ten_sessions(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            for number in range(10):
                assert await me.service.memories("user") == ()
                await me.say(f"请问第{number}个问题是什么意思呢", conversation=f"z{number}")
            assert [record.text for record in await me.service.memories("user")] == ["通常用中文写"]

    run(work())


def test_a_change_of_habit_closes_the_old_one_and_makes_the_new_one(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await ask(me, "briefly", 8)
            old = (await inferred(me))[SHORT]
            await ask(me, "in detail", 5)
            assert set(await inferred(me)) == {DETAILED}
            closed = await me.service.memory(old.id)
            assert (closed.kind, closed.valid_to is not None) == (Kind.HISTORY, True)
            write = [w for request in me.cloud.turns for w in request.writes if w.id == old.id][-1]
            assert write.valid_to == closed.valid_to, "the cloud is told its end"

    run(work())


def test_what_is_said_stands_at_once_and_nothing_is_inferred_of_it_as_long_as_it_holds(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await ask(me, "briefly", 5)
            old = (await inferred(me))[SHORT]
            await me.say("From now on keep your answers detailed.", conversation="says")
            (said,) = [r for r in await me.service.memories("user") if r.kind is Kind.STATED]
            assert (await inferred(me), await rows(me)) == ({}, 0)
            closed = await me.service.memory(old.id)
            assert (closed.kind, closed.successor) == (Kind.HISTORY, said.id)
            await ask(me, "briefly", 5, start=10)
            assert (await inferred(me), await rows(me)) == ({}, 0), "what the owner said stands"
            await me.forget(said.id)
            await ask(me, "briefly", 4, start=20)
            assert set(await inferred(me)) == {SHORT}

    run(work())


def test_what_is_told_by_command_stands_too_and_what_stays_here_sways_nothing_that_is_sent(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await ask(me, "briefly", 3)
            await me.service.remember(Telling(text="Keep your answers detailed", here_only=True))
            await me.service.remember(Telling(text="Keep your answers detailed because of my adhd"))
            await ask(me, "briefly", 1, start=3)
            assert set(await inferred(me)) == {SHORT}
            await me.service.remember(Telling(text="Keep your answers detailed"))
            assert await inferred(me) == {}

    run(work())


def test_the_owner_confirms_and_it_is_as_if_it_had_been_said(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            turns = await ask(me, "briefly", 4)
            record = (await inferred(me))[SHORT]
            own = await me.service.confirm_memory(record.id)
            assert (own.kind, own.confidence, own.channel, own.sources) == (Kind.STATED, 100, Channel.COMMAND, set())
            await ask(me, "in detail", 6)
            assert await inferred(me) == {}
            await me.forget(turns[0])
            assert (await me.service.memory(record.id)).kind is Kind.STATED, "the owner's word rests on no message"

    run(work())


def test_the_owner_corrects_it_and_the_correction_stands(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await ask(me, "briefly", 4)
            record = (await inferred(me))[SHORT]
            edited = await me.service.edit_memory(record.id, Edit(text="I want detailed answers at work"))
            assert (edited.kind, edited.topic, edited.channel) == (Kind.STATED, "answer length", Channel.COMMAND)
            assert await rows(me) == 0
            await ask(me, "briefly", 5, start=5)
            assert await inferred(me) == {}

    run(work())


def test_what_was_deleted_is_not_inferred_again_from_what_was_seen_before(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            turns = await ask(me, "briefly", 6)
            record = (await inferred(me))[SHORT]
            receipt = await me.forget(record.id)
            assert receipt.records == (record.id,)
            assert receipt.cloud_ids == (record.id,), "it had left with the turn after it"
            traces = [await me.service.trace(turn) for turn in turns]
            assert all(trace.sent for trace in traces), "the messages say other things and stay"
            assert await rows(me) == 0
            await ask(me, "briefly", 3, start=10)
            assert await inferred(me) == {}
            await ask(me, "briefly", 1, start=20)
            (again,) = (await inferred(me)).values()
            assert again.id != record.id, "what is seen from now on counts"

    run(work())


def test_forgetting_a_turn_takes_what_was_inferred_from_it_and_counts_again_without_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            turns = await ask(me, "briefly", 4)
            shown = await me.service.preview_forget(ForgetRequest(ids=(turns[1],)))
            assert {r.text for r in shown.derived} == {SHORT}
            assert shown.conversations == 1
            receipt = await me.forget(turns[1])
            assert set(receipt.records) == {r.id for r in shown.derived}
            assert {s.store: s.removed for s in receipt.stores}["behaviour"] == 2, "the length, and the language"
            assert receipt.verified
            assert await inferred(me) == {}, "three sessions are left"
            assert turns[1] not in str(await me.read(lambda db: db.rows("SELECT * FROM behaviour")))
            await ask(me, "briefly", 3, start=10)
            await me.say("And is it cold? Keep it short.", conversation="last")
            (six,) = (await inferred(me)).values()
            receipt = await me.forget(turns[2])
            (remade,) = [each for each in receipt.remade if each.old == six.id]
            (five,) = (await inferred(me)).values()
            assert five.id == remade.new
            assert five.sources == six.sources - {turns[2]}
            assert five.confidence < six.confidence

    run(work())


def test_a_fact_that_is_forgotten_takes_along_what_its_message_showed(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await ask(me, "briefly", 3)
            await me.say("My boat is called Quokka. Briefly, what is wind?", conversation="boat")
            (boat,) = [r for r in await me.service.memories("user") if r.kind is Kind.STATED]
            record = (await inferred(me))[SHORT]
            receipt = await me.forget(boat.id)
            assert set(receipt.records) == {boat.id, record.id} | {r for r in receipt.records if r != boat.id}
            assert record.id in receipt.records
            assert (await inferred(me), await rows(me), receipt.verified) == ({}, 3, True)

    run(work())


def test_what_spoke_against_it_is_uncounted_when_it_is_forgotten(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await ask(me, "briefly", 6)
            before = (await inferred(me))[SHORT]
            (turn,) = await ask(me, "in detail", 1)
            doubted = (await inferred(me))[SHORT]
            assert doubted.confidence < before.confidence
            await me.forget(turn)
            after = (await inferred(me))[SHORT]
            assert (after.id, after.confidence) == (before.id, before.confidence)

    run(work())


def test_a_scope_has_its_own_preferences_which_go_with_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await ask(me, "briefly", 3)
            await ask(me, "briefly", 3, start=10, scope="work")
            assert (await inferred(me), await inferred(me, "work")) == ({}, {})
            await ask(me, "briefly", 1, start=20, scope="work")
            assert (await inferred(me), set(await inferred(me, "work"))) == ({}, {SHORT})
            await me.forget(scope="work")
            assert await me.read(lambda db: db.value("SELECT count(*) FROM behaviour WHERE scope = 'work'")) == 0
            assert await rows(me) == 3
            await me.forget(everything=True)
            assert await me.read(lambda db: db.value("SELECT count(*) FROM behaviour")) == 0

    run(work())


def test_incognito_other_peoples_words_and_protected_matters_are_not_observed(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await ask(me, "briefly", 4, mode="incognito")
            for number in range(4):
                await me.say(f"Briefly, what does insulin do? {number}", conversation=f"h{number}")
                await me.say(f"Off the record, keep it short: what is {number}?", conversation=f"o{number}")
            assert await me.read(lambda db: db.value("SELECT count(*) FROM behaviour")) == 0
            assert [r for r in await me.service.memories(None) if r.kind is Kind.INFERRED] == []

    run(work())


def test_a_turn_that_is_forgotten_while_it_runs_shows_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            me.cloud.gate, me.cloud.reached = asyncio.Event(), asyncio.Event()
            running = asyncio.create_task(me.say("What is a canoe? Briefly.", conversation="c"))
            await me.cloud.reached.wait()
            turn = (await me.service.trace(None)).turn
            await me.forget(turn)
            me.cloud.gate.set()
            await running
            assert await me.read(lambda db: db.value("SELECT count(*) FROM behaviour")) == 0

    run(work())


def test_old_sessions_are_let_go_of(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await ask(me, "briefly", KEPT_SESSIONS + 3)
            assert await rows(me) == KEPT_SESSIONS
            (record,) = (await inferred(me)).values()
            assert len(record.sources) == KEPT_SESSIONS

    run(work())


def test_a_policy_that_protects_what_was_inferred_undoes_it_here_and_at_the_cloud(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await ask(me, "briefly", 5)
            record = (await inferred(me))[SHORT]
            assert record.cloud is CloudState.SHARED
            classifier = me.parts.keeping._writing.classifier
            classifier._cues._add("short answers", "attributes/mental_health")
            classifier._words = "another"
            await me.parts.keeping.judge_all()
            assert (await inferred(me), await rows(me)) == ({}, 0)
            await me.parts.forgetting.deliver()
            assert [d.memories for d in me.cloud.deletions] == [(record.id,)]
            await ask(me, "briefly", 5, start=20)
            assert SHORT not in await inferred(me), "nor is it inferred again"

    run(work())


def test_a_summary_that_rests_on_an_inferred_preference_goes_with_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            turns = await ask(me, "briefly", 4)
            record = (await inferred(me))[SHORT]
            written = await me.service.remember(
                Telling(text="A person of few words", reach=Reach(), channel=Channel.DERIVED, sources={record.id})  # type: ignore[arg-type]
            )
            (summary,) = written.kept
            receipt = await me.forget(turns[0])
            assert {record.id, summary.id} <= set(receipt.records)
            assert await me.read(lambda db: MemoryStore(db).get(summary.id)) is None

    run(work())
