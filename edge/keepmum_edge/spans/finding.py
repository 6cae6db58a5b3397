"""What a rule reports, in offsets of the reading; `rules` turns it into a span of the original text."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.normalise import Reading

CHECKED: Final = 100
"""A check digit or an unmistakable form."""
FORMED: Final = 85
"""A form that little else has."""
CONTEXT: Final = 70
"""Words nearby say what it is."""


class Finding(NamedTuple):
    """A stretch of a reading, half-open, not empty; holds no text."""

    start: int
    end: int
    entity_type: EntityType
    certainty: int
    source: str


Rule = Callable[[Reading], Iterator[Finding]]
"""Reads all of a reading, in time linear in its length, and yields findings in any order; they may overlap."""
