"""Releases out of a real database: one view a key, charged before it leaves, whatever stops in between."""

from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest
from keepmum_edge.database import Database
from keepmum_edge.views.log_audit import audit_log
from keepmum_edge.views.policy import MechanismName, ReleasePolicy
from keepmum_edge.views.release import Releaser
from keepmum_edge.views.rollback import ChargeIntent, Clean, Kept, Rollback, Seal
from keepmum_shared.ids import new_turn_id
from keepmum_shared.view import NANO, AttributeId, PolicyError, SlotId
from policies import attribute, facet, overlapping, policy, single, slot
from profiles import KEY, settings
from view_desk import Desk, MemoryKeeper, zeros

ONE = AttributeId("d")
STEPS = ("drawn", "intended", "written", "committed", "settled")


class CrashError(Exception):
    """Stands for the end of the process."""


def crash_at(step: str) -> Callable[[str], None]:
    def reached(now: str) -> None:
        if now == step:
            raise CrashError

    return reached


def audited(desk: Desk) -> dict[str, int]:
    """What the log says when it is read by other code; nothing may be wrong with it."""
    store = desk.releaser.store
    found = audit_log(
        [each.for_audit() for each in store.adopted()],
        [stored for stored, _, _ in store.releases()],
        store.charges(),
    )
    assert found.words == ()
    return found.spent


def test_a_sticky_view_is_drawn_once_and_reused_for_good(tmp_path: Path) -> None:
    desk = Desk(tmp_path, single())
    first = desk.turn("one")
    assert [each.ground for each in first] == ["drawn"]
    for days in (0, 1, 29, 31, 65):
        desk.later(days)
        again = desk.turn("one")
        assert [each.view for each in again] == [each.view for each in first]
    assert desk.releaser.store.lifetime(ONE) == 2 * NANO
    assert audited(desk) == {"d": 2 * NANO}
    assert str(first[0]) == f"{first[0].view}/talk"


def test_draws_fall_as_the_scores_say(tmp_path: Path) -> None:
    """40 draws at 0.711 against 0.096 each; the best is not the most frequent in fewer than one run in 10^9."""
    file = single(2 * NANO, lifetime=90 * NANO) | {"period_days": 1}
    views: Counter[str] = Counter()
    desk = Desk(tmp_path, file)
    desk.remember("one", {"v012": (10, 10)})
    for _ in range(40):
        desk.later(1)
        views.update(each.view for each in desk.turn("one"))
    assert sum(views.values()) == 40
    assert views["v012"] > max(views["v010"], views["v011"], views["v013"])


def test_a_source_of_zeros_draws_the_best_of_krr_only_where_it_stands_first(tmp_path: Path) -> None:
    desk = Desk(tmp_path, single(), source=zeros)
    assert desk.turn("one")[0].view == "v010"


def test_before_the_first_date_every_view_is_generic_and_nothing_is_written(tmp_path: Path) -> None:
    desk = Desk(tmp_path, single() | {"first_period_days": 14})
    desk.remember("one", {"v012": (10, 10)})
    assert [(each.view, each.ground) for each in desk.turn("one")] == [("v010", "early")]
    desk.later(13)
    assert desk.turn("one")[0].ground == "early"
    assert desk.releaser.store.releases() == desk.releaser.store.charges() == ()
    desk.later(1)
    assert desk.turn("one")[0].ground == "drawn"


def test_each_period_adds_its_draw_until_the_lifetime_cap_and_then_the_last_view_stays(tmp_path: Path) -> None:
    desk = Desk(tmp_path, single(2 * NANO, lifetime=4 * NANO))
    grounds = []
    for _ in range(4):
        last = desk.turn("one")[0]
        grounds.append(last.ground)
        desk.later(30)
    assert grounds == ["drawn", "drawn", "reused", "reused"]
    assert desk.releaser.store.lifetime(ONE) == 4 * NANO
    assert desk.turn("one")[0].view == last.view
    audited(desk)


