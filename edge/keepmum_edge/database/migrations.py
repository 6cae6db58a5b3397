"""Bringing a database from the schema it has to the schema this program knows, one step a transaction.

`PRAGMA user_version` holds the number of the last step. A step is never changed once released; a new one is added.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from sqlcipher3 import dbapi2

from keepmum_edge.errors import DatabaseUnavailableError


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One step: the version it leads to, counted from 1 without gaps, and its statements, each ended by `;`."""

    version: int
    script: str


class Migratable(Protocol):
    """What is used of a `Database`."""

    def transaction(self) -> AbstractContextManager[None]: ...  # noqa: D102
    def execute(self, statement: str, *parameters: object) -> int: ...  # noqa: D102
    def value(self, query: str, *parameters: object) -> Any: ...  # noqa: D102


def migrate(database: Migratable, migrations: Sequence[Migration]) -> None:
    """Apply the steps that the database does not have yet.

    Raises:
        DatabaseUnavailableError: it was made by a newer program, or a step failed; the steps before it stay.
    """
    newest = migrations[-1].version
    if _version(database) > newest:
        raise DatabaseUnavailableError("the database was made by a newer Keepmum", "Update Keepmum.")
    for step in migrations:
        if step.version <= _version(database):
            continue
        with database.transaction():
            if step.version <= _version(database):  # another process was faster
                continue
            for statement in statements(step.script):
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {step.version:d}")


def statements(script: str) -> Iterator[str]:
    """Yield the statements of a script; a trigger's inner `;` ends none.

    Raises:
        ValueError: the last statement is not ended.
    """
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if dbapi2.complete_statement(pending):
            yield pending.strip()
            pending = ""
    if pending.strip():
        raise ValueError("a statement of the schema is not ended")


def _version(database: Migratable) -> int:
    return int(database.value("PRAGMA user_version"))
