"""Both halves for a proof, a tap between them, all that the cloud half gets, and copies of one profile.

A base profile is paired once and copied, so that all copies have the same keys. Each copy lives at the same place on
the same ports, one after the other, and is put away when it has been looked at.
"""

import json
import re
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
import openai
from halves import HERE, Half, Halves, await_true, cloud_environ, edge_environ, user
from keepmum_shared.signing import PairingUri
from record_tap import RecordTap
from scripted_chance import Script

STEP_S = 7
"""Between two things that a test does, by the script's clock."""


@dataclass
class ProofHalves(Halves):
    """Started by the entries for proofs. `tap` stands between them, if there is one."""

    tap: RecordTap | None = None
    edge_options: Sequence[str] = ()
    cloud_options: Sequence[str] = ()
    compared: int = field(default=0, init=False)

    def spawn_edge(self) -> None:
        """Start the edge."""
        command = [str(HERE / "proof_edge.py"), *self.edge_options]
        self.edge = self._spawn("edge", command, edge_environ(self.home, self.edge_port, self.environ))

    def spawn_cloud(self, *, pair: bool = False) -> None:
        """Start the cloud."""
        command = [str(HERE / "proof_cloud.py"), *self.cloud_options, *(["--pair"] if pair else [])]
        environ = {**cloud_environ(self.home, self.cloud_port, self.model), **self.environ}
        self.cloud = self._spawn("cloud", command, environ)

    def start(self, *, pair: bool = False) -> None:
        """Start both and wait until they answer."""
        self.spawn_cloud(pair=pair)
        await_true(lambda: self._listens(self.cloud_port, self.cloud))
        self.spawn_edge()
        self.await_edge()
        await_true(self._embeds)
        if pair:
            self.pair_with(uri_of(self.cloud, self.cloud_port if self.tap is None else self.tap.port))
        self.await_compared()

    def await_compared(self) -> None:
        """Wait until a new edge has asked what the cloud half holds, which must be no race with what comes next."""
        if "--record" in self.cloud_options:
            await_true(lambda: self._asked() > self.compared)
            self.compared += 1

    def _asked(self) -> int:
        """How often the cloud half was asked what it holds, as far as it has answered."""
        return self.cloud.log.read_text("utf-8").count(" /v1/memories/held status=200 ")

    def pair_with(self, uri: str) -> None:
        """Pair the edge with the cloud half that a URI names."""
        answer = self.owner.post("/pair", json={"uri": uri, "name": "test"})
        assert answer.status_code == 200, answer.text

    def _embeds(self) -> bool:
        """Whether the cloud half has loaded its sentence embedding, so that it finds the same from now on."""
        with httpx.Client(verify=False, trust_env=False) as http:
            return "keepmum_embedding_ready 1\n" in http.get(f"https://127.0.0.1:{self.cloud_port}/metrics").text

    def stop(self) -> None:
        """Let both end in order."""
        assert self.edge.stop() == 0, self.edge.log.read_text()
        assert self.cloud.stop() == 0, self.cloud.log.read_text()
        self.close()


def uri_of(cloud: Half, port: int) -> str:
    """What a cloud half that was started for pairing has printed, leading to another port."""
    assert cloud.process.stdout is not None
    line = cloud.process.stdout.readline()
    assert line, cloud.log.read_text()
    uri = PairingUri.parse(json.loads(line)["pairing_uri"])
    return str(replace(uri, port=port))


@dataclass(frozen=True, kw_only=True)
class Seen:
    """All that one run showed.

    Attributes:
        decoded: What came out of TLS, byte for byte, in the order in which it came.
        records: Lengths of the TLS records that carried it.
        turns: The turns in it, as they were sent.
        prompts: What the model was sent.
        cloud_log, edge_log: Their lines, without what `times_removed` removes; of the edge's, `of_turns`.
        tables: Every row of the cloud half's database.
        files: Everything else that it keeps.
    """

    decoded: str
    records: tuple[int, ...]
    turns: tuple[str, ...]
    prompts: tuple[str, ...]
    cloud_log: tuple[str, ...]
    edge_log: tuple[str, ...]
    tables: dict[str, tuple[str, ...]]
    files: dict[str, bytes]


