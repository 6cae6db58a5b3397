"""Time the start of the edge: a real `keepmum serve` process until `/readyz` answers 200, and its memory. No network.

    PYTHONPATH=edge:cloud:shared python tests/bench/bench_start.py [--values 50000] [--starts 5] [--read 4000 100000]

The profile has that many values in its vault and a key protected by a file. Medians of the starts. Memory is what is
resident, as psutil counts it, once it is ready, and after it has read a message of 4 kB (1,000 tokens) and one of
100 kB. Targets: ready in <= 1.5 s, <= 250 MB after reading.
"""

import argparse
import contextlib
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil
from full_profile import VALUES, made_profile
from keepmum_edge.config import EdgeConfig
from keepmum_edge.memory.record import MOST_CHARACTERS
from report import machine, show, target

READY_S: Final = 1.5
RESIDENT_MB: Final = 250.0
READ: Final = (4_000, 100_000)
"""Characters of the messages that are read before memory is looked at again."""
MEMORIES: Final = 25
"""So many of the longest kind are remembered before both models are looked at."""
_SENTENCE: Final = "The train was late again, and nobody at the station could say why it was so. "
_PATIENCE_S: Final = 30.0
_LOOK_EVERY_S: Final = 0.005
_IDLE_PERCENT: Final = 5.0
_IDLE_PATIENCE_S: Final = 120.0


@dataclass(frozen=True)
class Start:
    """One start: seconds until ready, seconds of processor time in that, megabytes resident then and after reading."""

    ready: float
    processor: float
    resident: float
    after_reading: float


def start(config: EdgeConfig, home: Path, read: Sequence[int] = READ) -> Start:
    """Start the daemon, wait until it is ready, and stop it."""
    began = time.perf_counter()
    with _running(home) as (daemon, address):
        ready = time.perf_counter() - began
        used = daemon.cpu_times()
        resident = daemon.memory_info().rss / 1e6
        _read(address, _token(config), read)
        return Start(ready, used.user + used.system, resident, daemon.memory_info().rss / 1e6)


def resident_with_both_models(
    folder: Path, *, values: int = VALUES, read: Sequence[int] = READ, memories: int = MEMORIES
) -> float:
    """Return megabytes of a daemon that has read long texts and searched its records by meaning."""
    config = made_profile(folder / "home", values)
    with _running(folder / "home") as (daemon, address):
        _read(address, _token(config), read)
        _remember(address, _token(config), memories)
        _post(
            address,
            _token(config),
            "keepmum/v1/memories/search",
            {"query": "when was the train late?", "scope": "user"},
        )
        _until_idle(daemon)  # vectors of what was read are made beside requests
        return round(float(daemon.memory_info().rss) / 1e6, 1)


@contextlib.contextmanager
def _running(home: Path) -> Iterator[tuple[psutil.Process, str]]:
    """Start the daemon and give it and its address once it is ready; stop it in the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environ = os.environ | {"KEEPMUM_HOME": str(home), "KEEPMUM_KEY_STORE": "file"}
    command = [sys.executable, "-m", "keepmum_edge", "serve", "--port", str(port)]
    began = time.perf_counter()
    with subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, text=True) as process:
        try:
            _until_ready(f"http://127.0.0.1:{port}/readyz", process, began + _PATIENCE_S)
            yield psutil.Process(process.pid), f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def _token(config: EdgeConfig) -> str:
    return config.paths.token_file.read_text().strip()


def _until_idle(daemon: psutil.Process) -> None:
    """Wait until it uses next to no processor time."""
    deadline = time.monotonic() + _IDLE_PATIENCE_S
    while daemon.cpu_percent(interval=1.0) > _IDLE_PERCENT and time.monotonic() < deadline:
        pass


def _read(address: str, token: str, read: Sequence[int]) -> None:
    """Have the daemon read long messages; it is paired with nothing, so they are masked and do not leave."""
    for characters in read:
        messages = [{"role": "user", "content": _text(characters)}]
        try:
            _post(address, token, "v1/chat/completions", {"model": "keepmum", "messages": messages})
        except urllib.error.HTTPError as error:
            if json.load(error)["error"]["code"] != "cloud_unreachable":
                raise


def _remember(address: str, token: str, memories: int) -> None:
    for number in range(memories):
        text = f"Note {number}: {_text(MOST_CHARACTERS)}"[:MOST_CHARACTERS]
        _post(address, token, "keepmum/v1/memories", {"text": text, "scope": "user"})


def _text(characters: int) -> str:
    return (_SENTENCE * (characters // len(_SENTENCE) + 1))[:characters]


def _post(address: str, token: str, path: str, body: dict[str, object]) -> None:
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    request = urllib.request.Request(f"{address}/{path}", data=json.dumps(body).encode(), headers=headers)
    with urllib.request.urlopen(request, timeout=600) as answer:
        answer.read()


def _until_ready(address: str, process: subprocess.Popen[str], deadline: float) -> None:
    while time.perf_counter() < deadline:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(_LOOK_EVERY_S)
    process.kill()
    sys.exit(f"the daemon did not become ready:\n{process.stderr.read() if process.stderr else ''}")


def main() -> None:
    """Measure, and print the JSON line and the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--values", type=int, default=VALUES)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--read", type=int, nargs="+", default=READ, help="characters of each message that is read")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        config = made_profile(home, arguments.values)
        starts = [start(config, home, arguments.read) for _ in range(arguments.starts)]
    ready = target(round(statistics.median(one.ready for one in starts), 3), READY_S)
    resident = target(round(statistics.median(one.after_reading for one in starts), 1), RESIDENT_MB)
    result = {
        "bench": "start",
        "data": f"{arguments.values} values, key protected by a file, medians of {arguments.starts}",
        "machine": machine(),
        "ready_s": ready,
        "ready_s_each": [round(one.ready, 3) for one in starts],
        "processor_s": round(statistics.median(one.processor for one in starts), 3),
        "resident_mb_at_start": round(statistics.median(one.resident for one in starts), 1),
        "resident_mb": resident,
        "met": ready["met"] and resident["met"],
    }
    rows: list[list[object]] = [["median", "value", "target", "met"]]
    for name, figure in (("ready, s", ready), ("resident after reading, MB", resident)):
        rows.append([name, figure["value"], figure["target"], "yes" if figure["met"] else "NO"])
    rows.append(["resident at start, MB", result["resident_mb_at_start"], "", ""])
    rows.append(["processor, s", result["processor_s"], "", ""])
    show(result, rows)


if __name__ == "__main__":
    main()
