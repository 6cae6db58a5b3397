"""The tracker of a preference: what it takes to infer one, to drop it, and how well the shipped tuning follows."""

from fractions import Fraction
from itertools import pairwise

import pytest
from drifting_choices import GRID, NEVER_FORGETS, outcome, users
from hypothesis import given
from hypothesis import strategies as st
from keepmum_edge.memory.behaviour import HALF
from keepmum_edge.memory.preference import FITTED, LEAST_SESSIONS, SESSION, UNHURRIED, Belief, Tuning, believe

SESSIONS = st.lists(st.booleans(), max_size=40)


def test_counts_are_those_of_the_paper() -> None:
    belief = believe([True, True, True, False], HALF, Tuning(gamma=Fraction(1)))
    assert (belief.chosen, belief.other) == (4 * SESSION, 2 * SESSION), "three of A and one of B from a flat prior"
    forgetful = believe([True] * 200, HALF, Tuning(gamma=Fraction(4, 5)))
    assert abs(forgetful.chosen + forgetful.other - 5 * SESSION) < 10, "0.8 n + 1 = n levels off at 5"


def test_confidence_is_the_tail_of_the_beta_distribution() -> None:
    assert Belief(chosen=5 * SESSION, other=SESSION).confidence(HALF) == 96, "1 - 2**-5"
    assert Belief(chosen=2 * SESSION, other=8 * SESSION).confidence(Fraction(1, 20)) == 92
    assert Belief().confidence(HALF) == 50


def test_a_preference_takes_four_sessions_and_one_bad_day_does_not_end_it() -> None:
    held = [believe([True] * n, HALF).holds(HALF, held=False) for n in range(LEAST_SESSIONS + 1)]
    assert held == [False] * LEAST_SESSIONS + [True]
    settled = [True] * 12
    assert believe([*settled, False], HALF).holds(HALF, held=True)
    assert believe([*settled, False, False, True], HALF).holds(HALF, held=True)


@pytest.mark.parametrize("sessions", [8, 40])
def test_a_change_of_habit_is_seen_within_five_sessions_however_old_the_habit_is(sessions: int) -> None:
    changed = [True] * sessions + [False] * 5
    assert not believe(changed, HALF).holds(HALF, held=True)
    assert believe([not each for each in changed], HALF).holds(HALF, held=False)


def test_what_comes_up_now_and_then_stays_a_preference_between_two_times() -> None:
    share = Fraction(1, 20)
    every_fourth = [n % 4 == 0 for n in range(40)]
    assert believe(every_fourth, share, UNHURRIED).holds(share, held=False)
    assert not believe([*every_fourth, *[False] * 40], share, UNHURRIED).holds(share, held=True)


@given(SESSIONS)
def test_of_two_alternatives_never_both_are_inferred(sessions: list[bool]) -> None:
    first, second = believe(sessions, HALF), believe([not each for each in sessions], HALF)
    assert (first.chosen, first.other) == (second.other, second.chosen)
    assert not (first.holds(HALF, held=False) and second.holds(HALF, held=False))
    assert first.is_above(HALF) or second.is_above(HALF) or first.chosen == first.other


@given(st.integers(1, 30 * SESSION), st.integers(1, 30 * SESSION))
def test_more_for_it_is_never_less_sure_and_nothing_is_certain(chosen: int, other: int) -> None:
    for_it = [Belief(chosen=chosen + more * SESSION // 3, other=other).confidence(HALF) for more in range(6)]
    against = [Belief(chosen=chosen, other=other + more * SESSION // 3).confidence(HALF) for more in range(6)]
    assert all(a <= b for a, b in pairwise(for_it))
    assert all(a >= b for a, b in pairwise(against))
    assert all(0 <= each <= 99 for each in (*for_it, *against))


def test_the_shipped_tuning_is_among_the_best_of_the_grid_and_far_better_than_never_forgetting() -> None:
    people = users(6, sessions=100, seed=7)
    shipped = outcome(FITTED, people)
    bounded = [tuning for tuning in GRID if tuning.gamma < 1 and tuning.recent in (0, 4, 8)]
    assert max(outcome(tuning, people).worth for tuning in bounded) < shipped.worth + 0.03
    assert outcome(NEVER_FORGETS, people).worth < shipped.worth - 0.2
