"""Both halves as real processes on free ports in a folder of their own, paired; and what a user does with them.

    with scripted_openai(tmp_path, [reply("Hello")]) as model, paired_halves(tmp_path / "home", model) as halves:
        halves.say("hi")                        # the official client, one user message
        halves.owner.get("/memories")           # the owner's API
        halves.edge.kill(); halves.start_edge()

Without a scripted model the cloud runs the small real one. Each half gets an import path without the other.
"""

import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import httpx
import openai
from keepmum_edge.config import EdgeConfig, load
from keepmum_edge.database import Database
from keepmum_edge.keys import Keyholder
from profiles import decrypted_pages
from scripted_openai import Scripted

Closable = TypeVar("Closable")
HERE = Path(__file__).parent
ROOT = HERE.parents[1]
START_S = 60
"""Only a limit: on a busy machine a process can take long to get its turn."""


@dataclass
class Half:
    """One running process."""

    process: subprocess.Popen[str]
    log: Path

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait(timeout=10)

    def stop(self) -> int:
        """Ask it to end and return its exit status."""
        self.process.terminate()
        return self.process.wait(timeout=20)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate(timeout=10)


@dataclass
class Halves:
    """A pair of processes; either can be ended and started again on the same ports."""

    home: Path
    model: Scripted | None
    edge_flags: Sequence[str] | None = None
    cloud_flags: Sequence[str] = ()
    environ: Mapping[str, str] = field(default_factory=dict)
    edge_port: int = field(default_factory=lambda: free_port())
    cloud_port: int = field(default_factory=lambda: free_port())
    edge: Half = field(init=False)
    cloud: Half = field(init=False)
    closing: list[Any] = field(default_factory=list)

    @property
    def config(self) -> EdgeConfig:
        return load(edge_environ(self.home, self.edge_port, self.environ), {})

    @property
    def record(self) -> Path:
        """What the cloud received inside TLS, if its flags ask for a record."""
        return self.home / "decoded.jsonl"

    @property
    def cloud_data(self) -> Path:
        return self.home / "cloud"

    @property
    def token(self) -> str:
        return self.config.paths.token_file.read_text().strip()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.edge_port}"

    def spawn_edge(self) -> None:
        """Start the edge: the real command, or the test's entry point where flags are given."""
        if self.edge_flags is None:
            command = ["-m", "keepmum_edge", "serve", "--init", "--exit-with-parent"]
        else:
            command = [str(HERE / "edge_entry.py"), *self.edge_flags]
        self.edge = self._spawn("edge", command, edge_environ(self.home, self.edge_port, self.environ))

    def spawn_cloud(self, *, pair: bool = False) -> None:
        """Start the cloud: the real command, or the test's entry point where flags are given."""
        real = ["-m", "keepmum_cloud", "serve", "--exit-with-parent"]
        command = [str(HERE / "cloud_entry.py"), *self.cloud_flags] if self.cloud_flags else real
        pairing = ["--pair"] if pair else []
        environ = cloud_environ(self.home, self.cloud_port, self.model)
        self.cloud = self._spawn("cloud", [*command, *pairing], {**environ, **self.environ})

    def start_edge(self) -> None:
        """Start the edge and wait until it answers."""
        self.spawn_edge()
        self.await_edge()

    def start_cloud(self) -> None:
        """Start the cloud and wait until it answers."""
        self.spawn_cloud()
        await_true(lambda: self._listens(self.cloud_port, self.cloud))

    def await_edge(self) -> None:
        await_true(lambda: self._listens(self.edge_port, self.edge) and self._healthy())

    def pair(self) -> None:
        """Pair with the cloud that has just been started."""
        assert self.cloud.process.stdout is not None
        line = self.cloud.process.stdout.readline()
        assert line, self.cloud.log.read_text()
        answer = self.owner.post("/pair", json={"uri": json.loads(line)["pairing_uri"], "name": "test"})
        assert answer.status_code == 200, answer.text

    @cached_property
    def owner(self) -> httpx.Client:
        """The owner's API."""
        headers = {"authorization": f"Bearer {self.token}"}
        return self._keep(httpx.Client(base_url=f"{self.url}/keepmum/v1", headers=headers, timeout=30, trust_env=False))

    @cached_property
    def raw(self) -> httpx.Client:
        """The OpenAI-compatible endpoint without the official client."""
        headers = {"authorization": f"Bearer {self.token}"}
        return self._keep(httpx.Client(base_url=self.url, headers=headers, timeout=30, trust_env=False))

    @cached_property
    def _http(self) -> httpx.Client:
        return self._keep(httpx.Client(trust_env=False))

    def client(self, *, retries: int = 0, **headers: str) -> openai.OpenAI:
        """The official client; `scope="work"` becomes the header X-Keepmum-Scope."""
        named = {f"X-Keepmum-{name.capitalize()}": value for name, value in headers.items()}
        http: Any = self._http  # newer versions of the client are typed for a fork of httpx, and take both
        return openai.OpenAI(
            base_url=f"{self.url}/v1",
            api_key=self.token,
            max_retries=retries,
            default_headers=named,
            timeout=60,
            http_client=http,
        )

    def chat(self, messages: Sequence[Any], *, key: str | None = None, **headers: str) -> str:
        """Send messages and return the answer's text."""
        more = {} if key is None else {"Idempotency-Key": key}
        answer = self.client(retries=0, **headers).chat.completions.create(
            model="any", messages=list(messages), extra_headers=more
        )
        return answer.choices[0].message.content or ""

    def say(self, text: str, **headers: str) -> str:
        """Send one user message and return the answer's text."""
        return self.chat([user(text)], **headers)

    def sent(self) -> list[list[dict[str, Any]]]:
        """The messages of every request that reached the scripted model, without the cloud's system note."""
        assert self.model is not None
        return [messages_of(request) for request in self.model.requests()]

    def newest_trace(self) -> dict[str, Any]:
        trace: dict[str, Any] = self.owner.get("/traces/newest").json()
        return trace

    def keepmum(self, *arguments: str, stdin: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the edge on this profile."""
        command = [sys.executable, "-m", "keepmum_edge", *arguments]
        environment = {**edge_environ(self.home, self.edge_port, self.environ), **environ}
        return subprocess.run(command, input=stdin, capture_output=True, env=environment, text=True, timeout=60)

    def keepmum_cloud(self, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the cloud half."""
        command = [sys.executable, "-m", "keepmum_cloud", *arguments]
        environment = {**cloud_environ(self.home, self.cloud_port, self.model), **environ}
        return subprocess.run(command, capture_output=True, env=environment, text=True, timeout=60)

    def decrypted(self) -> str:
        """Every table of the edge's database and its raw pages in clear. The daemon must have ended."""
        key = Keyholder(self.config, ring=None).unlock().key
        path = self.config.paths.database
        database = Database.open_to_read(path, key)
        try:
            names = [row[0] for row in database.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
            tables = [repr(database.rows(f'SELECT * FROM "{name}"')) for name in names]
        finally:
            database.close()
        return "\n".join(tables) + decrypted_pages(path, key).decode("utf-8", "replace")

    def close(self) -> None:
        for half in (getattr(self, "edge", None), getattr(self, "cloud", None)):
            if half is not None:
                half.close()
        for each in reversed(self.closing):
            each.close()

    def _keep(self, closable: Closable) -> Closable:
        self.closing.append(closable)
        return closable

    def _spawn(self, name: str, command: Sequence[str], environ: Mapping[str, str]) -> Half:
        log = self.home / f"{name}.log"
        with log.open("a") as file:
            process = subprocess.Popen(
                [sys.executable, *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=file,
                env=dict(environ),
                text=True,
            )
        half = Half(process=process, log=log)
        self._keep(half)
        return half

    def _listens(self, port: int, half: Half) -> bool:
        assert half.process.poll() is None, half.log.read_text()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    def _healthy(self) -> bool:
        return httpx.get(f"{self.url}/healthz", trust_env=False, timeout=START_S).status_code == 200


@contextmanager
def paired_halves(home: Path, model: Scripted | None, **options: Any) -> Iterator[Halves]:
    """Start both halves at once and pair them."""
    home.mkdir(parents=True, exist_ok=True)
    halves = Halves(home=home, model=model, **options)
    try:
        halves.spawn_cloud(pair=True)
        halves.spawn_edge()
        halves.await_edge()
        halves.pair()
        yield halves
    finally:
        halves.close()


def edge_environ(home: Path, port: int, more: Mapping[str, str]) -> dict[str, str]:
    path = os.pathsep.join(str(ROOT / half) for half in ("edge", "shared"))
    own = {"KEEPMUM_HOME": str(home), "KEEPMUM_KEY_STORE": "file", "KEEPMUM_PORT": str(port), "PYTHONPATH": path}
    return {"PATH": os.environ["PATH"], **own, **more}


def cloud_environ(home: Path, port: int, model: Scripted | None) -> dict[str, str]:
    path = os.pathsep.join(str(ROOT / half) for half in ("cloud", "shared"))
    own = {"KEEPMUM_HOME": str(home), "KEEPMUM_CLOUD_PORT": str(port), "PYTHONPATH": path}
    if model is not None:
        own |= {
            "KEEPMUM_CLOUD_RESPONDER": "openai",
            "KEEPMUM_CLOUD_BASE_URL": model.base_url,
            "KEEPMUM_CLOUD_MODEL": "scripted",
        }
    return {"PATH": os.environ["PATH"], **own}


def user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def assistant(text: str) -> dict[str, str]:
    return {"role": "assistant", "content": text}


def messages_of(request: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The messages of a recorded request without the note that the cloud may have put first."""
    messages: list[dict[str, Any]] = json.loads(request["body"])["messages"]
    has_note = messages[0]["role"] == "system" and messages[0]["content"].startswith("You are a helpful assistant.\n\n")
    return messages[1:] if has_note else messages


def without_memories(text: str) -> str:
    """A text that an echoing model took from its prompt, without the block of recalled memories before it."""
    return text.rpartition("--- END OF MEMORIES ---\n\n")[2]


def await_true(condition: Any, limit_s: float = START_S) -> None:
    until = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < until, "it did not come about in time"
        time.sleep(0.02)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def at_cloud(halves: Halves) -> dict[str, str]:
    """Id -> text of all memories that the cloud half holds."""
    with closing(sqlite3.connect(f"file:{halves.cloud_data / 'cloud.sqlite3'}?mode=ro", uri=True)) as database:
        return dict(database.execute("SELECT id, text FROM memories").fetchall())


def shared_memory(halves: Halves, text: str) -> str:
    """A memory that the cloud half holds; its id."""
    memory = str(halves.owner.post("/memories", json={"text": text, "scope": "user"}).json()["id"])
    shown = halves.owner.post(f"/memories/{memory}/preview-share").json()["text"]
    assert halves.owner.post(f"/memories/{memory}/share", json={"shown_text": shown}).status_code == 200
    halves.say("hello there", conversation="carrier")
    assert memory in at_cloud(halves)
    return memory
