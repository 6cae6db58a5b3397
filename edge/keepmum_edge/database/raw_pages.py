"""The database's bytes in clear, page by page, by other code than SQLite's: what deleted rows left in them is seen too.

SQLCipher 4 as this project opens it: a raw key, AES-256-CBC, pages of 4096 bytes that end in a 16-byte vector and a
64-byte authentication code; the first 16 bytes of the file are the salt. The log holds the same pages, each behind a
header of 24 bytes, after one of 32 bytes for the file. Nothing is written anywhere.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES256
from cryptography.hazmat.primitives.ciphers.modes import CBC

from keepmum_edge.database.opening import log_of
from keepmum_edge.errors import DatabaseUnavailableError

_PAGE: Final = 4096
_RESERVED: Final = 80
_VECTOR: Final = 16
_SALT: Final = 16
_LOG_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_STRETCH: Final = 256
"""Pages that are looked through at once."""


def count_in_pages(database: Path, key: bytes, needles: Sequence[bytes]) -> int:
    """Return how many of the needles stand in the file or its log, also across the border of two pages.

    Args:
        database: The file; it must not be written to meanwhile.
        key: 32 bytes.
        needles: What to look for; empty ones are left out.

    Raises:
        DatabaseUnavailableError: the file cannot be read.
    """
    wanted = {needle for needle in needles if needle}
    found: set[bytes] = set()
    reach = max(map(len, wanted), default=1) - 1
    pages, tail = clear_pages(database, key), b""
    while stretch := b"".join(islice(pages, _STRETCH)):
        joined = tail + stretch
        found.update(needle for needle in wanted - found if needle in joined)
        tail = joined[len(joined) - reach :]
    return len(found)


def clear_pages(database: Path, key: bytes) -> Iterator[bytes]:
    """Yield the content of every page of the file and of its log.

    Raises:
        DatabaseUnavailableError: the file cannot be read.
    """
    try:
        with database.open("rb") as file:
            number = 0
            while len(page := file.read(_PAGE)) == _PAGE:
                yield _clear(page[_SALT if number == 0 else 0 :], key)
                number += 1
        log = log_of(database)
        if not log.exists():
            return
        with log.open("rb") as file:
            file.seek(_LOG_HEADER)
            while len(frame := file.read(_FRAME_HEADER + _PAGE)) == _FRAME_HEADER + _PAGE:
                first = frame[:4] == (1).to_bytes(4, "big")
                yield _clear(frame[_FRAME_HEADER + (_SALT if first else 0) :], key)
    except OSError as error:
        raise DatabaseUnavailableError(f"the database cannot be read ({error.strerror})", "Check the disk.") from None


def _clear(page: bytes, key: bytes) -> bytes:
    vector = page[-_RESERVED : -_RESERVED + _VECTOR]
    decryptor = Cipher(AES256(key), CBC(vector)).decryptor()
    return decryptor.update(page[:-_RESERVED]) + decryptor.finalize()
