"""Deleting memories with all that was derived from them, and looking afterwards whether they are gone.

The rows of one memory lie in several tables; `remove` is the one place that knows them all, `held` the other that looks
into each by a query of its own, so that a table forgotten in the one is found by the other.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from keepmum_shared.ids import DeviceId, MemoryId

from keepmum_cloud.memory.provenance_store import ProvenanceStore
from keepmum_cloud.memory.revision_store import RevisionStore
from keepmum_cloud.memory.sqlite_store import MemoryStore

_BY_ID: Final = (
    "SELECT count(*) FROM memories WHERE device = ?1 AND id = ?2",
    "SELECT count(*) FROM revisions WHERE device = ?1 AND memory = ?2",
    "SELECT count(*) FROM derivations WHERE device = ?1 AND (memory = ?2 OR source = ?2)",
)
_WORDS_OF_NOBODY: Final = (
    "SELECT count(*) FROM terms JOIN spaces ON spaces.no = terms.space WHERE device = ? AND NOT EXISTS"
    " (SELECT 1 FROM postings WHERE postings.term = terms.no)"
)
"""Postings, vectors and jobs cannot outlive their memory: the database would refuse (foreign keys)."""
_BY_DEVICE: Final = (
    "SELECT count(*) FROM memories WHERE device = ?",
    "SELECT count(*) FROM revisions WHERE device = ?",
    "SELECT count(*) FROM derivations WHERE device = ?",
    "SELECT count(*) FROM spaces WHERE device = ?",
    _WORDS_OF_NOBODY,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """What a deletion took; fields as in `MemoriesDeleted`."""

    deleted: tuple[MemoryId, ...]
    absent: tuple[MemoryId, ...]
    derived: tuple[MemoryId, ...]
    stale: tuple[MemoryId, ...]

    @property
    def gone(self) -> tuple[MemoryId, ...]:
        """Every id under which nothing is held any more, sorted."""
        return tuple(sorted({*self.deleted, *self.absent, *self.derived}))


def remove(db: sqlite3.Connection, device: DeviceId, memories: Iterable[MemoryId], *, forget: bool) -> Removed:
    """Delete memories and their closure, inside the caller's transaction; `forget` forbids all of their ids."""
    provenance = ProvenanceStore(db)
    asked = tuple(dict.fromkeys(memories))
    closure = {memory: None for each in asked for memory in provenance.descendants(device, each)}
    derived = tuple(memory for memory in closure if memory not in set(asked))
    doomed = {*asked, *derived}
    sources = {memory: provenance.sources(device, memory) for memory in derived}
    there = {memory: _take(db, device, memory) for memory in (*asked, *derived)}
    if forget:
        for memory in doomed:
            provenance.forget(device, memory)
    return Removed(
        deleted=tuple(memory for memory in asked if there[memory]),
        absent=tuple(memory for memory in asked if not there[memory]),
        derived=derived,
        stale=tuple(memory for memory in derived if set(sources[memory]) - doomed),
    )


def remove_derived(db: sqlite3.Connection, device: DeviceId, memory: MemoryId) -> tuple[MemoryId, ...]:
    """Delete what was derived from a text that is about to be replaced; return what."""
    gone = ProvenanceStore(db).descendants(device, memory)
    for each in gone:
        _take(db, device, each)
    return gone


def held(db: sqlite3.Connection, device: DeviceId, memories: Iterable[MemoryId]) -> int:
    """Return how many rows are still held under these ids, and how many words that no memory holds any more."""
    rows = sum(int(db.execute(query, (device, memory)).fetchone()[0]) for memory in memories for query in _BY_ID)
    return rows + int(db.execute(_WORDS_OF_NOBODY, (device,)).fetchone()[0])


def remove_all(db: sqlite3.Connection, device: DeviceId) -> int:
    """Delete all that is held of a device, whatever it hangs on, and forbid its ids; return how many memories."""
    rows = db.execute(
        "SELECT id FROM memories WHERE device = ?1 UNION SELECT memory FROM revisions WHERE device = ?1"
        " UNION SELECT memory FROM derivations WHERE device = ?1",
        (device,),
    )
    found = {MemoryId(memory) for (memory,) in rows}
    return len(remove(db, device, sorted(found), forget=True).deleted)


def held_of(db: sqlite3.Connection, device: DeviceId) -> int:
    """Return how many rows are still held of a device, under whatever id, and how many words of no memory."""
    return sum(int(db.execute(query, (device,)).fetchone()[0]) for query in _BY_DEVICE)


def _take(db: sqlite3.Connection, device: DeviceId, memory: MemoryId) -> bool:
    was_there = MemoryStore(db).delete(device, memory)
    ProvenanceStore(db).remove(device, memory)
    had_revisions = RevisionStore(db).remove(device, memory)
    if had_revisions:
        db.execute("INSERT OR IGNORE INTO erasures VALUES (1)")
    return was_there
