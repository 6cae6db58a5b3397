"""Memories and their inverted index, one index for each scope of each device. SQL only.

A space is one scope of one device; every count that ranking reads belongs to one space. Never opens, commits or
closes: the caller owns the connection and the transaction. Deleting takes the row, its postings, and the terms and
the space that nothing holds any longer, so that no word of a deleted memory stays.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from keepmum_shared.ids import DeviceId, MemoryId, ScopeKey
from keepmum_shared.messages import ExportedMemory, MemoryWrite

from keepmum_cloud.memory.rank import ScopeStatistics
from keepmum_cloud.memory.terms import index_terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """One scope of one device, as ranking needs it."""

    no: int
    statistics: ScopeStatistics


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedTerm:
    """A term that occurs in a space: in how many memories, and how often at most one of them ever held it."""

    no: int
    term: str = field(repr=False)
    memories: int
    most_frequent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMemory:
    """A memory as search returns it. `no` grows with every write, so a higher one was stored later."""

    no: int
    id: MemoryId
    text: str = field(repr=False)
    created_at: int


class MemoryStore:
    """The rows. Methods may raise sqlite3.Error, which `Database.transaction` and `reading` turn into StoreError."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def put(self, device: DeviceId, scope: ScopeKey, memory: MemoryWrite) -> None:
        """Store a memory; the same id of that device is replaced, wherever it was; the same memory changes nothing."""
        known = self._db.execute(
            "SELECT scope, text, created_at, unclassified FROM memories JOIN spaces ON spaces.no = space "
            "WHERE memories.device = ? AND id = ?",
            (device, memory.id),
        ).fetchone()
        if known == (scope, memory.text, memory.created_at, memory.unclassified):
            return
        if known is not None:
            self.delete(device, memory.id)
        terms = Counter(index_terms(memory.text))
        length = terms.total()
        space = self._space_with_one_more(device, scope, length)
        (no,) = self._db.execute(
            "INSERT INTO memories (space, device, id, text, created_at, unclassified, length) VALUES (?,?,?,?,?,?,?) "
            "RETURNING no",
            (space, device, memory.id, memory.text, memory.created_at, memory.unclassified, length),
        ).fetchone()
        for term, frequency in sorted(terms.items()):
            (term_no,) = self._db.execute(
                "INSERT INTO terms (space, term, memories, most_frequent) VALUES (?, ?, 1, ?) "
                "ON CONFLICT (space, term) DO UPDATE SET memories = memories + 1, "
                "most_frequent = max(most_frequent, excluded.most_frequent) RETURNING no",
                (space, term, frequency),
            ).fetchone()
            self._db.execute("INSERT INTO postings VALUES (?, ?, ?, ?)", (term_no, no, frequency, length))

    def _space_with_one_more(self, device: DeviceId, scope: ScopeKey, length: int) -> int:
        (no,) = self._db.execute(
            "INSERT INTO spaces (device, scope, memories, length, shortest) VALUES (?, ?, 1, ?, ?) "
            "ON CONFLICT (device, scope) DO UPDATE SET memories = memories + 1, length = length + excluded.length, "
            "shortest = min(shortest, excluded.shortest) RETURNING no",
            (device, scope, length, length),
        ).fetchone()
        return int(no)

    def delete(self, device: DeviceId, memory: MemoryId) -> bool:
        """Delete one memory and note that its bytes are to be erased; return whether it was there."""
        row = self._db.execute(
            "SELECT no, space, length FROM memories WHERE device = ? AND id = ?", (device, memory)
        ).fetchone()
        if row is None:
            return False
        no, space, length = row
        terms = self._db.execute("SELECT term FROM postings WHERE memory = ?", (no,)).fetchall()
        self._db.execute("DELETE FROM postings WHERE memory = ?", (no,))
        self._db.executemany("UPDATE terms SET memories = memories - 1 WHERE no = ?", terms)
        self._db.executemany("DELETE FROM terms WHERE no = ? AND memories = 0", terms)
        self._db.execute("DELETE FROM memories WHERE no = ?", (no,))
        self._db.execute("UPDATE spaces SET memories = memories - 1, length = length - ? WHERE no = ?", (length, space))
        self._db.execute("DELETE FROM spaces WHERE no = ? AND memories = 0", (space,))
        self._db.execute("INSERT OR IGNORE INTO erasures VALUES (1)")
        return True

    def ids_of(self, device: DeviceId) -> list[MemoryId]:
        """Return the ids of all memories of a device, oldest row first."""
        rows = self._db.execute("SELECT id FROM memories WHERE device = ? ORDER BY no", (device,))
        return [MemoryId(memory) for (memory,) in rows]

    def export(self, device: DeviceId) -> tuple[ExportedMemory, ...]:
        """Return all that is held of a device, oldest row first."""
        rows = self._db.execute(
            "SELECT id, scope, text, created_at, unclassified FROM memories JOIN spaces ON spaces.no = space "
            "WHERE memories.device = ? ORDER BY memories.no",
            (device,),
        )
        return tuple(
            ExportedMemory(id=id_, scope=scope, text=text, created_at=created_at, unclassified=bool(unclassified))
            for id_, scope, text, created_at, unclassified in rows
        )

    def space(self, device: DeviceId, scope: ScopeKey) -> Space | None:
        """Return the space, or None where nothing is stored."""
        row = self._db.execute(
            "SELECT no, memories, length, shortest FROM spaces WHERE device = ? AND scope = ?", (device, scope)
        ).fetchone()
        if row is None:
            return None
        no, memories, length, shortest = row
        return Space(no=no, statistics=ScopeStatistics(memories=memories, length=length, shortest=shortest))

    def indexed_terms(self, space: Space, terms: Iterable[str]) -> list[IndexedTerm]:
        """Return those of the terms that occur in the space."""
        found = []
        for term in terms:
            row = self._db.execute(
                "SELECT no, memories, most_frequent FROM terms WHERE space = ? AND term = ?", (space.no, term)
            ).fetchone()
            if row is not None:
                found.append(IndexedTerm(no=row[0], term=term, memories=row[1], most_frequent=row[2]))
        return found

    def postings(self, term: IndexedTerm) -> list[tuple[int, int, int]]:
        """Return (memory, frequency, length) for every memory that holds the term."""
        return self._db.execute("SELECT memory, frequency, length FROM postings WHERE term = ?", (term.no,)).fetchall()

    def postings_among(self, term: IndexedTerm, memories: Iterable[int]) -> list[tuple[int, int, int]]:
        """Return the same for those of the given memories that hold the term."""
        return self._db.execute(
            "SELECT memory, frequency, length FROM json_each(?) CROSS JOIN postings ON memory = value AND term = ?",
            (json.dumps(list(memories)), term.no),
        ).fetchall()

    def memory(self, no: int) -> StoredMemory:
        """Return the memory of that row number, which the index has just named."""
        row = self._db.execute("SELECT id, text, created_at FROM memories WHERE no = ?", (no,)).fetchone()
        return StoredMemory(no=no, id=row[0], text=row[1], created_at=row[2])
