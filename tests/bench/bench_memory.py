"""What memory costs and what it keeps apart: searching, writing, forgetting, room. One JSON line, then a table.

No network.

    python tests/bench/bench_memory.py                  a few minutes
    python tests/bench/bench_memory.py --scopes 1000    1,000,000 memories beside; 3 GB of disk, half an hour

search     a scope of 20,000 memories at the cloud, alone and beside others of 1,000 (`scope_filling`): the first search
           of it (median of five, each of a store that holds nothing in memory), later ones, and the share of the ten
           nearest by a comparison with every vector that it finds. Embedding a query is timed apart.
write      what memory adds to a turn (`write_path`), on one processor core (on Linux).
forget     a record with 1,000 derivatives (`bench_forget` measures it alone).
apart      random requests, judged by what was written (`random_scopes`): strangers and ineligible ones that were found.
resident   the daemon with both models (`bench_start`).
"""

import argparse
import asyncio
import contextlib
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))
import bench_forget
from bench_start import MEMORIES as NOTES
from bench_start import READ, resident_with_both_models
from full_profile import VALUES
from keepmum_cloud.database import Database
from keepmum_cloud.memory.embedding_work import EmbeddingWork
from keepmum_cloud.memory.operations import Memories
from keepmum_inference.embedding import load_embedder
from random_scopes import NOW, NearVectors, RandomScopes, Tally
from report import machine, percentile, show, target
from scope_filling import copy, fill
from scope_search import figures, first_ms, later_ms, recall
from write_path import write_turns

MEMORIES: Final = 20_000
OTHER_SIZE: Final = 1000
FIRST_MS: Final = 250.0
P95_MS: Final = 10.0
FLAT: Final = 1.25
"""Median beside the other scopes, over the median alone."""
WRITE_MS: Final = 15.0
DERIVATIVES: Final = 1000
FORGET_S: Final = 2.0
RESIDENT_MB: Final = 350.0
PARTS: Final = ("search", "write", "forget", "apart", "resident")


def searching(folder: Path, *, memories: int, scopes: int, searches: int) -> dict[str, Any]:
    """Fill, search, fill more beside, search again."""
    rng = random.Random(0)
    database = Database(folder)
    try:
        store = Memories(database)
        place = fill(database, store, memories, rng)
        first = statistics.median(first_ms(database, place, rng) for _ in range(5))
        alone = figures(later_ms(database, [place], searches, rng))
        exact = recall(database, copy(database, *place, alone=True), 100, seed=1)
        others = [copy(database, *place, most=OTHER_SIZE) for _ in range(scopes)]
        beside_first = statistics.median(first_ms(database, place, rng) for _ in range(5))
        beside = figures(later_ms(database, [place], searches, rng))
        small = figures(later_ms(database, others[-20:], searches, rng)) if others else None
    finally:
        database.close()
    return {
        "memories": memories,
        "other_scopes": scopes,
        "memories_of_other_scopes": scopes * OTHER_SIZE,
        "first_ms": target(round(first, 1), FIRST_MS),
        "first_ms_beside": target(round(beside_first, 1), FIRST_MS),
        "p50_ms": alone["p50"],
        "p95_ms": target(alone["p95"], P95_MS),
        "p50_ms_beside": beside["p50"],
        "p95_ms_beside": target(beside["p95"], P95_MS),
        "growth": target(round(beside["p50"] / alone["p50"], 2), FLAT),
        "p50_ms_of_a_small_scope": small and small["p50"],
        "recall": {"value": exact, "target": 1.0, "met": exact == 1.0},
        "query_embedding_p50_ms": _embedding_ms(),
    }


def _embedding_ms() -> float:
    embedder = load_embedder(None)
    taken = []
    for number in range(50):
        began = time.perf_counter_ns()
        embedder.query(f"Where did I leave the keys of the house by the lake, number {number}?")
        taken.append((time.perf_counter_ns() - began) / 1e6)
    return percentile(taken, 50)


def writing(folder: Path, *, records: int, turns: int) -> dict[str, Any]:
    """Write, on one processor core where the system lets a process choose."""
    with _one_core():
        written = write_turns(folder, records=records, turns=turns, seed=0)
    return {
        "records": records,
        "turns": turns,
        "kept": written.kept,
        "p50_ms": target(percentile(written.milliseconds, 50), WRITE_MS),
        "p95_ms": percentile(written.milliseconds, 95),
        "processor_p50_ms": percentile(written.processor, 50),
    }


