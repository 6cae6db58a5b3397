"""What a memory said before it was changed. SQL only; never opens, commits or closes. Not searched; goes with it."""

import sqlite3

from keepmum_shared.ids import DeviceId, MemoryId
from keepmum_shared.messages import MemoryRevision


class RevisionStore:
    """The rows of `revisions`."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def keep(self, device: DeviceId, memory: MemoryId, now: int) -> None:
        """Keep what a memory says now, before it is replaced."""
        self._db.execute(
            "INSERT INTO revisions (device, memory, text, valid_from, valid_to, replaced_at)"
            " SELECT device, id, text, valid_from, valid_to, ? FROM memories WHERE device = ? AND id = ?",
            (now, device, memory),
        )

    def of(self, device: DeviceId, memory: MemoryId) -> tuple[MemoryRevision, ...]:
        """Return the revisions of a memory, oldest first."""
        rows = self._db.execute(
            "SELECT text, replaced_at, valid_from, valid_to FROM revisions WHERE device = ? AND memory = ? ORDER BY no",
            (device, memory),
        )
        return tuple(
            MemoryRevision(text=text, replaced_at=replaced_at, valid_from=valid_from, valid_to=valid_to)
            for text, replaced_at, valid_from, valid_to in rows
        )

    def remove(self, device: DeviceId, memory: MemoryId) -> bool:
        """Delete the revisions of a memory; return whether there were any."""
        statement = "DELETE FROM revisions WHERE device = ? AND memory = ?"
        return self._db.execute(statement, (device, memory)).rowcount > 0
