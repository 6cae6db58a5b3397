"""BM25, term by term, over the records of one scope (pure).

Every number that enters comes from the records that may be found: how many there are, how long they are, in how many
a term occurs. So no other record, scope or device can change a rank or a score.

Source: Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009, with the idf that is never negative.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

K1: Final = 1.2
B: Final = 0.75


def inverse_document_frequency(holding: int, documents: int) -> float:
    """Return how much a term tells that `holding` of `documents` hold; positive, the rarer the higher."""
    return float(np.log1p((documents - holding + 0.5) / (holding + 0.5)))


def saturation(lengths: NDArray[np.float32], documents: int) -> NDArray[np.float32]:
    """Return what the frequency of a term is weighed against in each document, by its length.

    Args:
        lengths: Terms of each document; those of documents that do not count are 0.
        documents: How many count, at least 1.
    """
    mean = max(1.0, float(lengths.sum()) / documents)
    result: NDArray[np.float32] = (K1 * (1 - B + B * lengths / np.float32(mean))).astype(np.float32)
    return result


def term_scores(idf: float, frequencies: NDArray[np.float32], against: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return what one term adds to the scores of documents in which it occurs that often."""
    result: NDArray[np.float32] = np.float32(idf * (K1 + 1)) * frequencies / (frequencies + against)
    return result
