"""Memory records, searchable by their words. SQL only.

Never opens, commits or closes. Search looks inside one scope and ranks by nothing outside it: a record's score is how
much of the query it holds. Words of three letters and more are found by the trigram index, pairs of Chinese characters
and two-letter words by reading the scope's texts.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from keepmum_shared.ids import MemoryId
from keepmum_shared.placeholder import Placeholder, scan
from keepmum_shared.taxonomy import EntityType

from keepmum_edge.database import Database
from keepmum_edge.errors import NotFoundError
from keepmum_edge.memory.record import MemoryRecord

_COLUMNS: Final = "id, text, scope, created_at, placeholder_text, shared_at, unclassified"
_IDEOGRAPHS: Final = re.compile(r"[㐀-䶿一-鿿豈-﫿\U00020000-\U000323af]+")
_WORD: Final = re.compile(r"\w\w+")
_MAX_TERMS: Final = 64
_TRIGRAM: Final = 3


class MemoryStore:
    """The memories of one profile."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, record: MemoryRecord) -> MemoryRecord:
        """Store a record and return it; if its scope holds the same text already, return that one instead."""
        values = (record.id, record.text, record.scope, record.created_at)
        self._db.execute(
            "INSERT INTO memory (id, text, scope, created_at, unclassified) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (scope, text) DO NOTHING",
            *(*values, int(record.unclassified)),
        )
        held = self._select("scope = ? AND text = ?", record.scope, record.text)[0]
        if held.id == record.id and record.placeholder_text is not None and record.shared_at is not None:
            self.mark_shared(record.id, record.placeholder_text, record.shared_at)
            return record
        return held

    def get(self, memory: MemoryId) -> MemoryRecord | None:
        """Return a record, or None if there is none with this id."""
        found = self._select("id = ?", memory)
        return found[0] if found else None

    def list(self, scope: str | None = None) -> tuple[MemoryRecord, ...]:
        """Return the records of a scope, or all; newest first."""
        condition, values = _within(scope)
        return self._select(f"{condition} ORDER BY created_at DESC, row DESC", *values)

    def search(self, query: str, scope: str | None, limit: int = 10) -> tuple[MemoryRecord, ...]:
        """Return the records of a scope, or of all, that hold words of the query: most of it first, then newest."""
        scores: Counter[int] = Counter()
        for term in search_terms(query):
            for row in self._holding(term, scope):
                scores[row] += len(term)
        best = sorted(scores, key=lambda row: (-scores[row], -row))[:limit]
        return tuple(self._select("row = ?", row)[0] for row in best)

    def delete(self, memory: MemoryId) -> bool:
        """Delete a record, its words and its placeholders; return whether it was there.

        Off the disk after the next checkpoint.
        """
        return self._db.execute("DELETE FROM memory WHERE id = ?", memory) > 0

    def mark_shared(self, memory: MemoryId, placeholder_text: str, at: int) -> None:
        """Note that the cloud holds this text of the record, and index its placeholders.

        Raises:
            NotFoundError: there is none with this id.
        """
        statement = "UPDATE memory SET placeholder_text = ?, shared_at = ? WHERE id = ?"
        if self._db.execute(statement, placeholder_text, at, memory) == 0:
            raise NotFoundError("no such memory")
        self._db.execute("DELETE FROM memory_placeholder WHERE memory = ?", memory)
        found = {placeholder for _, _, placeholder in scan(placeholder_text)}
        self._db.execute_each(
            "INSERT INTO memory_placeholder VALUES (?, ?, ?)",
            [(memory, str(placeholder.entity_type), placeholder.number) for placeholder in found],
        )

    def mark_withdrawn(self, memory: MemoryId) -> None:
        """Note that the cloud does not hold the record any more.

        Raises:
            NotFoundError: there is none with this id.
        """
        statement = "UPDATE memory SET placeholder_text = NULL, shared_at = NULL WHERE id = ?"
        if self._db.execute(statement, memory) == 0:
            raise NotFoundError("no such memory")
        self._db.execute("DELETE FROM memory_placeholder WHERE memory = ?", memory)

    def shared(self, scope: str | None = None) -> tuple[MemoryId, ...]:
        """Return the ids that the cloud holds, of a scope or all."""
        condition, values = _within(scope)
        query = f"SELECT id FROM memory WHERE {condition} AND shared_at IS NOT NULL ORDER BY row"  # noqa: S608
        return tuple(MemoryId(row[0]) for row in self._db.rows(query, *values))

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
        """Return the shared records whose placeholder text holds this placeholder."""
        query = "SELECT memory FROM memory_placeholder WHERE type = ? AND number = ? ORDER BY memory"
        rows = self._db.rows(query, str(placeholder.entity_type), placeholder.number)
        return tuple(MemoryId(row[0]) for row in rows)

    def _holding(self, term: str, scope: str | None) -> tuple[int, ...]:
        condition, values = _within(scope)
        if len(term) >= _TRIGRAM:
            words = "row IN (SELECT rowid FROM memory_words WHERE memory_words MATCH ?)"
            wanted = '"' + term.replace('"', '""') + '"'
        else:
            words, wanted = "text LIKE ? ESCAPE '\\'", f"%{_escaped(term)}%"
        rows = self._db.rows(f"SELECT row FROM memory WHERE {condition} AND {words}", *values, wanted)  # noqa: S608
        return tuple(int(row[0]) for row in rows)

    def _select(self, condition: str, *parameters: object) -> tuple[MemoryRecord, ...]:
        rows = self._db.rows(f"SELECT {_COLUMNS} FROM memory WHERE {condition}", *parameters)  # noqa: S608
        return tuple(_record(*row) for row in rows)


def search_terms(query: str) -> tuple[str, ...]:
    """Return what of a query is looked for: words of two letters and more, and every pair of Chinese characters."""
    terms: dict[str, None] = {}
    for run in _IDEOGRAPHS.findall(query):
        terms.update((run[i : i + 2], None) for i in range(max(1, len(run) - 1)))
    terms.update((word, None) for word in _WORD.findall(_IDEOGRAPHS.sub(" ", query)))
    return tuple(terms)[:_MAX_TERMS]


def _within(scope: str | None) -> tuple[str, tuple[str, ...]]:
    """Return the SQL condition of a scope, or of all, and its parameters."""
    return ("true", ()) if scope is None else ("scope = ?", (scope,))


def _escaped(term: str) -> str:
    return term.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _record(
    memory: str,
    text: str,
    scope: str,
    created_at: int,
    placeholder_text: str | None,
    shared_at: int | None,
    unclassified: int,
) -> MemoryRecord:
    return MemoryRecord(
        id=MemoryId(memory),
        text=text,
        scope=scope,
        created_at=created_at,
        placeholder_text=placeholder_text,
        shared_at=shared_at,
        unclassified=bool(unclassified),
    )
