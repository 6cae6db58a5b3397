"""With one source of chance, two profiles send the same bytes, whatever lies in a slot: nothing else is drawn from."""

import asyncio
import itertools
from pathlib import Path
from typing import Any

import pytest
from edge.daemon.forget.profile import Profile, profile
from keepmum_edge.daemon.chance import Chance
from keepmum_edge.daemon.memory_commands import Telling
from keepmum_shared import codec
from keepmum_shared.ids import ConversationId, MemoryId, ScopeKey, SessionKey, TurnId
from view_desk import zeros

LETTERS = str.maketrans("0123456789", "abcdefghij")


def counted(kind: str) -> Any:
    """Draws ids in one order."""
    numbers = itertools.count()
    return lambda: f"{kind}_{next(numbers):026d}".translate(LETTERS)


def one_chance() -> Chance:
    """Draws that fall on a candidate whatever the scores (those of the uniform part), and ids that repeat."""
    turn, memory, session = counted("turn"), counted("mem"), counted("sess")
    conversation, scope = counted("conv"), counted("scope")
    return Chance(
        draws=zeros,
        nonces=zeros,
        turn_id=lambda: TurnId(turn()),
        conversation_id=lambda: ConversationId(conversation()),
        memory_id=lambda: MemoryId(memory()),
        scope_key=lambda: ScopeKey(scope()),
        session_key=lambda: SessionKey(session()),
    )


async def told(me: Profile, remembered: str) -> list[bytes]:
    """What left of a profile in which something was remembered."""
    await me.service.remember(Telling(text=remembered))
    me.now += 15 * 86_400
    for number, text in enumerate(
        ("What could I cook for dinner?", "I like chess. Any good recipe?", "My email is quokka@example.org", "Thanks")
    ):
        await me.say(text, conversation=f"c{number}")
    return [codec.encode(request) for request in me.cloud.turns]


@pytest.mark.parametrize("other", ["I am allergic to peanuts", "My creditors want their debt", "I have cholesterol"])
def test_the_bytes_are_the_same_whatever_a_slot_holds(tmp_path: Path, other: str) -> None:
    async def work() -> None:
        async with profile(tmp_path / "one", chance=one_chance()) as one:
            first = await told(one, "I have type 2 diabetes")
        async with profile(tmp_path / "two", chance=one_chance()) as two:
            second = await told(two, other)
        assert first == second
        assert len(set(first)) == 4
        assert any(b'"writes":[{' in each for each in first), "a batch is among them"
        assert b"/food" in first[0], "views are among them"

    asyncio.run(work())


def test_without_it_ids_are_drawn_anew(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path / "one") as one, profile(tmp_path / "two") as two:
            first, second = await told(one, "I have type 2 diabetes"), await told(two, "I have type 2 diabetes")
            assert not set(first) & set(second)

    asyncio.run(work())
