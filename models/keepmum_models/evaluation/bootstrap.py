"""Intervals by resampling texts (pure): the percentile bootstrap of Efron and Tibshirani 1993, chapter 13."""

from collections.abc import Callable, Sequence
from dataclasses import astuple
from typing import Final

import numpy as np

from keepmum_models.evaluation.scoring import Counts

DRAWS: Final = 1000
SEED: Final = 20261130
TAILS: Final = (2.5, 97.5)
"""Percentiles of a 95 % interval."""


def interval(
    counts: Sequence[Counts], figure: Callable[[Counts], float | None], *, draws: int = DRAWS, seed: int = SEED
) -> tuple[float, float] | None:
    """Return the 95 % interval of a figure, or None where fewer than two texts or no draw gives it.

    Args:
        counts: One per text.
        figure: Computed from sums over texts; None where it is not defined, and such draws are left out.
        draws: How many samples of as many texts, with replacement.
        seed: The same seed, the same interval.
    """
    if len(counts) < 2:
        return None
    table = np.array([astuple(one) for one in counts], dtype=float)
    rng = np.random.default_rng(seed)
    samples = rng.multinomial(len(table), np.full(len(table), 1 / len(table)), draws) @ table
    names = Counts.__slots__
    values = [figure(Counts(**dict(zip(names, map(float, row), strict=True)))) for row in samples]
    defined = [value for value in values if value is not None]
    if not defined:
        return None
    low, high = np.percentile(defined, TAILS)
    return float(low), float(high)