class Run:
    """One profile under a script, from the start of its processes to their end."""

    def __init__(self, halves: ProofHalves, file: Path, begin: Script) -> None:
        self.halves = halves
        self.script = begin
        self._file = file
        begin.write(file)

    def step(self, **changes: Any) -> None:
        """Go on to the next thing that every profile does."""
        self.script = replace(self.script, step=self.script.step + 1, aside=0, now=self.script.now + STEP_S, **changes)
        self.script.write(self._file)

    def aside(self) -> None:
        """Go on to something that this profile does, and others need not."""
        self.script = replace(self.script, aside=self.script.aside + 1)
        self.script.write(self._file)

    def turn(self, *messages: str | dict[str, Any], key: str | None = None, fails: bool = False, **headers: str) -> str:
        """Hold a turn, and wait until both halves are done with it."""
        self.step()
        said = [user(each) if isinstance(each, str) else each for each in messages]
        try:
            answer = self.halves.chat(said, key=key, **headers)
        except openai.APIError:
            assert fails
            answer = ""
        else:
            assert not fails
        await_true(self._is_idle)
        return answer

    def owner(self, method: str, path: str, *, aside: bool = False, **body: Any) -> Any:
        """Do something as the owner."""
        if aside:
            self.aside()
        else:
            self.step()
        answer = self.halves.owner.request(method, path, json=body or None)
        assert answer.status_code in (200, 201), answer.text + self.halves.edge.log.read_text("utf-8")
        await_true(self._is_idle)
        return answer.json()

    def tell(self, *texts: str, aside: bool = False) -> None:
        """Tell what is to be remembered."""
        for text in texts:
            self.owner("POST", "/memories", text=text, aside=aside)

    def memories(self) -> list[dict[str, Any]]:
        """What is kept, newest first; to look is no step."""
        found: list[dict[str, Any]] = self.halves.owner.get("/memories").json()["memories"]
        return found

    def new_edge(self) -> None:
        """End the edge as a power cut would, and start it again."""
        self.step()
        self.halves.edge.kill()
        self.halves.start_edge()
        self.halves.await_compared()

    def _is_idle(self) -> bool:
        """Whether the cloud half has embedded what it holds, and erased what it does not."""
        waiting = "SELECT (SELECT count(*) FROM jobs) + (SELECT count(*) FROM erasures)"
        file = self.halves.cloud_data / "cloud.sqlite3"
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
            return bool(database.execute(waiting).fetchone() == (0,))


@dataclass
class Copies:
    """Copies of one paired base profile.

    Attributes:
        file: Of the script.
        past: How the script stood when the base was ended.
    """

    halves: ProofHalves
    base: Path
    file: Path
    past: Script

    @contextmanager
    def run(self, *edge_options: str) -> Iterator[Run]:
        """Start a copy; ends it in order."""
        shutil.copytree(self.base, self.halves.home)
        halves = replace(self.halves, edge_options=[*self.halves.edge_options, *edge_options], closing=[])
        run = Run(halves, self.file, self.past)
        try:
            halves.start()
            yield run
        finally:
            halves.close()
            shutil.rmtree(halves.home)

    def seen(self, run: Run, since: tuple[int, int]) -> Seen:
        """End a run and return what it showed; `since` is what `mark` gave before it."""
        run.halves.stop()
        assert run.halves.tap is not None
        assert run.halves.model is not None
        decoded = decoded_in(run.halves.record)
        prompts = tuple(each["body"] for each in run.halves.model.requests()[since[1] :])
        return Seen(
            decoded=decoded,
            records=tuple(run.halves.tap.requests(since[0])),
            turns=tuple(turns_in(decoded)),
            prompts=prompts,
            cloud_log=times_removed(run.halves.cloud.log),
            edge_log=of_turns(run.halves.edge.log),
            tables=tables_of(run.halves.cloud_data / "cloud.sqlite3"),
            files=files_of(run.halves.cloud_data),
        )

    def mark(self) -> tuple[int, int]:
        """How much the tap and the model have seen."""
        assert self.halves.tap is not None
        assert self.halves.model is not None
        return len(self.halves.tap.records()), len(self.halves.model.requests())


def decoded_in(record: Path) -> str:
    """All that the edge sent, in the order in which it came; our own looks at /metrics left out."""
    pieces = [json.loads(line) for line in record.read_text("utf-8").splitlines()]
    ours = {connection for connection, piece in pieces if piece.startswith("GET /metrics ")}
    return "".join(piece for connection, piece in pieces if connection not in ours)


def whole_turns_in(record: Path) -> Iterator[str]:
    """Every POST /v1/turns that came whole, connection by connection: a killed edge cuts off what it was sending."""
    streams: dict[int, str] = {}
    for connection, piece in map(json.loads, record.read_text("utf-8").splitlines()):
        streams[connection] = streams.get(connection, "") + piece
    for stream in streams.values():
        for turn in turns_in(stream):
            head, _, body = turn.partition("\r\n\r\n")
            length = re.search(r"(?im)^content-length: (\d+)", head)
            if length is not None and len(body.encode()) >= int(length[1]):
                yield turn


def turns_in(decoded: str) -> Iterator[str]:
    """Every POST /v1/turns in a stream of requests, head and body."""
    while decoded:
        head, _, rest = decoded.partition("\r\n\r\n")
        length = re.search(r"(?im)^content-length: (\d+)", head)
        size = 0 if length is None else int(length[1])
        if head.startswith("POST /v1/turns "):
            yield f"{head}\r\n\r\n{rest[:size]}"
        decoded = rest[size:]


def of_turns(log: Path) -> tuple[str, ...]:
    """The lines of the edge's log but those of requests that are no turns: they say what an owner did."""
    lines = times_removed(log)
    return tuple(line for line in lines if "keepmum.http" not in line or " chat_completions " in line)


def times_removed(log: Path) -> tuple[str, ...]:
    """The lines of a log but for when each was written, how long a request took, and the number of the process.

    Our own looks at /metrics are left out.
    """
    lines = (line for line in log.read_text("utf-8").splitlines() if " /metrics " not in line)
    return tuple(re.sub(r"^\S+Z |(?<=ms=)\d+|[\d.]+(?= ms$)|(?<=pid[= ])\d+", "", line) for line in lines)


def tables_of(database: Path) -> dict[str, tuple[str, ...]]:
    """Every row of every table, in no order."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as opened:
        names = [name for (name,) in opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: tuple(sorted(map(repr, opened.execute(f'SELECT * FROM "{name}"')))) for name in names}


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file but the database."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and "sqlite3" not in path.name)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}
