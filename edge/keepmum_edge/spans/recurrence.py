"""Values that are known already are found again where nothing around them gives them away.

A password is told once with the word "password" beside it and then repeated alone; a rule that needs the context would
miss the second one. Matching is exact and stops at the borders of numbers and Latin words.
"""

from collections.abc import Iterable
from typing import Final

from keepmum_shared.taxonomy import EntityType, Level

from keepmum_edge.spans.span import PrivateSpan

MIN_LENGTH: Final = 4
"""Characters; anything shorter would be found inside ordinary text."""

Known = tuple[str, EntityType, Level]
"""A surface with the type and level under which it was found."""


def find_again(text: str, known: Iterable[Known]) -> tuple[PrivateSpan, ...]:
    """Return a span for every stretch that equals a known surface; spans may overlap, `merge` decides."""
    spans: list[PrivateSpan] = []
    for surface, entity_type, level in known:
        if len(surface) < MIN_LENGTH:
            continue
        start = text.find(surface)
        while start >= 0:
            end = start + len(surface)
            if not _cuts_a_word(text, start) and not _cuts_a_word(text, end):
                spans.append(
                    PrivateSpan(
                        start=start,
                        end=end,
                        entity_type=entity_type,
                        level=level,
                        source="recurrence",
                        certainty=90,
                        surface=surface,
                    )
                )
            start = text.find(surface, start + 1)
    return tuple(spans)


def _cuts_a_word(text: str, at: int) -> bool:
    """Say whether both neighbours of a border belong to one number or Latin word."""
    return 0 < at < len(text) and _is_word(text[at - 1]) and _is_word(text[at])


def _is_word(character: str) -> bool:
    return character.isascii() and character.isalnum()
