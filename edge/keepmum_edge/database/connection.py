"""A connection to the encrypted database, owned by the thread that opened it.

Stores are given a `Database`, run statements on it and never open, commit or close. Writing needs `transaction()`; the
one who composes the stores opens it, so that what belongs together is durable together.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from sqlcipher3 import dbapi2

from keepmum_edge.config.private_files import create_private, sync_folder
from keepmum_edge.database.failures import in_words
from keepmum_edge.database.migrations import Migration, migrate
from keepmum_edge.database.opening import (
    Driver,
    check_files,
    check_writable,
    connect,
    log_of,
    refuse_existing,
    remove_files,
)
from keepmum_edge.database.schema import MIGRATIONS
from keepmum_edge.errors import DatabaseUnavailableError

BUSY_TIMEOUT_MS: Final = 5000
Row = tuple[Any, ...]


class TransactionError(RuntimeError):
    """A fault in our code: a write outside a transaction, or one transaction inside another."""


class Database:
    """One open connection. Made by `open`, `create` or `open_to_read`."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    @classmethod
    def open(
        cls,
        path: Path,
        key: bytes,
        *,
        migrations: Sequence[Migration] = MIGRATIONS,
        busy_timeout_ms: int = BUSY_TIMEOUT_MS,
        driver: Driver = dbapi2.connect,
    ) -> "Database":
        """Open the database that is there, and bring its schema up to date.

        Args:
            path: The file; it and what lies beside it must be ours alone.
            key: 32 bytes.
            migrations: The schema, in order.
            busy_timeout_ms: How long to wait for another process.
            driver: One without a cipher is refused.

        Raises:
            DatabaseUnavailableError: missing, wrong key, not a database, damaged, locked, full disk, read-only, made by
                a newer Keepmum, open to others. The file is as it was, and none was made.
        """
        check_files(path)
        check_writable(path)
        if log_of(path).exists():  # closing moves a crashed daemon's log into the file, even under a wrong key
            connect(path, key, mode="mode=ro", busy_timeout_ms=busy_timeout_ms, driver=driver).close()
        database = cls(connect(path, key, mode="mode=rw", busy_timeout_ms=busy_timeout_ms, driver=driver))
        try:
            _prepare_to_write(database, migrations)
        except BaseException:
            database.close()
            raise
        return database

    @classmethod
    def create(
        cls,
        path: Path,
        key: bytes,
        *,
        migrations: Sequence[Migration] = MIGRATIONS,
        driver: Driver = dbapi2.connect,
    ) -> "Database":
        """Make the database of a new profile and open it. It appears whole under its name, or not at all.

        The caller holds the profile's lock, since drafts share a name.

        Raises:
            DatabaseUnavailableError: something has that name, or the disk refused.
        """
        draft = path.with_name(path.name + ".new")
        refuse_existing(path)
        try:
            remove_files(draft)
            create_private(draft, b"")
            raw = connect(draft, key, mode="mode=rw", busy_timeout_ms=BUSY_TIMEOUT_MS, driver=driver)
            with closing(cls(raw)) as database:
                _prepare_to_write(database, migrations)
            os.link(draft, path)  # unlike a rename it never takes the place of a database
            sync_folder(path.parent)
        except FileExistsError:
            refuse_existing(path)
            raise
        except OSError as error:
            part = f"the database cannot be made ({error.strerror})"
            raise DatabaseUnavailableError(part, "Check the disk's space and permissions.") from None
        finally:
            with suppress(OSError):
                remove_files(draft)
        return cls.open(path, key, migrations=migrations, driver=driver)

    @classmethod
    def open_to_read(cls, path: Path, key: bytes, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> "Database":
        """Open for looking only, beside a running daemon or without one; makes and changes no file.

        Raises:
            DatabaseUnavailableError: as `open`.
        """
        check_files(path)
        # without a daemon there is no log, and SQLite would make one unless told that the file stands still
        mode = "mode=ro" if log_of(path).exists() else "mode=ro&immutable=1"
        return cls(connect(path, key, mode=mode, busy_timeout_ms=busy_timeout_ms, driver=dbapi2.connect))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block as one transaction: all of it durable when this returns, or none of it.

        Raises:
            TransactionError: one is open.
            DatabaseUnavailableError: it could not begin or commit; nothing of it is stored.
        """
        if self._connection.in_transaction:
            raise TransactionError("a transaction is open already")
        with in_words():
            self._run("BEGIN IMMEDIATE")
        try:
            yield
            with in_words():
                self._run("COMMIT")
        except BaseException:
            self._roll_back()
            raise

    def execute(self, statement: str, *parameters: object) -> int:
        """Run one writing statement and return how many rows it changed.

        Raises:
            TransactionError: no transaction is open.
            DatabaseUnavailableError: it failed.
        """
        self._require_transaction()
        with in_words():
            return int(self._connection.execute(statement, parameters).rowcount)

    def execute_each(self, statement: str, rows: Sequence[Sequence[object]]) -> int:
        """Run one writing statement for each row of parameters, and return how many rows it changed in all.

        Raises:
            TransactionError, DatabaseUnavailableError: as `execute`.
        """
        self._require_transaction()
        with in_words():
            return int(self._connection.executemany(statement, rows).rowcount) if rows else 0

    def rows(self, query: str, *parameters: object) -> list[Row]:
        """Return all rows of a query.

        Raises:
            DatabaseUnavailableError: it failed.
        """
        with in_words():
            return list(self._connection.execute(query, parameters).fetchall())

    def row(self, query: str, *parameters: object) -> Row | None:
        """Return the first row of a query, or None.

        Raises:
            DatabaseUnavailableError: it failed.
        """
        with in_words():
            first: Row | None = self._connection.execute(query, parameters).fetchone()
            return first

    def value(self, query: str, *parameters: object) -> Any:
        """Return the first column of the first row, or None.

        Raises:
            DatabaseUnavailableError: it failed.
        """
        first = self.row(query, *parameters)
        return None if first is None else first[0]

    def cipher_version(self) -> str:
        """Return the version of SQLCipher; empty if this is none."""
        return str(self.value("PRAGMA cipher_version") or "")

    def integrity(self) -> tuple[str, ...]:
        """Check every page, its authentication code and every index; return what is wrong, nothing if all is well.

        The words are SQLite's about pages and indexes; they hold no content.

        Raises:
            DatabaseUnavailableError: damaged so far that it cannot be checked.
        """
        cipher = [str(row[0]) for row in self.rows("PRAGMA cipher_integrity_check")]
        inner = [str(row[0]) for row in self.rows("PRAGMA integrity_check")]
        return tuple(cipher + [problem for problem in inner if problem != "ok"])

    def checkpoint(self) -> bool:
        """Move the log into the database and empty it, so that deleted text leaves the disk.

        Returns:
            Whether it is empty; not while another process reads.

        Raises:
            DatabaseUnavailableError: the disk refused.
        """
        busy = self.value("PRAGMA wal_checkpoint(TRUNCATE)")
        return bool(busy == 0)

    def rewrite(self) -> bool:
        """Write every page anew, without what deleted rows left in them, and empty the log.

        secure_delete alone is not enough: when SQLite rearranges the pages of a tree it leaves copies of rows behind.
        Takes about 10 ms a megabyte.

        Returns:
            Whether the log is empty; not while another process reads.

        Raises:
            DatabaseUnavailableError: the disk refused; nothing is lost.
        """
        with in_words():
            self._run("VACUUM")
        return self.checkpoint()

    def size(self) -> int:
        """Return how many bytes the database has, without its log."""
        return int(self.value("PRAGMA page_count")) * int(self.value("PRAGMA page_size"))

    def checkpoint_in_passing(self) -> None:
        """Move what can be moved of the log into the database, so that no COMMIT has to do it; waits for nobody.

        Raises:
            DatabaseUnavailableError: the disk refused; nothing is lost, and the next one goes on.
        """
        self.value("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        """Close the connection; an open transaction is rolled back. Closing twice does nothing."""
        self._connection.close()

    def _run(self, statement: str) -> None:
        self._connection.execute(statement).fetchall()

    def _require_transaction(self) -> None:
        if not self._connection.in_transaction:
            raise TransactionError("a write needs a transaction")

    def _roll_back(self) -> None:
        if self._connection.in_transaction:  # after a full disk SQLite has rolled back by itself
            with suppress(dbapi2.Error):
                self._connection.rollback()


def _prepare_to_write(database: Database, migrations: Sequence[Migration]) -> None:
    if database.value("PRAGMA journal_mode = WAL") != "wal":
        part = "this file system cannot hold the database (no write-ahead log)"
        raise DatabaseUnavailableError(part, "Use a local disk.")
    database.value("PRAGMA synchronous = FULL")
    migrate(database, migrations)
