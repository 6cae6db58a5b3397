"""What must not break memory: circles, races with deletions and among clients, clocks that jump, digests under way."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from edge.daemon.profile import Profile, profile
from keepmum_edge.daemon.memory_commands import Edit, Telling
from keepmum_edge.errors import IdempotencyConflictError, NotFoundError, RefusedMemoryError
from keepmum_edge.memory.record import Channel, CloudState, Kind
from keepmum_edge.memory.scope import Reach

DAY = 24 * 3600


async def active(me: Profile) -> list[str]:
    return sorted(r.text for r in await me.service.memories(None) if r.valid_to is None)


class SlowReader:
    """Lets the daemon's reader of texts wait until it is told to go on."""

    def __init__(self, me: Profile) -> None:
        self._inner, self.hold = me.parts.readers.run, me.parts.readers.hold
        self.go, self.waits = asyncio.Event(), asyncio.Event()
        me.parts.keeping._readers = me.parts.keeping.judging._readers = self  # type: ignore[assignment]

    async def run(self, size: int, job: Any) -> Any:
        self.waits.set()
        await self.go.wait()
        return await self._inner(size, job)


def test_a_circle_in_the_stored_provenance_hangs_nothing_and_goes_with_what_it_hung_from(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            root = await me.record("Owns a zqboatword")
            first = await me.record("A zqboatword, in short", root.id, channel=Channel.DERIVED)
            second = await me.record("In short, a zqboatword", first.id, channel=Channel.DERIVED)
            plant = "INSERT INTO memory_source VALUES (?, ?)"
            await me.write(lambda db: db.execute(plant, first.id, second.id))
            own = await me.record("Its own zqboatword")
            await me.write(lambda db: db.execute(plant, own.id, own.id))
            receipt = await asyncio.wait_for(me.forget(root.id), 20)
            assert set(receipt.records) == {root.id, first.id, second.id}
            assert receipt.verified
            assert (await asyncio.wait_for(me.forget(own.id), 20)).records == (own.id,)
            assert "zqboatword" not in await me.texts()

    asyncio.run(work())


def test_an_edit_that_was_being_read_when_its_record_was_deleted_brings_nothing_back(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            record = await me.record("Owns a boat")
            slow = SlowReader(me)
            edit = asyncio.create_task(me.service.edit_memory(record.id, Edit(text="Owns a zqship")))
            confirm = asyncio.create_task(me.service.share(record.id, "Owns a boat"))
            await slow.waits.wait()
            await me.forget(record.id)
            slow.go.set()
            for late in (edit, confirm):
                with pytest.raises(NotFoundError):
                    await late
            with pytest.raises(NotFoundError):
                await me.service.confirm_memory(record.id)
            assert await me.service.memories(None) == ()
            assert "zqship" not in await me.texts()

    asyncio.run(work())


def test_of_two_edits_of_one_version_exactly_one_is_made(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            record = await me.record("My editor is vim")
            edits = (me.service.edit_memory(record.id, Edit(text=t, revision=1)) for t in ("It is nano", "It is helix"))
            done = await asyncio.gather(*edits, return_exceptions=True)
            assert sorted(type(each).__name__ for each in done) == ["IdempotencyConflictError", "MemoryRecord"]
            (held,) = await me.service.memories(None)
            assert (held.revision, held.text in ("It is nano", "It is helix")) == (2, True)
            with pytest.raises(IdempotencyConflictError):
                await me.service.edit_memory(record.id, Edit(importance=9, revision=1))

    asyncio.run(work())


def test_clients_that_tell_edit_forget_and_chat_at_once_lose_nothing_that_was_not_forgotten(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            first = [await me.record(f"Owns boat number {n}") for n in range(6)]
            jobs: list[Any] = [me.service.remember(Telling(text=f"Remember kite {n}")) for n in range(6)]
            jobs += [me.forget(record.id) for record in first[:3]]
            jobs += [me.service.edit_memory(r.id, Edit(text=f"Owns ship {n}")) for n, r in enumerate(first[3:])]
            jobs += [me.say(f"My plant {n} is called Fern{n}", conversation=f"c{n}") for n in range(4)]
            random.Random(5).shuffle(jobs)
            await asyncio.gather(*jobs)
            texts = await active(me)
            assert [t for t in texts if "boat" in t] == []
            assert sum("ship" in t for t in texts) == 3
            assert sum("kite" in t for t in texts) == 6
            assert sum("plant" in t for t in texts) == 4

    asyncio.run(work())


def test_a_clock_that_jumps_back_or_far_ahead_loses_nothing_and_makes_no_fact_end_before_it_begins(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await me.say("I drink coffee. I have a dentist appointment tomorrow", conversation="a")
            me.now -= 400 * DAY
            await me.say("I stopped coffee, I drink tea now", conversation="b")
            await me.say("Do not forget that I like rain", conversation="b2")
            me.now += 3000 * DAY
            await me.say("I stopped tea, I drink cocoa now", conversation="c")
            records = await me.service.memories(None)
            assert {"I drink coffee", "I drink tea now", "I drink cocoa now"} <= {r.text for r in records}
            assert [r.text for r in records if r.text.startswith("I drink") and r.valid_to is None] == [
                "I drink cocoa now"
            ]
            assert all(r.valid_from is None or r.valid_to is None or r.valid_from <= r.valid_to for r in records)
            found = [r.text for r in await me.service.search_memories("What do I drink now?", None, 9)]
            assert found[0] == "I drink cocoa now"
            me.now = 1.0
            await me.say("My bird is called Comet", conversation="d")
            assert "My bird is called Comet" in await active(me)
            assert (await me.forget(next(r.id for r in records if "cocoa" in r.text))).verified

    asyncio.run(work())


def test_what_is_told_while_every_record_is_judged_again_is_there_afterwards_as_it_was_told(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            old = [await me.record(f"Owns boat number {n}", judged_by="older") for n in range(5)]
            slow = SlowReader(me)
            judging = asyncio.create_task(me.parts.keeping.judge_all())
            await slow.waits.wait()
            await me.say("I have a piano lesson on Tuesday", conversation="new")
            changed = await me.write(lambda db: _reworded(db, old[0].id, "Owns a ship"))
            await me.forget(old[1].id)
            slow.go.set()
            await judging
            texts = await active(me)
            assert any("piano" in record.text for record in await me.service.memories(None))
            assert (changed, "Owns a ship" in texts, "Owns boat number 0" in texts) == (1, True, False)
            assert "Owns boat number 1" not in texts
            assert [r for r in await me.service.memories(None) if r.judged_by == "older"] == []

    asyncio.run(work())


def _reworded(db: Any, memory: str, text: str) -> int:
    return int(db.execute("UPDATE memory SET text = ? WHERE id = ?", text, memory))


def test_a_slot_that_is_full_takes_one_more_and_every_word_stays(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            capacity = me.parts.keeping._writing.layout.slots["mind"].capacity  # type: ignore[index]
            for number in range(capacity + 2):
                await me.service.remember(Telling(text=f"My therapist gave me note {number}", reach=Reach()))
            records = await me.service.memories("user")
            assert len(records) == capacity + 2
            assert sum(r.has_position for r in records) == capacity
            assert {r.cloud for r in records} == {CloudState.LOCAL_ONLY}
            assert {r.kind for r in records} == {Kind.STATED}

    asyncio.run(work())


def test_a_document_is_no_memory_and_one_of_an_older_version_holds_up_no_turn(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            for text in ("long " * 1_000, "长" * 4_001):
                with pytest.raises(RefusedMemoryError, match="at most 4,000 characters"):
                    await me.service.remember(Telling(text=text))
            (kept,) = (await me.service.remember(Telling(text="I like " + "very " * 700 + "long walks"))).kept
            with pytest.raises(RefusedMemoryError, match="at most 4,000 characters"):
                await me.service.edit_memory(kept.id, Edit(text="long " * 1_000))
            await me.record("long " * 20_000, scope="old", cloud=CloudState.QUEUED)
            await me.record("Owns a kayak", scope="old", cloud=CloudState.QUEUED)
            await me.say("hello", scope="old")
            assert [write.text for write in me.cloud.turns[-1].writes] == ["Owns a kayak"]

    asyncio.run(work())


def test_a_batch_holds_no_more_than_is_read_in_no_time(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            for number in range(5):
                await me.record(
                    f"Note {number}. " + "The bus stops at the library and then goes on to the lake. " * 60,
                    scope="old",
                    cloud=CloudState.QUEUED,
                )
            sent = []
            for turn in range(4):
                await me.say(f"hello {turn}", scope="old", conversation=f"c{turn}")
                sent.append(len(me.cloud.turns[-1].writes))
            assert sent == [2, 2, 1, 0]

    asyncio.run(work())


@pytest.mark.parametrize("how", ["share", "confirm"])
def test_what_is_at_the_cloud_already_is_not_sent_twice(how: str, tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            (first,) = (
                await me.service.remember(Telling(text="I ride a bike to work", reach=Reach(scope="user")))
            ).kept
            assert first.cloud is CloudState.QUEUED
            here = {"cloud": CloudState.KEPT, "judged_by": first.judged_by, "topic": first.topic, "level": first.level}
            twin = await me.record(first.text, trust=50 if how == "confirm" else 100, **here)
            if how == "confirm":
                done = await me.service.confirm_memory(twin.id)
            else:
                done = await me.service.share(twin.id, await me.service.preview_share(twin.id))
            assert (done.cloud, done.valid_to is None) == (CloudState.KEPT, False)
            assert len([each for each in await active(me) if each == first.text]) == 1

    asyncio.run(work())
