"""One daemon per profile: a lock that the kernel gives back when its holder dies, however it dies.

The lock is on an open file (`flock`), so a file that a crash left behind locks nobody out. What the file says (process
and address) serves people and clients; only the lock itself decides.
"""

import fcntl
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from keepmum_shared.codec import decode, encode
from keepmum_shared.errors import WireError

from keepmum_edge.config import UnsafeFileError
from keepmum_edge.config.private_files import open_private
from keepmum_edge.errors import AlreadyRunningError, DatabaseUnavailableError

_LIMIT: Final = 4096
_TRIES: Final = 5
_PAUSE_S: Final = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who holds a profile.

    Attributes:
        pid: Its process.
        address: Where it listens, `http://127.0.0.1:8765` for example; None until it does.
    """

    pid: int
    address: str | None = None


class ProfileLock:
    """The held lock of one profile. Use `acquire`, then as a context manager or with `release`."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def acquire(cls, path: Path) -> Self:
        """Take the lock.

        Raises:
            AlreadyRunningError: another process has it; the message says where that one listens.
            DatabaseUnavailableError: the lock file cannot be opened, or is not ours alone.
        """
        descriptor = _open(path)
        if not _take(descriptor):
            holder = _read(descriptor)
            os.close(descriptor)
            raise AlreadyRunningError(_in_words(holder)) from None
        lock = cls(descriptor)
        lock._write(Holder(pid=os.getpid()))
        return lock

    def announce(self, address: str) -> None:
        """Say where this process listens.

        Raises:
            DatabaseUnavailableError: the lock file cannot be written.
        """
        self._write(Holder(pid=os.getpid(), address=address))

    def release(self) -> None:
        """Give the lock back. Releasing twice does nothing. The file stays: removing it would race with the next."""
        if self._descriptor >= 0:
            descriptor, self._descriptor = self._descriptor, -1
            os.ftruncate(descriptor, 0)
            os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def _write(self, holder: Holder) -> None:
        content = encode(holder)
        try:
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, content, 0)
        except OSError as error:
            part = f"the lock file cannot be written ({error.strerror})"
            raise DatabaseUnavailableError(part, "Check the disk's space.") from None


def find_holder(path: Path) -> Holder | None:
    """Return who holds the profile, or None if nobody does. Makes no file.

    Raises:
        DatabaseUnavailableError: the lock file is not ours alone.
    """
    if not os.path.lexists(path):
        return None
    descriptor = _open(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _read(descriptor) or Holder(pid=0)
    finally:
        os.close(descriptor)
    return None


def _open(path: Path) -> int:
    try:
        return open_private(path)
    except UnsafeFileError as unsafe:
        raise DatabaseUnavailableError(f"the lock file {unsafe.problem}", unsafe.next_step) from None
    except OSError as error:
        part = f"the lock file cannot be opened ({error.strerror})"
        raise DatabaseUnavailableError(part, "Check the disk's space and permissions.") from None


def _take(descriptor: int) -> bool:
    """Try a few times: `find_holder` of another process has the lock for a moment."""
    for _ in range(_TRIES):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_PAUSE_S)
        else:
            return True
    return False


def _read(descriptor: int) -> Holder | None:
    """Return what the holder wrote; None while it is writing."""
    try:
        return decode(Holder, os.pread(descriptor, _LIMIT, 0))
    except WireError:
        return None


def _in_words(holder: Holder | None) -> str:
    if holder is None:
        return "Keepmum is running already for this profile"
    where = f" at {holder.address}" if holder.address else ""
    return f"Keepmum is running already for this profile{where} (process {holder.pid}); use it, or stop it first"
