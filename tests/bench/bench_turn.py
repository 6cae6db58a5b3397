"""Time the edge's own work over one turn, and restoring while an answer arrives. No network, no model.

    PYTHONPATH=edge:cloud:shared python tests/bench/bench_turn.py [--values 50000] [--conversations 60] [--turns 10]
        [--peers-python PATH]   # an interpreter that has argus-redact, veil-pii and datafog; without it they are absent

A profile with that many values is made in a real SQLCipher database below the temporary folder (so TMPDIR chooses the
disk). Conversations of ten turns are held, each message about 100 tokens with an address, a telephone number, a card
and a password, in English and Chinese. The client's request enters the ASGI application as bytes and its last event
leaves it as bytes; the client of the cloud is the real one over a transport that answers in this process.

    total_ms      from the request's first byte to the answer's last, less what the stand-in for the cloud took and less
                  the wait for the fixed time at which a request leaves
    commit_ms     of that, the COMMITs, each made durable
    work_ms       total less the time that the COMMITs waited for the disk (their time off the processor)
    processor_ms  processor time of all threads over the turn: work_ms without waiting for other programs and threads
    ready_ms      from the request's first byte until the masked request with its views is ready, COMMITs included
    send_ms       from the request's first byte until it is handed to the transport: 50 ms, or a multiple for long texts

The messages are about a home, so each turn carries views; they are drawn in the first turns, which are not counted.

Not in it: sockets and TLS on either side. Targets are those of design and issue: work p50 <= 4 ms and p95 <= 10 ms in
every row, and <= 30 us to restore a chunk, early and late in an answer of 100 kB.
"""

import argparse
import asyncio
import contextlib
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
from answering_transport import AnsweringTransport
from full_profile import LANGUAGES, VALUES, made_profile, message, pairing_with_nothing, token
from keepmum_edge.config import EdgeConfig
from keepmum_edge.daemon.app import open_service
from keepmum_edge.daemon.service import Service
from keepmum_edge.interfaces.http import create_app
from keepmum_edge.vault.restore import Restorable
from keepmum_edge.vault.stream import StreamRestorer
from keepmum_shared.placeholder import Placeholder
from report import machine, percentile, show, target

P50_MS: Final = 4.0
P95_MS: Final = 10.0
CHUNK_US: Final = 30.0
TURNS: Final = 10
PAUSE_S: Final = 0.02
"""Between turns, as a person reads; work that the edge leaves for then is not counted."""
PIECES: Final = 24
"""Deltas in each answer of a turn."""
ANSWER_CHARACTERS: Final = 100_000


