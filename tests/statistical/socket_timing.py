"""When turns leave for the cloud half, seen at the socket, between edges that hold different things.

    PYTHONPATH=edge:cloud:shared python tests/statistical/socket_timing.py
        [--pairs 2000] [--pending-pairs 2000] [--caught-pairs 200] [--round 400] [--seed 1]

One cloud half that answers at once, and a tap before it that notes when the first byte of a request comes. For every
pair one client asks edges the same in random order. Two times are measured of each: from the client's request to that
byte, and from the tick at which requests depart to that byte, which the cloud half can see. The policy has each turn
draw (the paper's mode, the exponential mechanism, whose work depends on the scores).

    ours               32 records in the slot of one attribute against none
    A/A                the same 32 against the same 32: what the measurement itself brings in
    unpadded scorer    as `ours`, of an edge that scores when it is asked and leaves when it is ready; to be caught
    pending            while 200 local-only records are being written against 1; A/A: 200 against 200. Ten turns are
                       held while 200 are being written, and each while one is.

A pair of edges passes if by both times a permutation test within pairs has p >= 0.001 and |AUC - 0.5| <= 0.05; ours may
try twice. One that is to be caught has p < 0.001 by one of them.
Prints one JSON line and a table, and on standard error how far it is; ends with 1 if a target is missed.
"""

import argparse
import json
import random
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
import numpy as np

TESTS: Final = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / name) for name in ("", "integration", "bench")]
from halves import user
from keepmum_edge.views.deadline import STEP_NS
from keepmum_shared.codec import encode
from keepmum_shared.messages import ContentDelta, Done, Finished, Started, TurnEventEnvelope
from keepmum_shared.view.loading import shipped_text
from proving import ProofHalves, uri_of
from record_tap import RecordTap, record_tap
from report import machine, percentile, show

QUESTION: Final = "What could I cook for dinner tonight?"
POSITIONS: Final = 32
PENDING: Final = 200
FACTS_A_TEXT: Final = 100
TURNS_A_WRITE: Final = 10
"""Fewer than there is time for before 200 records are written."""
PENDING_ROUND: Final = 200
"""Pairs, with 200 records for each ten: a profile that grows slows down."""
MOST_TURNS: Final = 900
"""Of one copy: the policy below has draws for 1000."""
LEAST_P: Final = 0.001
MOST_AUC: Final = 0.05
PERMUTATIONS: Final = 9_999
ENVIRON: Final = {
    "KEEPMUM_FIRST_PERIOD_DAYS": "0",
    "KEEPMUM_RELEASE_POLICY": "online",
    "KEEPMUM_MECHANISM": "exponential",
}


@dataclass(frozen=True, kw_only=True)
class Kind:
    """An edge that is measured.

    Attributes:
        base: Which profile it is a copy of: `full` or `empty`.
        writes: How many records are told before each of its turns.
        mutant: What is built into it.
    """

    base: str
    writes: int = 0
    mutant: str | None = None


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two kinds of edges. `caught`: they are to be told apart."""

    name: str
    one: str
    other: str
    caught: bool = False


KINDS: Final = {
    "full": Kind(base="full"),
    "full again": Kind(base="full"),
    "empty": Kind(base="empty"),
    "naive full": Kind(base="full", mutant="unpadded scorer"),
    "naive empty": Kind(base="empty", mutant="unpadded scorer"),
    "many": Kind(base="empty", writes=PENDING),
    "many again": Kind(base="empty", writes=PENDING),
    "one": Kind(base="empty", writes=1),
}
TURNS: Final = (
    Comparison(name="A/A", one="full", other="full again"),
    Comparison(name="ours", one="full", other="empty"),
    Comparison(name="unpadded scorer", one="naive full", other="naive empty", caught=True),
)
WRITES: Final = (
    Comparison(name="pending, A/A", one="many", other="many again"),
    Comparison(name="pending", one="many", other="one"),
)


@dataclass(frozen=True, kw_only=True)
class Leaving:
    """When a turn left: milliseconds after the client asked, and after the last tick."""

    asked_ms: float
    tick_ms: float


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What two series of milliseconds say.

    Attributes:
        p: Chance of a difference in ranks as large, were the members of each pair exchanged at random.
        auc: Chance that the first series' value is the larger.
    """

    n: int
    p: float
    auc: float
    median: tuple[float, float]
    p99: tuple[float, float]

    @property
    def alike(self) -> bool:
        """Whether they pass for the same."""
        return self.p >= LEAST_P and abs(self.auc - 0.5) <= MOST_AUC


