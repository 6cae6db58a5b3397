"""What SQLCipher reports, in words for the owner: which part, and what to do next.

The only place that reads an SQLite error. Its own message is dropped: it may quote a statement or a query.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from keepmum_shared.errors import MalformedError
from sqlcipher3 import dbapi2

from keepmum_edge.errors import DatabaseUnavailableError

PAGE_BYTES: Final = 4096
_BACKUP: Final = "Put back a backup of the database."
_WORDS: Final[dict[int, tuple[str, str]]] = {
    dbapi2.SQLITE_BUSY: ("the database is locked by another process", "Stop the other Keepmum, then try again."),
    dbapi2.SQLITE_LOCKED: ("the database is locked by another process", "Stop the other Keepmum, then try again."),
    dbapi2.SQLITE_FULL: ("the disk is full", "Free some space, then try again."),
    dbapi2.SQLITE_IOERR: ("the disk did not read or write (full, over quota or failing)", "Check the disk."),
    dbapi2.SQLITE_READONLY: ("the database cannot be written to", "Make the file and its folder writable again."),
    dbapi2.SQLITE_CANTOPEN: ("the database file cannot be opened", "Check its permissions and the disk."),
    dbapi2.SQLITE_PERM: ("the database file cannot be opened", "Check its permissions."),
    dbapi2.SQLITE_CORRUPT: ("the database is damaged", f"Run `keepmum doctor`. {_BACKUP}"),
    dbapi2.SQLITE_NOTADB: ("the database does not open with this key, or its first page is damaged", _BACKUP),
    dbapi2.SQLITE_NOMEM: ("there is not enough memory for the database", "Free some memory, then try again."),
    dbapi2.SQLITE_CONSTRAINT: ("a row breaks a rule of the database", "Report this as a fault of Keepmum."),
}
_UNKNOWN: Final = ("the database failed", "Run `keepmum doctor`.")


@contextmanager
def in_words(opening: Path | None = None) -> Iterator[None]:
    """Turn an SQLite error into a DatabaseUnavailableError without its message.

    Args:
        opening: The file that is being opened, to tell one that no key would open from a wrong key.

    Raises:
        DatabaseUnavailableError: SQLite failed.
        MalformedError: a text parameter holds a lone surrogate.
    """
    try:
        yield
    except dbapi2.ProgrammingError:  # a fault in our code (closed, wrong thread); holds no text
        raise
    except dbapi2.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the primary code
        words = (code == dbapi2.SQLITE_NOTADB and opening and _no_database(opening)) or _WORDS.get(code, _UNKNOWN)
        raise DatabaseUnavailableError(*words) from None
    except UnicodeEncodeError:
        raise MalformedError("text", "holds a lone surrogate") from None


def _no_database(path: Path) -> tuple[str, str] | None:
    """Return the words for a file that no key would open, or None if it may be a database."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(16)
    except OSError:
        return None
    if head.startswith(b"SQLite format 3"):
        return "the database file is an SQLite database that is not encrypted", "Move it away."
    if size < PAGE_BYTES or size % PAGE_BYTES != 0:
        return "the database file is not a Keepmum database, or it was cut off", _BACKUP
    return None