@dataclass
class Commits:
    """Times the end of each transaction: how long, and how much of that off the processor; milliseconds."""

    begin: Callable[[], AbstractContextManager[object]]
    took: float = 0.0
    waited: float = 0.0

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Stand in for `Database.transaction`."""
        with contextlib.ExitStack() as stack:
            stack.enter_context(self.begin())
            yield
            wall, processor = time.perf_counter(), time.thread_time()
            stack.close()
            wall, processor = time.perf_counter() - wall, time.thread_time() - processor
            self.took += wall * 1e3
            self.waited += max(0.0, wall - processor) * 1e3


@dataclass
class Waits:
    """Times the wait of a request that is ready for its departure; seconds, and when it was ready."""

    wait_for: Callable[[int], Awaitable[None]]
    took: float = 0.0
    ready_at: float = 0.0

    async def wait(self, arrived_ns: int) -> None:
        """Stand in for `Departures.wait`."""
        self.ready_at = time.perf_counter()
        await self.wait_for(arrived_ns)
        self.took = time.perf_counter() - self.ready_at


@dataclass
class Edge:
    """An opened profile whose cloud is the stand-in."""

    service: Service
    app: Any
    token: str
    transport: AnsweringTransport
    commits: Commits
    waits: Waits


@dataclass
class Sample:
    """One turn, milliseconds."""

    total: float
    work: float
    processor: float
    commit: float
    ready: float
    send: float


@dataclass
class Samples:
    """The turns of one row."""

    turns: list[Sample] = field(default_factory=list)

    def summary(self) -> dict[str, Any]:
        """Return percentiles and targets."""

        def both(name: str) -> dict[str, float]:
            values = [getattr(turn, name) for turn in self.turns]
            return {"p50": percentile(values, 50), "p95": percentile(values, 95)}

        work = both("work")
        return {
            "turns": len(self.turns),
            "work_ms": {"p50": target(work["p50"], P50_MS), "p95": target(work["p95"], P95_MS)},
            **{f"{name}_ms": both(name) for name in ("processor", "commit", "total", "ready", "send")},
        }


async def opened(config: EdgeConfig, folder: Path) -> Edge:
    """Open the profile as the daemon does, pair it with nothing, and put the stand-in below the client."""
    service = open_service(config)
    parts = service._parts
    await parts.link.replace(pairing_with_nothing(folder))
    transport = AnsweringTransport(PIECES)
    parts.link.client()._http = httpx.AsyncClient(transport=transport, base_url="https://127.0.0.1:1")
    commits = Commits(parts.database.transaction)
    parts.turns._transaction = parts.turns._departing._transaction = commits.transaction
    waits = Waits(parts.departures.wait)
    parts.departures.wait = waits.wait  # type: ignore[method-assign]
    secret = token()
    return Edge(
        service, create_app(service, token=secret, port=1, stop=lambda: None), secret, transport, commits, waits
    )


async def turn(edge: Edge, messages: list[dict[str, str]]) -> tuple[str, Sample]:
    """Send a request into the application, and return the answer's text and what it took."""
    body = json.dumps({"model": "keepmum", "stream": True, "messages": messages}).encode()
    headers = {"host": "127.0.0.1:1", "authorization": f"Bearer {edge.token}", "content-type": "application/json"}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/v1/chat/completions",
        "raw_path": b"/v1/chat/completions",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 2),
        "server": ("127.0.0.1", 1),
    }
    received: list[dict[str, Any]] = []
    incoming = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive() -> dict[str, Any]:
        for event in incoming:
            return event
        return await asyncio.Future()

    async def send(event: dict[str, Any]) -> None:
        received.append(event)

    edge.commits.took = edge.commits.waited = 0.0
    began, processor = time.perf_counter(), time.process_time()
    await edge.app(scope, receive, send)
    total = (time.perf_counter() - began - edge.transport.spent_s - edge.waits.took) * 1e3
    processor = (time.process_time() - processor - edge.transport.spent_s) * 1e3
    if received[0].get("status") != 200:
        sys.exit(f"a turn failed: {received}")
    ready, sent = (edge.waits.ready_at - began) * 1e3, (edge.transport.asked_at - began) * 1e3
    sample = Sample(total, total - edge.commits.waited, processor, edge.commits.took, ready, sent)
    return _text(b"".join(event.get("body", b"") for event in received)), sample


def _text(stream: bytes) -> str:
    lines = [line[6:] for line in stream.decode().splitlines() if line.startswith("data: {")]
    deltas = [choice["delta"].get("content") for line in lines for choice in json.loads(line)["choices"]]
    return "".join(delta for delta in deltas if delta)


async def converse(config: EdgeConfig, folder: Path, conversations: int, turns: int, values: int) -> dict[str, Samples]:
    """Hold the conversations, English and Chinese by turns, and return the samples of the first and the last turns."""
    edge = await opened(config, folder)
    rng = random.Random(0)
    rows = {f"{place} {language}": Samples() for place in ("new", f"turn {turns}") for language in LANGUAGES}
    for number in range(-2, conversations):  # the first two warm caches and are not counted
        for language in LANGUAGES:
            history: list[dict[str, str]] = []
            for place in range(1, turns + 1):
                history.append({"role": "user", "content": message(language, rng, values)})
                await asyncio.sleep(PAUSE_S)
                answer, sample = await turn(edge, history)
                history.append({"role": "assistant", "content": answer})
                row = rows.get(f"new {language}" if place == 1 else f"turn {place} {language}")
                if row is not None and number >= 0:
                    row.turns.append(sample)
    await edge.service.close()
    return rows


def answer_pieces() -> list[str]:
    """Return an answer of 100 kB in pieces of four characters, a placeholder every 200, some tolerant forms."""
    forms = ("<EMAIL_{}>", "<email_{}>", "EMAIL_{}", "[see](https://a.example/?q=1) <EMAIL_{}>", "`x` <EMAIL_{}>")
    paragraph = "The answer goes on for a while, with a list:\n- one\n- two (a < b)\n\nand **bold** words, until here. "
    text = ""
    while len(text) < ANSWER_CHARACTERS:
        text += paragraph + paragraph + forms[len(text) % len(forms)].format(len(text) % 50 + 1) + " "
    return [text[start : start + 4] for start in range(0, ANSWER_CHARACTERS, 4)]


