"""Comparing with a cloud half that holds too much, too little or old words; and turns that recall what is forgotten."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from edge.daemon.profile import PAIRING, Profile, ScriptedCloud, profile
from keepmum_edge.daemon.cloud_client import StatedDeletion
from keepmum_edge.daemon.forget.comparing import Noticed
from keepmum_edge.daemon.forget.strays import Discord
from keepmum_edge.daemon.store import ScopeStore
from keepmum_edge.errors import CloudBrokeOffError, CloudRefusedError, CloudUnreachableError
from keepmum_edge.memory.record import CloudState, MemoryRecord
from keepmum_edge.memory.store import MemoryStore
from keepmum_shared.held import held_digest
from keepmum_shared.ids import MemoryId, ScopeKey, new_memory_id
from keepmum_shared.messages import DeleteMemories, HeldMemory, MemoriesHeld

CANARY = "zqboatword"


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


async def as_held(me: Profile, *records: MemoryRecord) -> tuple[HeldMemory, ...]:
    """What an honest cloud half says of records."""
    key: ScopeKey = await me.write(lambda db: ScopeStore(db).key_of("user"))
    return tuple(
        HeldMemory(id=each.id, digest=held_digest(key, each.placeholder_text or "", each.valid_from, each.valid_to))
        for each in records
    )


async def state_of(me: Profile, memory: MemoryId) -> CloudState:
    found: MemoryRecord = await me.read(lambda db: MemoryStore(db).get(memory))
    return found.cloud


async def noticed(me: Profile) -> Discord | None:
    found = await me.parts.comparing.noticed()
    return None if found is None else found.discord


async def compared_once(me: Profile) -> None:
    """Let a first comparison find everything right, as after pairing."""
    assert await me.parts.comparing.compare()
    me.cloud.instance = "restarted"


def test_each_kind_is_put_right_and_told_and_a_record_of_this_computer_is_left_alone(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await compared_once(me)
            gone = await me.record("Owns a boat", sent="Owns a boat")
            await me.forget(gone.id)
            right, lost, old = [await me.record(text, sent=text) for text in ("Likes tea", "Cello", "Runs")]
            mine = await me.record("Here only", cloud=CloudState.KEPT)
            stranger = new_memory_id()
            held = await as_held(me, right, old, gone, mine)
            outdated = HeldMemory(id=old.id, digest="0" * 32)
            me.cloud.listed = (held[0], outdated, held[2], held[3], HeldMemory(id=stranger, digest="1" * 32))
            assert await me.parts.comparing.compare()
            assert await noticed(me) == Discord(forgotten=1, unknown=2, lost=1, outdated=1)
            told = {(memory, each.forget) for each in me.cloud.deletions[1:] for memory in each.memories}
            assert told == {(gone.id, True), (mine.id, False), (stranger, False)}
            assert await state_of(me, right.id) is CloudState.SHARED
            assert await state_of(me, mine.id) is CloudState.KEPT
            assert [await state_of(me, each.id) for each in (lost, old)] == [CloudState.SENT] * 2
            await me.say("Hello")
            assert {write.id for write in me.cloud.turns[-1].writes} == {lost.id, old.id}
            assert [await state_of(me, each.id) for each in (lost, old)] == [CloudState.SHARED] * 2

    run(work())


def test_it_is_done_once_until_the_cloud_half_is_restarted(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            listings = 0

            async def count() -> None:
                nonlocal listings
                listings += 1

            me.cloud.while_listing = count
            assert await me.parts.comparing.compare()
            assert await me.parts.comparing.compare()
            assert listings == 1
            me.cloud.instance = "another"
            assert await me.parts.comparing.compare()
            assert listings == 2
            me.cloud.is_down = True
            assert await me.parts.comparing.compare(), "nothing is due"
            me.cloud.instance = "yet another"
            assert not await me.parts.comparing.compare()

    run(work())


def test_what_is_forgotten_while_the_list_comes_was_held_in_good_faith(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await compared_once(me)
            boat, fresh = await me.record("Owns a boat", sent="Owns a boat"), None
            me.cloud.listed = await as_held(me, boat)

            async def meanwhile() -> None:
                nonlocal fresh
                await me.forget(boat.id)
                fresh = await me.record("New", sent="New")
                await me.forget(fresh.id)
                me.cloud.listed += await as_held(me, fresh)

            me.cloud.while_listing = meanwhile
            assert await me.parts.comparing.compare()
            assert await noticed(me) is None

    run(work())


def test_a_cloud_half_that_is_paired_anew_gets_everything_and_is_not_accused(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            tea = await me.record("Likes tea", sent="Likes tea")
            await as_held(me)  # its scope has a key
            assert await me.parts.comparing.compare()
            assert (await state_of(me, tea.id), await noticed(me)) == (CloudState.SENT, None)

    run(work())


@pytest.mark.parametrize("next_page", [5, 0])
def test_a_list_without_end_or_a_cloud_half_of_an_older_version_changes_nothing(tmp_path: Path, next_page: int) -> None:
    class Odd(ScriptedCloud):
        async def held_memories(self, after: int = 0) -> MemoriesHeld:
            if not next_page:
                raise CloudRefusedError("no such route", cloud_code="not_found", status=404)
            return MemoriesHeld(memories=(HeldMemory(id=new_memory_id(), digest="1" * 32),), next=next_page)

    async def work() -> None:
        async with profile(tmp_path, Odd()) as me:
            tea = await me.record("Likes tea", sent="Likes tea")
            assert await me.parts.comparing.compare() is (next_page == 0)
            assert me.parts.comparing.is_too_old is (next_page == 0)
            assert (await state_of(me, tea.id), me.cloud.deletions) == (CloudState.SHARED, [])

    run(work())


def test_no_turn_leaves_before_the_cloud_half_has_confirmed_what_waits(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            boat = await me.record("Owns a boat", sent="Owns a boat")
            me.cloud.is_down = True
            await me.forget(boat.id)
            for is_down, most in ((True, 9), (False, 0)):
                me.cloud.is_down, me.cloud.states_at_most = is_down, most
                with pytest.raises(CloudUnreachableError if is_down else CloudBrokeOffError):
                    await me.say("Hello")
                assert me.cloud.turns == []
            me.cloud.states_at_most = 9
            await me.say("Hello")
            assert (len(me.cloud.turns), me.cloud.held) == (1, set())

    run(work())


def test_what_waits_for_nobody_but_this_computer_holds_no_turn_up(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            mine = await me.record("Here only")
            me.cloud.states_at_most = 0
            await me.forget(mine.id)
            await me.say("Hello")
            assert (len(me.cloud.turns), me.cloud.deletions) == (1, [])

    run(work())


def test_a_cloud_half_that_goes_on_recalling_is_not_heard(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            boat = await me.record(f"Owns a {CANARY}", sent=f"Owns a {CANARY}")
            await me.forget(boat.id)
            me.cloud.uses, me.cloud.says = (boat.id,), f"You own a {CANARY}"
            with pytest.raises(CloudBrokeOffError, match="goes on recalling"):
                await me.say("Hello")
            assert CANARY not in await me.texts()
            assert await noticed(me) == Discord(forgotten=2)
            assert len({turn.turn for turn in me.cloud.turns}) == 1
            (trace,) = await me.service.traces(9)
            assert trace.failure == "cloud_broke_off"

    run(work())


def test_what_is_forgotten_between_sending_and_recalling_costs_the_answer_and_accuses_nobody(tmp_path: Path) -> None:
    class Honest(ScriptedCloud):
        async def turn(self, request: Any) -> Any:
            self.uses = tuple(self.held)
            if self.while_listing is not None and self.held:
                await self.while_listing()
            async for event in super().turn(request):
                yield event

    async def work() -> None:
        async with profile(tmp_path, Honest()) as me:
            boat = await me.record(f"Owns a {CANARY}", sent=f"Owns a {CANARY}")
            me.cloud.while_listing = lambda: me.forget(boat.id)
            _, text = await me.say("Hello")
            assert text == "You said: Hello"
            assert (len(me.cloud.turns), await noticed(me)) == (2, None)

    run(work())


def test_the_words_say_what_was_found_and_accuse_of_no_more() -> None:
    lost = str(Noticed(at=1, discord=Discord(lost=1)))
    assert (lost, "older" in lost) == ("the cloud half had lost 1 memory (sent again with your next messages)", False)
    both = str(Noticed(at=1, discord=Discord(forgotten=2, outdated=1)))
    assert both.startswith("the cloud half was set back to an older copy of its data: it held 2 memories again")


def test_to_forget_everything_tells_a_cloud_half_so_only_if_there_is_one(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await me.record("Owns a boat")
            done = await me.forget(everything=True)
            assert (done.cloud, done.cloud_everything, me.cloud.deletions) == ("never_sent", None, [])
            await me.write(lambda _: me.parts.pairings.put(PAIRING))
            done = await me.forget(everything=True)
            assert (done.cloud, done.cloud_ids, done.cloud_everything) == ("confirmed", (), True)
            assert [(each.memories, each.everything) for each in me.cloud.deletions] == [((), True)]

    run(work())


def test_a_cloud_half_too_old_to_erase_everything_is_named_in_words(tmp_path: Path) -> None:
    class Old(ScriptedCloud):
        async def delete_memories(self, request: DeleteMemories) -> StatedDeletion:
            if request.everything:
                raise CloudRefusedError("has an unknown field", cloud_code="malformed", status=400)
            return await super().delete_memories(request)

    async def work() -> None:
        async with profile(tmp_path, Old()) as me:
            await me.write(lambda _: me.parts.pairings.put(PAIRING))
            boat = await me.record("Owns a boat", sent="Owns a boat")
            assert (await me.forget(everything=True)).cloud == "pending"
            assert me.cloud.deletions[0].memories == (boat.id,), "what is known by id is deleted all the same"
            with pytest.raises(CloudRefusedError, match="too old to erase"):
                await me.say("Hello")

    run(work())
