"""Killed at any moment: no view left that is not stored and charged, and the user keeps service."""

import random
import time
from contextlib import closing
from pathlib import Path

import pytest
from keepmum_edge.database import Database
from keepmum_edge.views.log_audit import InForce, audit_log
from keepmum_edge.views.policy import MechanismName, ReleasePolicy, Selections
from keepmum_edge.views.release import Releaser
from keepmum_edge.views.rollback import Rollback
from keepmum_edge.views.seal_keeper import FileKeeper
from keepmum_shared.view import NANO
from policies import policy, single, written
from profiles import KEY, new_database, second_process, settings
from view_desk import NOW, selections_of

FILE = single(90 * NANO) | {"selections": 1000}


def script() -> str:
    """A process that releases view after view and says each only once it has left."""
    return f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
import test_kills
test_kills.release_until_killed(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
"""


def opened(database: Path, seal: Path) -> tuple[Database, Releaser, object]:
    db = Database.open(database, KEY)
    releaser = Releaser(db, FileKeeper(seal))
    return db, releaser, releaser.start(NOW, written(FILE), release=ReleasePolicy.ONLINE)


def release_until_killed(database: Path, seal: Path, name: str) -> None:
    _, releaser, _ = opened(database, seal)
    maker = Selections(policy(FILE), ReleasePolicy.ONLINE, MechanismName.KRR)
    for number in range(100_000):
        turn = f"{name}.{number}"
        view = releaser.release(selections_of(maker, "one", turn=turn), NOW)[0].view
        print(turn, view, flush=True)


def check(tmp_path: Path, kills: int) -> None:
    new_database(tmp_path).close()
    database, seal = settings(tmp_path).paths.database, settings(tmp_path).paths.database.with_name("views.seal")
    chance, left = random.Random(11), {}
    for kill in range(kills):
        with second_process(script(), database, seal, kill) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline()]
            time.sleep(chance.random() * 0.02)
            process.kill()
            lines += process.stdout.readlines()
        for line in lines:
            if line.endswith("\n"):
                turn, view = line.split()
                left[turn] = view
    db, releaser, verdict = opened(database, seal)
    with closing(db):
        assert not isinstance(verdict, Rollback)
        store = releaser.store
        stored = {each.key: each for each, _, _ in store.releases()}
        assert {turn: stored[f"{turn}:one"].view for turn in left} == left
        assert store.seal().total == sum(each.epsilon for each in store.charges())
        policies = [InForce(from_period=-1, release="online", file=written(FILE))]
        assert audit_log(policies, list(stored.values()), store.charges()).words == ()
        drawn = [each for each in stored.values() if each.ground == "drawn"]
        assert 0 <= len(store.charges()) - len(drawn) <= kills
        after = releaser.release(selections_of(policy(FILE), "one", turn="after", release=ReleasePolicy.ONLINE), NOW)
        assert after[0].ground in ("drawn", "spent")
        assert db.integrity() == ()
    assert len(left) >= kills


def test_a_few_kills(tmp_path: Path) -> None:
    check(tmp_path, 4)


@pytest.mark.slow
def test_a_thousand_kills(tmp_path: Path) -> None:
    check(tmp_path, 1000)
