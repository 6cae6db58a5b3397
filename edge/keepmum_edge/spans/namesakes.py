"""A name that one place gave away is found again wherever else it stands (pure); `name_index` says in which forms."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from keepmum_shared.taxonomy import EntityType, Level, default_level

from keepmum_edge.spans.merge import merge
from keepmum_edge.spans.name_index import NameIndex
from keepmum_edge.spans.normalise import read
from keepmum_edge.spans.span import PrivateSpan

SOURCE: Final = "namesake"

_CERTAINTY: Final = 65
_MIN_REST: Final = 3
"""Characters of what another find leaves of a name; fewer are no name."""

_Place = tuple[int, int, int, int]
"""Rank (`name_index.Place`), length below zero, start and end in the text: in order, the surest and longest first."""


def private_names(spans: Iterable[PrivateSpan]) -> list[str]:
    """Return the names among spans, but for those that pass as public (PL1)."""
    return [s.surface for s in spans if s.entity_type is EntityType.NAME and s.level is not Level.PL1]


class Namesakes:
    """Finds known names in texts."""

    def __init__(self, names: Iterable[str]) -> None:
        self._index = NameIndex(names)

    def added_to(self, text: str, found: Sequence[PrivateSpan]) -> tuple[PrivateSpan, ...]:
        """Add every further occurrence of the names to what was found in a text.

        A public name of which any part is one of the names is private here. An occurrence makes a found piece of a
        name whole, or fills a gap; it never moves the border between two finds ("Zhang Wei, Zhang Li" holds no "Wei,
        Zhang").

        Args:
            text: Any text.
            found: Sorted by `start`, not overlapping.

        Returns:
            All spans, sorted by `start`, not overlapping.
        """
        if not self._index:
            return tuple(found)
        places = self._places(text)
        found = _taken_back(found, places)
        names = {(s.start, s.end) for s in found if s.entity_type is EntityType.NAME}
        taken = [(span.start, span.end) for span in found]
        again: list[PrivateSpan] = []
        for _, _, start, end in sorted(places):  # whole ones first, then the longest
            first = max(bisect_right(taken, (start, start)) - 1, 0)
            touched = [t for t in taken[first : bisect_left(taken, (end, end))] if t[1] > start]
            if len(touched) == 1 and touched[0] in names and start <= touched[0][0] and touched[0][1] <= end:
                if touched[0] == (start, end):
                    continue
                del taken[bisect_left(taken, touched[0])]
                touched = []
            for gap in _gaps(text, start, end, touched):
                insort(taken, gap)
                again.append(_span(text, *gap))
        return merge(text, found, again) if again else tuple(found)

    def taken_back(self, text: str, found: Sequence[PrivateSpan]) -> tuple[PrivateSpan, ...]:
        """Return what was found in a text, but no name as public of which any part is one of the names.

        Sorted and not overlapping as it came; only levels change. `added_to` does this too.
        """
        if not self._index or all(span.level is not Level.PL1 for span in found):
            return tuple(found)
        return _taken_back(found, self._places(text))

    def _places(self, text: str) -> set[_Place]:
        reading = read(text)
        return {(p.rank, p.start - p.end, *reading.original(p.start, p.end)) for p in self._index.places(reading.text)}


def _taken_back(found: Sequence[PrivateSpan], places: Iterable[_Place]) -> tuple[PrivateSpan, ...]:
    """Make every public name private that a place touches, and what stands alone for one: Newton for Isaac Newton."""
    public = [span for span in found if span.level is Level.PL1 and span.entity_type is EntityType.NAME]
    if not public:
        return tuple(found)
    starts = [span.start for span in public]
    lost: set[PrivateSpan] = set()
    for _, _, start, end in places:
        first = max(bisect_right(starts, start) - 1, 0)
        lost.update(span for span in public[first : bisect_left(starts, end)] if span.end > start)
    words = {word for span in lost for word in span.surface.casefold().split()}
    lost.update(span for span in public if span.surface.casefold() in words)
    return tuple(replace(span, level=default_level(EntityType.NAME)) if span in lost else span for span in found)


def _gaps(text: str, start: int, end: int, taken: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield what taken stretches leave of one, without blanks and marks at the ends."""
    for low, high in zip([start, *(t[1] for t in taken)], [*(t[0] for t in taken), end], strict=True):
        left, right = low, high
        while left < right and not text[left].isalnum():
            left += 1
        while left < right and not text[right - 1].isalnum():
            right -= 1
        if right - left >= (_MIN_REST if taken else 1):
            yield left, right


def _span(text: str, start: int, end: int) -> PrivateSpan:
    return PrivateSpan(
        start=start,
        end=end,
        entity_type=EntityType.NAME,
        level=default_level(EntityType.NAME),
        source=SOURCE,
        certainty=_CERTAINTY,
        surface=text[start:end],
    )
