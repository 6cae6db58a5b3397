"""Without what reads the meaning of texts no new memory leaves this computer, and nothing is concluded from habits."""

import asyncio
from functools import partial
from pathlib import Path

from edge.daemon.profile import profile
from keepmum_edge.daemon.memory_commands import Telling
from keepmum_edge.memory.record import CloudState
from keepmum_inference.embedding import load_embedder


def test_what_is_told_and_said_without_the_model_stays_here(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path, load_embedder=partial(load_embedder, tmp_path / "nothing")) as me:
            (told,) = (await me.service.remember(Telling(text="My favourite colour is teal"))).kept
            assert told.cloud is CloudState.LOCAL_ONLY
            assert told.slot == "other"
            await me.say("I live in Lyon.")
            await me.say("What is the time?")
            assert [len(turn.writes) for turn in me.cloud.turns] == [0, 0]
        async with profile(tmp_path) as me:
            (again,) = (await me.service.remember(Telling(text="My favourite number is seven"))).kept
            assert again.cloud is CloudState.QUEUED

    asyncio.run(work())