def stream(pieces: list[str]) -> dict[str, Any]:
    """Restore the answer piece by piece; return microseconds a piece in its first and last tenth, of five runs."""

    def lookup(placeholder: Placeholder) -> Restorable | None:
        return Restorable(f"anna.{placeholder.number}@mail.example") if placeholder.number <= 40 else None

    tenth = len(pieces) // 10
    early, late = [], []
    for _ in range(5):
        restorer = StreamRestorer(lookup)
        marks = [time.perf_counter()]
        for start in range(0, len(pieces), tenth):
            for piece in pieces[start : start + tenth]:
                restorer.feed(piece)
            marks.append(time.perf_counter())
        early.append((marks[1] - marks[0]) / tenth * 1e6)
        late.append((marks[10] - marks[9]) / tenth * 1e6)
    return {
        name: target(round(statistics.median(took), 2), CHUNK_US) for name, took in (("early", early), ("late", late))
    }


def peers(python: str | None, pieces: list[str], messages: int = 200) -> list[dict[str, Any]]:
    """Run the peers in their own interpreter over the same messages."""
    if python is None:
        return [{"peer": name, "absent": True} for name in ("argus-redact", "veil-pii", "datafog")]
    rng = random.Random(1)
    texts = [message(language, rng) for _ in range(messages // 2) for language in LANGUAGES]
    data = json.dumps({"messages": texts, "pieces": pieces})
    script = Path(__file__).parent / "peers" / "time_masking.py"
    done = subprocess.run([python, script], input=data, stdout=subprocess.PIPE, text=True, check=True)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def main() -> None:
    """Measure, and print the JSON line and the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--values", type=int, default=VALUES)
    parser.add_argument("--conversations", type=int, default=60, help="in each language")
    parser.add_argument("--turns", type=int, default=TURNS, help="of a conversation, at least 2")
    parser.add_argument("--peers-python", help="an interpreter that has the peers")
    arguments = parser.parse_args()
    if arguments.turns < 2:
        parser.error("the first turn and the last one are two rows")
    with tempfile.TemporaryDirectory() as folder:
        config = made_profile(Path(folder) / "home", arguments.values, first_period_days=0)
        size = (arguments.conversations, arguments.turns, arguments.values)
        held = asyncio.run(converse(config, Path(folder) / "cloud", *size))
    pieces = answer_pieces()
    rows = {name: samples.summary() for name, samples in held.items()}
    chunks = stream(pieces)
    result = {
        "bench": "turn",
        "data": f"{arguments.values} values, conversations of {arguments.turns} turns, "
        f"answers of {PIECES} deltas, seed 0",
        "machine": machine(),
        "rows": rows,
        "restore_us_per_chunk": chunks,
        "met": all(row["work_ms"][p]["met"] for row in rows.values() for p in ("p50", "p95"))
        and all(chunk["met"] for chunk in chunks.values()),
        "peers": peers(arguments.peers_python, pieces),
    }
    show(result, _table(result))


def _table(result: dict[str, Any]) -> list[list[object]]:
    table: list[list[object]] = [
        ["ms, p50 / p95", "work", "met", "processor", "commit", "total", "ready", "until sent"]
    ]
    for name, row in result["rows"].items():
        work = row["work_ms"]
        met = "yes" if work["p50"]["met"] and work["p95"]["met"] else "NO"
        rest = [
            f"{row[key]['p50']} / {row[key]['p95']}"
            for key in ("processor_ms", "commit_ms", "total_ms", "ready_ms", "send_ms")
        ]
        table.append([name, f"{work['p50']['value']} / {work['p95']['value']}", met, *rest])
    for name, chunk in result["restore_us_per_chunk"].items():
        table.append(
            [f"restore, {name}, us a chunk", chunk["value"], "yes" if chunk["met"] else "NO", "", "", "", "", ""]
        )
    for peer in result["peers"]:
        texts = [
            f"{step} {peer[step]['p50_ms']} / {peer[step]['p95_ms']}" for step in ("mask", "restore") if step in peer
        ]
        texts += [f"{peer['stream_us_per_chunk']} us a chunk"] if "stream_us_per_chunk" in peer else []
        table.append(
            [f"{peer['peer']} {peer.get('version', '')}", "; ".join(texts) or "absent", "", "", "", "", "", ""]
        )
    return table


if __name__ == "__main__":
    main()
