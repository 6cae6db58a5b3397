from fractions import Fraction
from math import exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_shared.view.budget import (
    MAX_EPSILON,
    NANO,
    Odds,
    PolicyError,
    check_epsilon,
    exp_lower,
    exp_upper,
    format_epsilon,
    is_certified,
    odds_within,
    parse_epsilon,
)


@settings(deadline=None)
@given(st.fractions(0, 100, max_denominator=NANO))
def test_the_bounds_on_e_to_the_x_enclose_it_tightly(x: Fraction) -> None:
    low, high = exp_lower(x), exp_upper(x)
    assert low <= high
    assert (high - low) * 10**17 <= low
    assert abs(float(low) / exp(x) - 1) < 1e-12


@settings(deadline=None)
@given(st.fractions(0, 30, max_denominator=1000), st.fractions(0, 30, max_denominator=1000))
def test_the_bounds_multiply_as_e_to_the_x_does(x: Fraction, y: Fraction) -> None:
    assert exp_lower(x) * exp_lower(y) <= exp_upper(x + y)
    assert exp_upper(x) * exp_upper(y) >= exp_lower(x + y)


@settings(deadline=None)
@given(st.integers(1_000_000, 16 * NANO))
def test_derived_odds_are_certified_and_nothing_better_is_left(epsilon: int) -> None:
    odds = odds_within(epsilon)
    assert is_certified(odds, epsilon)
    assert not is_certified(Odds(odds.p + 1, odds.q), epsilon)


@settings(deadline=None)
@given(st.integers(1, MAX_EPSILON))
def test_a_written_budget_is_read_back_exactly(nano: int) -> None:
    assert parse_epsilon(format_epsilon(nano)) == nano


@pytest.mark.parametrize(
    "text",
    [
        *("", "0", "0.0", "-1", "+1", "nan", "NaN", "inf", "Infinity", "1e3", "0x1", " 1", "1 ", "1.", ".5", "1,5"),
        *("0.0000000001", "5e-324", "1" * 5000, "1000", "２", "1_0"),
    ],
)
def test_what_is_no_usable_budget_is_refused_with_words(text: str) -> None:
    with pytest.raises(PolicyError, match=r"^epsilon: "):
        parse_epsilon(text)


@pytest.mark.parametrize("value", [0, -1, MAX_EPSILON + 1, 1.0, float("nan"), True, "1", None])
def test_a_budget_is_a_positive_whole_number(value: object) -> None:
    with pytest.raises(PolicyError, match="cap"):
        check_epsilon(value, "cap")  # type: ignore[arg-type]


def test_odds_that_choose_nothing_are_refused() -> None:
    for p, q in ((1, 1), (1, 2), (1, 0), (2, -1)):
        with pytest.raises(ValueError, match="odds"):
            Odds(p, q)
    with pytest.raises(PolicyError, match="too small"):
        odds_within(1)
