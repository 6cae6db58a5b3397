"""Weak evidence that counts beside other evidence: two thresholds, as in hysteresis thresholding (pure).

Growth     A piece beside a found name is part of it at a probability that alone would not do: "Kerri russel", 王颖春.
Expected   A stretch that the caller has a reason of its own to expect, such as a word of a list of names, is one at a
           probability that alone would not do.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
from keepmum_shared.taxonomy import EntityType
from numpy.typing import NDArray

from keepmum_inference.bioes import Stretch

LEAST_GROWTH: Final = 0.06
LEAST_GROWTH_PLAIN: Final = 0.2
"""Probabilities from which a piece beside a name is part of it; without a capital it is mostly the next word."""
_MOST_GROWTH: Final = 8
"""Pieces on either side; a rare word has no more."""


class Expected(NamedTuple):
    """A stretch that the caller expects to be of a type; code-point offsets, half-open.

    Attributes:
        least: Mean probability of the type, in (0, 1), from which it is one.
    """

    start: int
    end: int
    entity_type: EntityType
    least: float


def type_probabilities(log_probabilities: NDArray[np.float32], type_number: int) -> NDArray[np.float32]:
    """Return the probability of a type, whichever part of it, at each piece of shape (pieces, labels)."""
    first = 1 + 4 * type_number
    total: NDArray[np.float32] = np.exp(log_probabilities[:, first : first + 4]).sum(axis=1)
    return total


def grown(
    stretches: Sequence[Stretch], likely: NDArray[np.bool_], type_number: int, single: NDArray[np.bool_]
) -> list[Stretch]:
    """Return the stretches, those of one type over the pieces beside them that are likely enough of it.

    Args:
        stretches: Sorted, not overlapping.
        likely: Whether a piece has the probability of the type that is needed.
        single: Whether a stretch grows by this piece alone and no further, as by a Chinese character.
    """
    result: list[Stretch] = []
    for number, stretch in enumerate(stretches):
        if stretch.type_number != type_number:
            result.append(stretch)
            continue
        low = result[-1].last + 1 if result else 0
        high = stretches[number + 1].first if number + 1 < len(stretches) else len(likely)
        first, last = stretch.first, stretch.last
        while first > max(low, stretch.first - _MOST_GROWTH) and likely[first - 1]:
            first -= 1
            if single[first]:
                break
        while last + 1 < min(high, stretch.last + 1 + _MOST_GROWTH) and likely[last + 1]:
            last += 1
            if single[last]:
                break
        result.append(stretch._replace(first=first, last=last))
    return result


def with_expected(stretches: Iterable[Stretch], expected: Iterable[Stretch]) -> list[Stretch]:
    """Return both, sorted by their first piece, without those expected ones that others overlap."""
    found = list(stretches)
    taken = {piece for stretch in found for piece in range(stretch.first, stretch.last + 1)}
    for stretch in expected:
        pieces = range(stretch.first, stretch.last + 1)
        if taken.isdisjoint(pieces):
            found.append(stretch)
            taken.update(pieces)
    return sorted(found)
