"""Digests: records made of other records by a fixed rule, which is why they can be made again when one is lost (pure).

The rule is the plainest there is, each source's words on a line of its own, oldest first. Whether a stored record is
such a digest is never taken on its word: it is one if and only if the rule gives its text from its sources. What a
person or a model worded in another way cannot be made again from survivors without guessing, and stays deleted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from keepmum_shared.ids import MemoryId

from keepmum_edge.memory.record import Channel, CloudState, MemoryRecord


def digest_text(sources: Iterable[str]) -> str:
    """Return the text of a digest of these texts, in their order; each is brought to one line."""
    return "\n".join(" ".join(text.split()) for text in sources)


def is_digest(record: MemoryRecord, sources: Sequence[MemoryRecord]) -> bool:
    """Say whether the rule gives the record from all of its sources."""
    complete = {source.id for source in sources} == set(record.sources)
    return (
        complete and record.channel is Channel.DERIVED and record.text == digest_text(s.text for s in in_order(sources))
    )


def digest_again(record: MemoryRecord, left: Sequence[MemoryRecord], *, new: MemoryId, now: int) -> MemoryRecord:
    """Return the digest of what is left, under another id and never less restricted than the record it replaces.

    Args:
        record: The digest that is removed.
        left: Its sources that stay or were made anew; at least one.
        new: The id of the new record.
        now: Unix seconds.
    """
    sources = in_order(left)
    confined = record.cloud is CloudState.LOCAL_ONLY or any(s.cloud is CloudState.LOCAL_ONLY for s in sources)
    sendable = not confined and record.shared_at is not None and all(s.placeholder_text for s in sources)
    cloud = CloudState.QUEUED if sendable else CloudState.LOCAL_ONLY if confined else CloudState.KEPT
    return replace(
        record,
        id=new,
        text=digest_text(source.text for source in sources),
        attributes=record.attributes.union(*(source.attributes for source in sources)),
        trust=min(record.trust, *(source.trust for source in sources)),
        confidence=min(record.confidence, *(source.confidence for source in sources)),
        created_at=now,
        sources=frozenset(source.id for source in sources),
        successor=None,
        revision=1,
        slot=record.slot if cloud is CloudState.LOCAL_ONLY else None,
        cloud=cloud,
        placeholder_text=digest_text(s.placeholder_text or "" for s in sources) if sendable else None,
        shared_at=None,
    )


def in_order(records: Iterable[MemoryRecord]) -> list[MemoryRecord]:
    """Return records oldest first."""
    return sorted(records, key=lambda record: (record.created_at, record.id))
