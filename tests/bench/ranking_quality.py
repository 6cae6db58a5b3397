"""How good a ranking is, and how sure a difference between two is (pure).

Recall@k is the share of a question's evidence that is among the first k, averaged over questions; the reciprocal rank
is that of the first piece of evidence. Intervals are percentile bootstraps of the mean over questions, paired: both
systems are drawn with the same questions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

DEPTHS: Final = (1, 3, 5, 10)
_DRAWS: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """Figures of one system, one value a question.

    Attributes:
        recall: By depth.
        reciprocal_rank: In (0, 1], 0 where no evidence was ranked.
    """

    recall: dict[int, NDArray[np.float64]]
    reciprocal_rank: NDArray[np.float64]

    def means(self) -> dict[str, float]:
        """Return the means in per cent."""
        means = {f"recall@{depth}": float(values.mean()) for depth, values in self.recall.items()}
        means["mrr"] = float(self.reciprocal_rank.mean())
        return {name: round(100 * value, 2) for name, value in means.items()}


def quality(rankings: Sequence[Sequence[str]], evidence: Sequence[frozenset[str]]) -> Quality:
    """Judge rankings, best first, by what should be found."""
    recall: dict[int, list[float]] = {depth: [] for depth in DEPTHS}
    reciprocal = []
    for ranking, wanted in zip(rankings, evidence, strict=True):
        places = [place for place, session in enumerate(ranking, 1) if session in wanted]
        for depth, values in recall.items():
            values.append(sum(place <= depth for place in places) / len(wanted))
        reciprocal.append(1 / places[0] if places else 0.0)
    return Quality(
        recall={depth: np.array(values) for depth, values in recall.items()}, reciprocal_rank=np.array(reciprocal)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Mean of first minus second and its 95 % interval, in points of a hundred."""

    mean: float
    low: float
    high: float


def difference(first: NDArray[np.float64], second: NDArray[np.float64], *, seed: int = 0) -> Difference:
    """Compare two systems question by question."""
    gaps = first - second
    rng = np.random.default_rng(seed)
    means = np.array([gaps[rng.integers(0, len(gaps), len(gaps))].mean() for _ in range(_DRAWS)])
    low, high = np.percentile(means, (2.5, 97.5))
    return Difference(
        mean=round(100 * float(gaps.mean()), 2), low=round(100 * float(low), 2), high=round(100 * float(high), 2)
    )
