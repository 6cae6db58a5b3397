"""What a trace says of the memories that went along with a turn, and what becomes of that when they go or change."""

import asyncio
from pathlib import Path
from typing import Any

from edge.daemon.profile import Profile, profile
from keepmum_edge.daemon.memory_commands import Edit, Telling
from keepmum_edge.daemon.trace import SentMemory
from keepmum_edge.memory.record import MemoryRecord

MAIL = "quokka" + "@example.org"


async def told(me: Profile) -> MemoryRecord:
    written = await me.service.remember(Telling(text=f"My boat club writes to {MAIL}"))
    return written.kept[0]


async def sent_with(me: Profile, turn: Any) -> tuple[SentMemory, ...]:
    return (await me.service.trace(turn)).memories_sent


def test_a_trace_shows_the_memories_that_went_along_in_both_forms(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            record = await told(me)
            turn, _ = await me.say("What about the weather?")
            after, _ = await me.say("And tomorrow?", conversation="c2")
            [write] = me.cloud.turns[0].writes
            [sent] = await sent_with(me, turn)
            assert (sent.id, sent.text, sent.sent, sent.state) == (record.id, record.text, write.text, "as sent")
            assert MAIL not in sent.sent
            assert await sent_with(me, after) == ()

    asyncio.run(work())


def test_what_was_changed_since_is_said_to_be(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            record = await told(me)
            turn, _ = await me.say("What about the weather?")
            await me.service.edit_memory(record.id, Edit(text="My boat club is in Bath"))
            [sent] = await sent_with(me, turn)
            assert (sent.text, sent.state) == ("My boat club is in Bath", "changed since")

    asyncio.run(work())


def test_a_forgotten_memory_leaves_no_word_in_the_trace_it_went_along_with_and_the_turn_stays(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            record = await told(me)
            turn, _ = await me.say("What about the weather?")
            receipt = await me.forget(record.id)
            assert receipt.verified
            assert "boat club" not in await me.texts()
            assert await sent_with(me, turn) == (SentMemory(id=record.id, state="gone since"),)
            assert (await me.service.trace(turn)).typed == "What about the weather?"

    asyncio.run(work())


def test_nothing_goes_along_with_an_incognito_turn(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            await told(me)
            turn, _ = await me.say("What about the weather?", mode="incognito")
            assert await sent_with(me, turn) == ()

    asyncio.run(work())
