"""What an extractor, ours or a peer's, would take out of one text (pure)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from keepmum_edge.spans.span import PrivateSpan
from keepmum_shared.taxonomy import EntityType, Level


class Unlisted(Enum):
    """What a peer may call a mask that has none of our types."""

    OTHER = "other"
    """A class that we have no type for: dates, job titles. No set that lists its types is labelled for it."""

    UNKNOWN = "unknown"
    """A label of unknown meaning: may be of any type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mask:
    """One stretch that is taken out; half-open code-point offsets.

    Attributes:
        level: None where `kind` has none.
    """

    start: int
    end: int
    kind: EntityType | Unlisted
    level: Level | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """Masks that overlap: whoever replaces text can only replace them as one.

    Attributes:
        members: The masks, longest first; never empty.
    """

    start: int
    end: int
    members: tuple[Mask, ...]

    @property
    def kinds(self) -> frozenset[EntityType | Unlisted]:
        """All that it was called."""
        return frozenset(mask.kind for mask in self.members)


def masks_of(spans: Iterable[PrivateSpan]) -> tuple[Mask, ...]:
    """Return our own spans as masks; one of PL1 is found and never masked."""
    return tuple(
        Mask(start=s.start, end=s.end, kind=s.entity_type, level=s.level) for s in spans if s.level is not Level.PL1
    )


def join(masks: Iterable[Mask]) -> tuple[Joined, ...]:
    """Join what overlaps, in order of the text; masks that only touch stay apart."""
    groups: list[list[Mask]] = []
    reach = 0
    for mask in sorted(masks, key=lambda m: (m.start, -m.end)):
        if groups and mask.start < reach:
            groups[-1].append(mask)
        else:
            groups.append([mask])
            reach = 0
        reach = max(reach, mask.end)
    return tuple(
        Joined(
            start=group[0].start,
            end=max(mask.end for mask in group),
            members=tuple(sorted(group, key=lambda m: m.start - m.end)),
        )
        for group in groups
    )
