"""Time forgetting one record with many derivatives on this computer, and say whether anything is left. No network.

    python tests/bench/bench_forget.py [derivatives] [other records] [runs]

Half of the derivatives are digests of the record and of another one, which are made again; the others are worded
freely, so that they share no words with it. The profile holds other records and a conversation as well. The time is
that of the whole deletion: closure, removal, making anew, rewriting the file, looking for what is left, receipt.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from edge.daemon.profile import Profile, ScriptedCloud, profile
from keepmum_edge.memory.digest import digest_text
from keepmum_edge.memory.record import Channel, MemoryRecord
from keepmum_edge.memory.store import MemoryStore
from keepmum_shared.ids import new_memory_id
from report import machine, show, target

TARGET_S = 2.0
CANARY = "zqboatword"


def main(derivatives: int = 1000, others: int = 5000, runs: int = 3) -> None:
    """Fill a profile, forget, report."""
    took, left, removed = [], 0, 0
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            seconds, found, count = asyncio.run(one_run(Path(folder), derivatives, others))
        took.append(seconds)
        left += found
        removed = count
    median = round(statistics.median(took), 3)
    result = {
        "bench": "forget",
        "machine": machine(),
        "data": "generated",
        "derivatives": derivatives,
        "other_records": others,
        "records_removed": removed,
        "seconds": target(median, TARGET_S),
        "slowest_s": round(max(took), 3),
        "places_left": target(left, 0),
    }
    show(result, [["what", "measured", "target"], ["median s", median, TARGET_S], ["places left", left, 0]])


async def one_run(home: Path, derivatives: int, others: int) -> tuple[float, int, int]:
    """Return seconds, in how many places a planted word is left, and how many records went."""
    async with profile(home, ScriptedCloud()) as me:
        turn, _ = await me.say(f"What would a {CANARY} cost? This is how it began")
        root = await me.record(f"Owns a {CANARY} since that summer", turn)
        await me.write(lambda db: fill(MemoryStore(db), me, root, derivatives, others))
        began = time.perf_counter()
        receipt = await me.forget(root.id)
        took = time.perf_counter() - began
        assert receipt.verified, "or the time means nothing"
        return took, (await me.texts()).count(CANARY), len(receipt.records)


def fill(store: MemoryStore, me: Profile, root: MemoryRecord, derivatives: int, others: int) -> None:
    """Store what is derived and what is not."""
    for number in range(others):
        other = made(f"Other record number {number} about nothing in particular", me)
        store.add(other)
        if number < derivatives // 2:
            text = digest_text((root.text, other.text))
            store.add(made(text, me, root.id, other.id))
    for number in range(derivatives - derivatives // 2):
        store.add(made(f"Worded freely for the {number}th time, with water in it", me, root.id))


def made(text: str, me: Profile, *sources: str) -> MemoryRecord:
    """Return a record, derived where it has sources."""
    channel = Channel.DERIVED if sources else Channel.COMMAND
    return MemoryRecord(
        id=new_memory_id(),
        text=text,
        scope="user",
        created_at=int(me.now) + 1,
        channel=channel,
        sources=frozenset(sources),
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
