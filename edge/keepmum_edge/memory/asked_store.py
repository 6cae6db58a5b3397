"""Consent that was asked for: time and category, never a word of the fact. SQL only.

Never opens, commits or closes. A row is made when a request begins to wait and taken off when it is answered; so one
that stays was never answered.
"""

from dataclasses import dataclass
from typing import Final

from keepmum_shared.ids import MemoryId

from keepmum_edge.database import Database

KEPT_S: Final = 90 * 24 * 3600
"""How long it is known that something was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedNote:
    """That consent was asked for; `asked_at` is Unix seconds."""

    id: MemoryId
    category: str
    asked_at: int


class AskedStore:
    """The notes of one profile."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, note: AskedNote) -> None:
        """Note a request, and let go of notes that are too old."""
        self._db.execute("DELETE FROM memory_asked WHERE asked_at < ?", note.asked_at - KEPT_S)
        self._db.execute("INSERT INTO memory_asked VALUES (?, ?, ?)", note.id, note.category, note.asked_at)

    def remove(self, memory: MemoryId) -> bool:
        """Take a note off; return whether it was there."""
        return self._db.execute("DELETE FROM memory_asked WHERE id = ?", memory) > 0

    def list(self) -> tuple[AskedNote, ...]:
        """Return the notes, oldest first."""
        rows = self._db.rows("SELECT id, category, asked_at FROM memory_asked ORDER BY asked_at, id")
        return tuple(AskedNote(id=MemoryId(row[0]), category=str(row[1]), asked_at=int(row[2])) for row in rows)
