"""Time one search in a scope of many memories, and print one JSON line. No network.

    python tests/bench/bench_memory_search.py [memories] [searches]

The text is drawn from a Zipf distribution over 20,000 words, which is harder than speech: no function words are left
out.
"""

import json
import platform
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from keepmum_cloud.database import Database
from keepmum_cloud.memory.operations import Memories
from keepmum_shared.ids import new_device_id, new_memory_id, new_scope_key
from keepmum_shared.messages import MemoryWrite

WORDS = [f"word{i}x" for i in range(20_000)]
WEIGHTS = [1 / (i + 1) for i in range(20_000)]
TARGET_P95_MS = 10.0


def main(memories: int = 20_000, searches: int = 300) -> None:
    """Fill one scope, search with 3 to 20 words, report."""
    rng = random.Random(0)
    device, scope = new_device_id(), new_scope_key()
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Path(folder))
        store = Memories(database)
        for start in range(0, memories, 1000):
            texts = (" ".join(rng.choices(WORDS, WEIGHTS, k=15)) for _ in range(min(1000, memories - start)))
            store.add(device, scope, tuple(MemoryWrite(id=new_memory_id(), text=t, created_at=1) for t in texts))
        took_ms = []
        for _ in range(searches):
            query = " ".join(rng.choices(WORDS, WEIGHTS, k=rng.randint(3, 20)))
            began = time.perf_counter_ns()
            store.search(device, scope, query, 6)
            took_ms.append((time.perf_counter_ns() - began) / 1e6)
        database.close()
    cuts = statistics.quantiles(took_ms, n=100)
    result = {
        "bench": "memory_search",
        "memories": memories,
        "searches": searches,
        "machine": platform.machine(),
        "p50_ms": round(cuts[49], 2),
        "p95_ms": round(cuts[94], 2),
        "target_p95_ms": TARGET_P95_MS,
        "met": cuts[94] <= TARGET_P95_MS,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
