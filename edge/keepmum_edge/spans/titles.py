"""The title before a name belongs to it: "Mr. Tanaka" left as "Mr. <NAME_1>" tells the sex, "Dr." the trade (pure)."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.span import PrivateSpan

_TITLE: Final = re.compile(
    r"(?<![A-Za-z])(?:Mrs?|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Rev|Herr|Frau|Mme|Mlle|Sra?|Señora?)\.?[ \u00a0]{1,2}$",
    re.IGNORECASE,
)
_LONGEST: Final = 14
"""Characters before a name that are looked at."""


def with_titles(text: str, spans: Iterable[PrivateSpan]) -> Iterator[PrivateSpan]:
    """Yield the spans, sorted and not overlapping as they came, names with the title before them."""
    free = 0
    for span in spans:
        if span.entity_type is EntityType.NAME:
            before = max(free, span.start - _LONGEST)
            title = _TITLE.search(text[before : span.start])
            if title is not None:
                start = before + title.start()
                yield replace(span, start=start, surface=text[start : span.end])
                free = span.end
                continue
        yield span
        free = span.end
