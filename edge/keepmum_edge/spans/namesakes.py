"""A name that one place gave away is found again wherever else it stands (pure); `name_index` says in which forms."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
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


def private_names(spans: Iterable[PrivateSpan]) -> list[str]:
    """Return the names among spans, but for those that pass as public (PL1)."""
    return [s.surface for s in spans if s.entity_type is EntityType.NAME and s.level is not Level.PL1]


class Namesakes:
    """Finds known names in texts."""

    def __init__(self, names: Iterable[str]) -> None:
        self._index = NameIndex(names)

    def added_to(self, text: str, found: Sequence[PrivateSpan]) -> tuple[PrivateSpan, ...]:
        """Add every further occurrence of the names to what was found in a text.

        An occurrence makes a found piece of a name whole, or fills a gap; it never moves the border between two finds
        ("Zhang Wei, Zhang Li" holds no "Wei, Zhang").

        Args:
            text: Any text.
            found: Sorted by `start`, not overlapping.

        Returns:
            All spans, sorted by `start`, not overlapping.
        """
        if not self._index:
            return tuple(found)
        reading = read(text)
        places = {
            (p.rank, p.start - p.end, *reading.original(p.start, p.end)) for p in self._index.places(reading.text)
        }
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

    def covers(self, surface: str) -> bool:
        """Say whether a surface is one of the names, or nothing but parts of them."""
        found = self.added_to(surface, ())
        letters = [i for i, character in enumerate(surface) if character.isalnum()]
        return len(found) == 1 and bool(letters) and found[0].start <= letters[0] and letters[-1] < found[0].end


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
