"""Which record gives up its position in a full slot (pure).

A function of what holds positions of that slot and of nothing else (closure, design section 6). A record that gives up
its position stays with its words, but enters no score any more.
"""

from collections.abc import Sequence

from keepmum_edge.memory.record import MemoryRecord


def displaced(held: Sequence[MemoryRecord], capacity: int) -> MemoryRecord | None:
    """Return the record that must give way to one more: the least important, of equals the oldest.

    Args:
        held: Records with positions, oldest first.
        capacity: Positions of the slot, at least 1.
    """
    return min(held, key=lambda record: record.importance) if len(held) >= capacity else None
