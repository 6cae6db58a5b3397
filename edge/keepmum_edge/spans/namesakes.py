"""A name that was found once is found again in the same text, where it stands alone or in lower case (pure).

Of "Sigrid Tanaka" also "Sigrid", "Tanaka" and "sigrid tanaka" are the person. A part is looked for as it is written
only: in lower case "will" or "rose" are ordinary words. A Chinese name has no borders, so it is looked for whole.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.span import PrivateSpan

SOURCE: Final = "namesake"

_PART: Final = re.compile(r"[^\W\d_][\w'’-]+")
_SHORTEST_PART: Final = 3
_SHORTEST_CHINESE: Final = 2
_MOST: Final = 200
"""Names looked for again in one text: more is a list, in which each stands with its context."""


def find_namesakes(text: str, found: Iterable[PrivateSpan]) -> tuple[PrivateSpan, ...]:
    """Return a span for every further occurrence of a name among `found`; spans may overlap, `merge` decides."""
    names = {span.surface: span for span in found if span.entity_type is EntityType.NAME}
    return tuple(
        again
        for surface, span in list(names.items())[:_MOST]
        for pattern in _patterns(surface)
        for again in _occurrences(text, pattern, span)
    )


def _patterns(surface: str) -> Iterator[re.Pattern[str]]:
    if not surface.isascii() and not any(c.isascii() and c.isalpha() for c in surface):
        if len(surface) >= _SHORTEST_CHINESE:
            yield re.compile(re.escape(surface))
        return
    words = _PART.findall(surface)
    if len(words) > 1 or len(surface) > _SHORTEST_PART:
        yield _whole(surface, re.IGNORECASE if len(words) > 1 else 0)
    for word in words if len(words) > 1 else ():
        if len(word) >= _SHORTEST_PART and word[0].isupper():
            yield _whole(word, 0)


def _whole(words: str, flags: int) -> re.Pattern[str]:
    """Match words between borders; ASCII ones, for Chinese on either side is no part of a Latin word."""
    return re.compile(rf"(?<![A-Za-z0-9_]){re.escape(words)}(?![A-Za-z0-9_])", flags)


def _occurrences(text: str, pattern: re.Pattern[str], span: PrivateSpan) -> Iterator[PrivateSpan]:
    for match in pattern.finditer(text):
        if not (span.start <= match.start() and match.end() <= span.end):
            yield PrivateSpan(
                start=match.start(),
                end=match.end(),
                entity_type=span.entity_type,
                level=span.level,
                source=SOURCE,
                certainty=max(span.certainty - 10, 0),
                surface=match[0],
            )
