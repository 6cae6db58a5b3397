"""Which words and values belong to training and which to the held-back users.

A hash of the word decides, so the two sides are disjoint whatever the seeds. Names, streets and firms are split by
their components, other values as a whole; what a language has only a handful of (illnesses, faiths) is not split.
"""

import unicodedata
import zlib
from collections.abc import Sequence
from enum import Enum
from functools import cache

_PARTS = 12


def normal_form(surface: str) -> str:
    """Return what two spellings of one value have in common: width, case and blanks do not count."""
    return "".join(unicodedata.normalize("NFKC", surface).casefold().split())


def is_held_back(surface: str) -> bool:
    """Whether the word or value belongs to the held-back users."""
    return zlib.crc32(normal_form(surface).encode()) % _PARTS == 0


class Split(Enum):
    """Side of the corpus."""

    TRAINING = "training"
    HELD_BACK = "held-back"

    def admits(self, surface: str) -> bool:
        """Whether this side may use the word or value."""
        return is_held_back(surface) == (self is Split.HELD_BACK)

    def part(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the words of this side.

        Raises:
            ValueError: there are none; the list is too short to be split.
        """
        return _part(self, tuple(words))


@cache
def _part(split: Split, words: tuple[str, ...]) -> tuple[str, ...]:
    part = tuple(word for word in words if split.admits(word))
    if not part:
        raise ValueError(f"none of {len(words)} words is left for {split.value}")
    return part