def compare(one: Sequence[float], other: Sequence[float], seed: int = 1) -> Verdict:
    """Compare paired series."""
    values = np.array([*one, *other])
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    differences = ranks[: len(one)] - ranks[len(one) :]
    signs = np.random.default_rng(seed).choice([-1, 1], (PERMUTATIONS, len(one)))
    at_least = int(np.sum(np.abs(signs @ differences) >= abs(differences.sum())))
    auc = (ranks[: len(one)].sum() - len(one) * (len(one) + 1) / 2) / (len(one) * len(other))
    return Verdict(
        n=len(one),
        p=(at_least + 1) / (PERMUTATIONS + 1),
        auc=float(auc),
        median=(round(statistics.median(one), 3), round(statistics.median(other), 3)),
        p99=(percentile(one, 99), percentile(other, 99)),
    )


@dataclass
class Edge:
    """One running edge."""

    kind: Kind
    halves: ProofHalves
    tap: RecordTap
    told: int = 0
    http: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        headers = {"authorization": f"Bearer {self.halves.token}"}
        self.http = httpx.Client(base_url=self.halves.url, headers=headers, timeout=60, trust_env=False)

    def turns(self, waits_s: Sequence[float]) -> list[Leaving]:
        """Hold some turns and return when they left; while records are being written, if its kind says so.

        Args:
            waits_s: How long to wait before each; if no write is under way then, one was begun.
        """
        found: list[Leaving] = []
        with ThreadPoolExecutor(max_workers=1) as beside:
            writing: Future[None] | None = None
            for wait_s in waits_s:
                if self.kind.writes and (writing is None or writing.done()):
                    writing = beside.submit(self.tell, self.kind.writes)
                time.sleep(wait_s)
                found.append(self.turn())
            if writing is not None:
                writing.result()
        return found

    def turn(self) -> Leaving:
        """Hold one turn and return when it left."""
        asked = time.monotonic_ns()
        answer = self.http.post("/v1/chat/completions", json={"model": "any", "messages": [user(QUESTION)]})
        assert answer.status_code == 200, answer.text
        left = self.tap.first_after(asked)
        assert left is not None
        return Leaving(asked_ms=(left - asked) / 1e6, tick_ms=left % STEP_NS / 1e6)

    def tell(self, count: int) -> None:
        """Tell so many facts, all new, as many in one text as a memory holds."""
        while count > 0:
            some = min(count, FACTS_A_TEXT)
            facts = (f"I have diabetes supply number {self.told + number}." for number in range(some))
            answer = self.http.post("/keepmum/v1/memories", json={"text": " ".join(facts)})
            assert answer.status_code == 201, answer.text
            self.told, count = self.told + some, count - some


