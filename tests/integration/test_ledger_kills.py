"""The edge is killed at and between all steps of a draw, while clients ask at once: nothing is lost and nobody waits.

    KEEPMUM_KILLS=1000 pytest -m slow -n 0 tests/integration/test_ledger_kills.py

Real processes on the whole path, from a client's request to what comes out of TLS at the cloud half. Two clients ask
with the same keys at the same time, one with keys of its own, and one tells what is to be remembered. Most deaths are
at failpoints (`edge_failpoints`), the others at any moment.
"""

import json
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from edge_failpoints import STEPS
from halves import await_true, user
from keepmum_edge.database import Database
from keepmum_edge.keys import Keyholder
from keepmum_edge.views.ledger import Cause, Ground
from keepmum_edge.views.log_audit import audit_log
from keepmum_edge.views.rollback import Kept
from keepmum_edge.views.seal_keeper import FileKeeper
from keepmum_edge.views.store import ViewStore
from keepmum_shared.view import shipped_policy
from proving import ProofHalves, whole_turns_in
from scripted_openai import Scripted, scripted_openai
from statistical.socket_timing import drawing_policy

OK = {"steps": [{"content": "Noted."}, {"finish": "stop"}, {"done": True}]}
QUESTION = "Help me with a monthly budget, please"
ENVIRON = {"KEEPMUM_FIRST_PERIOD_DAYS": "0", "KEEPMUM_RELEASE_POLICY": "online"}
ANYWHERE = "anywhere"
A_LAP = 80
"""Kills of one profile: its policy has draws for 1000."""
IN_TURN = ("drawn", "intended", "repaired", "written", "committed", "settled", "leaving", "left", ANYWHERE)
"""The first deaths; a start has something to put right after each but the first, so `repaired` comes second but one."""
ANSWERS = 3
"""After so many an edge that is to die anywhere, or had nothing to put right at its start, is killed."""
SERVICE_S = 60
"""An edge that answers nobody for so long has ended its service; it takes about a second."""


