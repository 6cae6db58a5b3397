"""No span ends inside a character as people see it (pure): half of a "4️⃣" or of "é" is no value, and tells its rest.

A border moves out over what belongs to the character before it: combining marks, variation selectors, joiners, tints of
skin, the vowels and finals of taken-apart Hangul; and over a pictograph that a joiner ties to one before.

Source: Unicode Standard Annex 29, rules GB4, GB6 to GB9a and GB11, by general category.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from keepmum_edge.spans.span import PrivateSpan

_JOINER: Final = "\u200d"


def with_whole_graphemes(text: str, spans: Iterable[PrivateSpan]) -> Iterator[PrivateSpan]:
    """Yield the spans, sorted and not overlapping as they came and as they stay, with borders between graphemes."""
    sorted_spans = list(spans)
    if text.isascii():
        yield from sorted_spans
        return
    free = 0
    for i, span in enumerate(sorted_spans):
        start, end = span.start, span.end
        high = sorted_spans[i + 1].start if i + 1 < len(sorted_spans) else len(text)
        while start > free and _continues(text, start):
            start -= 1
        while end < high and _continues(text, end):
            end += 1
        moved = (start, end) != (span.start, span.end)
        yield replace(span, start=start, end=end, surface=text[start:end]) if moved else span
        free = end


def _continues(text: str, at: int) -> bool:
    """Whether the character at a place, which is neither the first nor beyond the end, continues the one before it."""
    character, before = text[at], text[at - 1]
    if character.isascii() or unicodedata.category(before) == "Cc":
        return False
    if character == _JOINER or unicodedata.category(character)[0] == "M":
        return True
    if "\U0001f3fb" <= character <= "\U0001f3ff" or "\U000e0020" <= character <= "\U000e007f":
        return True
    if "\u1160" <= character <= "\u11ff":
        return "\u1100" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7a3"
    return before == _JOINER and unicodedata.category(character) == "So"
