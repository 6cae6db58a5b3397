"""A record as it is told to the cloud, and what keeps one from ever being told (pure)."""

from collections.abc import Sequence

from keepmum_shared.ids import MemoryId
from keepmum_shared.messages import MemoryWrite

from keepmum_edge.memory.record import MOST_CHARACTERS, Channel, MemoryRecord


def write_of(record: MemoryRecord, text: str, sources: Sequence[MemoryId]) -> MemoryWrite:
    """Return a record as it goes to the cloud.

    Args:
        record: The record.
        text: Its placeholder text.
        sources: The records that it was made from, as far as the cloud has them.

    Raises:
        ValueError: the protocol has no room for it; says which field, never quotes it.
    """
    return MemoryWrite(
        id=record.id,
        text=text,
        created_at=record.created_at,
        unclassified=False,
        session=record.session,
        valid_from=record.valid_from,
        valid_to=record.valid_to,
        importance=record.importance,
        trust=record.trust,
        derived_from=tuple(sources),
    )


def hindrance(record: MemoryRecord) -> str | None:
    """Return which of its fields keeps a record on this computer, or None."""
    made_of = [MemoryId(each) for each in sorted(record.sources) if each.startswith("mem_")]
    if len(record.text) > MOST_CHARACTERS:
        return f"text over {MOST_CHARACTERS} characters"
    try:
        write_of(record, "", made_of if record.channel is Channel.DERIVED else ())
    except ValueError as error:
        return str(error)
    return None
