"""Which records a new one closes, and which already says the same (pure).

Only records of one domain are compared: those that the cloud may hold with each other, those of a slot with each
other, so that no local-only record ever changes what is sent, and no slot's contents depend on another's (closure,
design section 6). A fact of one subject never closes another's, however similar.
"""

from collections.abc import Callable, Sequence

from keepmum_edge.memory.record import Kind, MemoryRecord
from keepmum_edge.memory.wording import covers, same_key


def same_as(record: MemoryRecord, others: Sequence[MemoryRecord]) -> MemoryRecord | None:
    """Return another record among these that says the same, or None."""
    key = same_key(record.text)
    others = [other for other in others if other.id != record.id]
    return next((other for other in others if other.subject == record.subject and same_key(other.text) == key), None)


def closed_by(
    record: MemoryRecord,
    others: Sequence[MemoryRecord],
    *,
    replaces_topic: bool,
    ends: frozenset[str],
    words_of: Callable[[MemoryRecord], str],
) -> tuple[MemoryRecord, ...]:
    """Return what holds no longer once this record does.

    Args:
        record: The new one.
        others: Of its domain, holding until further notice.
        replaces_topic: It closes facts of its topic.
        ends: It closes facts that hold all these content words.
        words_of: The text of a record that may be read for that: placeholder text of what the cloud may hold.
    """
    if record.kind is Kind.HISTORY:
        return ()
    return tuple(
        other
        for other in others
        if other.id != record.id
        and other.subject == record.subject
        and other.kind is not Kind.HISTORY
        and not (record.kind is Kind.INFERRED and other.kind is Kind.STATED)  # what the owner said stands
        and other.trust <= record.trust
        and (_of_one_topic(record, other, replaces_topic=replaces_topic) or covers(words_of(other), ends))
    )


def _of_one_topic(record: MemoryRecord, other: MemoryRecord, *, replaces_topic: bool) -> bool:
    if record.topic is None or other.topic != record.topic:
        return False
    return replaces_topic or (record.kind is Kind.STATED and other.kind is Kind.INFERRED)