class Laboratory:
    """The cloud half, the tap, and the profiles that edges are copies of."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._policy, answer = folder / "policy.toml", folder / "answer.json"
        self._policy.write_text(drawing_policy(), encoding="utf-8")
        answer.write_text(json.dumps({"path": "/v1/turns", "body": ANSWER, "headers": SSE}), encoding="utf-8")
        options = ["--policy", str(self._policy), "--at-once", str(answer)]
        self._cloud = self._halves(folder / "cloud", cloud_options=options)
        self._tap = stack.enter_context(record_tap(self._cloud.cloud_port))
        stack.callback(self._cloud.close)
        self._cloud.spawn_cloud(pair=True)
        self._make_profiles(uri_of(self._cloud.cloud, self._tap.port))

    @contextmanager
    def edges(self, names: Sequence[str]) -> Iterator[dict[str, Edge]]:
        """Start a fresh copy of each."""
        homes = {name: self._folder / name.replace(" ", "-") for name in names}
        running: dict[str, ProofHalves] = {}
        try:
            for name, home in homes.items():
                shutil.copytree(self._base(KINDS[name].base), home)
                mutant = KINDS[name].mutant
                running[name] = self._halves(home, mutant=mutant)
                running[name].spawn_edge()
            for halves in running.values():
                halves.await_edge()
            edges = {name: Edge(KINDS[name], halves, self._tap) for name, halves in running.items()}
            for edge in edges.values():
                edge.turn()  # meets the cloud half
            yield edges
            for edge in edges.values():
                edge.http.close()
        finally:
            for name, halves in running.items():
                halves.close()
                shutil.rmtree(homes[name])

    def _base(self, name: str) -> Path:
        return self._folder / f"base-{name}"

    def _make_profiles(self, uri: str) -> None:
        empty = self._halves(self._base("empty"))
        empty.spawn_edge()
        empty.await_edge()
        empty.pair_with(uri)
        assert empty.edge.stop() == 0
        empty.close()
        shutil.copytree(self._base("empty"), self._base("full"))
        full = self._halves(self._base("full"))
        full.spawn_edge()
        full.await_edge()
        edge = Edge(KINDS["full"], full, self._tap)
        edge.tell(POSITIONS)
        edge.http.close()
        assert full.edge.stop() == 0
        full.close()

    def _halves(self, home: Path, *, mutant: str | None = None, **options: Any) -> ProofHalves:
        home.mkdir(exist_ok=True)
        more = [] if mutant is None else ["--mutant", mutant]
        edge_options = ["--policy", str(self._policy), *more]
        return ProofHalves(home=home, model=None, environ=ENVIRON, edge_options=edge_options, **options)


SSE: Final = {"content-type": "text/event-stream"}
ANSWER: Final = "".join(
    f"data: {encode(TurnEventEnvelope(item=event)).decode()}\n\n"
    for event in (Started(model="any"), ContentDelta(text="Soup."), Finished(reason="stop"), Done())
)


def drawing_policy() -> str:
    """The shipped policy with caps under which each of 1000 turns draws."""
    wide = re.sub(r"cap = 2_000_000_000\b", "cap = 100_000_000_000", shipped_text())
    return re.sub(r"(?m)^selections = 3\b", "selections = 1000", wide)


def measure(
    laboratory: Laboratory, names: Sequence[str], pairs: int, a_round: int, at_once: int, chance: random.Random
) -> dict[str, list[Leaving]]:
    """Return when turns of each of these edges left; they take turns, some at a time, in random order."""
    series: dict[str, list[Leaving]] = {name: [] for name in names}
    while (done := len(series[names[0]])) < pairs:
        with laboratory.edges(names) as edges:
            for start in range(0, most := min(a_round, pairs - done), at_once):
                waits_s = [chance.random() * 0.04 for _ in range(min(at_once, most - start))]
                for name in chance.sample(list(names), len(names)):
                    series[name] += edges[name].turns(waits_s)
        print(f"{', '.join(names)}: {len(series[names[0]])} of {pairs} pairs", file=sys.stderr, flush=True)
    return series


def judge(
    laboratory: Laboratory,
    comparisons: Sequence[Comparison],
    *,
    pairs: int,
    caught_pairs: int,
    a_round: int,
    at_once: int,
    seed: int,
) -> dict[str, dict[str, Any]]:
    """Measure and compare; what should be alike and is not is measured once more."""
    chance, found = random.Random(seed), dict[str, dict[str, Any]]()
    for caught, count in ((False, pairs), (True, caught_pairs)):
        wanted = [each for each in comparisons if each.caught is caught]
        tries = 0
        while wanted and count and tries < (1 if caught else 2):
            tries += 1
            names = list(dict.fromkeys(name for each in wanted for name in (each.one, each.other)))
            series = measure(laboratory, names, count, a_round, at_once, chance)
            for each in wanted:
                one, other = series[each.one], series[each.other]
                asked = compare([leaving.asked_ms for leaving in one], [leaving.asked_ms for leaving in other], seed)
                tick = compare([leaving.tick_ms for leaving in one], [leaving.tick_ms for leaving in other], seed)
                met = min(asked.p, tick.p) < LEAST_P if caught else asked.alike and tick.alike
                found[each.name] = {"asked": plain(asked), "tick": plain(tick), "tries": tries, "met": met}
                print(f"{each.name}: {found[each.name]}", file=sys.stderr, flush=True)
            wanted = [each for each in wanted if not found[each.name]["met"]]
    return found


def plain(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict for JSON."""
    return {
        "n": verdict.n,
        "p": round(verdict.p, 4),
        "auc": round(verdict.auc, 4),
        "median_ms": verdict.median,
        "p99_ms": verdict.p99,
    }


def run(pairs: int, pending_pairs: int, caught_pairs: int, a_round: int, seed: int) -> dict[str, dict[str, Any]]:
    """Return every comparison's figures."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        laboratory = Laboratory(Path(folder), stack)
        some = min(a_round, MOST_TURNS)
        turns = judge(laboratory, TURNS, pairs=pairs, caught_pairs=caught_pairs, a_round=some, at_once=1, seed=seed)
        some = min(a_round, PENDING_ROUND)
        writes = judge(
            laboratory,
            WRITES,
            pairs=pending_pairs,
            caught_pairs=caught_pairs,
            a_round=some,
            at_once=TURNS_A_WRITE,
            seed=seed,
        )
        return turns | writes


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--pending-pairs", type=int, default=2000)
    parser.add_argument("--caught-pairs", type=int, default=200)
    parser.add_argument("--round", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.round < 1:
        parser.error("--round: a round has at least one pair")
    found = run(asked.pairs, asked.pending_pairs, asked.caught_pairs, asked.round, asked.seed)
    result = {"bench": "socket_timing", "machine": machine(), "comparisons": found}
    rows: list[Sequence[object]] = [("edges", "from", "n", "p", "AUC", "medians ms", "p99 ms", "tries", "met")]
    for name, both in found.items():
        for since in ("asked", "tick"):
            each = both[since]
            medians, p99 = ("{} {}".format(*each[key]) for key in ("median_ms", "p99_ms"))
            rows.append((name, since, each["n"], each["p"], each["auc"], medians, p99, both["tries"], both["met"]))
    show(result, rows)
    sys.exit(0 if all(each["met"] for each in found.values()) else 1)


if __name__ == "__main__":
    main()
