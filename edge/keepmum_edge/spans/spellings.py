"""In which other spellings a known value is looked for (pure).

Folded   As `normalise` reads it and in lower case: BRIGHTWELL, ４４７１, a mark of no width inside. Not a single
         everyday word (`ordinary_words`): who works at Shell may find a shell. A single word that has its capital as a
         name has ("Brightwell") is meant by a lower-case one only where nobody writes capitals (`has_no_capitals`).
Compact  Letters and digits alone, for what has a digit, and for long phrases: QX-77120 is also qx77120, a PIN 44 71 or
         4-4-7-1. A short value may be divided by one mark at a time, a long one by two. Not a year: 2,000 may be 2000.

Names have rules of their own (`name_index`), and of an IP address the dots are all that holds it together.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from keepmum_shared.taxonomy import EntityType, Level, default_level

from keepmum_edge.spans.normalise import read
from keepmum_edge.spans.ordinary_words import is_ordinary

MIN_LENGTH: Final = 4
"""Characters; anything shorter would be found inside ordinary text."""
_LONG: Final = 8
"""Letters and digits from which a value without a digit, or divided by two marks, is no accident."""
_LINE: Final = 200
"""Characters on either side that are looked at for capitals."""
_LONGEST: Final = 64
"""Letters and digits of what is looked for without its marks; bounds the time of one place."""

_RUN: Final = re.compile(r"[0-9A-Za-z]+|[^\W_]")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_ONE_MARK: Final = re.compile(r"[ \-._/]|,(?=\d{3}(?!\d))")


def folded(value: str, entity_type: EntityType) -> str | None:
    """Return a value as it is looked for in the lower case of a reading, None where that would be too much."""
    key = read(value).lower
    if entity_type is EntityType.NAME or len(key) < MIN_LENGTH or is_ordinary(key):
        return None
    return key


def is_capitalised(value: str, entity_type: EntityType) -> bool:
    """Whether a value is one word with a capital that it has as a name, not as a secret or for its place."""
    return value.isalpha() and value[:1].isupper() and default_level(entity_type) is Level.PL2


def has_no_capitals(text: str, start: int, end: int) -> bool:
    """Whether the line around a word has no capitals: there a name would have none either."""
    before = text[max(0, start - _LINE) : start].rpartition("\n")[2]
    after = text[end : end + _LINE].partition("\n")[0]
    return before == before.lower() and after == after.lower()


def compact(value: str, entity_type: EntityType) -> str | None:
    """Return the letters and digits of a value, folded; None where looking for them alone would be too much."""
    if entity_type in (EntityType.NAME, EntityType.IP_ADDRESS) or value.isalpha():
        return None
    key = "".join(_RUN.findall(read(value).lower))
    if not MIN_LENGTH <= len(key) <= _LONGEST or _YEAR.fullmatch(key):
        return None
    return key if len(key) >= _LONG or any(map(str.isdigit, key)) else None


class CompactValues:
    """Values without their marks, made ready to be found in any text."""

    def __init__(self, keys: Iterable[str]) -> None:
        """Index what `compact` returned."""
        self._keys = sorted(set(keys))

    def places(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield where a value stands in the lower case of a reading, half-open, and its key; they may overlap.

        No number or Latin word is cut. Time is linear in the text and grows as the logarithm of the number of values.
        """
        if not self._keys:
            return
        runs = [(found.start(), found.end()) for found in _RUN.finditer(text)]
        divided = [_gap(text, before[1], after[0]) for before, after in pairwise(runs)]
        for first, (start, end) in enumerate(runs):
            key, widest, last = text[start : min(end, start + _LONGEST + 1)], 0, first
            while (at := bisect_left(self._keys, key)) < len(self._keys) and self._keys[at].startswith(key):
                if self._keys[at] == key and widest <= (2 if len(key) >= _LONG else 1):
                    yield start, runs[last][1], key
                if last == len(divided) or divided[last] > 2:
                    break
                widest, last = max(widest, divided[last]), last + 1
                key += text[runs[last][0] : min(runs[last][1], runs[last][0] + _LONGEST + 1)]


def _gap(text: str, start: int, end: int) -> int:
    """Return how far two runs are apart: 0 not at all, 1 by a mark that divides numbers, 2 by others, 3 too far."""
    if start == end:
        return 0
    if end - start == 1 and _ONE_MARK.match(text, start):
        return 1
    return 2 if end - start <= 2 else 3