@dataclass
class Load:
    """Clients that ask with one key after the other, each until there is an answer."""

    url: str
    token: str
    stop: threading.Event = field(default_factory=threading.Event)
    given_up: threading.Event = field(default_factory=threading.Event)
    answered: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    number: int = 0

    def client(self) -> httpx.Client:
        headers = {"authorization": f"Bearer {self.token}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=30, trust_env=False)

    def ask(self, name: str) -> None:
        """Ask on and on."""
        with self.client() as http:
            for number in range(100_000):
                while not self._asks(http, f"{name}-{number}"):
                    if self.given_up.wait(0.02):
                        return
                if self.stop.is_set():
                    return

    def tell(self) -> None:
        """Tell a new fact now and then."""
        with self.client() as http:
            while not self.stop.is_set():
                self.number += 1
                try:
                    http.post("/keepmum/v1/memories", json={"text": f"I owe creditor number {self.number} money."})
                except httpx.TransportError:
                    pass
                self.stop.wait(0.1)

    def _asks(self, http: httpx.Client, key: str) -> bool:
        body = {"model": "any", "messages": [user(QUESTION)]}
        try:
            answer = http.post("/v1/chat/completions", json=body, headers={"Idempotency-Key": key})
        except httpx.TransportError:
            return False
        if answer.status_code == 200:
            self.answered[key] += 1
        elif answer.status_code not in (502, 503, 504):
            self.refused.append(answer.text)
        return answer.status_code == 200


@contextmanager
def under_load(halves: ProofHalves) -> Iterator[Load]:
    load = Load(halves.url, halves.token)
    threads = [threading.Thread(target=load.ask, args=(name,)) for name in ("same", "same", "own")]
    threads.append(threading.Thread(target=load.tell))
    for thread in threads:
        thread.start()
    try:
        yield load
    except BaseException:
        load.given_up.set()
        raise
    finally:
        load.stop.set()
        for thread in threads:
            thread.join()


def lap(home: Path, model: Scripted, steps: Sequence[str], chance: random.Random, *options: str) -> Counter[str]:
    """Kill one profile's edge at each of these steps, as far as it comes to them; return at which it died."""
    policy = home.with_suffix(".toml")
    policy.write_text(drawing_policy(), encoding="utf-8")
    usual = ["--policy", str(policy), *options]
    cloud = ["--policy", str(policy), "--record", str(home / "decoded.jsonl")]
    home.mkdir()
    halves = ProofHalves(home=home, model=model, environ=ENVIRON, edge_options=usual, cloud_options=cloud)
    died: Counter[str] = Counter()
    try:
        halves.start(pair=True)
        with under_load(halves) as load:
            for step in steps:
                times = 1 if step == "repaired" else chance.choice((1, 1, 2, 3))
                halves.edge.kill()
                halves.edge.close()
                point = [] if step == ANYWHERE else ["--die-at", step, "--die-the", str(times)]
                halves.edge_options = [*usual, *point]
                halves.spawn_edge()
                died[step if dies_by_itself(halves, load, step) else ANYWHERE] += 1
                time.sleep(chance.random() * 0.15)
            halves.edge.kill()
            halves.edge.close()
            halves.edge_options = usual
            halves.start_edge()
            before = load.answered.total()
            await_true(lambda: load.answered.total() > before, SERVICE_S)
        assert load.refused == []
        halves.stop()
        require_whole(halves, len(steps))
    finally:
        halves.close()
    return died


def dies_by_itself(halves: ProofHalves, load: Load, step: str) -> bool:
    """Wait until the edge is dead; False if it has answered a few turns and comes to no such step."""
    sure = step not in (ANYWHERE, "repaired")
    enough = load.answered.total() + ANSWERS
    await_true(
        lambda: halves.edge.process.poll() is not None or (not sure and load.answered.total() >= enough), SERVICE_S
    )
    return halves.edge.process.poll() is not None


def require_whole(halves: ProofHalves, kills: int) -> None:
    """Whatever came out of TLS at the cloud half is stored and charged; besides, only what was cut off is charged."""
    received = [json.loads(turn.partition("\r\n\r\n")[2]) for turn in whole_turns_in(halves.record)]
    slots = {view.id: facet.slot for facet in shipped_policy().vocabulary.facets.values() for view in facet.views}
    database = Database.open_to_read(halves.config.paths.database, Keyholder(halves.config, ring=None).unlock().key)
    with closing(database):
        assert database.integrity() == ()
        store = ViewStore(database)
        releases = [stored for stored, _, _ in store.releases()]
        stored = {each.key: each for each in releases}
        for turn in received:
            for name in turn["views"]:
                view = name.partition("/")[0]
                kept = stored.get(f"{turn['turn']}:{slots[view]}")
                assert kept is not None, "a view left that is not stored"
                assert kept.view == view, "another view left than is stored"
            assert (turn["seal"]["counter"], turn["seal"]["total"]) <= (store.seal().counter, store.seal().total)
        policies = [each.for_audit() for each in store.adopted()]
        assert audit_log(policies, releases, store.charges()).words == ()
        assert store.seal().total == sum(each.epsilon for each in store.charges())
        assert FileKeeper(halves.config.paths.seal_file).read() == Kept(settled=store.seal())
        drawn = {each.key for each in releases if each.ground == Ground.DRAWN}
        assert {each.ground for each in releases} <= {Ground.DRAWN, Ground.SPENT}, "never taken for a rollback"
        unused = {each.key for each in store.charges()} - drawn
        assert len(unused) <= kills * len({each.slot for each in store.charges()})
        assert {each.cause for each in store.charges()} <= {Cause.DRAW, Cause.INTENT}
    assert len({turn["turn"] for turn in received}) > kills // 4
    assert any(turn["views"] for turn in received)


def survive(folder: Path, kills: int) -> Counter[str]:
    chance, died = random.Random(kills), Counter[str]()
    more = (chance.choice((*STEPS, "repaired", ANYWHERE, ANYWHERE)) for _ in range(kills))
    steps = [*IN_TURN, *more][:kills]
    with scripted_openai(folder, [OK]) as model:
        for begun in range(0, kills, A_LAP):
            died += lap(folder / f"lap-{begun}", model, steps[begun : begun + A_LAP], chance)
    return died


def test_a_death_at_each_step_loses_no_charge_and_no_view(tmp_path: Path) -> None:
    assert survive(tmp_path, len(IN_TURN)) == Counter(IN_TURN)


def test_charge_after_release_does_not_survive_its_deaths(tmp_path: Path) -> None:
    with (
        scripted_openai(tmp_path, [OK]) as model,
        pytest.raises(AssertionError, match=r"a view left that is not stored|another view left than is stored"),
    ):
        lap(tmp_path / "late", model, ["left"] * 2, random.Random(1), "--mutant", "ChargeAfterRelease")


@pytest.mark.slow
def test_a_thousand_deaths_lose_no_charge_and_no_view(tmp_path: Path) -> None:
    kills = int(os.environ.get("KEEPMUM_KILLS", "1000"))
    died = survive(tmp_path, kills)
    assert died.total() == kills
    print(dict(died))
