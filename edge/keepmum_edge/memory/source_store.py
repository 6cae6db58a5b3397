"""What records were derived from, as deletion needs it. SQL only; never opens, commits or closes."""

import json
from collections.abc import Iterable

from keepmum_shared.ids import ConversationId, MemoryId

from keepmum_edge.database import Database
from keepmum_edge.memory.record import Channel

_BELOW = (
    "WITH RECURSIVE below (id) AS (SELECT value FROM json_each(?) UNION"
    " SELECT memory FROM memory_source JOIN below ON source = below.id)"
    " SELECT memory, source, channel FROM memory_source JOIN memory ON memory.id = memory_source.memory"
    " WHERE memory IN (SELECT id FROM below) ORDER BY memory, source"
)


class SourceStore:
    """The rows of `memory_source`, and the successors of records."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def downstream(self, roots: Iterable[str]) -> tuple[tuple[MemoryId, frozenset[str], Channel], ...]:
        """Return the roots and all records below them that have sources, with all their sources and their channel."""
        found: dict[str, tuple[set[str], str]] = {}
        for memory, source, channel in self._db.rows(_BELOW, json.dumps(sorted(roots))):
            found.setdefault(memory, (set(), channel))[0].add(source)
        return tuple((MemoryId(each), frozenset(s), Channel(channel)) for each, (s, channel) in found.items())

    def concluded_from(self, turns: Iterable[str]) -> frozenset[MemoryId]:
        """Return the records that were inferred from behaviour in any of these turns, among others perhaps."""
        query = (
            "SELECT DISTINCT memory FROM memory_source JOIN memory ON memory.id = memory_source.memory"
            " WHERE channel = ? AND source IN (SELECT value FROM json_each(?))"
        )
        rows = self._db.rows(query, Channel.BEHAVIOUR, json.dumps(sorted(turns)))
        return frozenset(MemoryId(row[0]) for row in rows)

    def drop(self, memory: MemoryId, sources: Iterable[str]) -> None:
        """Take sources off a record that stays."""
        rows = [(memory, source) for source in sources]
        self._db.execute_each("DELETE FROM memory_source WHERE memory = ? AND source = ?", rows)

    def forget_sessions(self, conversations: Iterable[ConversationId], *, everything: bool) -> None:
        """Let nothing link later memories with those of conversations that are gone.

        With everything goes what was asked for consent, of which there is the category and the time only.
        """
        rows = [(conversation,) for conversation in conversations]
        self._db.execute_each("DELETE FROM memory_session WHERE conversation = ?", rows)
        if everything:
            self._db.execute("DELETE FROM memory_session")
            self._db.execute("DELETE FROM memory_asked")

    def end_succession(self, gone: Iterable[MemoryId]) -> None:
        """Let no record name one that is gone as the one that superseded it; it stays closed."""
        statement = "UPDATE memory SET successor = NULL WHERE successor IN (SELECT value FROM json_each(?))"
        self._db.execute(statement, json.dumps(sorted(gone)))
