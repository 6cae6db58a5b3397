"""The best records of a scope: relevance first, recency and importance where that leaves a choice (pure).

Equal scores are ordered newest first, then by row, so that an order never depends on how a store was filled before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from keepmum_inference.retrieval.eligible import MIDDLE_IMPORTANCE, Asking
from keepmum_inference.retrieval.index import ScopeIndex
from keepmum_inference.retrieval.relevance import relevance

RECENCY_WEIGHT: Final = 0.05
IMPORTANCE_WEIGHT: Final = 0.1
"""Beside relevance, whose deviation over a scope is about 1."""
HALF_LIFE_S: Final = 90 * 86_400
COSINE_FLOOR: Final = 0.82
COSINE_SURE: Final = 0.88
"""Of this model, a query's cosine to 97 of 100 passages that have nothing to do with it is below the floor."""
RECALL_FLOOR: Final = 0.35


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One record that was found.

    Attributes:
        key: The caller's number.
        score: Comparable within one answer only.
        matched: Share of the query's lexical weight that the record holds, in [0, 1].
        cosine: To the query; -1 where there is no vector.
    """

    key: int
    score: float
    matched: float
    cosine: float

    @property
    def strength(self) -> float:
        """How surely the record has to do with the query at all, from 0; unlike the score it knows no other record."""
        return max(self.matched, (self.cosine - COSINE_FLOOR) / (COSINE_SURE - COSINE_FLOOR))


def worth_recalling(ranked: Sequence[Ranked]) -> list[bool]:
    """Say of each record whether it is near enough to enter a prompt.

    The floor is relative to the strongest: a scope of one memory must be able to recall it.
    """
    floor = RECALL_FLOOR * max((each.strength for each in ranked), default=0.0)
    return [each.strength >= floor for each in ranked]


def best_records(
    index: ScopeIndex, terms: Sequence[str], vector: NDArray[np.float32] | None, asking: Asking, *, limit: int
) -> list[Ranked]:
    """Return the best records that have to do with the query at all, best first.

    Args:
        index: The scope; `terms` are known to its postings.
        terms: Of the query, each once.
        vector: Of the query, or None.
        asking: What may be found.
        limit: How many at most.
    """
    if not index.size:
        return []
    found = relevance(index, terms, vector, index.eligible(asking))
    related = np.flatnonzero(np.isfinite(found.records) & ((found.matched > 0) | (found.cosine >= COSINE_FLOOR)))
    created_at = index.column("created_at")[related]
    score = (
        found.records[related]
        + RECENCY_WEIGHT * np.exp2(-(asking.now - created_at).clip(min=0) / HALF_LIFE_S)
        + IMPORTANCE_WEIGHT * (index.column("importance")[related] / MIDDLE_IMPORTANCE - 1)
    )
    least = np.partition(score, -limit)[-limit] if len(related) > limit else -np.inf
    hopeful = np.flatnonzero(score >= least)
    order = hopeful[np.lexsort((-related[hopeful], -created_at[hopeful], -score[hopeful]))][:limit]
    keys = index.column("key")
    return [
        Ranked(
            key=int(keys[row]),
            score=float(scored),
            matched=float(found.matched[row]),
            cosine=float(found.cosine[row]),
        )
        for row, scored in zip(related[order], score[order], strict=True)
    ]
