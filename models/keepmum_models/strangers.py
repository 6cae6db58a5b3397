"""Unheard-of names for training: pieces of a name swapped for other pieces of the same shape (pure).

A set with few people teaches those people by heart. A name whose pieces are drawn at random can only be known by its
place in the sentence, which is what holds for the people that training never saw.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from keepmum_shared.taxonomy import EntityType
from numpy.typing import NDArray

from keepmum_models.vocabulary import BLANK, is_chinese

SWAPPED: Final = frozenset({EntityType.NAME, EntityType.USERNAME, EntityType.ORGANIZATION, EntityType.ADDRESS})
"""Types of which the characters say little and the context much."""

_FEW: Final = 50


class Strangers:
    """Swaps pieces inside the vocabulary of one tokenizer."""

    def __init__(self, vocabulary: Mapping[str, int], *, share: float, rng: random.Random) -> None:
        """Sort the vocabulary by shape.

        Args:
            vocabulary: Piece to number.
            share: Share of the spans that are swapped, in [0, 1].
            rng: Which, and for what.
        """
        self._share = share
        self._rng = rng
        by_shape: dict[str, list[int]] = {}
        for piece, number in vocabulary.items():
            by_shape.setdefault(_shape(piece), []).append(number)
        self._alike: dict[int, Sequence[int]] = {
            number: numbers
            for shape, numbers in by_shape.items()
            if shape and len(numbers) >= _FEW
            for number in numbers
        }

    def swap(self, ids: NDArray[np.int64], spans: Sequence[tuple[int, int, EntityType]]) -> NDArray[np.int64]:
        """Return the pieces with some spans (half-open, in pieces) swapped."""
        chosen = [s for s in spans if s[2] in SWAPPED and self._rng.random() < self._share]
        if not chosen:
            return ids
        changed = ids.copy()
        for start, end, _ in chosen:
            for place in range(start, end):
                alike = self._alike.get(int(ids[place]))
                if alike is not None:
                    changed[place] = self._rng.choice(alike)
        return changed


def _shape(piece: str) -> str:
    """Return what a swap keeps; empty where nothing may take a piece's place (marks, digits, single letters)."""
    core = piece.removeprefix(BLANK)
    if len(core) == 1 and is_chinese(core):
        return "chinese"
    if len(core) < 2 or not core.isalpha() or not core.isascii():
        return ""
    case = "Upper" if core[0].isupper() else "lower"
    return f"{BLANK if piece.startswith(BLANK) else ''}{case}"
