"""Time the whole extractor, rules and model, on one thread, and its memory: a process of its own, run by bench_spans.

stdin   {"name": [texts]}
stdout  {"load_s", "resident_mb": {"before", "loaded", "after"}, "milliseconds": {"name": [one per text and round]},
        "processor": the same in processor time, which other programs on the machine do not lengthen as much}
Resident is what psutil counts: before the model is loaded (the interpreter and what it imports), after, and at the end.
"""

import json
import sys
import time

import psutil
from keepmum_models.evaluation.measure import make_extractor

ROUNDS = 2


def resident_mb() -> float:
    """Return this process's resident memory in units of 10^6 bytes."""
    return round(float(psutil.Process().memory_info().rss) / 1e6, 1)


def main() -> None:
    """Measure; the first round warms caches and is not counted."""
    texts = json.load(sys.stdin)
    resident, began = {"before": resident_mb()}, time.perf_counter()
    extractor = make_extractor("combined")
    loaded_s = round(time.perf_counter() - began, 3)
    resident["loaded"] = resident_mb()
    took: dict[str, list[float]] = {name: [] for name in texts}
    used: dict[str, list[float]] = {name: [] for name in texts}
    for number in range(ROUNDS + 1):
        for name, some in texts.items():
            for text in some:
                start, processor = time.perf_counter(), time.process_time()
                extractor.extract(text)
                if number:
                    took[name].append((time.perf_counter() - start) * 1000)
                    used[name].append((time.process_time() - processor) * 1000)
    resident["after"] = resident_mb()
    json.dump({"load_s": loaded_s, "resident_mb": resident, "milliseconds": took, "processor": used}, sys.stdout)


if __name__ == "__main__":
    main()
