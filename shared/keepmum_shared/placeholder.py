"""The placeholder: `<TYPE_n>`, n from 1 without leading zeros (design section 5).

This module knows the exact form only; which sloppy forms are restored is decided by the edge's `vault.restore`.
One number space holds two ranges: profile numbers 1..100000, conversation numbers from 100001.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from keepmum_shared.taxonomy import EntityType

LAST_PROFILE_NUMBER: Final = 100_000
FIRST_CONVERSATION_NUMBER: Final = LAST_PROFILE_NUMBER + 1
MAX_NUMBER: Final = 9_999_999

TYPE_NAMES: Final = tuple(sorted((str(t) for t in EntityType), key=len, reverse=True))
EXACT: Final = re.compile(rf"<({'|'.join(TYPE_NAMES)})_([1-9][0-9]{{0,6}})>")


@dataclass(frozen=True, slots=True, order=True)
class Placeholder:
    """A typed token that stands for one value. `str()` gives the form on the wire.

    Attributes:
        entity_type: What it stands for.
        number: 1..MAX_NUMBER.
    """

    entity_type: EntityType
    number: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= MAX_NUMBER:
            msg = f"placeholder number {self.number} is outside 1..{MAX_NUMBER}"
            raise ValueError(msg)

    def __str__(self) -> str:
        return f"<{self.entity_type}_{self.number}>"

    @property
    def is_profile(self) -> bool:
        """Whether the number lies in the profile range."""
        return self.number <= LAST_PROFILE_NUMBER


def parse(token: str) -> Placeholder:
    """Read one exact token.

    Raises:
        ValueError: the text is not exactly one placeholder.
    """
    found = EXACT.fullmatch(token)
    if found is None:
        raise ValueError("not a placeholder")
    return Placeholder(EntityType(found[1]), int(found[2]))


def scan(text: str) -> Iterator[tuple[int, int, Placeholder]]:
    """Yield (start, end, placeholder) of every exact token, left to right; code points, half-open."""
    for found in EXACT.finditer(text):
        yield found.start(), found.end(), Placeholder(EntityType(found[1]), int(found[2]))