@contextlib.contextmanager
def _one_core() -> Iterator[None]:
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def forgetting(folder: Path, *, derivatives: int, others: int) -> dict[str, Any]:
    """Forget a record with many derivatives."""
    seconds, left, removed = asyncio.run(bench_forget.one_run(folder, derivatives, others))
    return {"removed": removed, "seconds": target(round(seconds, 3), FORGET_S), "places_left": target(left, 0)}


def apart(folder: Path, *, requests: int) -> dict[str, Any]:
    """Ask at random, everything that was written embedded four times in between."""
    database = Database(folder)
    try:
        memories = Memories(database, clock=lambda: NOW)
        work = EmbeddingWork(database, memories, load=NearVectors, clock=time.time)
        embedder = work.load()
        assert embedder is not None
        world = RandomScopes(memories=memories, rng=random.Random(0))
        for _ in range(4):
            world.run(requests // 4)
            while work.embed_some(embedder):
                pass
    finally:
        database.close()
    tally: Tally = world.tally
    return {
        "requests": tally.requests,
        "found": tally.found,
        "withheld": tally.withheld,
        "strangers": target(tally.strangers, 0),
        "ineligible": target(tally.ineligible, 0),
    }


def resident(folder: Path, *, values: int, read: Sequence[int], notes: int) -> dict[str, Any]:
    """Start the daemon and have it use both models."""
    megabytes = resident_with_both_models(folder, values=values, read=read, memories=notes)
    return {"megabytes": target(megabytes, RESIDENT_MB)}


def rows(result: dict[str, Any]) -> list[tuple[object, ...]]:
    """Return the table, the heading first."""
    found: list[tuple[object, ...]] = [("what", "measured", "target", "met")]
    for part in PARTS:
        for name, figure in result.get(part, {}).items():
            if isinstance(figure, dict):
                found.append((f"{part}: {name}", figure["value"], figure["target"], "yes" if figure["met"] else "NO"))
            else:
                found.append((f"{part}: {name}", figure, "-", "-"))
    return found


def main(argv: Sequence[str] | None = None) -> None:
    """Measure the parts that are asked for and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=PARTS, action="append", help="a part; may be given again")
    parser.add_argument("--memories", type=int, default=MEMORIES)
    parser.add_argument("--scopes", type=int, default=20, help="other scopes, of 1,000 memories each")
    parser.add_argument("--searches", type=int, default=300)
    parser.add_argument("--requests", type=int, default=10_000, help="random ones")
    parser.add_argument("--records", type=int, default=2000, help="that are there when turns write")
    parser.add_argument("--turns", type=int, default=200, help="that write")
    parser.add_argument("--derivatives", type=int, default=DERIVATIVES, help="of the record that is forgotten")
    parser.add_argument("--others", type=int, default=5000, help="records beside the one that is forgotten")
    parser.add_argument("--values", type=int, default=VALUES, help="in the vault of the daemon")
    parser.add_argument(
        "--read", type=int, nargs="+", default=READ, help="characters of messages that the daemon reads"
    )
    parser.add_argument("--notes", type=int, default=NOTES, help="memories that the daemon is told")
    arguments = parser.parse_args(argv)
    parts = {
        "search": lambda folder: searching(
            folder, memories=arguments.memories, scopes=arguments.scopes, searches=arguments.searches
        ),
        "write": lambda folder: writing(folder, records=arguments.records, turns=arguments.turns),
        "forget": lambda folder: forgetting(folder, derivatives=arguments.derivatives, others=arguments.others),
        "apart": lambda folder: apart(folder, requests=arguments.requests),
        "resident": lambda folder: resident(
            folder, values=arguments.values, read=arguments.read, notes=arguments.notes
        ),
    }
    result: dict[str, Any] = {"bench": "memory", "machine": machine(), "load": round(os.getloadavg()[0], 1)}
    for name in arguments.only or PARTS:
        print(f"measuring: {name}", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            result[name] = parts[name](Path(folder))
    show(result, rows(result))


if __name__ == "__main__":
    main()
