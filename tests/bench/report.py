"""What every benchmark prints: one JSON line, then a table of figures against their targets."""

import json
import platform
import statistics
from collections.abc import Sequence
from typing import Any

import psutil


def machine() -> str:
    """Return processor, cores and system in a few words."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            model = next(line.partition(":")[2].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.processor() or platform.machine()
    memory = round(psutil.virtual_memory().total / 2**30)
    return (
        f"{model}, {psutil.cpu_count()} cores, {memory} GiB, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}"
    )


def percentile(values: Sequence[float], percent: int) -> float:
    """Return a percentile, rounded to 1/1000; of a single value that value."""
    if len(values) == 1:
        return round(values[0], 3)
    return round(statistics.quantiles(values, n=100, method="inclusive")[percent - 1], 3)


def target(value: float, limit: float) -> dict[str, Any]:
    """Return a figure beside its target, and whether it is met."""
    return {"value": value, "target": limit, "met": value <= limit}


def show(result: dict[str, Any], rows: Sequence[Sequence[object]]) -> None:
    """Print the JSON line and the table; the first row is the heading."""
    print(json.dumps(result, ensure_ascii=False))
    show_table(rows)


def show_table(rows: Sequence[Sequence[object]]) -> None:
    """Print a table; the first row is the heading."""
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for row in texts:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
