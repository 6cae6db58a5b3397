"""What each slot holds: a function of the writes to that slot alone (closure, design section 6).

No record closes, replaces or moves a record of another slot, and reading a record changes nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from keepmum_shared.ids import MemoryId
from keepmum_shared.view import AttributeId, Layout, SlotId

Contents = Mapping[SlotId, tuple["Position", ...]]
"""Records in their positions, oldest first; a slot that is missing is empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A local-only record of user scope that holds a position.

    Attributes:
        importance: 0..10, fixed when it was written. When it was last used is not here.
    """

    record: MemoryId
    text: str = field(repr=False)
    importance: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Contents after a write; `replaced` gave up its position to the new record."""

    contents: Contents
    slot: SlotId
    replaced: MemoryId | None = None


def place(layout: Layout, contents: Contents, attributes: Iterable[AttributeId], position: Position) -> Placed:
    """Write a record into the slot of its attributes; a full slot gives up its least important record, the oldest.

    Args:
        layout: Of the policy.
        contents: Before.
        attributes: All that the record may imply.
        position: The record.

    Raises:
        PolicyError: an attribute is unknown.
    """
    slot = layout.slot_for(attributes)
    held = contents.get(slot, ())
    replaced = None
    if len(held) >= layout.slots[slot].capacity:
        least = min(held, key=lambda each: each.importance)  # the first of equals, so the oldest
        held = tuple(each for each in held if each is not least)
        replaced = least.record
    return Placed(contents={**contents, slot: (*held, position)}, slot=slot, replaced=replaced)


def remove(contents: Contents, record: MemoryId) -> tuple[Contents, tuple[SlotId, ...]]:
    """Return the contents without a record, and the slots whose scores must be made anew."""
    left = {slot: tuple(each for each in held if each.record != record) for slot, held in contents.items()}
    return left, tuple(slot for slot in contents if len(left[slot]) != len(contents[slot]))
