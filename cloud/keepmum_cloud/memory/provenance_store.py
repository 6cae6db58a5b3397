"""What was derived from what, and what was forgotten. SQL only; never opens, commits or closes.

The closure of a memory is everything that would not be there without it. A tombstone is the digest of an id that was
forgotten: a write that comes late is refused, and so is what is derived from something that is not held.
"""

import hashlib
import sqlite3
from collections.abc import Iterable

from keepmum_shared.ids import DeviceId, MemoryId


class ProvenanceStore:
    """The rows of `derivations` and `tombstones`."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def put(self, device: DeviceId, memory: MemoryId, sources: Iterable[MemoryId]) -> None:
        """Say from what a memory is derived, in the place of what was said before."""
        self.remove(device, memory)
        self._db.executemany(
            "INSERT OR IGNORE INTO derivations VALUES (?, ?, ?)", [(device, memory, source) for source in sources]
        )

    def remove(self, device: DeviceId, memory: MemoryId) -> None:
        """Delete what a memory is derived from."""
        self._db.execute("DELETE FROM derivations WHERE device = ? AND memory = ?", (device, memory))

    def sources(self, device: DeviceId, memory: MemoryId) -> tuple[MemoryId, ...]:
        """Return from what a memory is derived, sorted."""
        rows = self._db.execute(
            "SELECT source FROM derivations WHERE device = ? AND memory = ? ORDER BY source", (device, memory)
        )
        return tuple(MemoryId(source) for (source,) in rows)

    def descendants(self, device: DeviceId, memory: MemoryId) -> tuple[MemoryId, ...]:
        """Return everything derived from a memory, near and far; a circle ends where it began."""
        rows = self._db.execute(
            "WITH RECURSIVE gone (id) AS (SELECT ?1 UNION SELECT memory FROM derivations JOIN gone ON source = gone.id"
            " WHERE device = ?2) SELECT id FROM gone WHERE id <> ?1 ORDER BY id",
            (memory, device),
        )
        return tuple(MemoryId(found) for (found,) in rows)

    def admits(self, device: DeviceId, memory: MemoryId, sources: Iterable[MemoryId]) -> bool:
        """Say whether a memory may be written: not forgotten, every source held, and no circle closed."""
        if self.is_forgotten(device, memory):
            return False
        below = self.descendants(device, memory)
        return all(source not in below and self._is_held(device, source) for source in sources)

    def forget(self, device: DeviceId, memory: MemoryId) -> None:
        """Forbid an id for good."""
        self._db.execute("INSERT OR IGNORE INTO tombstones VALUES (?, ?)", (device, _digest(memory)))

    def is_forgotten(self, device: DeviceId, memory: MemoryId) -> bool:
        """Say whether the id was forgotten."""
        query = "SELECT 1 FROM tombstones WHERE device = ? AND digest = ?"
        return self._db.execute(query, (device, _digest(memory))).fetchone() is not None

    def _is_held(self, device: DeviceId, memory: MemoryId) -> bool:
        query = "SELECT 1 FROM memories WHERE device = ? AND id = ?"
        return self._db.execute(query, (device, memory)).fetchone() is not None


def _digest(memory: MemoryId) -> bytes:
    """A digest without key or salt: an id has 130 random bits."""
    return hashlib.sha256(memory.encode()).digest()[:16]
