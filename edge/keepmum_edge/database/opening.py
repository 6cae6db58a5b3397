"""Opening the encrypted file: checks before SQLite touches it, the key, and the settings of a connection."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from keepmum_edge.config.private_files import UnsafeFileError, check_file
from keepmum_edge.database.failures import in_words
from keepmum_edge.errors import DatabaseUnavailableError

KEY_BYTES: Final = 32
Driver = Callable[..., Any]
"""`connect` of a DB-API module."""

_SETTINGS: Final = (
    "foreign_keys = ON",
    "secure_delete = ON",
    "temp_store = MEMORY",
    "trusted_schema = OFF",
    "cell_size_check = ON",
)


def connect(path: Path, key: bytes, *, mode: str, busy_timeout_ms: int, driver: Driver) -> Any:
    """Return a connection that has read the schema with this key, in autocommit.

    Args:
        path: The file.
        key: 32 bytes.
        mode: Parameters of the SQLite URI, `mode=rw` for example.
        busy_timeout_ms: How long to wait for another process.
        driver: One without a cipher is refused.

    Raises:
        DatabaseUnavailableError: wrong key, not a database, damaged, locked, no cipher.
    """
    if len(key) != KEY_BYTES:
        raise DatabaseUnavailableError("the database key does not have 32 bytes", "Run `keepmum recover`.")
    with in_words():
        connection = driver(f"file:{quote(str(path))}?{mode}", uri=True, isolation_level=None)
    try:
        with in_words(opening=path):
            _begin(connection, key, busy_timeout_ms)
    except BaseException:
        connection.close()
        raise
    return connection


def log_of(path: Path) -> Path:
    """Return where SQLite keeps the write-ahead log of a database."""
    return path.with_name(path.name + "-wal")


def check_files(path: Path) -> None:
    """Refuse what is missing, empty, open to others or a symbolic link, before SQLite touches it.

    Raises:
        DatabaseUnavailableError: saying which.
    """
    try:
        check_file(path)
        for suffix in ("-wal", "-shm"):
            with suppress(FileNotFoundError):
                check_file(path.with_name(path.name + suffix))
        empty = path.stat().st_size == 0  # SQLite would take it for a new database
    except FileNotFoundError:
        next_step = "Put back a backup of it; a new one is made only for a new profile."
        raise DatabaseUnavailableError("the database file is missing", next_step) from None
    except UnsafeFileError as unsafe:
        raise DatabaseUnavailableError(f"the database file {unsafe.problem}", unsafe.next_step) from None
    except OSError as error:
        raise DatabaseUnavailableError(f"the database cannot be read ({error.strerror})", "Check the disk.") from None
    if empty:
        raise DatabaseUnavailableError("the database file is empty", "Put back a backup of it.")


def refuse_existing(path: Path) -> None:
    """Refuse to make a database where there is one, or where the log of one lies.

    Raises:
        DatabaseUnavailableError: naming it.
    """
    for file in (path, log_of(path)):
        if os.path.lexists(file):
            raise DatabaseUnavailableError(f"there is a {file.name} already", "Open it, or move it away.")


def remove_files(path: Path) -> None:
    """Remove a draft of a database and what SQLite keeps beside it.

    Raises:
        OSError: one of them cannot be removed.
    """
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _begin(connection: Any, key: bytes, busy_timeout_ms: int) -> None:
    connection.execute(f"PRAGMA key = \"x'{key.hex()}'\"")
    version = connection.execute("PRAGMA cipher_version").fetchone()
    if version is None or not version[0]:
        part = "SQLCipher is missing, so the database would not be encrypted"
        raise DatabaseUnavailableError(part, "Install Keepmum's dependencies again.")
    connection.execute("PRAGMA cipher_log_level = NONE")
    connection.execute(f"PRAGMA busy_timeout = {busy_timeout_ms:d}")
    connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()  # the first read is what tries the key
    for setting in _SETTINGS:
        connection.execute(f"PRAGMA {setting}")
