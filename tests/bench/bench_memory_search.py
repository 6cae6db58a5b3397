"""Time searches of the cloud's memory in one scope, with vectors, and print one JSON line and a table. No network.

    python tests/bench/bench_memory_search.py [memories] [searches] [other scopes]

The text is drawn from a Zipf distribution over 20,000 words, which is harder than speech: no function words are left
out. Vectors are random, so that nothing is easy about them; a search compares the query with every one. The embedding
of a query is timed apart.
"""

import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from keepmum_cloud.database import Database
from keepmum_cloud.memory.embedding_work import EmbeddingWork
from keepmum_cloud.memory.operations import Memories
from keepmum_inference.embedding import load_embedder
from keepmum_shared.ids import DeviceId, ScopeKey, new_device_id, new_memory_id, new_scope_key, new_session_key
from keepmum_shared.messages import MemoryWrite
from numpy.typing import NDArray
from report import machine, percentile, show, target

WORDS: Final = [f"word{i}x" for i in range(20_000)]
WEIGHTS: Final = [1 / (i + 1) for i in range(20_000)]
DIMENSION: Final = 384
OTHER_SIZE: Final = 1000
TURNS_OF_A_SESSION: Final = 20
TARGET_P95_MS: Final = 10.0
TARGET_FIRST_MS: Final = 250.0


class RandomVectors:
    """Vectors that know nothing of their texts, at no cost."""

    model_id = "random"
    dimension = DIMENSION

    def __init__(self) -> None:
        self._rng = np.random.default_rng(0)

    def query(self, text: str) -> NDArray[np.float32]:
        return self.passages([text])[0]

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = self._rng.standard_normal((len(texts), DIMENSION)).astype(np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def fill(store: Memories, device: DeviceId, scope: ScopeKey, memories: int, rng: random.Random) -> None:
    """Store memories of 15 words, in sessions."""
    now = int(time.time())
    for start in range(0, memories, 1000):
        sessions = [new_session_key() for _ in range(1000 // TURNS_OF_A_SESSION)]
        batch = [
            MemoryWrite(
                id=new_memory_id(),
                text=" ".join(rng.choices(WORDS, WEIGHTS, k=15)),
                created_at=now - memories + start + number,
                session=sessions[number // TURNS_OF_A_SESSION],
            )
            for number in range(min(1000, memories - start))
        ]
        store.add(device, scope, tuple(batch))


def main(memories: int = 20_000, searches: int = 300, others: int = 0) -> None:
    """Fill one scope and others beside it, search the one with 3 to 20 words, report."""
    rng = random.Random(0)
    device, scope = new_device_id(), new_scope_key()
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Path(folder))
        store = Memories(database)
        vectors = RandomVectors()
        work = EmbeddingWork(database, store, load=lambda: vectors, clock=time.time)
        work.load()
        fill(store, device, scope, memories, rng)
        for _ in range(others):
            fill(store, device, new_scope_key(), OTHER_SIZE, rng)
        while work.embed_some(vectors):
            pass
        took_ms = []
        for _ in range(searches + 1):
            query = " ".join(rng.choices(WORDS, WEIGHTS, k=rng.randint(3, 20)))
            began = time.perf_counter_ns()
            store.search(device, scope, query, 6)
            took_ms.append((time.perf_counter_ns() - began) / 1e6)
        database.close()
    embedder = load_embedder(None)
    embedding_ms = []
    for number in range(50):
        began = time.perf_counter_ns()
        embedder.query(f"Where did I leave the keys of the house by the lake, number {number}?")
        embedding_ms.append((time.perf_counter_ns() - began) / 1e6)
    first, later = round(took_ms[0], 1), took_ms[1:]
    result = {
        "bench": "memory_search",
        "memories": memories,
        "other_scopes": others,
        "searches": searches,
        "machine": machine(),
        "p50_ms": percentile(later, 50),
        "p95_ms": target(percentile(later, 95), TARGET_P95_MS),
        "first_ms": target(first, TARGET_FIRST_MS),
        "query_embedding_p50_ms": percentile(embedding_ms, 50),
    }
    rows = [
        ("", "ms", "target", "met"),
        ("search, p50", result["p50_ms"], "-", "-"),
        ("search, p95", percentile(later, 95), TARGET_P95_MS, percentile(later, 95) <= TARGET_P95_MS),
        ("first search", first, TARGET_FIRST_MS, first <= TARGET_FIRST_MS),
        ("embedding of a query, p50", result["query_embedding_p50_ms"], "-", "-"),
    ]
    show(result, rows)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
