"""Without what reads the meaning of texts no new memory leaves this computer, and nothing is concluded from habits."""

import asyncio
import threading
from functools import partial
from pathlib import Path

from edge.daemon.profile import profile
from keepmum_edge.daemon.memory_commands import Edit, Telling
from keepmum_edge.memory.record import CloudState
from keepmum_inference.embedding import load_embedder
from shipped_embedding import shipped_embedder


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


def test_what_is_at_the_cloud_stays_there_while_nothing_can_be_judged(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path, load_embedder=partial(load_embedder, tmp_path / "nothing")) as me:
            held = await me.record("I live in Lyon", sent="I live in Lyon")
            assert await me.parts.keeping.judge_all() == 0
            assert (await me.service.memory(held.id)).cloud is CloudState.SHARED
        async with profile(tmp_path) as me:
            assert await me.parts.keeping.judge_all() == 1
            assert (await me.service.memory(held.id)).judged_by == me.parts.keeping.judge_id
            assert not me.cloud.deletions

    asyncio.run(work())


def test_no_model_runs_on_the_thread_of_the_database(tmp_path: Path) -> None:
    threads = set()

    class Watched:
        def __init__(self) -> None:
            real = shipped_embedder()
            self.model_id, self.dimension, self.query, self.passages = (
                real.model_id, real.dimension, real.query, real.passages,
            )  # fmt: skip

        def states(self, text: str):
            threads.add(threading.current_thread().name.rpartition("_")[0])
            return shipped_embedder().states(text)

    async def work() -> None:
        async with profile(tmp_path, load_embedder=Watched) as me:
            (told,) = (await me.service.remember(Telling(text="My favourite colour is teal"))).kept
            await me.service.edit_memory(told.id, Edit(text="My favourite number is seven"))
            await me.record("The bus stops at the library", cloud=CloudState.QUEUED)
            await me.say("I live in Lyon.")
            await me.record("My cat is called Pixel")
            await me.parts.keeping.judge_all()

    asyncio.run(work())
    assert threads == {"reader"}
