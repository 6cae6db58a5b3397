"""A ledger that is older than it was, a clock that jumps, and a second daemon: nothing more is drawn, and words say so.

Real processes, a real database, and the private file that stands for the keyring on a machine without one.
"""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from halves import Halves, paired_halves
from keepmum_shared.view import shipped_policy
from scripted_openai import scripted_openai

OK = {"steps": [{"content": "Noted."}, {"finish": "stop"}, {"done": True}]}
FOOD = "What could I cook for dinner tonight?"
MONEY = "Help me with a monthly budget, please"
DAY = 86_400


@contextmanager
def profile_in_use(tmp_path: Path) -> Iterator[Halves]:
    with (
        scripted_openai(tmp_path, [OK]) as model,
        paired_halves(
            tmp_path / "home",
            model,
            edge_flags=["--rules-only"],
            cloud_flags=["--record", str(tmp_path / "home" / "decoded.jsonl")],
            environ={"KEEPMUM_FIRST_PERIOD_DAYS": "0"},
        ) as halves,
    ):
        yield halves


def views(halves: Halves, text: str) -> dict[str, tuple[str, str]]:
    """View and ground by facet of a turn held now."""
    halves.say(text)
    return {each["facet"]: (each["view"], each["ground"]) for each in halves.newest_trace()["views"]}


def budget(halves: Halves) -> dict[str, Any]:
    shown: dict[str, Any] = halves.owner.get("/budget").json()
    return shown


def notices(halves: Halves) -> str:
    """What the owner is told, by `budget` and by `doctor` alike."""
    checks = json.loads(halves.keepmum("doctor", "--json").stdout)["checks"]
    warned = {check["detail"] for check in checks if (check["name"], check["status"]) == ("views", "warn")}
    told: list[str] = budget(halves)["notices"]
    assert warned == set(told)
    return "\n".join(told)


def lifetimes(halves: Halves) -> dict[str, int]:
    return {each["id"]: each["lifetime"] for each in budget(halves)["attributes"]}


def seal_at_cloud(halves: Halves) -> dict[str, Any]:
    bodies = [json.loads(line) for line in halves.record.read_text(encoding="utf-8").splitlines()]
    seal: dict[str, Any] = json.loads([each["body"] for each in bodies if each["path"] == "/v1/turns"][-1])["seal"]
    return seal


def restart_at(halves: Halves, days: int) -> None:
    """Start both halves anew with their clocks moved."""
    halves.edge.stop()
    halves.cloud.stop()
    record = str(halves.home / "decoded.jsonl")
    halves.edge_flags = ["--rules-only", "--clock", str(days * DAY)]
    halves.cloud_flags = ["--record", record, "--clock", str(days * DAY)]
    halves.start_cloud()
    halves.start_edge()


@pytest.mark.parametrize("put_back", ["the database", "the whole folder"])
def test_a_ledger_from_yesterday_draws_nothing_and_forgets_no_charge(tmp_path: Path, put_back: str) -> None:
    """The private file tells of a database that was put back; of a whole folder only the cloud can."""
    with profile_in_use(tmp_path) as halves:
        before = views(halves, MONEY)
        halves.edge.stop()
        data, kept = halves.config.paths.data_dir, tmp_path / "yesterday"
        shutil.copytree(data, kept)
        halves.start_edge()
        drawn = views(halves, FOOD)
        assert {ground for _, ground in drawn.values()} == {"drawn"}
        newest = seal_at_cloud(halves)
        halves.edge.stop()
        if put_back == "the database":
            shutil.copy2(kept / "keepmum.db", data / "keepmum.db")
        else:
            shutil.rmtree(data)
            shutil.copytree(kept, data)
        halves.start_edge()
        assert views(halves, MONEY) == before, "what is known to have been released stays"
        generic = {facet.id: facet.generic.id for facet in shipped_policy().vocabulary.facets.values()}
        expected = {facet: before.get(facet, (generic[facet], "frozen")) for facet in drawn}
        assert "frozen" in {ground for _, ground in expected.values()}
        assert views(halves, FOOD) == expected
        told = notices(halves)
        assert "an older ledger was found" in told
        assert "what an older ledger may have forgotten was charged to every attribute" in told
        shown = halves.keepmum("budget").stdout
        assert "its ledger cannot be relied on" in shown
        assert "outright" not in shown, "what is not known is no bound"
        missing = lifetimes(halves)
        for facet in shipped_policy().vocabulary.facets.values():
            for attribute in shipped_policy().layout.gamma(facet.slot) if facet.id in drawn else ():
                assert missing[attribute] >= 2_000_000_000
        after = seal_at_cloud(halves)
        assert (after["counter"], after["total"]) > (newest["counter"], newest["total"])
        halves.edge.stop()
        halves.start_edge()
        assert views(halves, FOOD) == expected
        assert seal_at_cloud(halves) == after, "it is found once, and not anew at every start"


def test_a_clock_that_jumps_back_draws_nothing_again(tmp_path: Path) -> None:
    with profile_in_use(tmp_path) as halves:
        restart_at(halves, 40)
        drawn = views(halves, FOOD)
        assert budget(halves)["period"] == 1
        spent = lifetimes(halves)
        restart_at(halves, 0)
        assert views(halves, FOOD) == drawn
        assert budget(halves)["period"] == 1
        assert lifetimes(halves) == spent
        assert "the clock went back by 40 days; the period stays as it was, until 2" in notices(halves)
        assert "confirm-clock" not in notices(halves), "it would change nothing"


def test_a_clock_a_year_ahead_is_not_believed_until_its_owner_says_so(tmp_path: Path) -> None:
    with profile_in_use(tmp_path) as halves:
        drawn = views(halves, FOOD)
        restart_at(halves, 400)
        assert views(halves, FOOD) == drawn
        assert budget(halves)["period"] == 0
        assert "the clock is 400 days ahead of the last turn; confirm that it is right" in notices(halves)
        assert halves.keepmum("budget", "confirm-clock", "--yes").returncode == 0
        assert budget(halves)["period"] == 13
        assert notices(halves) == ""
        again = views(halves, FOOD)
        assert {facet: view for facet, (view, _) in again.items()} == {
            facet: view for facet, (view, _) in drawn.items()
        }
        assert {ground for _, ground in again.values()} == {"reused"}


def test_a_second_daemon_is_refused_and_the_first_keeps_its_ledger(tmp_path: Path) -> None:
    with profile_in_use(tmp_path) as halves:
        drawn = views(halves, FOOD)
        second = halves.keepmum("serve", KEEPMUM_PORT="0")
        assert second.returncode == 1
        assert "Keepmum is running already for this profile" in second.stderr
        assert views(halves, FOOD) == drawn
        assert notices(halves) == ""


def test_another_release_policy_is_taken_up_when_the_period_turns_and_not_before(tmp_path: Path) -> None:
    with profile_in_use(tmp_path) as halves:
        drawn = views(halves, FOOD)
        halves.environ = dict(halves.environ) | {"KEEPMUM_RELEASE_POLICY": "online"}
        restart_at(halves, 0)
        assert views(halves, FOOD) == drawn
        assert (budget(halves)["release_policy"], budget(halves)["period"]) == ("sticky", 0)
        assert "from the next period on: policy 1" in notices(halves)
        restart_at(halves, 31)
        assert (budget(halves)["release_policy"], budget(halves)["period"]) == ("online", 1)
        assert {ground for _, ground in views(halves, FOOD).values()} == {"spent"}, "the lifetime caps admit no more"
        assert notices(halves) == ""
