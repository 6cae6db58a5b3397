"""Values that are known already are found again where nothing around them gives them away.

A password is told once with the word "password" beside it and then repeated alone, or comes back from a tool inside
JSON, HTML or an address; a rule that needs the context would miss the second one. So a value is looked for as it
stands, and as those formats write it. Matching is exact and stops at the borders of numbers and Latin words.
"""

import html
import json
import re
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import quote

from keepmum_shared.taxonomy import EntityType, Level

from keepmum_edge.spans.span import PrivateSpan

MIN_LENGTH: Final = 4
"""Characters; anything shorter would be found inside ordinary text."""

Known = tuple[str, EntityType, Level]
"""A surface with the type and level under which it was found."""

_MARKS: Final = "\\%&+"
"""One of these is in every encoded form."""
_FEW: Final = 32
"""Up to so many values the text is searched once for each; from there on, once for all of them."""


def find_again(text: str, known: Iterable[Known]) -> tuple[PrivateSpan, ...]:
    """Return a span for every stretch that equals a known surface; spans may overlap, `merge` decides."""
    return Recurrences(known, [text]).spans(text)


class Recurrences:
    """Known values, made ready to be found in these texts; time does not grow with their number times the text."""

    def __init__(self, known: Iterable[Known], texts: Iterable[str]) -> None:
        may_be_encoded = any(mark in text for text in texts for mark in _MARKS)
        self._known: dict[str, tuple[EntityType, Level]] = {}
        for surface, entity_type, level in known:
            if len(surface) >= MIN_LENGTH:
                for form in (*(_encoded(surface) if may_be_encoded else ()), surface):
                    self._known.setdefault(form, (entity_type, level))
        self._lengths: dict[str, list[int]] = {}
        for head, length in sorted({(form[:MIN_LENGTH], len(form)) for form in self._known}):
            self._lengths.setdefault(head, []).append(length)
        self._starts = _starts({form[0] for form in self._known}) if len(self._known) > _FEW else None

    def spans(self, text: str) -> tuple[PrivateSpan, ...]:
        """Return a span for every stretch that equals a known value; they may overlap."""
        found = self._one_by_one(text) if self._starts is None else self._all_at_once(text, self._starts)
        return tuple(_span(surface, start, *self._known[surface]) for start, surface in found)

    def _one_by_one(self, text: str) -> Iterator[tuple[int, str]]:
        for surface in self._known:
            start = text.find(surface)
            while start >= 0:
                if not _cuts_a_word(text, start) and not _cuts_a_word(text, start + len(surface)):
                    yield start, surface
                start = text.find(surface, start + 1)

    def _all_at_once(self, text: str, starts: re.Pattern[str]) -> Iterator[tuple[int, str]]:
        for place in starts.finditer(text):
            start = place.start()
            for length in self._lengths.get(text[start : start + MIN_LENGTH], ()):
                surface = text[start : start + length]
                if surface in self._known and not _cuts_a_word(text, start + length):
                    yield start, surface


def _span(surface: str, start: int, entity_type: EntityType, level: Level) -> PrivateSpan:
    return PrivateSpan(
        start=start,
        end=start + len(surface),
        entity_type=entity_type,
        level=level,
        source="recurrence",
        certainty=90,
        surface=surface,
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


def _starts(first: set[str]) -> re.Pattern[str]:
    """Match each place where a value that begins with one of these characters may begin."""
    words = "".join(sorted(filter(_is_word, first)))
    others = "".join(sorted(character for character in first if not _is_word(character)))
    choices = [f"(?<![0-9A-Za-z])[{words}]"] if words else []
    choices += [f"[{re.escape(others)}]"] if others else []
    return re.compile("|".join(choices))


def _cuts_a_word(text: str, at: int) -> bool:
    """Say whether both neighbours of a border belong to one number or Latin word."""
    return 0 < at < len(text) and _is_word(text[at - 1]) and _is_word(text[at])


def _is_word(character: str) -> bool:
    return character.isascii() and character.isalnum()
