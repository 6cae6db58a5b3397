"""What of a postal address stands beside the found part of it (pure).

Crossing    "Elm St and Bay Rd 15", "the corner of 7 Elm St and Bay Rd": two streets on one line are one place.
Letterhead  Where a text is nothing but an address, its first line says whose: that of a firm is found nowhere else.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from keepmum_shared.taxonomy import EntityType, default_level

from keepmum_edge.spans.span import PrivateSpan

SOURCE: Final = "letterhead"

_CERTAINTY: Final = 60
_JOINT: Final = re.compile(r" (?:and|&|at|y|und|et) ", re.IGNORECASE)
_OF_CORNER: Final = r"(?:at )?(?:the )?(?:corner|intersection|crossing|junction) of "
_CORNER: Final = re.compile(_OF_CORNER, re.IGNORECASE)
_CORNER_AHEAD: Final = re.compile(rf"{_OF_CORNER}\Z", re.IGNORECASE)
_NOTHING_AHEAD: Final = re.compile(r"(?:^|[.!?:\n])[ \t]*\Z")
_NOTHING_BEHIND: Final = re.compile(r"[ \t]*(?:[.!?,\n]|\Z)")
_CORNER_LENGTH: Final = 30
_STREETS: Final = frozenset({EntityType.NAME, EntityType.ADDRESS, EntityType.ORGANIZATION})
_REACH: Final = frozenset({EntityType.ADDRESS, EntityType.POSTCODE, EntityType.PHONE, EntityType.EMAIL})
_LONGEST_TEXT: Final = 400
"""Characters; what is longer is not an address alone."""
_LEAST_COVERED: Final = 0.6
"""Share of letters and digits below the first line that were found to be an address or another way to reach it."""
_FIRST_LINE: Final = re.compile(r"\s*(\S[^\n]*?)\s*\n")
_MOST_WORDS: Final = 8
_NO_ADDRESSEE: Final = re.compile(
    r"[:：?!]|[0-9]{3}|\b(?:address|adresse|location|venue|office|where|ship|deliver|send|mail|from|meet|my|your|our|the"
    r"|this|here|home|work|hi|hello|dear|is|was|are|at|in)\b",
    re.IGNORECASE,
)
"""A first line that says what follows, or is a sentence, is no name."""


def with_whole_addresses(text: str, spans: Iterable[PrivateSpan]) -> tuple[PrivateSpan, ...]:
    """Return the spans, sorted and not overlapping as they came, with whole addresses and the name on a letterhead."""
    found = _with_crossings(text, list(spans))
    head = _letterhead(text, found)
    return tuple(found) if head is None else (head, *found)


def _with_crossings(text: str, spans: list[PrivateSpan]) -> list[PrivateSpan]:
    joined: list[PrivateSpan] = []
    for span in spans:
        whole = span
        if span.entity_type is EntityType.ADDRESS:
            whole = _from_corner(text, span, joined[-1].end if joined else 0)
        if span.entity_type in _STREETS and (first := _crossed(text, joined, whole)) is not None:
            whole = _as_address(text, whole, joined[first].start, whole.end)
            del joined[first:]
        joined.append(whole)
    return joined


def _from_corner(text: str, span: PrivateSpan, low: int) -> PrivateSpan:
    before = max(low, span.start - _CORNER_LENGTH)
    corner = _CORNER_AHEAD.search(text[before : span.start])
    return span if corner is None else _as_address(text, span, before + corner.start(), span.end)


def _crossed(text: str, before: list[PrivateSpan], street: PrivateSpan) -> int | None:
    """Return which span before a street begins the crossing that the street ends, None where there is none.

    They are joined by a word, and told to be a corner or alone on their line; the second may be in two pieces. A model
    that sees a street without its town may call it a name.
    """
    last = len(before) - 1
    if last > 0 and text[before[last].end : street.start] == " " and before[last].entity_type in _STREETS:
        last -= 1
    if last < 0 or before[last].entity_type not in _STREETS:
        return None
    first, rest = before[last], before[last + 1] if last + 1 < len(before) else street
    if not _JOINT.fullmatch(text, first.end, rest.start):
        return None
    if _CORNER.match(first.surface) or _CORNER_AHEAD.search(text[max(0, first.start - _CORNER_LENGTH) : first.start]):
        return last
    alone = _NOTHING_AHEAD.search(text[max(0, first.start - 4) : first.start]) and _NOTHING_BEHIND.match(
        text, street.end
    )
    return last if alone and any(map(str.isdigit, street.surface)) else None


def _letterhead(text: str, spans: list[PrivateSpan]) -> PrivateSpan | None:
    if len(text) > _LONGEST_TEXT or not any(span.entity_type is EntityType.ADDRESS for span in spans):
        return None
    line = _FIRST_LINE.match(text)
    if line is None or (spans and spans[0].start < line.end()):
        return None
    start, end = line.span(1)
    if len(line[1].split()) > _MOST_WORDS or _NO_ADDRESSEE.search(line[1]) or not any(map(str.isalpha, line[1])):
        return None
    told = sum(map(str.isalnum, text[line.end() :]))
    reached = sum(sum(map(str.isalnum, span.surface)) for span in spans if span.entity_type in _REACH | _STREETS)
    if reached < _LEAST_COVERED * told:
        return None
    return PrivateSpan(
        start=start,
        end=end,
        entity_type=EntityType.ORGANIZATION,
        level=default_level(EntityType.ORGANIZATION),
        source=SOURCE,
        certainty=_CERTAINTY,
        surface=text[start:end],
    )


def _as_address(text: str, span: PrivateSpan, start: int, end: int) -> PrivateSpan:
    # A street that is called after somebody public is no less private.
    level = max(span.level, default_level(EntityType.ADDRESS))
    return replace(span, start=start, end=end, surface=text[start:end], entity_type=EntityType.ADDRESS, level=level)
