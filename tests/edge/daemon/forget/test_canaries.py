"""A thousand planted words: a scan of every byte of both halves finds all before, and none that was forgotten."""

import asyncio
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edge.daemon.profile import DEVICE, Profile, ScriptedCloud, profile
from keepmum_cloud.database import Database as CloudDatabase
from keepmum_cloud.memory.operations import Memories
from keepmum_edge.daemon.cloud_client import StatedDeletion
from keepmum_edge.memory.record import CloudState, MemoryRecord
from keepmum_shared.messages import AddMemories, DeleteMemories, DeletionStatement, MemoryWrite

CANARIES = 1000
IN_A_TURN = 20


@dataclass
class WholeCloud(ScriptedCloud):
    """The cloud's real memory, without the wire between."""

    memories: Any = None

    async def add_memories(self, request: AddMemories) -> Any:
        return self.memories.add(DEVICE, request.scope, request.memories)

    async def delete_memories(self, request: DeleteMemories) -> StatedDeletion:
        self.deletions.append(request)
        removed = self.memories.delete(DEVICE, request.memories, forget=request.forget)
        statement = DeletionStatement(device=DEVICE, gone=removed.gone, forget=request.forget, at=5)
        return StatedDeletion(statement=statement, signature="c2ln", fingerprint="print")


def words(count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return ["zq" + "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=12)) for _ in range(count)]


async def plant(me: Profile, canaries: list[str]) -> list[MemoryRecord]:
    """Every word in a turn, its trace, its answer and a record: a third of those local, a third also at the cloud."""
    records: list[MemoryRecord] = []
    for start in range(0, len(canaries), IN_A_TURN):
        batch = canaries[start : start + IN_A_TURN]
        said = " ".join(f"What would the thing called {word} cost?" for word in batch)  # not remembered by itself
        turn, _ = await me.say(said, conversation=f"c{start}", key=f"k{start}")
        for number, word in enumerate(batch):
            text = f"Owns the thing called {word}"
            kind = number % 3
            fields: Any = {"cloud": CloudState.LOCAL_ONLY} if kind == 0 else {}
            record = await me.record(text, turn, sent=text if kind == 1 else None, **fields)
            if kind == 1:
                scope = me.cloud.turns[-1].scope
                assert scope is not None
                write = MemoryWrite(id=record.id, text=text, created_at=1)
                await me.cloud.add_memories(AddMemories(scope=scope, memories=(write,)))
            records.append(record)
        await me.digest(*records[-4:-1])
    return records


async def seen(me: Profile, cloud_folder: Path, canaries: list[str]) -> set[str]:
    """Which of the words stand in any table, page, log or file of either half."""
    files = b"".join(path.read_bytes() for path in sorted(cloud_folder.iterdir()))
    logs = b"".join(path.read_bytes() for path in me.home.rglob("*.log"))
    everything = await me.texts() + (files + logs).decode("utf-8", "replace")
    return {word for word in canaries if word in everything}


def test_a_thousand_words_are_found_before_and_none_after(tmp_path: Path) -> None:
    async def work() -> None:
        database = CloudDatabase(tmp_path / "cloud")
        cloud = WholeCloud(memories=Memories(database))
        canaries = words(CANARIES, seed=1)
        async with profile(tmp_path / "edge", cloud) as me:
            records = await plant(me, canaries)
            assert await seen(me, tmp_path / "cloud", canaries) == set(canaries), "the same scan, before"
            half = CANARIES // 2
            for start in range(0, half, 100):
                receipt = await me.forget(*(record.id for record in records[start : start + 100]))
                assert (receipt.verified, receipt.cloud) == (True, "confirmed")
            assert await seen(me, tmp_path / "cloud", canaries) == set(canaries[half:])
            assert (await me.forget(scope="user")).verified
            assert await seen(me, tmp_path / "cloud", canaries) == set()
        database.close()
        left = (tmp_path / "cloud" / "cloud.sqlite3").read_bytes()
        assert not any(word.encode() in left for word in canaries)
        local = {record.id for record in records if record.cloud is CloudState.LOCAL_ONLY}
        told = {memory for deletion in cloud.deletions for memory in deletion.memories}
        assert not told & local, "of what never left the cloud is told nothing"

    asyncio.run(work())
