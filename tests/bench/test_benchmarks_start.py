"""Every benchmark starts as the README starts it, with the smallest numbers, and prints what a benchmark prints.

What it measures is not looked at: a machine may be busy, and numbers this small mean nothing. A benchmark that reads
public sets reads a tiny one, written here in their format, and is then started without any: it must say so in words.
"""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

import pytest

BENCH: Final = Path(__file__).parent
ROOT: Final = BENCH.parents[1]
BENCHMARKS: Final = (*sorted(BENCH.glob("bench_*.py")), ROOT / "tests" / "statistical" / "socket_timing.py")
HANGS_S: Final = 900
"""Only a limit: on a busy machine a process can take long."""

SMALLEST: Final[Mapping[str, str]] = {
    "bench_classify": "rules 1",
    "bench_extract": "--runs 1",
    "bench_forget": "2 2 1",
    "bench_memory": "--memories 1 --scopes 1 --searches 1 --requests 4 --records 1 --turns 1 --derivatives 2 --others 1"
    " --values 1 --read 80 --notes 1",
    "bench_preference": "1",
    "bench_retrieval": "--questions 1",
    # This interpreter lacks the peers, so they are absent, but their scripts are started. bench_start has the daemon.
    "bench_spans": "--sets en_wnut17,zh_crosswoz --most 1 --held-back-users 2 --secret-draws 1 --latency-texts 1"
    " --no-daemon --peers-python {python}",
    "bench_start": "--values 1 --starts 1 --read 80",
    "bench_turn": "--values 1 --conversations 1 --turns 2 --peers-python {python}",
    "bench_views": "--pairs 1 --draws 1",
    # The edges that are to be caught are of every base and mutant; alike ones would be measured twice.
    "socket_timing": "--pairs 0 --pending-pairs 0 --caught-pairs 1 --round 1",
}
"""Arguments of each benchmark."""
ENDS_WITH_1_WHERE_A_TARGET_IS_MISSED: Final = frozenset({"socket_timing"})
WITHOUT_DATA: Final[Mapping[str, tuple[str, str, int]]] = {
    "bench_classify": (SMALLEST["bench_classify"], "dp_medquad: skipped, not under the data folder", 0),
    "bench_retrieval": ("--locomo locomo10.json", "skipped: locomo10.json is not there", 2),
    "bench_spans": (
        "--sets en_wnut17 --held-back-users 0 --secret-draws 0 --latency-texts 0 --no-daemon --peers=",
        "en_wnut17: skipped, not under the data folder",
        0,
    ),
}
"""Arguments, what is said, and the exit status."""

DATA: Final[Mapping[str, list[dict[str, Any]]]] = {
    "dp_medquad/dev": [{"question": "?", "answer": "Insulin is taken daily.", "attributes": ["type2_diabetes"]}],
    "dp_mts_dialog/dev": [{"dialogue": "I am pregnant.", "note": "Pregnant.", "attributes": ["pregnancy"]}],
    "en_nlu_home/dev": [{"id": "n", "lang": "en", "text": "turn off the lamp", "spans": []}],
    "zh_xsid/dev": [{"id": "x", "lang": "zh", "text": "明天早上叫醒我", "spans": []}],
    "zh_crosswoz/dev": [{"id": "z", "lang": "zh", "text": "推荐一家餐厅", "spans": []}],
    "en_wnut17/dev": [
        {"id": "w", "lang": "en", "text": "Ida Marek is late", "spans": [{"start": 0, "end": 9, "label": "person"}]}
    ],
    "en_lifebench_pii/dev": [
        {"id": "a", "user": "u", "text": "The boat leaks again.\nWrite to ida@example.org about it."},
        {"id": "b", "user": "u", "text": "I bake bread on Sundays."},
    ],
    "en_lifebench_pii/qa_dev": [{"id": "a", "user": "u", "question": "What leaks?", "answer": "boat", "type": "t"}],
}
CASES: Final = [
    {
        "id": "c",
        "area": "detect",
        "input": "my mail is ida@example.org",
        "expected": {"spans": [{"start": 11, "end": 26, "type": "EMAIL", "match": "exact"}]},
        "why": "an address",
    }
]


def write(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)


def started(benchmark: Path, arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run it as the README says, with no more on its import path than an installation has."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("KEEPMUM_")}
    environ |= {
        "PYTHONPATH": os.pathsep.join(str(ROOT / half) for half in ("edge", "cloud", "shared", "models")),
        "KEEPMUM_DATA": str(folder / "data"),
        "KEEPMUM_CASES": str(folder / "cases.jsonl.gz"),
    }
    command = [sys.executable, str(benchmark), *(word.format(python=sys.executable) for word in arguments.split())]
    return subprocess.run(
        command, env=environ, cwd=folder, capture_output=True, encoding="utf-8", timeout=HANGS_S, check=False
    )


def no_json(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def test_every_benchmark_has_its_smallest_numbers_here() -> None:
    assert {benchmark.stem for benchmark in BENCHMARKS} == set(SMALLEST)


@pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda path: path.stem)
def test_a_benchmark_prints_one_line_of_json_and_a_table(benchmark: Path, tmp_path: Path) -> None:
    assert benchmark.stem in SMALLEST, "say above what its smallest numbers are"
    for name, records in DATA.items():
        write(tmp_path / "data" / f"{name}.jsonl.gz", records)
    write(tmp_path / "cases.jsonl.gz", CASES)
    done = started(benchmark, SMALLEST[benchmark.stem], tmp_path)
    statuses = {0, 1} if benchmark.stem in ENDS_WITH_1_WHERE_A_TARGET_IS_MISSED else {0}
    assert done.returncode in statuses, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    assert "skipped" not in done.stderr, done.stderr
    first, heading, *rows = done.stdout.splitlines()
    result = json.loads(first, parse_constant=no_json)
    assert result["bench"] == benchmark.stem.removeprefix("bench_")
    assert result["machine"]
    assert not any(line.startswith("{") for line in (heading, *rows))
    assert len(heading.split("  ")) > 1, "columns are two spaces apart"
    assert rows


@pytest.mark.parametrize("name", WITHOUT_DATA)
def test_a_benchmark_without_its_data_says_so(name: str, tmp_path: Path) -> None:
    arguments, said, status = WITHOUT_DATA[name]
    done = started(BENCH / f"{name}.py", arguments, tmp_path)
    assert done.returncode == status, done.stderr
    assert said in done.stderr.splitlines()
    assert "Traceback" not in done.stderr, done.stderr
