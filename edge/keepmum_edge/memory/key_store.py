"""Keys of records, and where backups were written to. SQL only; never opens, commits or closes.

A key goes with its record by the database's own rule, so that no deletion can leave one behind.
"""

from collections.abc import Callable
from dataclasses import dataclass

from keepmum_shared.ids import MemoryId

from keepmum_edge.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupPlace:
    """One backup: absolute paths of its two files; `made_at` in Unix seconds."""

    record_file: str
    key_file: str
    made_at: int


class RecordKeyStore:
    """The rows of `record_key` and `backup`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def make_missing(self, new_key: Callable[[], bytes]) -> None:
        """Give a key to every record that has none."""
        missing = self._db.rows("SELECT id FROM memory WHERE id NOT IN (SELECT memory FROM record_key)")
        self._db.execute_each("INSERT INTO record_key VALUES (?, ?)", [(row[0], new_key()) for row in missing])

    def keys(self) -> dict[MemoryId, bytes]:
        """Return the key of every record that has one."""
        return {MemoryId(memory): bytes(key) for memory, key in self._db.rows("SELECT memory, key FROM record_key")}

    def put_place(self, place: BackupPlace) -> None:
        """Note where a backup was written to."""
        self._db.execute(
            "INSERT OR REPLACE INTO backup VALUES (?, ?, ?)", place.record_file, place.key_file, place.made_at
        )

    def places(self) -> tuple[BackupPlace, ...]:
        """Return every backup, oldest first."""
        rows = self._db.rows("SELECT record_file, key_file, made_at FROM backup ORDER BY made_at, record_file")
        return tuple(BackupPlace(record_file=r, key_file=k, made_at=at) for r, k, at in rows)
