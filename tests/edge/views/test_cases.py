"""The shared cases of area dp. Where they and the design differ the design wins; each such case says so."""

import gzip
import inspect
import json
import os
import secrets
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from keepmum_edge.config.settings import EdgeConfig
from keepmum_edge.database import Database
from keepmum_edge.errors import DatabaseUnavailableError
from keepmum_edge.views.ledger import Charge, PlainBooks, admits
from keepmum_edge.views.mechanisms import Exponential
from keepmum_edge.views.policy import MechanismName, ReleasePolicy
from keepmum_edge.views.release import Releaser
from keepmum_edge.views.store import ViewStore
from keepmum_shared.view import NANO, AttributeId, PolicyError, SlotId, parse_epsilon
from policies import policy, single
from profiles import KEY, settings
from view_desk import Desk, selections_of

CASES = Path(os.environ.get("KEEPMUM_CASES", Path(__file__).parents[4] / "shared" / "cases" / "cases.jsonl.gz"))
pytestmark = pytest.mark.skipif(not CASES.exists(), reason="the shared cases are not here; set KEEPMUM_CASES")
D = AttributeId("d")


def case(name: str) -> Any:
    with gzip.open(CASES, "rt", encoding="utf-8") as lines:
        return next(each for each in map(json.loads, lines) if each["id"] == name)


def charge(epsilon: int, key: str = "k") -> Charge:
    return Charge(attribute=D, slot=SlotId("one"), key=key, period=0, epsilon=epsilon)


def test_all_cases_of_the_area_are_here() -> None:
    with gzip.open(CASES, "rt", encoding="utf-8") as lines:
        names = {each["id"] for each in map(json.loads, lines) if each["area"] == "dp"}
    here = {name[5:11].replace("_", "-") for name in globals() if name.startswith("test_dp_")}
    assert names == here


def test_dp_002_nothing_underflows() -> None:
    given = case("dp-002")["input"]
    mechanism = Exponential.within(
        int(given["epsilon"] * NANO), sensitivity=int(given["sensitivity"]), low=min(given["utilities"]), high=0
    )
    first, second = mechanism.distribution(given["utilities"]).probabilities()
    assert [float(first), float(second)] == case("dp-002")["expected"]["probabilities"]
    assert 0 < second < Fraction(1, 10**400)  # the design wins over 0.0: what one store can release, every store can


@pytest.mark.parametrize("number", range(8))
def test_dp_004_bad_parameters_are_refused_before_anything_is_charged(number: int) -> None:
    bad = case("dp-004")["input"]["bad"][number]
    with pytest.raises((PolicyError, ValueError)):
        if "epsilon" in bad:
            parse_epsilon(str(bad["epsilon"]))
        elif "sensitivity" in bad:
            Exponential.within(NANO, sensitivity=bad["sensitivity"], low=0, high=1)
        else:
            Exponential.within(NANO, sensitivity=1, low=0, high=1).distribution(bad["utilities"])


def test_dp_006_the_least_spend_after_the_last_is_not_rounded_to_free() -> None:
    given = case("dp-006")["input"]
    with pytest.raises(PolicyError):
        parse_epsilon(str(given["spend"]))
    layout = policy(single(parse_epsilon(f"{given['budget']:g}"))).layout
    books = PlainBooks().charged([charge(parse_epsilon(f"{given['spent']:g}"))])
    assert not admits(books, layout, [D], 1, 0)


def test_dp_009_of_two_at_once_exactly_one_is_charged(tmp_path: Path) -> None:
    given = case("dp-009")["input"]
    layout = policy(single(parse_epsilon(f"{given['budget']:g}"))).layout
    Desk(tmp_path, single()).db.close()

    def spend(number: int) -> bool:
        db = Database.open(settings(tmp_path).paths.database, KEY)
        try:
            with db.transaction():
                ViewStore(db).charge([charge(int(given["two_threads_spend"][number] * NANO), f"k{number}")], layout)
        except DatabaseUnavailableError:
            return False
        finally:
            db.close()
        return True

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(spend, range(2))) == [False, True]


def test_dp_011_going_back_in_time_refills_nothing(tmp_path: Path) -> None:
    assert "never refills" in case("dp-011")["expected"]["rule"]
    desk = Desk(tmp_path, single(2 * NANO, lifetime=8 * NANO))
    desk.later(31)
    desk.turn("one")
    desk.later(-31)
    assert desk.turn("one")[0].ground == "drawn"
    assert desk.releaser.store.lifetime(D) == 2 * NANO
    desk.later(31)
    desk.turn("one")
    assert desk.releaser.store.lifetime(D) == 2 * NANO


def test_dp_012_deleting_a_fact_refunds_nothing(tmp_path: Path) -> None:
    assert "does not refund" in case("dp-012")["expected"]["rule"]
    desk = Desk(tmp_path, single(2 * NANO, lifetime=4 * NANO))
    desk.remember("one", {"v011": (10, 10)})
    desk.turn("one")
    desk.remember("one", {})
    assert desk.releaser.store.spent(D, 0) == 2 * NANO


def test_dp_013_ten_draws_add_up(tmp_path: Path) -> None:
    total = parse_epsilon(f"{case('dp-013')['expected']['total_epsilon_pure']:g}")
    file = single(total) | {"selections": 10}
    desk = Desk(tmp_path, file, release=ReleasePolicy.ONLINE, mechanism=MechanismName.EXPONENTIAL)
    assert [desk.turn("one")[0].ground for _ in range(11)] == ["drawn"] * 10 + ["spent"]
    assert {each.epsilon for each in desk.releaser.store.charges()} == {NANO // 10}
    assert desk.releaser.store.lifetime(D) == total


def test_dp_014_no_setting_reaches_the_randomness() -> None:
    """The design goes further than the case: there is no unsafe flag either, only the constructor."""
    assert "CSPRNG only" in case("dp-014")["expected"]["rule"]
    assert inspect.signature(Releaser.__init__).parameters["source"].default is secrets.token_bytes
    names = " ".join(EdgeConfig.__dataclass_fields__).lower()
    assert "seed" not in names
    assert "random" not in names


def test_dp_015_a_spent_budget_gives_generic_and_says_why(tmp_path: Path) -> None:
    assert "independently of the data" in case("dp-015")["expected"]["rule"]
    seen = []
    for number, scores in enumerate(({"v011": (10, 10)}, {})):
        desk = Desk(tmp_path / str(number), single(), release=ReleasePolicy.ONLINE)
        desk.remember("one", scores)
        for _ in range(3):
            desk.turn("one")
        seen.append(desk.turn("one"))
    assert seen[0] == seen[1]
    assert (seen[0][0].view, seen[0][0].ground) == ("v010", "spent")


def test_dp_017_everything_but_the_view_is_a_function_of_public_data(tmp_path: Path) -> None:
    assert "same function of public data" in case("dp-017")["expected"]["rule"]
    seen = []
    for number, scores in enumerate(({"v011": (10, 10)}, {})):
        desk = Desk(tmp_path / str(number), single())
        desk.remember("one", scores)
        released = desk.turn("one")[0]
        store = desk.releaser.store
        log = [(each.key, each.unit, each.period, each.ground, slot, at) for each, slot, at in store.releases()]
        seen.append((released.topic, released.slot, released.ground, len(str(released)), log, store.charges()))
    assert seen[0] == seen[1]
    assert len({len(str(view)) for view in selections_of(policy(single()), "one")[0].candidates}) == 1
