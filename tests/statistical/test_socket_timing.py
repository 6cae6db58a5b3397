"""Turns leave at a time that tells nothing of what an edge holds or is writing; edges that tell are caught.

    pytest -m slow -n 0 tests/statistical

KEEPMUM_TIMING_PAIRS, KEEPMUM_TIMING_PENDING_PAIRS (2000) and KEEPMUM_TIMING_CAUGHT_PAIRS (200) say how many pairs are
measured, KEEPMUM_TIMING_SEED (1) in what order. 2000 pairs take about twenty minutes on two cores, and those with 200
records pending forty. A machine that is busy otherwise fails the A/A controls first.
"""

import os
import random
from typing import Any, Final

import pytest
from statistical.socket_timing import TURNS, WRITES, Comparison, compare, run

COMPARISONS: Final = (*TURNS, *WRITES)


def given(name: str, otherwise: int) -> int:
    return int(os.environ.get(f"KEEPMUM_TIMING_{name}", otherwise))


@pytest.fixture(scope="module")
def found() -> dict[str, dict[str, Any]]:
    """What every comparison found."""
    return run(given("PAIRS", 2000), given("PENDING_PAIRS", 2000), given("CAUGHT_PAIRS", 200), 400, given("SEED", 1))


@pytest.mark.slow
@pytest.mark.parametrize("comparison", COMPARISONS, ids=lambda each: each.name)
def test_an_edge_leaves_at_the_same_time_whatever_it_holds_and_a_leak_is_caught(
    found: dict[str, dict[str, Any]], comparison: Comparison
) -> None:
    assert found[comparison.name]["met"], found[comparison.name]


def test_series_of_one_kind_pass_and_a_small_steady_difference_or_a_few_late_ones_do_not() -> None:
    chance = random.Random(3)
    one, same, later = ([50 + shift + chance.expovariate(1) for _ in range(800)] for shift in (0, 0, 0.2))
    sometimes = [value + (100 if number % 8 == 0 else 0) for number, value in enumerate(same)]
    assert compare(one, same).alike
    assert not compare(one, later).alike
    assert not compare(one, sometimes).alike
