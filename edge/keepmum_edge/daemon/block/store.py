"""The digests of lines that blocks have shown. SQL only; never opens, commits or closes."""

from collections.abc import Iterable

from keepmum_edge.daemon.block.shown import ShownLine
from keepmum_edge.database import Database


class ShownLineStore:
    """The rows of `shown_line`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, lines: Iterable[ShownLine]) -> None:
        """Store lines; one that is there stays."""
        rows = [(line.digest, line.length) for line in lines]
        self._db.execute_each("INSERT INTO shown_line VALUES (?, ?) ON CONFLICT DO NOTHING", rows)

    def all(self) -> tuple[ShownLine, ...]:
        """Return every line."""
        rows = self._db.rows("SELECT digest, length FROM shown_line")
        return tuple(ShownLine(digest=bytes(digest), length=length) for digest, length in rows)