def test_online_draws_until_the_cap_then_gives_generic_and_a_retry_is_the_same_turn(tmp_path: Path) -> None:
    desk = Desk(tmp_path, overlapping(), release=ReleasePolicy.ONLINE, mechanism=MechanismName.EXPONENTIAL)
    turns = [new_turn_id() for _ in range(5)]
    first = [desk.turn("two", turn=turn)[0] for turn in turns]
    assert [each.ground for each in first] == ["drawn"] * 3 + ["spent"] * 2
    assert [desk.turn("two", turn=turn)[0] for turn in turns] == first
    assert desk.releaser.store.lifetime(ONE) == 3 * (2 * NANO // 3) <= 2 * NANO
    desk.later(30)
    assert desk.turn("two", turn=turns[4])[0] == first[4]
    audited(desk)


def test_selections_of_one_turn_see_what_the_ones_before_them_cost(tmp_path: Path) -> None:
    desk = Desk(tmp_path, overlapping(), release=ReleasePolicy.ONLINE)
    desk.turn("one")
    desk.turn("one")
    both = desk.turn("one", "two")
    assert [each.ground for each in both] == ["drawn", "spent"]
    audited(desk)


def test_deleting_what_a_slot_holds_refunds_nothing_and_the_view_stays(tmp_path: Path) -> None:
    desk = Desk(tmp_path, single())
    desk.remember("one", {"v012": (10, 10)})
    view = desk.turn("one")[0].view
    desk.remember("one", {})
    assert desk.turn("one")[0].view == view
    assert desk.releaser.store.lifetime(ONE) == 2 * NANO


def test_a_clock_set_back_never_draws_again(tmp_path: Path) -> None:
    desk = Desk(tmp_path, single(2 * NANO, lifetime=8 * NANO))
    desk.later(70)
    view = desk.turn("one")[0]
    desk.later(-60)
    assert "went back" in str(desk.releaser.tick(desk.now).notice)
    assert desk.turn("one")[0] == view
    assert desk.releaser.store.lifetime(ONE) == 2 * NANO


def test_a_clock_a_year_ahead_draws_nothing_until_it_is_confirmed(tmp_path: Path) -> None:
    desk = Desk(tmp_path, single(2 * NANO, lifetime=8 * NANO))
    view = desk.turn("one")[0]
    desk.later(365)
    assert "confirm" in str(desk.releaser.tick(desk.now).notice)
    assert desk.turn("one")[0] == view
    desk.releaser.tick(desk.now, confirmed=True)
    assert desk.turn("one")[0].ground == "drawn"
    assert desk.releaser.store.lifetime(ONE) == 4 * NANO


def test_a_silenced_slot_is_generic_from_then_on_and_costs_nothing(tmp_path: Path) -> None:
    desk = Desk(tmp_path, single(2 * NANO, lifetime=8 * NANO))
    desk.turn("one")
    with desk.db.transaction():
        desk.releaser.store.silence(SlotId("one"), desk.now)
        desk.releaser.store.silence(SlotId("one"), desk.now)
    desk.later(31)
    assert [(each.view, each.ground) for each in desk.turn("one")] == [("v010", "silenced")]
    assert desk.releaser.store.lifetime(ONE) == 2 * NANO


@pytest.mark.parametrize("step", STEPS)
def test_a_crash_at_any_step_never_undercharges_and_the_next_start_gives_one_view(tmp_path: Path, step: str) -> None:
    desk = Desk(tmp_path, single(), reached=crash_at(step))
    with pytest.raises(CrashError):
        desk.turn("one")
    desk.reached = lambda _: None
    verdict = desk.reopen()
    assert isinstance(verdict, ChargeIntent if step in ("intended", "written") else Clean)
    released = desk.turn("one")[0]
    assert released.ground == "drawn"
    assert desk.turn("one")[0] == released
    assert desk.releaser.store.lifetime(ONE) == 2 * NANO
    assert desk.reopen() == Clean()
    assert audited(desk) == {"d": 2 * NANO}


@pytest.mark.parametrize("step", STEPS)
def test_a_crash_at_the_draw_after_a_crash_still_costs_one_draw(tmp_path: Path, step: str) -> None:
    desk = Desk(tmp_path, single(), reached=crash_at("written"))
    for now in ("written", step, step):
        desk.reached = crash_at(now)
        desk.reopen()
        with suppress(CrashError):
            desk.turn("one")
    desk.reached = lambda _: None
    desk.reopen()
    assert desk.turn("one")[0].ground == "drawn"
    assert desk.releaser.store.lifetime(ONE) == 2 * NANO
    audited(desk)


@pytest.mark.parametrize("step", STEPS)
def test_a_failure_that_the_process_survives_is_taken_up_at_the_next_turn(tmp_path: Path, step: str) -> None:
    failing = [step]

    def reached(now: str) -> None:
        if now in failing:
            failing.remove(now)
            raise CrashError

    desk = Desk(tmp_path, single(), reached=reached)
    with pytest.raises(CrashError):
        desk.turn("one")
    assert desk.turn("one")[0].ground == "drawn"
    assert desk.releaser.store.lifetime(ONE) == 2 * NANO
    assert desk.keeper.kept == Kept(settled=desk.releaser.store.seal())
    audited(desk)


def test_without_a_keyring_nothing_is_drawn_and_nothing_left_before_it_was_kept(tmp_path: Path) -> None:
    desk = Desk(tmp_path, single())
    desk.keeper.broken = True
    with pytest.raises(OSError, match="keyring"):
        desk.turn("one")
    assert desk.releaser.store.releases() == desk.releaser.store.charges() == ()
    desk.keeper.broken = False
    assert desk.turn("one")[0].ground == "drawn"
    desk.keeper.broken = True
    assert desk.turn("one")[0].ground == "drawn"  # needs no keyring: nothing is drawn


def put_back(desk: Desk, content: bytes) -> object:
    desk.db.close()
    file = settings(desk.home).paths.database
    for suffix in ("-wal", "-shm"):
        Path(f"{file}{suffix}").unlink(missing_ok=True)
    file.write_bytes(content)
    desk.db = Database.open(file, KEY)
    return desk.start()


def copied(desk: Desk) -> bytes:
    desk.db.checkpoint()
    return settings(desk.home).paths.database.read_bytes()


def two_slots(lifetime: int = 4 * NANO) -> dict[str, object]:
    return overlapping() | {
        "attributes": [attribute("d", {"one": 2 * NANO}, lifetime=lifetime), attribute("b", {"two": 2 * NANO})],
        "slots": [slot("one", ["d"]), slot("two", ["b"]), slot("other", ["d", "b"])],
        "facets": [facet("one", "one", 1), facet("two", "two", 2), facet("rest", "other", 9, epsilon=None, views=1)],
    }


def test_yesterdays_database_draws_nothing_more_this_period_and_the_charges_are_made_up(tmp_path: Path) -> None:
    desk = Desk(tmp_path, two_slots())
    kept_view = desk.turn("one")[0]
    yesterday = copied(desk)
    desk.turn("two")
    verdict = put_back(desk, yesterday)
    assert isinstance(verdict, Rollback)
    assert verdict.missing == 2 * NANO
    assert desk.turn("one")[0] == kept_view
    assert [(each.view, each.ground) for each in desk.turn("two")] == [("v020", "frozen")]
    store = desk.releaser.store
    assert (store.lifetime(ONE), store.lifetime(AttributeId("b"))) == (4 * NANO, 2 * NANO)
    assert desk.reopen() == Clean()
    desk.later(31)
    assert [each.ground for each in desk.turn("one", "two")] == ["reused", "spent"]


def test_an_emptied_database_and_a_lost_keyring_entry_draw_nothing_ever(tmp_path: Path) -> None:
    fresh = copied(Desk(tmp_path / "a", single()))
    with closing(Desk(tmp_path / "b", single()).db):
        pass
    desk = Desk(tmp_path / "c", single())
    desk.turn("one")
    assert isinstance(put_back(desk, fresh), Rollback)
    for days in (0, 31, 31):
        desk.later(days)
        assert desk.turn("one")[0].ground in ("frozen", "spent")
    lost = Desk(tmp_path / "d", single(2 * NANO, lifetime=8 * NANO))
    lost.turn("one")
    lost.keeper.kept = None
    assert isinstance(lost.reopen(), Rollback)
    lost.later(31)
    assert lost.turn("one")[0].ground == "reused"
    assert lost.releaser.store.lifetime(ONE) == 8 * NANO


def test_a_whole_folder_put_back_is_noticed_by_the_clouds_copy(tmp_path: Path) -> None:
    desk = Desk(tmp_path, two_slots())
    yesterday, keyring = copied(desk), desk.keeper.kept
    desk.turn("one")
    cloud = desk.releaser.store.seal()
    assert cloud == Seal(1, 2 * NANO)
    desk.keeper.kept, desk.cloud = keyring, cloud
    assert isinstance(put_back(desk, yesterday), Rollback)
    assert desk.turn("one")[0].ground == "frozen"


def test_another_policy_comes_into_force_at_the_next_period_and_charges_what_it_newly_lists(tmp_path: Path) -> None:
    desk = Desk(tmp_path, two_slots())
    desk.turn("one")
    changed = two_slots()
    changed["attributes"] = [
        attribute("d", {"one": 2 * NANO}, lifetime=4 * NANO),
        attribute("b", {"one": NANO, "two": NANO}),
    ]
    changed["slots"] = [slot("one", ["d", "b"]), slot("two", ["b"]), slot("other", ["d", "b"])]
    changed["facets"] = [
        facet("one", "one", 1, epsilon=NANO),
        facet("two", "two", 2, epsilon=NANO),
        facet("rest", "other", 9, epsilon=None, views=1),
    ]
    desk.file = changed
    assert desk.reopen() == Clean()
    assert desk.releaser.in_force(0).policy.digest == policy(two_slots()).digest
    assert desk.releaser.store.lifetime(AttributeId("b")) == 0
    desk.later(30)
    desk.releaser.tick(desk.now)
    assert desk.releaser.in_force(1).policy.digest == policy(changed).digest
    assert desk.releaser.store.lifetime(AttributeId("b")) == 2 * NANO
    assert [each.ground for each in desk.turn("one", "two")] == ["reused", "spent"]
    assert desk.reopen() == Clean()
    desk.releaser.tick(desk.now)
    assert desk.releaser.store.lifetime(AttributeId("b")) == 2 * NANO


def test_release_policy_and_mechanism_change_at_a_period_only(tmp_path: Path) -> None:
    desk = Desk(tmp_path, single(2 * NANO, lifetime=8 * NANO))
    desk.release, desk.mechanism = ReleasePolicy.ONLINE, MechanismName.EXPONENTIAL
    desk.reopen()
    desk.turn("one")
    assert [each.epsilon for each in desk.releaser.store.charges()] == [2 * NANO]
    desk.later(30)
    desk.turn("one")
    assert [each.epsilon for each in desk.releaser.store.charges()] == [2 * NANO, 2 * NANO // 3]


def test_a_bad_policy_file_is_refused_and_the_one_before_stays(tmp_path: Path) -> None:
    desk = Desk(tmp_path, single())
    good, desk.file = desk.file, single() | {"tau": 0}
    with pytest.raises(PolicyError, match="tau"):
        desk.reopen()
    desk.file = good
    assert desk.reopen() == Clean()
    assert len(desk.releaser.store.adopted()) == 1


def test_a_releaser_that_was_not_started_compares_the_copies_before_its_first_view(tmp_path: Path) -> None:
    desk = Desk(tmp_path, single())
    early = Releaser(desk.db, MemoryKeeper(kept=desk.keeper.kept))
    assert early.release(desk.asks(["one"]), desk.now)[0].ground == "drawn"
    behind = Releaser(desk.db, MemoryKeeper(kept=Kept(settled=Seal(9, 9))))
    desk.later(31)
    behind.release(desk.asks(["one"]), desk.now)
    assert desk.releaser.store.frozen(1)
