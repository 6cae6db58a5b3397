"""The figures that the views are for, on a few generated pairs; `bench_views.py` prints them for all."""

import math
from fractions import Fraction

import pytest
from bench_views import OURS, highest, targets
from keepmum_shared.view import NANO
from paired_stores import POSITIONS, ceiling, pairs, policy_of
from view_figures import MODES, arriving, figures

PAIRS = {facets: list(pairs(16, facets)) for facets in (1, 2, 3)}


@pytest.fixture(scope="module")
def table() -> dict[str, object]:
    return {mode.name: figures(mode, PAIRS[mode.facets]) for mode in MODES}


@pytest.mark.parametrize(("facets", "wanted"), [(1, 711), (2, 475), (3, 394)])
def test_the_ceilings_are_those_of_the_issue(facets: int, wanted: int) -> None:
    assert abs(ceiling(Fraction(2, facets)) - Fraction(wanted, 1000)) < Fraction(1, 1000)


def test_ours_reaches_its_ceiling_and_is_above_every_mode_of_the_paper_within_the_budget(
    table: dict[str, object],
) -> None:
    found = targets(table)  # type: ignore[arg-type]
    assert all(each["met"] for each in found.values()), found
    for mode in MODES:
        each = table[mode.name]
        assert 0 < each.spent <= 2 * NANO  # type: ignore[attr-defined]
        if mode.name.startswith("ours"):
            assert abs(each.right - highest(mode)) < 0.001  # type: ignore[attr-defined]
            assert abs(each.unsupported - (1 - highest(mode))) < 0.001  # type: ignore[attr-defined]


@pytest.mark.parametrize("facets", [1, 2, 3])
def test_the_pairs_are_as_the_paper_makes_them(facets: int) -> None:
    made = PAIRS[facets]
    assert sum(pair.overlaps is not None for pair in made) == len(made) // 4
    for pair in made:
        policy = policy_of(pair)
        assert len(pair.records) == POSITIONS
        assert 4 <= sum(record.differs for record in pair.records) <= 6
        assert all(pair.target in policy.layout.gamma(r.slot) for r in pair.records if r.differs)  # type: ignore[arg-type]
        kinds = [turn.kind for turn in pair.turns]
        assert [kinds.count(kind) for kind in ("target", "domain", "distractor")] == [8, 4, 4]
        assert pair.overlaps is None or pair.overlaps in policy.layout.gamma(pair.turns[kinds.index("target")].slot)  # type: ignore[arg-type]
    assert made == list(pairs(16, facets))


def test_who_starts_empty_gets_better_views_by_waiting_for_the_first_date() -> None:
    soon, later = (arriving(OURS, PAIRS[1], days) for days in (0, 14))
    after = [math.fsum(each for each in curve[30:]) / 30 for curve in (soon, later)]
    assert after[1] > 2 * after[0]
    assert all(math.isnan(right) or right == 0 for right in later[:14])
