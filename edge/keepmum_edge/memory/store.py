"""Memory records, and what is asked of them by id, scope, slot, topic, source and cloud state. SQL only.

Never opens, commits or closes. Which records may be found at all is `memory.record_search`'s matter.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from keepmum_shared.ids import MemoryId, SessionKey
from keepmum_shared.placeholder import Placeholder, scan
from keepmum_shared.taxonomy import EntityType, Level
from keepmum_shared.view.layout import AttributeId, SlotId

from keepmum_edge.database import Database
from keepmum_edge.errors import NotFoundError
from keepmum_edge.memory.record import MOST_CHARACTERS, Channel, CloudState, Consent, Kind, MemoryRecord
from keepmum_edge.memory.wording import same_key

_FIELDS: Final = (
    "id", "kind", "text", "same_key", "subject", "topic", "slot", "has_position", "attributes", "category", "level",
    "confidence", "importance", "scope", "application", "audiences", "created_at", "utc_offset_s", "valid_from",
    "valid_to", "successor", "channel", "trust", "consent", "last_used", "session", "revision", "judged_by", "cloud",
    "placeholder_text", "shared_at",
)  # fmt: skip
_MANY: Final = 64
_OF: Final = 50
_COLUMNS: Final = ", ".join(_FIELDS)
_SOURCES: Final = "(SELECT group_concat(source, ' ') FROM memory_source WHERE memory_source.memory = memory.id)"


class MemoryStore:
    """The memories of one profile."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, record: MemoryRecord) -> MemoryRecord:
        """Store a record and return it; if one with the same words holds in its place already, return that one."""
        marks = ", ".join("?" for _ in _FIELDS)
        statement = f"INSERT INTO memory ({_COLUMNS}) VALUES ({marks}) ON CONFLICT DO NOTHING"  # noqa: S608
        if self._db.execute(statement, *_row(record)) == 0:
            same = "scope = ? AND subject = ? AND text = ? AND coalesce(slot, '') = ? AND (cloud = 'kept') = ?"
            place = (record.scope, record.subject, record.text, record.slot or "", record.cloud is CloudState.KEPT)
            return self.select(f"{same} AND valid_to IS NULL", *place)[0]
        self._add_sources(record)
        self._index_placeholders(record)
        return record

    def put(self, record: MemoryRecord) -> None:
        """Store a record in the place of its older version.

        Raises:
            NotFoundError: there is none with this id.
        """
        changes = ", ".join(f"{name} = ?" for name in _FIELDS)
        statement = f"UPDATE memory SET {changes} WHERE id = ?"  # noqa: S608
        if self._db.execute(statement, *_row(record), record.id) == 0:
            raise NotFoundError("no such memory")
        self._db.execute("DELETE FROM memory_source WHERE memory = ?", record.id)
        self._add_sources(record)
        self._index_placeholders(record)

    def get(self, memory: MemoryId) -> MemoryRecord | None:
        """Return a record, or None if there is none with this id."""
        found = self.select("id = ?", memory)
        return found[0] if found else None

    def list(self, scope: str | None = None) -> tuple[MemoryRecord, ...]:
        """Return the records of a scope, or all; newest first."""
        condition, values = within(scope)
        return self.select(f"{condition} ORDER BY created_at DESC, row DESC", *values)

    def delete(self, memory: MemoryId) -> bool:
        """Delete a record, its words, placeholders and sources; return whether it was there.

        Off the disk after the next checkpoint. What was derived from it is the caller's matter.
        """
        return self._db.execute("DELETE FROM memory WHERE id = ?", memory) > 0

    def delete_all(self, memories: Sequence[MemoryId]) -> int:
        """Delete records as `delete` does; return how many were there.

        Where many of few go, the words are taken out of the index by merging it once instead of searching it for each.
        """
        many = len(memories) >= _MANY and int(self._db.value("SELECT count(*) FROM memory")) <= _OF * len(memories)
        if many:
            self._db.execute("INSERT INTO memory_words (memory_words, rank) VALUES ('secure-delete', 0)")
        deleted = self._db.execute_each("DELETE FROM memory WHERE id = ?", [(memory,) for memory in memories])
        if many:
            self._db.execute("INSERT INTO memory_words (memory_words) VALUES ('optimize')")
            self._db.execute("INSERT INTO memory_words (memory_words, rank) VALUES ('secure-delete', 1)")
        return deleted

    def derived_from(self, source: str) -> tuple[MemoryId, ...]:
        """Return the records that name this turn, record or document as a source."""
        rows = self._db.rows("SELECT memory FROM memory_source WHERE source = ? ORDER BY memory", source)
        return tuple(MemoryId(row[0]) for row in rows)

    def beside(self, record: MemoryRecord, *, whole: bool) -> tuple[MemoryRecord, ...]:
        """Return what a record is compared with: of its domain, holding until further notice, oldest first.

        A domain is what the cloud may hold of a subject, what is merely kept of it, or what lies in a slot. No record
        of another domain is read (design sections 6 and 7).

        Args:
            record: Need not be stored.
            whole: All of the domain; else what says the same, or tells the same topic of the same subject.
        """
        if record.slot is not None:
            domain = "slot = ?1"
        elif record.cloud is CloudState.KEPT:
            domain = "slot IS ?1 AND cloud = 'kept'"
        else:
            domain = "slot IS ?1 AND cloud IN ('queued', 'sent', 'shared')"
        condition = f"{domain} AND scope = ?2 AND subject = ?3 AND valid_to IS NULL"
        values: tuple[object, ...] = (record.slot, record.scope, record.subject)
        if not whole:
            near = "SELECT row FROM memory WHERE scope = ?2 AND subject = ?3 AND"
            condition += f" AND row IN ({near} same_key = ?4 UNION {near} topic = ?5)"
            values += (same_key(record.text), record.topic)
        return self.select(f"{condition} ORDER BY row", *values)

    def on_topic(self, scope: str, subject: str, topic: str) -> tuple[MemoryRecord, ...]:
        """Return what holds until further notice of one topic of a subject, of every domain, oldest first."""
        condition = "scope = ? AND subject = ? AND topic = ? AND valid_to IS NULL ORDER BY row"
        return self.select(condition, scope, subject, topic)

    def positions(self, slot: SlotId) -> tuple[MemoryRecord, ...]:
        """Return the records that hold the positions of a slot, oldest first."""
        return self.select("slot = ? AND has_position ORDER BY row", slot)

    def texts_in_positions(self, slot: SlotId, judged_under: str) -> tuple[str, ...]:
        """Return the texts of the records that hold the positions of a slot, oldest first.

        Args:
            slot: The slot.
            judged_under: The policy by which they were put there (`classify.judged_under`). What another policy put
                there may imply an attribute for which this one does not list the slot, until it is judged again.
        """
        query = "SELECT text FROM memory WHERE slot = ? AND has_position AND judged_by LIKE '%' || ? ORDER BY row"
        return tuple(str(row[0]) for row in self._db.rows(query, slot, judged_under))

    def to_send(self, scope: str, limit: int) -> tuple[MemoryRecord, ...]:
        """Return what the next batch of a scope holds: what waits, and what left with a turn that was not confirmed.

        What is too long for a record, which an older version let in, stays here.
        """
        condition = "scope = ? AND cloud IN ('queued', 'sent') AND length(text) <= ? ORDER BY row LIMIT ?"
        return self.select(condition, scope, MOST_CHARACTERS, limit)

    def unjudged(self, judge: str, limit: int) -> tuple[MemoryRecord, ...]:
        """Return records that this classifier and policy have not judged yet, oldest first."""
        return self.select("judged_by IS NULL OR judged_by <> ? ORDER BY row LIMIT ?", judge, limit)

    def shared(self, scope: str | None = None) -> tuple[MemoryId, ...]:
        """Return the ids that the cloud may hold, of a scope or all."""
        condition, values = within(scope)
        query = f"SELECT id FROM memory WHERE {condition} AND shared_at IS NOT NULL ORDER BY row"  # noqa: S608
        return tuple(MemoryId(row[0]) for row in self._db.rows(query, *values))

    def shared_behind(self, row: int, limit: int) -> tuple[tuple[int, MemoryId], ...]:
        """Return records behind a row that the cloud may hold, with their rows, oldest first."""
        query = "SELECT row, id FROM memory WHERE row > ? AND shared_at IS NOT NULL ORDER BY row LIMIT ?"
        return tuple((int(found), MemoryId(memory)) for found, memory in self._db.rows(query, row, limit))

    def placeholders_of(self, memories: Iterable[MemoryId], scope: str) -> frozenset[Placeholder]:
        """Return the placeholders that shared records of this scope hold; ids of other scopes count for nothing.

        This index, not the cloud's word, decides what a recalled memory may restore.
        """
        query = (
            "SELECT type, number FROM memory_placeholder JOIN memory ON memory.id = memory_placeholder.memory"
            " WHERE memory.id = ? AND memory.scope = ? AND memory.shared_at IS NOT NULL"
        )
        found = (row for memory in memories for row in self._db.rows(query, memory, scope))
        return frozenset(Placeholder(EntityType(kind), number) for kind, number in found)

    def holding(self, placeholder: Placeholder) -> tuple[MemoryId, ...]:
        """Return the records that the cloud may hold and whose placeholder text holds this placeholder."""
        query = "SELECT memory FROM memory_placeholder WHERE type = ? AND number = ? ORDER BY memory"
        rows = self._db.rows(query, str(placeholder.entity_type), placeholder.number)
        return tuple(MemoryId(row[0]) for row in rows)

    def mark_used(self, memories: Sequence[MemoryId], at: int) -> None:
        """Note when records were last used; ids that are not there count for nothing."""
        self._db.execute_each("UPDATE memory SET last_used = ? WHERE id = ?", [(at, memory) for memory in memories])

    def select(self, condition: str, *parameters: object) -> tuple[MemoryRecord, ...]:
        """Return the records that meet an SQL condition."""
        rows = self._db.rows(f"SELECT {_COLUMNS}, {_SOURCES} FROM memory WHERE {condition}", *parameters)  # noqa: S608
        return tuple(_record(*row) for row in rows)

    def _add_sources(self, record: MemoryRecord) -> None:
        rows = [(record.id, source) for source in sorted(record.sources)]
        self._db.execute_each("INSERT INTO memory_source VALUES (?, ?)", rows)

    def _index_placeholders(self, record: MemoryRecord) -> None:
        """Index what may be restored from the cloud's copy, so only once there may be one."""
        self._db.execute("DELETE FROM memory_placeholder WHERE memory = ?", record.id)
        if record.shared_at is None or record.placeholder_text is None:
            return
        found = {placeholder for _, _, placeholder in scan(record.placeholder_text)}
        self._db.execute_each(
            "INSERT INTO memory_placeholder VALUES (?, ?, ?)",
            [(record.id, str(placeholder.entity_type), placeholder.number) for placeholder in found],
        )


