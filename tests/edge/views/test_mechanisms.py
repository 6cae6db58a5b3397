"""The mechanisms are what their docstrings say, exactly; the sampler draws what the distribution says."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_edge.views.audit import is_within, worst_draw
from keepmum_edge.views.mechanisms import Distribution, Exponential, RandomisedResponse
from keepmum_edge.views.sampling import draw, uniform_below
from keepmum_shared.view.budget import NANO, Odds, PolicyError, odds_within

EPSILONS = (NANO // 2, 2 * NANO // 3, NANO, 2 * NANO)


def response(epsilon: int) -> RandomisedResponse:
    return RandomisedResponse(epsilon, odds_within(epsilon))


@settings(deadline=None)
@given(st.lists(st.integers(0, 60), min_size=1, max_size=6), st.sampled_from(EPSILONS))
def test_randomised_response_is_its_formula(utilities: list[int], epsilon: int) -> None:
    odds, k = odds_within(epsilon), len(utilities)
    got = response(epsilon).distribution(utilities).probabilities()
    best = utilities.index(max(utilities))
    assert got[best] == Fraction(odds.p, odds.p + (k - 1) * odds.q)
    assert all(p == Fraction(odds.q, odds.p + (k - 1) * odds.q) for i, p in enumerate(got) if i != best)


@settings(deadline=None)
@given(st.lists(st.integers(0, 100), min_size=1, max_size=6), st.sampled_from(EPSILONS))
def test_the_exponential_mechanism_is_equation_7(utilities: list[int], epsilon: int) -> None:
    mechanism = Exponential.within(epsilon, sensitivity=60, low=0, high=100)
    got = mechanism.distribution(utilities).probabilities()
    weights = [mechanism.base.ratio**u for u in utilities]
    assert got == tuple(weight / sum(weights) for weight in weights)
    near = [exp(epsilon / NANO * u / 120) for u in utilities]
    assert all(abs(float(p) - n / sum(near)) < 1e-5 for p, n in zip(got, near, strict=True))


@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_no_two_stores_are_further_apart_than_epsilon_at_one_draw(k: int, epsilon: int) -> None:
    tables = [(20, *rest) for rest in product((0, 20, 28, 60), repeat=k - 1)]
    exponential = Exponential.within(epsilon, sensitivity=60, low=0, high=60)
    for mechanism in (response(epsilon), exponential):
        worst = worst_draw([mechanism.distribution(table) for table in tables])
        assert is_within(worst, epsilon)
    assert float(worst_draw([response(epsilon).distribution(t) for t in tables]) or 0) > exp(epsilon / NANO) * 0.9999


def test_every_candidate_has_a_chance_under_every_store() -> None:
    for mechanism in (response(2 * NANO), Exponential.within(100 * NANO, sensitivity=1, low=-2000, high=0)):
        assert min(mechanism.distribution([0, -2000, -1]).weights) > 0


@pytest.mark.parametrize("bad", [[], [1, float("nan")], [1, float("inf")], [1.0], [True], [61], [-1], ["1"]])
def test_utilities_that_are_none_are_refused(bad: list[int]) -> None:
    with pytest.raises(ValueError, match=r"utilities|distribution"):
        Exponential.within(NANO, sensitivity=60, low=0, high=60).distribution(bad)


@pytest.mark.parametrize("epsilon", [0, -1, 1.0, float("nan"), float("inf"), True, "1"])
def test_an_epsilon_that_is_none_is_refused(epsilon: int) -> None:
    with pytest.raises(ValueError, match="above zero"):
        Exponential.within(epsilon, sensitivity=60, low=0, high=60)
    with pytest.raises(PolicyError):
        odds_within(epsilon)


def test_odds_that_spend_too_much_are_refused() -> None:
    with pytest.raises(ValueError, match="spend more"):
        RandomisedResponse(NANO, Odds(2718281829, 1000000000))
    with pytest.raises(ValueError, match="spends more"):
        Exponential(NANO, odds_within(NANO), 60, 0, 60)
    with pytest.raises(ValueError, match="sensitivity"):
        Exponential.within(NANO, sensitivity=0, low=0, high=60)
    with pytest.raises(ValueError, match="range"):
        Exponential.within(NANO, sensitivity=1, low=1, high=0)
    for weights in ((), (0, 0), (1, -1)):
        with pytest.raises(ValueError, match="weights"):
            Distribution(weights)


@pytest.mark.parametrize("weights", [(7, 1, 1, 1), (1, 7, 1, 1), (1, 1, 1, 7), (5,), (0, 3, 0, 1)])
def test_over_all_its_bytes_the_sampler_draws_each_candidate_as_often_as_its_weight(weights: tuple[int, ...]) -> None:
    bits = (sum(weights) - 1).bit_length()
    drawn: Counter[int] = Counter()
    for value in range(1 << bits):
        if value < sum(weights):
            drawn[draw(weights, lambda size, value=value: (value << (8 * size - bits)).to_bytes(size, "big"))] += 1
    assert tuple(drawn[index] for index in range(len(weights))) == weights


def test_a_value_beyond_the_bound_is_drawn_again() -> None:
    answers = iter([b"\xff", b"\xf0", b"\x80"])
    assert uniform_below(12, lambda size: next(answers)) == 8
    assert uniform_below(1, lambda size: b"" if size == 0 else b"\xff") == 0
    with pytest.raises(ValueError, match="bound"):
        uniform_below(0, lambda size: bytes(size))
    with pytest.raises(ValueError, match="negative"):
        draw((3, -1), lambda size: bytes(size))


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 10**6), st.randoms(use_true_random=False))
def test_uniform_stays_below_its_bound(bound: int, chance: object) -> None:
    assert 0 <= uniform_below(bound, chance.randbytes) < bound  # type: ignore[attr-defined]
