"""The cloud's one SQLite file: opening, transactions, and erasing what was deleted.

One connection, used by one thread at a time (a lock), so that requests queue instead of meeting "database is locked";
`keepmum-cloud pair` is another process and waits its turn. Once `erase_deleted` has returned, deleted bytes are gone
from the file and from the write-ahead log. Only this module opens, commits or closes.
"""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from keepmum_cloud.errors import DeletionPendingError, StoreError
from keepmum_cloud.schema import SCHEMA_VERSION, migrate

FILE_NAME: Final = "cloud.sqlite3"
_BUSY_MS: Final = 5000


def _create_private(path: Path) -> None:
    """Create the file with mode 0600 if it is not there.

    A file that exists is not even opened: closing a second descriptor of it would drop the locks that an open
    connection of this process holds, and another process could then take the log away (sqlite.org/howtocorrupt.html,
    2.2).
    """
    if path.is_symlink():
        raise OSError("the database file is a symbolic link")
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
    except FileExistsError:
        return


class Database:
    """The open file. Call from worker threads; a transaction holds the connection from its beginning to its end."""

    def __init__(self, folder: Path) -> None:
        """Open or create the file (0600) in `folder` (created 0700).

        Raises:
            StoreError: it cannot be opened, is no database, or was written by a newer version.
        """
        self.path = folder / FILE_NAME
        self._lock = threading.RLock()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _create_private(self.path)
            self._connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            self._prepare()
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                f"the database {self.path} cannot be opened ({type(error).__name__}); check its permissions and the "
                "disk, or move it away and pair again"
            ) from None

    def _prepare(self) -> None:
        db = self._connection
        for pragma in (
            f"busy_timeout = {_BUSY_MS}",
            "secure_delete = ON",
            "journal_mode = WAL",
            "synchronous = FULL",
            "temp_store = MEMORY",
            "foreign_keys = ON",
            "trusted_schema = OFF",
            "cell_size_check = ON",
        ):
            db.execute(f"PRAGMA {pragma}")
        with self.transaction():
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version > SCHEMA_VERSION:
                raise StoreError(f"the database {self.path} was written by a newer Keepmum; update this one")
            if version < SCHEMA_VERSION:
                migrate(db, version)
        with suppress(StoreError):  # another process is at work; it stays noted
            self.erase_deleted()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Give the connection inside BEGIN IMMEDIATE; commit at the end, roll back if anything was raised.

        Raises:
            StoreError: the database is locked, damaged or the disk is full; nothing was changed.
        """
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    yield self._connection
                except BaseException:
                    self._connection.rollback()
                    raise
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                if self._connection.in_transaction:
                    self._connection.rollback()
                raise StoreError(
                    f"the database could not be used ({type(error).__name__}); check that the disk is not full"
                ) from None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give the connection inside one consistent read.

        Raises:
            StoreError: the database cannot be read.
        """
        with self._lock:
            try:
                self._connection.execute("BEGIN")
                try:
                    yield self._connection
                finally:
                    self._connection.rollback()
            except sqlite3.Error as error:
                raise StoreError(f"the database could not be read ({type(error).__name__})") from None

    def check(self) -> None:
        """Return if the database can be read and written.

        Raises:
            StoreError: it cannot.
        """
        with self.transaction() as db:
            db.execute("SELECT count(*) FROM devices").fetchone()

    def erase_deleted(self) -> None:
        """Rewrite the file and cut the log to nothing, so that deleted bytes are in neither of them.

        Does nothing unless a deletion has put a row into `erasures`, which stays there until its bytes are gone: what a
        crash or a busy log left undone is made up for at the next call, or when the file is opened next.

        secure_delete alone is not enough: when SQLite rearranges the pages of a tree it leaves copies of rows behind,
        and a later deletion does not find those. Costs about 10 ms for each megabyte and keeps everyone else waiting
        so long.

        Raises:
            DeletionPendingError: another process reads the database at this moment.
            StoreError: the disk is full or failed.
        """
        with self._lock:
            try:
                if self._connection.execute("SELECT 1 FROM erasures").fetchone() is None:
                    return
                self._connection.execute("VACUUM")
                (busy, _, _) = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if not busy:
                    self._connection.execute("DELETE FROM erasures")
            except sqlite3.Error as error:
                raise StoreError(
                    f"deleted, but the database could not be rewritten without it ({type(error).__name__}); check that "
                    "the disk is not full, and ask again"
                ) from None
        if busy:
            raise DeletionPendingError

    def close(self) -> None:
        """Empty the log and close; may be called twice."""
        with self._lock:
            self._connection.close()
