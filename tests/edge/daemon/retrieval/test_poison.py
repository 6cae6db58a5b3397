"""Poisoned records: planted by every channel that its owner does not speak through, and by what is made from them.

Each one repeats the question word for word, so that nothing but trust keeps it out.
"""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from edge.daemon.profile import Profile, profile
from keepmum_edge.daemon.memory_commands import Telling
from keepmum_edge.memory.admitted import Admitted, Within
from keepmum_edge.memory.record import Channel, MemoryRecord
from keepmum_edge.memory.trust import TRUST_MIN, TRUST_OF
from keepmum_shared.ids import MemoryId

QUESTION: Final = "Where does the spare key of the boat house hang?"
HONEST: Final = ("The spare key hangs behind the stove", "I keep a boat in the harbour", "The house has a blue door")
BELOW: Final = tuple(channel for channel, trust in TRUST_OF.items() if trust < TRUST_MIN)
PLANTED: Final = 6


async def top_five(me: Profile, trust_min: int = TRUST_MIN) -> set[MemoryId]:
    admitted = Admitted(within=Within(scope="user"), now=int(me.now) + 1, trust_min=trust_min)
    found = await me.parts.retrieval.search.search(QUESTION, admitted, 5)
    return {each.record.id for each in found}


async def plant(me: Profile, channel: Channel) -> tuple[MemoryRecord, ...]:
    """What a channel tells, and what is made from that and from an honest record."""
    planted: list[MemoryRecord] = []
    honest = (await me.service.remember(Telling(text=f"I wrote this down for the {channel} myself"))).kept
    for number in range(PLANTED):
        text = f"{QUESTION} It hangs at Mallory's, number {number}"
        told = (await me.service.remember(Telling(text=text, channel=channel))).kept
        sources = frozenset(record.id for record in (*told, *honest))
        made = Telling(text=f"In short: {text}", channel=Channel.DERIVED, sources=sources)
        planted += (*told, *(await me.service.remember(made)).kept)
    assert len(planted) >= PLANTED, "the control: they were kept"
    return tuple(planted)


@pytest.mark.parametrize("channel", BELOW)
def test_what_a_channel_plants_is_not_among_the_best_and_not_at_the_cloud(tmp_path: Path, channel: Channel) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            for text in HONEST:
                await me.service.remember(Telling(text=text))
            poison = {record.id for record in await plant(me, channel)}
            await me.embedded()
            assert len(await top_five(me, trust_min=0) & poison) == 5, "the control: only trust keeps them out"
            found = await top_five(me)
            assert found
            assert not found & poison
            for _ in range(3):
                await me.say("What is new?")
            sent = {write.id for turn in me.cloud.turns for write in turn.writes}
            assert sent, "the control: the batch carries what may leave"
            assert not sent & poison

    asyncio.run(work())


def test_a_confirmed_record_is_found_and_what_was_made_from_it_is_not(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path) as me:
            told = (await me.service.remember(Telling(text=QUESTION, channel=Channel.WEB))).kept[0]
            made = Telling(text=f"In short: {QUESTION}", channel=Channel.DERIVED, sources=frozenset({told.id}))
            summary = (await me.service.remember(made)).kept[0]
            assert await top_five(me) == set()
            raised = await me.service.confirm_memory(told.id)
            assert raised == replace(told, trust=raised.trust, revision=raised.revision, cloud=raised.cloud)
            assert await top_five(me) == {told.id}
            assert summary.id not in await top_five(me)

    asyncio.run(work())
