"""BM25 over the memories of one scope (pure).

Every number that enters comes from that scope alone: how many memories it has, how long they are, in how many a term
occurs. So no memory of another scope or device can change a rank or a score. Higher is better; equal scores are ordered
newest first, then by id, so that an order never depends on the history of the store.

Source: Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009, with the idf that is never negative.
"""

import math
from dataclasses import dataclass
from typing import Final

K1: Final = 1.2
B: Final = 0.75
RECALL_LIMIT: Final = 6
RECALL_FLOOR: Final = 0.35


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeStatistics:
    """What BM25 has to know of a scope.

    Attributes:
        memories: How many there are, at least 1.
        length: Terms of all of them together.
        shortest: Terms of the shortest that there ever was; for bounds only, it enters no score.
    """

    memories: int
    length: int
    shortest: int

    @property
    def mean_length(self) -> float:
        """Terms of one memory on average, at least 1."""
        return max(1.0, self.length / self.memories)


def inverse_document_frequency(memories_with_term: int, scope: ScopeStatistics) -> float:
    """Return how much a term tells; positive, the rarer the higher."""
    return math.log(1 + (scope.memories - memories_with_term + 0.5) / (memories_with_term + 0.5))


def term_score(idf: float, frequency: int, length: int, mean_length: float) -> float:
    """Return what one term adds to the score of a memory of `length` terms in which it occurs `frequency` times."""
    return idf * frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * length / mean_length))


def upper_bound(idf: float, most_frequent: int, scope: ScopeStatistics) -> float:
    """Return a value that `term_score` never passes in that scope, if the term is in no memory more often than that."""
    return term_score(idf, most_frequent, scope.shortest, scope.mean_length)


def above_floor(scores: list[float]) -> int:
    """Return how many of the scores, best first, are good enough to enter a prompt.

    The floor is relative: BM25 has no absolute scale, and a scope of one memory must be able to recall it.
    """
    return sum(score >= RECALL_FLOOR * scores[0] for score in scores[:RECALL_LIMIT]) if scores else 0