def within(scope: str | None) -> tuple[str, tuple[str, ...]]:
    """Return the SQL condition of a scope, or of all, and its parameters."""
    return ("true", ()) if scope is None else ("scope = ?", (scope,))


def _row(record: MemoryRecord) -> tuple[object, ...]:
    special = {
        "has_position": int(record.has_position),
        "attributes": " ".join(sorted(record.attributes)),
        "audiences": " ".join(sorted(record.audiences)),
        "level": int(record.level),
        "same_key": same_key(record.text),
    }
    return tuple(special[name] if name in special else getattr(record, name) for name in _FIELDS)


def _record(*row: object) -> MemoryRecord:
    *fields, sources = row
    return _read(dict(zip(_FIELDS, fields, strict=True)), frozenset(str(sources or "").split()))


def _read(values: dict[str, object], sources: frozenset[str]) -> MemoryRecord:
    text = str
    return MemoryRecord(
        id=MemoryId(text(values["id"])),
        kind=Kind(text(values["kind"])),
        text=text(values["text"]),
        subject=text(values["subject"]),
        topic=_text_or_none(values["topic"]),
        slot=None if values["slot"] is None else SlotId(text(values["slot"])),
        has_position=bool(values["has_position"]),
        attributes=frozenset(AttributeId(each) for each in text(values["attributes"]).split()),
        category=_text_or_none(values["category"]),
        level=Level(_number(values["level"])),
        confidence=_number(values["confidence"]),
        importance=_number(values["importance"]),
        scope=text(values["scope"]),
        application=_text_or_none(values["application"]),
        audiences=frozenset(text(values["audiences"]).split()),
        created_at=_number(values["created_at"]),
        utc_offset_s=_number_or_none(values["utc_offset_s"]),
        valid_from=_number_or_none(values["valid_from"]),
        valid_to=_number_or_none(values["valid_to"]),
        successor=None if values["successor"] is None else MemoryId(text(values["successor"])),
        channel=Channel(text(values["channel"])),
        sources=sources,
        trust=_number(values["trust"]),
        consent=Consent(text(values["consent"])),
        last_used=_number_or_none(values["last_used"]),
        session=None if values["session"] is None else SessionKey(text(values["session"])),
        revision=_number(values["revision"]),
        judged_by=_text_or_none(values["judged_by"]),
        cloud=CloudState(text(values["cloud"])),
        placeholder_text=_text_or_none(values["placeholder_text"]),
        shared_at=_number_or_none(values["shared_at"]),
    )


def _text_or_none(value: object) -> str | None:
    return None if value is None else str(value)


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value


def _number_or_none(value: object) -> int | None:
    return None if value is None else _number(value)
