"""Where the second copy of the ledger's seal is kept: the keyring, or a private file on a machine that has none."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Protocol

from keepmum_shared.codec import decode, encode
from keepmum_shared.errors import WireError

from keepmum_edge.config.private_files import UnsafeFileError, read_private, replace_private
from keepmum_edge.errors import KeyUnavailableError
from keepmum_edge.keys import Keyholder, Ring
from keepmum_edge.views.rollback import Kept

_NEXT = "Run `keepmum doctor`."
_PURPOSE: Final = "ledger"


class SealKeeper(Protocol):
    """Keeps one `Kept`. Both methods raise KeyUnavailableError when the place refuses, or holds what is none."""

    def read(self) -> Kept | None:
        """Return what is kept; None if nothing ever was."""
        ...

    def keep(self, kept: Kept) -> None:
        """Keep this, durably, in the place of what was kept."""
        ...


def keeper_for(keyholder: Keyholder, file: Path) -> SealKeeper:
    """Return the place that belongs to a profile: where its key is, in the keyring or in a file beside the key file.

    Raises:
        KeyUnavailableError: the key file or the keyring cannot be used.
    """
    found = keyholder.account(_PURPOSE)
    return FileKeeper(file) if found is None else RingKeeper(*found)


@contextmanager
def carried_over(keyholder: Keyholder, file: Path) -> Iterator[None]:
    """Let the seal go along when the block moves the key from one place to another.

    A copy lies in the file before the key moves. A crash in between that finds no seal is taken for a rollback, which
    is safe: nothing more is drawn.

    Raises:
        KeyUnavailableError: the new place refuses it.
    """
    kept = _held(keyholder, file)
    if kept is not None:
        FileKeeper(file).keep(kept)
    yield
    keeper = keeper_for(keyholder, file)
    if kept is not None and keeper.read() != kept:
        keeper.keep(kept)


def _held(keyholder: Keyholder, file: Path) -> Kept | None:
    """Return the seal from where it is now; with a lost key file or keyring, from the file if that is there."""
    with suppress(KeyUnavailableError):
        return keeper_for(keyholder, file).read()
    with suppress(KeyUnavailableError):
        return FileKeeper(file).read()
    return None


class RingKeeper:
    """In the keyring, under an account of its own."""

    def __init__(self, ring: Ring, account: str) -> None:
        self._ring, self._account = ring, account

    def read(self) -> Kept | None:
        """Return what is kept."""
        try:
            found = self._ring.get(self._account)
        except KeyUnavailableError as error:  # its words are about the database key
            raise KeyUnavailableError("the keyring did not give out the ledger's seal", error.next_step) from None
        return None if found is None else _read(found.encode())

    def keep(self, kept: Kept) -> None:
        """Keep this."""
        try:
            self._ring.put(self._account, encode(kept).decode())
        except KeyUnavailableError as error:
            raise KeyUnavailableError("the keyring did not take the ledger's seal", error.next_step) from None


class FileKeeper:
    """In a file beside the database. Whoever puts back the whole folder puts back both; then only the cloud tells."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> Kept | None:
        """Return what is kept."""
        try:
            return _read(read_private(self._path))
        except FileNotFoundError:
            return None
        except UnsafeFileError as unsafe:
            raise KeyUnavailableError(f"the ledger's seal {unsafe.problem}", unsafe.next_step) from None
        except OSError as error:
            raise KeyUnavailableError(f"the ledger's seal cannot be read ({error.strerror})", _NEXT) from None

    def keep(self, kept: Kept) -> None:
        """Keep this."""
        try:
            replace_private(self._path, encode(kept))
        except UnsafeFileError as unsafe:
            raise KeyUnavailableError(f"the ledger's seal {unsafe.problem}", unsafe.next_step) from None
        except OSError as error:
            raise KeyUnavailableError(f"the ledger's seal cannot be written ({error.strerror})", _NEXT) from None


def _read(content: bytes) -> Kept:
    try:
        return decode(Kept, content)
    except WireError:
        raise KeyUnavailableError("the ledger's seal is damaged", _NEXT) from None
