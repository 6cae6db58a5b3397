"""A private span: a stretch of text that identifies, describes or opens a door to a person.

Offsets are Unicode code points, half-open, everywhere.
"""

from dataclasses import dataclass, field
from typing import Final

from keepmum_shared.taxonomy import EntityType, Level

GUESSES: Final = frozenset({"encoder", "namesake"})
"""Sources that go by the words around a stretch, not by its form."""


class InvalidSpanError(ValueError):
    """Offsets that do not fit the text. Holds numbers only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateSpan:
    """One private stretch.

    Attributes:
        start, end: Half-open code-point offsets; `text[start:end] == surface`.
        entity_type: What the span denotes; never LITERAL or DETAIL.
        level: Its privacy level before the user's settings.
        source: Name of the rule or model that found it, for `preview` and for `merge`.
        certainty: 0..100. 100: a check digit or an unmistakable form; comparable within one extractor only.
        surface: The characters. Left out of `repr` so that no log line can show them.
    """

    start: int
    end: int
    entity_type: EntityType
    level: Level
    source: str
    certainty: int
    surface: str = field(repr=False)

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end or self.end - self.start != len(self.surface):
            msg = f"[{self.start}, {self.end})"
            raise InvalidSpanError(msg)
