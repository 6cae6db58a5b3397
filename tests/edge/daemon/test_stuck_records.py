"""A record that cannot be told to the cloud stays here and is named; no turn ever waits for it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from edge.daemon.profile import Profile, profile
from keepmum_edge.daemon.doctor import Check, examine
from keepmum_edge.keys import Keyholder
from keepmum_edge.memory.record import Channel, CloudState, MemoryRecord
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_shared.ids import MemoryId, new_memory_id
from profiles import settings
from shipped_embedding import shipped_embedder

QUEUED = {"cloud": CloudState.QUEUED}
SOURCES = frozenset(new_memory_id() for _ in range(300))


async def put(me: Profile, text: str, **fields: Any) -> MemoryRecord:
    """Store what an older version let in."""
    judge = me.parts.keeping.judge_id
    given = {"id": new_memory_id(), "scope": "user", "created_at": int(me.now), "judged_by": judge, **QUEUED, **fields}
    return await me.write(lambda db: MemoryStore(db).add(MemoryRecord(text=text, **given)))


def looked_over(me: Profile) -> Check:
    """What the doctor says of memories."""
    config = settings(me.home)
    checks = examine(config, Keyholder(config, ring=None), RuleExtractor(), shipped_embedder)
    return next(check for check in checks if check.name == "memories")


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        ({"created_at": -5}, "created_at"),
        ({"created_at": 2**62}, "created_at"),
        ({"valid_to": 2**60}, "valid_to"),
        ({"id": MemoryId("hello")}, "id"),
    ],
)
def test_a_record_that_cannot_be_told_stays_here_and_is_named(tmp_path: Path, damage: Any, named: str) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            stuck = await put(me, "Owns a boat", **damage)
            sound = await put(me, "Drinks tea")
            await me.say("hello")
            await me.say("hello again", conversation="c2")
            assert [write.id for turn in me.cloud.turns for write in turn.writes] == [sound.id]
            assert (await me.service.memory(stuck.id)).cloud is CloudState.KEPT
            check = looked_over(me)
            assert (check.status, check.detail.count("(")) == ("warn", 1)
            assert f"({named})" in check.detail
            assert (stuck.id in check.detail) == (named != "id")
            assert "boat" not in check.detail

    asyncio.run(work())


def test_one_that_is_at_the_cloud_already_is_taken_back_there(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            at_cloud = {"shared_at": 5, "placeholder_text": "Owns a boat"}
            stuck = await put(me, "Owns a boat", created_at=-5, **at_cloud)
            await me.say("hello")
            await me.parts.forgetting.deliver()
            assert [each for deletion in me.cloud.deletions for each in deletion.memories] == [stuck.id]
            held = await me.service.memory(stuck.id)
            assert (held.cloud, held.shared_at, held.placeholder_text) == (CloudState.KEPT, None, None)

    asyncio.run(work())


def test_one_whose_words_are_kept_here_already_is_ended_and_not_in_their_way(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            twin = await put(me, "Owns a boat", cloud=CloudState.KEPT)
            stuck = await put(me, "Owns a boat", created_at=-5)
            await me.say("hello")
            held = await me.service.memory(stuck.id)
            assert (held.cloud, held.successor, held.valid_to) == (CloudState.KEPT, twin.id, int(me.now))

    asyncio.run(work())


def test_what_was_made_of_more_than_the_cloud_can_be_told_stays_here(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            for source in SOURCES:
                shared = {"cloud": CloudState.SHARED, "shared_at": 5, "placeholder_text": f"Fact {source}"}
                await put(me, f"Fact {source}", id=source, **shared)
            stuck = await put(me, "Many facts", channel=Channel.DERIVED, sources=SOURCES)
            await me.say("hello")
            assert me.cloud.turns[-1].writes == ()
            check = looked_over(me)
            assert f"{stuck.id} (too many sources)" in check.detail

    asyncio.run(work())
