"""Intervals by resampling texts (pure): the percentile bootstrap of Efron and Tibshirani 1993, chapter 13."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, fields
from typing import Final

import numpy as np

from keepmum_models.evaluation.scoring import Counts

DRAWS: Final = 1000
SEED: Final = 20261130
TAILS: Final = (2.5, 97.5)
"""Percentiles of a 95 % interval."""


def intervals(
    counts: Sequence[Counts],
    figures: Mapping[str, Callable[[Counts], float | None]],
    *,
    draws: int = DRAWS,
    seed: int = SEED,
) -> dict[str, tuple[float, float]]:
    """Return the 95 % interval of each figure; of none where there are fewer than two texts.

    Args:
        counts: One per text.
        figures: Computed from sums over texts; None where one is not defined. Such draws are left out, and a figure
            that no draw defines has no interval.
        draws: How many samples of as many texts, with replacement.
        seed: The same seed, the same intervals.
    """
    if len(counts) < 2:
        return {}
    table = np.array([astuple(one) for one in counts], dtype=float)
    rng = np.random.default_rng(seed)
    sums = rng.multinomial(len(table), np.full(len(table), 1 / len(table)), draws) @ table
    names = [f.name for f in fields(Counts)]
    samples = [Counts(**dict(zip(names, row, strict=True))) for row in sums.tolist()]
    found: dict[str, tuple[float, float]] = {}
    for name, figure in figures.items():
        values = [value for value in map(figure, samples) if value is not None]
        if values:
            low, high = np.percentile(values, TAILS)
            found[name] = float(low), float(high)
    return found
