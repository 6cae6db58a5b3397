"""Time the start of the edge: a real `keepmum serve` process until `/readyz` answers 200, and its memory. No network.

    PYTHONPATH=edge:cloud:shared python tests/bench/bench_start.py [--values 50000] [--starts 5]

The profile has that many values in its vault and a key protected by a file. Medians of the starts. Memory is what is
resident, as psutil counts it, once it is ready, and after it has read a message of 4 kB (1,000 tokens) and one of
100 kB. Targets: ready in <= 1.5 s, <= 250 MB after reading.
"""

import argparse
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
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil
from full_profile import VALUES, made_profile
from keepmum_edge.config import EdgeConfig
from report import machine, show, target

READY_S: Final = 1.5
RESIDENT_MB: Final = 250.0
READ: Final = (4_000, 100_000)
"""Characters of the messages that are read before memory is looked at again."""
_SENTENCE: Final = "The train was late again, and nobody at the station could say why it was so. "
_PATIENCE_S: Final = 30.0
_LOOK_EVERY_S: Final = 0.005


@dataclass(frozen=True)
class Start:
    """One start: seconds until ready, seconds of processor time in that, megabytes resident then and after reading."""

    ready: float
    processor: float
    resident: float
    after_reading: float


def start(config: EdgeConfig, home: Path) -> Start:
    """Start the daemon, wait until it is ready, and stop it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environ = os.environ | {"KEEPMUM_HOME": str(home), "KEEPMUM_KEY_STORE": "file"}
    command = [sys.executable, "-m", "keepmum_edge", "serve", "--port", str(port)]
    began = time.perf_counter()
    with subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, text=True) as process:
        try:
            _until_ready(f"http://127.0.0.1:{port}/readyz", process, began + _PATIENCE_S)
            ready = time.perf_counter() - began
            daemon = psutil.Process(process.pid)
            used = daemon.cpu_times()
            resident = daemon.memory_info().rss / 1e6
            _read(f"http://127.0.0.1:{port}", config.paths.token_file.read_text().strip())
            return Start(ready, used.user + used.system, resident, daemon.memory_info().rss / 1e6)
        finally:
            process.terminate()


def _read(address: str, token: str) -> None:
    """Have the daemon read long texts, by way of memories that stay on this computer."""
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    for characters in READ:
        text = (_SENTENCE * (characters // len(_SENTENCE) + 1))[:characters]
        body = json.dumps({"text": text, "scope": "user"}).encode()
        request = urllib.request.Request(f"{address}/keepmum/v1/memories", data=body, headers=headers)
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
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        config = made_profile(home, arguments.values)
        starts = [start(config, home) for _ in range(arguments.starts)]
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
