"""Looking for what a deletion left behind, by other code than that which deleted.

The tables are read as they are, all of them and every column, whatever store owns them; then the bytes of the file and
of its log, decrypted without SQLite. A text that somebody else's row holds by itself (another scope says the same) is
found in the tables and so explained: it is told as kept, and not looked for in the bytes.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from keepmum_edge.database import Database

_MIN_BYTES: Final = 4
"""A shorter text stands in random bytes by chance."""

ScanPages = Callable[[Sequence[bytes]], int]
"""Says in how many pages of the file's bytes one of the needles stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the look afterwards saw.

    Attributes:
        tables: Table -> how many cells hold a needle.
        pages: In how many pages of the file a needle stands that no cell explains.
        unlooked: How many needles were too short to be told from chance, or stand in a cell.
    """

    tables: Mapping[str, int]
    pages: int
    unlooked: int


def look(database: Database, scan_pages: ScanPages, needles: Sequence[str]) -> Found:
    """Look for needles everywhere; empty the log before."""
    tables: dict[str, int] = {}
    explained: set[str] = set()
    for table, column in _columns(database):
        query = f'SELECT count(*) FROM "{table}" WHERE instr(CAST("{column}" AS BLOB), ?) > 0'  # noqa: S608
        for needle in needles:
            cells = sum(int(database.value(query, form)) for form in _forms(needle))
            if cells:
                explained.add(needle)
                tables[table] = tables.get(table, 0) + cells
    wanted = [f for n in needles if n not in explained for f in _forms(n) if len(f) >= _MIN_BYTES]
    looked = [n for n in needles if n not in explained and len(n.encode()) >= _MIN_BYTES]
    return Found(tables=tables, pages=scan_pages(wanted), unlooked=len(needles) - len(looked))


def _forms(needle: str) -> tuple[bytes, ...]:
    """Return the bytes of a text as it stands by itself and inside JSON."""
    plain, in_json = needle.encode(), json.dumps(needle, ensure_ascii=False)[1:-1].encode()
    return (plain,) if plain == in_json else (plain, in_json)


def _columns(database: Database) -> list[tuple[str, str]]:
    """Return every column of every table that can be read: also the tables in which the full-text index lies."""
    tables = [
        str(name)
        for name, statement in database.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
        if not str(statement).upper().startswith("CREATE VIRTUAL") and not str(name).startswith("sqlite_")
    ]
    return [
        (table, str(column[0])) for table in tables for column in database.rows("SELECT name FROM pragma_table_info(?)", table)
    ]
