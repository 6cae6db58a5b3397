"""Looking for what a deletion left behind, by other code than that which deleted.

The tables are read as they are, every column whatever store owns it; then the bytes of the file and of its log,
decrypted without SQLite. Words that somebody else's row holds by itself (another scope says the same) are found in the
tables and told as such, and not looked for in the bytes. So is the embedding of the forgotten, byte for byte.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from keepmum_edge.daemon.forget.needles import in_json, irredundant
from keepmum_edge.database import Database

_MIN_BYTES: Final = 5
"""A shorter text stands in some page by chance."""
_WORK_BYTES: Final = 2**30
_LEAST_NEEDLES: Final = 4
_IDS_STAY: Final = frozenset({"tombstone", "forgotten_message", "receipt", "receipt_wait", "cloud_deletion", "turn"})
"""Tables that name the forgotten by id on purpose. A turn's row says that it was, and nothing of what was said."""

ScanPages = Callable[[Sequence[bytes]], int]
"""Says how many of the needles stand in the file's bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the look afterwards saw; fields as in `Receipt`."""

    rows: int
    texts: int
    same_words: int
    unlooked: int


class Verification:
    """Looks through one database; on the writer's thread, the log emptied before.

    Args:
        unexplained: Counts what was made of records, without their words, and is not what the records that are left
            give (`daemon.views.slot_scores`).
    """

    def __init__(self, database: Database, scan_pages: ScanPages, unexplained: Callable[[], int]) -> None:
        self._database = database
        self._scan_pages = scan_pages
        self._unexplained = unexplained

    def look(
        self,
        *,
        ids: Collection[str],
        chains: Collection[bytes],
        needles: Sequence[str],
        vectors: Sequence[bytes] = (),
    ) -> Found:
        """Look for rows under removed ids, and for the words of the removed.

        Args:
            ids: Of records and turns.
            chains: Chain digests of messages.
            needles: Texts in clear, the most important first: in a large database only so many are looked for as take
                about a second.
            vectors: Embeddings as they were stored, less important than every text.
        """
        columns = self._columns()
        order = {needle: number for number, needle in reversed(list(enumerate(needles)))}
        telling = [needle for needle in irredundant(needles) if len(needle.encode()) >= _MIN_BYTES]
        most = max(_LEAST_NEEDLES, _WORK_BYTES // max(1, self._database.size()))
        looked_for = sorted(telling, key=order.__getitem__)[:most]
        looked_for_vectors = list(dict.fromkeys(vectors))[: most - len(looked_for)]
        wanted = {needle.encode(): forms(needle) for needle in looked_for}
        places = self._places_of(columns, wanted | {vector: (vector,) for vector in looked_for_vectors})
        unexplained = [form for needle, cells in places.items() if not cells for form in wanted.get(needle, (needle,))]
        unlooked = sum(1 for n in set(needles) if not any(each in n for each in looked_for))
        return Found(
            rows=self._rows_under(columns, ids, chains) + self._unexplained(),
            texts=self._scan_pages(unexplained),
            same_words=sum(places.values()),
            unlooked=unlooked + len(set(vectors)) - len(looked_for_vectors),
        )

    def _rows_under(self, columns: Sequence[tuple[str, str]], ids: Collection[str], chains: Collection[bytes]) -> int:
        names, digests = json.dumps(sorted(ids)), json.dumps(sorted(chain.hex().upper() for chain in chains))
        found = 0
        for table, column in columns:
            if table in _IDS_STAY or (table, column) == ("memory_source", "source"):
                continue
            by_id = f'SELECT count(*) FROM "{table}" WHERE "{column}" IN (SELECT value FROM json_each(?))'  # noqa: S608
            found += int(self._database.value(by_id, names))
            if (table, column) == ("message", "chain"):
                by_chain = f'SELECT count(*) FROM "{table}" WHERE hex("{column}") IN (SELECT value FROM json_each(?))'  # noqa: S608
                found += int(self._database.value(by_chain, digests))
        records = json.dumps(sorted(each for each in ids if each.startswith("mem_")))
        dangling = "SELECT count(*) FROM memory_source WHERE source IN (SELECT value FROM json_each(?))"
        return found + int(self._database.value(dangling, records))

    def _places_of(
        self, columns: Sequence[tuple[str, str]], wanted: Mapping[bytes, tuple[bytes, ...]]
    ) -> dict[bytes, int]:
        """Return how often each needle stands in the cells, in any of its forms."""
        found = dict.fromkeys(wanted, 0)
        for table, column in columns if found else ():
            query = f'SELECT CAST("{column}" AS BLOB) FROM "{table}" WHERE "{column}" IS NOT NULL'  # noqa: S608
            cells = b"\0".join(row[0] for row in self._database.rows(query))
            for needle, needle_forms in wanted.items():
                found[needle] += sum(map(cells.count, needle_forms))
        return found

    def _columns(self) -> list[tuple[str, str]]:
        """Return every column that can hold text or bytes, also of the tables in which the full-text index lies."""
        tables = [
            str(name)
            for name, statement in self._database.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
            if not str(statement).upper().startswith("CREATE VIRTUAL") and not str(name).startswith("sqlite_")
        ]
        columns = "SELECT name FROM pragma_table_info(?) WHERE type <> 'INTEGER'"
        return [(table, str(row[0])) for table in tables for row in self._database.rows(columns, table)]


def forms(needle: str) -> tuple[bytes, ...]:
    """Return the bytes of a text as it stands by itself and inside JSON."""
    plain, escaped = needle.encode(), in_json(needle).encode()
    return (plain,) if plain == escaped else (plain, escaped)
