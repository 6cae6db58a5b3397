"""What a receipt says of the views that stay: few lines, however many slots they were drawn from."""

from pathlib import Path

from keepmum_edge.daemon.views.forgotten import SILENCED, ViewsForgotten
from keepmum_edge.views.periods import DAY
from keepmum_shared.view import SlotId
from policies import overlapping
from view_desk import NOW, Desk

BOTH = frozenset({SlotId("one"), SlotId("two")})


def views_of(tmp_path: Path, later_days: int = 0) -> ViewsForgotten:
    desk = Desk(tmp_path, overlapping())
    desk.turn("one", "two")
    store, scores = desk.releaser.store, desk.releaser.scores
    return ViewsForgotten(store, scores, policy=lambda: desk.policy, now=lambda: NOW + later_days * DAY)


def test_views_that_stay_for_the_same_time_are_told_in_one_line(tmp_path: Path) -> None:
    [told] = views_of(tmp_path).stays(BOTH, everything=False)
    assert "views that were drawn from what was kept of" in told
    assert "`keepmum budget silence SLOT` ends one now (one, two)" in told


def test_one_view_is_told_with_the_command_that_ends_it(tmp_path: Path) -> None:
    [told] = views_of(tmp_path).stays(frozenset({SlotId("two")}), everything=False)
    assert "a view that was drawn" in told
    assert "`keepmum budget silence two` ends it now" in told


def test_what_has_run_out_or_was_not_drawn_is_not_told(tmp_path: Path) -> None:
    assert views_of(tmp_path, later_days=31).stays(BOTH, everything=False) == ()
    assert views_of(tmp_path / "other").stays(frozenset({SlotId("three")}), everything=False) == ()


def test_who_forgets_everything_is_told_once_that_all_is_silent(tmp_path: Path) -> None:
    assert views_of(tmp_path).stays(frozenset(), everything=True) == (SILENCED,)
    assert "stays in use" not in SILENCED
