"""The order of a draw against everything that can be cut off or put back."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_edge.views.ledger import Charge
from keepmum_edge.views.rollback import (
    ZERO,
    ChargeIntent,
    Clean,
    Intent,
    Kept,
    Rollback,
    Seal,
    at_start,
    intended,
    tells_cloud,
)
from keepmum_shared.view import AttributeId, SlotId

CHARGES = tuple(
    Charge(attribute=AttributeId(name), slot=SlotId("s"), key="k", period=0, epsilon=2) for name in ("a", "b")
)
OLD, NEW = Seal(3, 10), Seal(4, 14)
INTENT = Intent(seal=NEW, charges=CHARGES)


def test_the_intent_of_a_draw_is_one_step_and_its_charges() -> None:
    assert intended(OLD, CHARGES) == INTENT
    assert intended(OLD, ()).seal == Seal(4, 10)


@pytest.mark.parametrize(
    ("database", "kept", "cloud", "verdict"),
    [
        (ZERO, None, None, Clean()),
        (ZERO, None, ZERO, Clean()),
        (OLD, Kept(settled=OLD), None, Clean()),
        (OLD, Kept(settled=OLD), OLD, Clean()),
        (OLD, Kept(settled=OLD), Seal(1, 2), Clean()),
        (NEW, Kept(settled=OLD, intent=INTENT), OLD, Clean(settle=True)),
        (OLD, Kept(settled=OLD, intent=INTENT), OLD, ChargeIntent(intent=INTENT)),
    ],
)
def test_what_a_crash_can_leave_is_taken_up(
    database: Seal, kept: Kept | None, cloud: Seal | None, verdict: object
) -> None:
    assert at_start(database, kept, cloud) == verdict


@pytest.mark.parametrize(
    ("database", "kept", "cloud", "missing"),
    [
        (OLD, Kept(settled=NEW), None, 4),
        (OLD, Kept(settled=Seal(9, 30), intent=Intent(seal=Seal(10, 32))), None, 22),
        (Seal(2, 6), Kept(settled=OLD, intent=INTENT), None, 8),
        (OLD, Kept(settled=OLD), NEW, 4),
        (OLD, Kept(settled=OLD), Seal(3, 11), 1),
        (ZERO, Kept(settled=OLD), None, 10),
        (OLD, None, None, None),
        (ZERO, None, OLD, None),
        (NEW, Kept(settled=OLD), None, None),
        (NEW, Kept(settled=OLD, intent=Intent(seal=Seal(4, 12))), None, None),
    ],
)
def test_anything_else_is_a_rollback_and_what_may_be_missing_is_known_or_all(
    database: Seal, kept: Kept | None, cloud: Seal | None, missing: int | None
) -> None:
    verdict = at_start(database, kept, cloud)
    assert isinstance(verdict, Rollback)
    assert verdict.missing == missing
    assert "no view is drawn" in verdict.words
    copies = [copy for copy in (database, cloud, kept and kept.settled) if copy]
    assert all(verdict.known.counter > copy.counter and verdict.known.total >= copy.total for copy in copies)


def test_the_cloud_is_told_whenever_its_copy_is_another() -> None:
    assert not tells_cloud(ZERO, None)
    assert tells_cloud(OLD, None)
    assert tells_cloud(NEW, OLD)
    assert not tells_cloud(OLD, OLD)


class Model:
    """Draws against a database, a keyring and a cloud; any number of them may be put back to an older copy."""

    def __init__(self) -> None:
        self.database, self.kept, self.cloud = ZERO, Kept(settled=ZERO), ZERO
        self.left, self.charged_at_least = 0, 0

    def draw(self, epsilon: int, cut: int) -> None:
        charges = tuple(replace(each, epsilon=epsilon) for each in CHARGES[:1])
        intent = intended(self.database, charges)
        for step in (self._intend, self._commit, self._settle, self._leave)[:cut]:
            step(intent)

    def _intend(self, intent: Intent) -> None:
        self.kept = Kept(settled=self.database, intent=intent)

    def _commit(self, intent: Intent) -> None:
        self.database = intent.seal

    def _settle(self, intent: Intent) -> None:
        self.kept = Kept(settled=intent.seal)

    def _leave(self, intent: Intent) -> None:
        self.left += sum(each.epsilon for each in intent.charges)
        self.cloud = intent.seal


@settings(deadline=None, max_examples=200)
@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 4)), max_size=6))
def test_without_a_rollback_the_ledger_never_says_less_than_what_left(draws: list[tuple[int, int]]) -> None:
    model = Model()
    for epsilon, cut in draws:
        model.draw(epsilon, cut)
        verdict = at_start(model.database, model.kept, model.cloud)
        assert not isinstance(verdict, Rollback)
        if isinstance(verdict, ChargeIntent):
            model.database = verdict.intent.seal
        model.kept = Kept(settled=model.database)
        assert model.database.total >= model.left


@settings(deadline=None, max_examples=200)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=5), st.integers(0, 4), st.integers(1, 5))
def test_a_database_put_back_behind_a_view_that_left_is_always_noticed(
    draws: list[int], cut: int, epsilon: int
) -> None:
    model, copies = Model(), [ZERO]
    for each in draws:
        model.draw(each, 4)
        copies.append(model.database)
    model.draw(epsilon, cut)
    for older in copies[: len(draws) if cut < 4 else len(draws) + 1]:
        verdict = at_start(older, model.kept, None)
        assert isinstance(verdict, Rollback)
        assert verdict.missing is not None
        assert older.total + verdict.missing >= model.left
        both = at_start(older, Kept(settled=older), model.cloud)  # a whole folder put back: the cloud tells
        assert isinstance(both, Rollback)


def test_no_pair_of_copies_without_a_recorded_step_between_them_passes() -> None:
    seals = [Seal(counter, total) for counter, total in itertools.product(range(3), range(3))]
    for database, settled in itertools.product(seals, seals):
        assert isinstance(at_start(database, Kept(settled=settled)), Clean) == (database == settled)
