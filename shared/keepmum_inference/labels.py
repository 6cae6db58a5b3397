"""The label scheme of the span head: O, then B, I, E, S of each type (pure).

Label 0 is O; type number t has 1 + 4 t (B), 2 + 4 t (I), 3 + 4 t (E) and 4 + 4 t (S).
"""

from dataclasses import dataclass
from typing import Final

from keepmum_shared.taxonomy import NOT_A_LEVEL, EntityType, Level, default_level

OUTSIDE: Final = 0
BEGIN: Final = 0
INSIDE: Final = 1
END: Final = 2
SINGLE: Final = 3

LEVELS: Final = tuple(Level)
"""Columns of the level head."""

LEVEL_PRIOR: Final = 4.0
"""Logit that a type's default level has before the learned correction is added."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelScheme:
    """Which types the head knows, in the order of its outputs.

    Attributes:
        types: Distinct, none of them LITERAL or DETAIL.
    """

    types: tuple[EntityType, ...]

    def __post_init__(self) -> None:
        if not self.types or len(set(self.types)) != len(self.types) or NOT_A_LEVEL & set(self.types):
            msg = "types must be distinct and have a level"
            raise ValueError(msg)

    @property
    def size(self) -> int:
        """Number of labels."""
        return 1 + 4 * len(self.types)

    def label(self, entity_type: EntityType, part: int) -> int:
        """Return the label of BEGIN, INSIDE, END or SINGLE of a type."""
        return 1 + 4 * self.types.index(entity_type) + part

    def type_of(self, label: int) -> EntityType:
        """Return the type of a label other than OUTSIDE."""
        return self.types[(label - 1) // 4]

    def level_prior(self, entity_type: EntityType) -> tuple[float, ...]:
        """Return the logits of each of LEVELS before correction."""
        return tuple(LEVEL_PRIOR if level is default_level(entity_type) else 0.0 for level in LEVELS)


ALL_TYPES: Final = LabelScheme(types=tuple(t for t in EntityType if t not in NOT_A_LEVEL))
"""The scheme that is trained: every type of the taxonomy."""
