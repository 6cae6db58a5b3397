"""Values that are known already are found again where nothing around them gives them away.

A password is told once with the word "password" beside it and then repeated alone, or comes back from a tool inside
JSON, HTML or an address; a rule that needs the context would miss the second one. So a value is looked for as it
stands, as those formats write it, and in other spellings (`spellings`). No number or Latin word is cut.
"""

import html
import json
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import quote

from keepmum_shared.taxonomy import EntityType, Level

from keepmum_edge.spans.normalise import read
from keepmum_edge.spans.phrases import Phrases
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.spans.spellings import MIN_LENGTH, CompactValues, compact, folded, has_no_capitals, is_capitalised

Known = tuple[str, EntityType, Level]
"""A surface with the type and level under which it was found."""

_Kinds = dict[str, tuple[EntityType, Level]]
"""What is looked for, with its type and level; of several values that are written alike the first counts."""

_DISTINCT_FROM: Final = 6
"""Characters of the shortest value that is no accident."""
_MARKS: Final = "\\%&+"
"""One of these is in every encoded form."""


def find_again(text: str, known: Iterable[Known]) -> tuple[PrivateSpan, ...]:
    """Return a span for every stretch that equals a known surface; spans may overlap, `merge` decides."""
    return Recurrences(known, [text]).spans(text)


def is_distinct(value: str) -> bool:
    """Whether a value is no ordinary word or number, wherever it stands: long enough, with a digit or a mark."""
    return len(value) >= _DISTINCT_FROM and not value.isalpha() and not (value.isdigit() and len(value) < 8)


class Recurrences:
    """Known values, made ready to be found in these texts; time does not grow with their number times the text."""

    def __init__(self, known: Iterable[Known], texts: Iterable[str], *, respelled: bool = True) -> None:
        """Index values to be found in some texts; `respelled`: also in other spellings (`spellings`)."""
        may_be_encoded = any(mark in text for text in texts for mark in _MARKS)
        self._written: _Kinds = {}
        self._folded: _Kinds = {}
        self._compact: _Kinds = {}
        self._capitalised: set[str] = set()
        for surface, entity_type, level in known:
            if len(surface) >= MIN_LENGTH:
                for form in (*(_encoded(surface) if may_be_encoded else ()), surface):
                    self._written.setdefault(form, (entity_type, level))
            if not respelled:
                continue
            if (key := folded(surface, entity_type)) is not None:
                self._folded.setdefault(key, (entity_type, level))
                if is_capitalised(surface, entity_type):
                    self._capitalised.add(key)
            if (key := compact(surface, entity_type)) is not None:
                self._compact.setdefault(key, (entity_type, level))
        self._phrases, self._folded_phrases = _phrases(self._written), _phrases(self._folded)
        self._values = CompactValues(self._compact)

    def spans(self, text: str) -> tuple[PrivateSpan, ...]:
        """Return spans for every stretch that is a known value; they may overlap, and what is inside one may lack."""
        found: dict[tuple[int, int], tuple[EntityType, Level]] = {}
        for start, end in self._phrases.places(text):
            found[start, end] = self._written[text[start:end]]
        if self._folded or self._compact:
            for start, end, kind in self._respelled(text):
                found.setdefault((start, end), kind)
        return tuple(_span(text, start, end, *kind) for (start, end), kind in found.items())

    def _respelled(self, text: str) -> Iterator[tuple[int, int, tuple[EntityType, Level]]]:
        reading = read(text)
        for start, end in self._folded_phrases.places(reading.lower):
            key = reading.lower[start:end]
            is_small = key in self._capitalised and reading.text[start:end].islower()
            if not is_small or has_no_capitals(reading.text, start, end):
                yield *reading.original(start, end), self._folded[key]
        for start, end, key in self._values.places(reading.lower):
            yield *reading.original(start, end), self._compact[key]


def _phrases(kinds: _Kinds) -> Phrases:
    return Phrases({phrase: level for phrase, (_, level) in kinds.items()})


def _span(text: str, start: int, end: int, entity_type: EntityType, level: Level) -> PrivateSpan:
    return PrivateSpan(
        start=start,
        end=end,
        entity_type=entity_type,
        level=level,
        source="recurrence",
        certainty=90,
        surface=text[start:end],
    )


def _encoded(surface: str) -> set[str]:
    r"""Return how JSON (also as PHP and Go write it), HTML and addresses write a surface, where it differs."""
    if surface.isascii() and surface.isalnum():
        return set()
    forms = {html.escape(surface, quote=False), html.escape(surface), html.escape(surface).replace("&#x27;", "&#39;")}
    percent = quote(surface, safe="", errors="replace")
    forms |= {percent, percent.replace("%2F", "/"), percent.replace("%20", "+")}
    for text in (json.dumps(surface)[1:-1], json.dumps(surface, ensure_ascii=False)[1:-1]):
        forms |= {text, text.replace("/", "\\/")}
        forms.add(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))
    return forms - {surface}
