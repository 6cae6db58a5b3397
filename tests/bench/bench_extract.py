"""Time the reading of one text by the shipped extractor, rules and model, on one thread. No network, no GPU.

    PYTHONPATH=edge:shared python tests/bench/bench_extract.py [--runs 100]

Texts of 40, 128 and 1,000 pieces of the model's vocabulary, English and Chinese, in which people, places and an illness
occur. `wall` is what a user waits; `processor` is the same without waiting for other programs. Targets are for the
median of `wall`: 6, 18 and 170 ms. Then the first reading after loading, loading itself, and what the process holds.
"""

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import psutil
from keepmum_edge.spans.encoder import artefact_folder
from keepmum_edge.spans.shipped import load_shipped
from keepmum_inference.manifest import TOKENIZER
from keepmum_inference.subwords import Subwords
from report import machine, percentile, show, target

TARGETS_MS: Final = {40: 6.0, 128: 18.0, 1000: 170.0}
TEXTS: Final = {
    "en": "My sister Clara and I moved to a flat on Elm Street last spring, and since then the landlord has answered "
    "no letter. She has asthma, so please draft a short, polite mail that asks for the repair of the heating "
    "before the winter. ",
    "zh": "我和妹妹李明去年春天搬到了中山路的一套公寓，从那以后房东一封信也没有回过。她有哮喘，"
    "所以请帮我写一封简短而礼貌的邮件，要求在冬天之前修好暖气。",
}


def text_of(subwords: Subwords, unit: str, pieces: int) -> str:
    """Return the shortest text made of the unit that has so many pieces."""
    text = unit * (pieces // 20 + 2)
    low, high = 0, len(text)
    while low < high:
        middle = (low + high) // 2
        if len(subwords.encode(text[:middle]).ids) < pieces:
            low = middle + 1
        else:
            high = middle
    return text[:low]


def timed(job: Callable[[], object], runs: int) -> tuple[list[float], list[float]]:
    """Return wall and processor milliseconds of each run."""
    wall, processor = [], []
    for _ in range(runs):
        began, used = time.perf_counter(), time.thread_time()
        job()
        processor.append((time.thread_time() - used) * 1e3)
        wall.append((time.perf_counter() - began) * 1e3)
    return wall, processor


def runs_of(runs: int, pieces: int) -> int:
    """Return how often a text is read: a long one less often, but ten times if a short one is."""
    return max(min(10, runs), runs * 40 // pieces)


def main() -> None:
    """Measure, and print the JSON line and the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100, help="of each short text; long ones are read less often")
    arguments = parser.parse_args()
    before = psutil.Process().memory_info().rss
    began = time.perf_counter()
    extractor = load_shipped()
    loaded_ms = (time.perf_counter() - began) * 1e3
    began = time.perf_counter()
    extractor.extract(TEXTS["en"])
    first_ms = (time.perf_counter() - began) * 1e3
    subwords = Subwords((artefact_folder() / TOKENIZER).read_text(encoding="utf-8"))
    rows: dict[str, dict[str, Any]] = {}
    for language, unit in TEXTS.items():
        for pieces, limit in TARGETS_MS.items():
            text = text_of(subwords, unit, pieces)
            extractor.extract(text)
            wall, processor = timed(partial(extractor.extract, text), runs_of(arguments.runs, pieces))
            rows[f"{pieces} {language}"] = {
                "wall_ms": target(percentile(wall, 50), limit),
                "wall_p95_ms": percentile(wall, 95),
                "processor_ms": percentile(processor, 50),
                "least_ms": round(min(wall), 3),
            }
    result = {
        "bench": "extract",
        "data": f"{extractor.model_id}, {arguments.runs} runs of each short text",
        "machine": machine(),
        "rows": rows,
        "load_ms": round(loaded_ms, 1),
        "first_reading_ms": round(first_ms, 1),
        "resident_mb_more": round((psutil.Process().memory_info().rss - before) / 1e6, 1),
        "met": all(row["wall_ms"]["met"] for row in rows.values()),
    }
    table: list[list[object]] = [["pieces", "wall p50", "target", "met", "p95", "processor p50", "least, ms"]]
    for name, row in rows.items():
        wall = row["wall_ms"]
        met = "yes" if wall["met"] else "NO"
        more = (row["wall_p95_ms"], row["processor_ms"], row["least_ms"])
        table.append([name, wall["value"], wall["target"], met, *more])
    table.append(["load, ms", result["load_ms"], "", "", "", "", ""])
    table.append(["first reading, ms", result["first_reading_ms"], "", "", "", "", ""])
    show(result, table)


if __name__ == "__main__":
    main()
