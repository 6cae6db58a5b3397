"""Files and folders that only their owner may reach: 0600 in 0700, never through a symbolic link.

A folder of ours is 0700 and nobody else can plant a file in it; so each check here looks at the last component only
and is not undone between the check and the use.
"""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

from keepmum_edge.errors import ConfigError

FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600
_OTHERS: Final = 0o077
_OTHERS_WRITE: Final = 0o022


class UnsafeFileError(ConfigError):
    """A file or folder can be reached by others, or is not what its name says.

    Attributes:
        path: Which one.
        problem: What is wrong with it.
        next_step: What the owner can do.
    """

    code = "unsafe_file"

    def __init__(self, path: Path, problem: str, next_step: str) -> None:
        super().__init__(f"{path} {problem}. {next_step}")
        self.path = path
        self.problem = problem
        self.next_step = next_step


def ensure_folder(path: Path) -> None:
    """Make the folder 0700 with its parents, or check the one that is there.

    Raises:
        UnsafeFileError: it is a symbolic link or no folder, is another user's, or others may enter it.
        OSError: it cannot be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.mkdir(mode=FOLDER_MODE)
    except FileExistsError:
        check_folder(path)


def check_folder(path: Path) -> None:
    """Check that the folder is ours alone.

    Raises:
        UnsafeFileError: as `ensure_folder`.
        FileNotFoundError: it is not there.
    """
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise UnsafeFileError(path, "is not a folder (a symbolic link is refused too)", "Put a real folder there.")
    _check_owner(path, found, _OTHERS, "chmod 700")


def check_file(path: Path) -> None:
    """Check that the file is a regular file of ours that nobody else can read or write.

    Raises:
        UnsafeFileError: it is not.
        FileNotFoundError: it is not there.
    """
    _check_regular(path, path.lstat(), _OTHERS)


def read_private(path: Path, *, others_may_read: bool = False, limit: int = 1 << 20) -> bytes:
    """Read a whole private file.

    Args:
        path: The file.
        others_may_read: For files that hold no secret but decide something; others may still not write.
        limit: More bytes than this are refused.

    Raises:
        UnsafeFileError: a symbolic link, not a regular file, another user's, too large, or open to others.
        FileNotFoundError, OSError: it is not there, cannot be read.
    """
    if path.is_symlink():
        raise UnsafeFileError(path, "is a symbolic link", "Put the file itself there.")
    # O_NONBLOCK: a pipe with that name must not hang us before the check refuses it
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        _check_regular(path, os.fstat(file.fileno()), _OTHERS_WRITE if others_may_read else _OTHERS)
        content = file.read(limit + 1)
    if len(content) > limit:
        raise UnsafeFileError(path, f"is larger than {limit} bytes", "It cannot be the right file.")
    return content


def create_private(path: Path, content: bytes) -> None:
    """Write a new file, 0600, on disk before this returns.

    Raises:
        FileExistsError: something has that name, be it a dangling symbolic link.
        OSError: it cannot be written; nothing is left behind.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, FILE_MODE)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def replace_private(path: Path, content: bytes) -> None:
    """Write a file, 0600, in the place of what has that name: the old content or the new, never a part.

    Raises:
        UnsafeFileError: a folder has that name.
        OSError: it cannot be written; the old file is as it was.
    """
    if path.is_dir() and not path.is_symlink():
        raise UnsafeFileError(path, "is a folder", "Move it away.")
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    create_private(draft, content)
    draft.replace(path)
    sync_folder(path.parent)


def open_private(path: Path) -> int:
    """Open a file for reading and writing, made 0600 if it is new, and return its descriptor.

    Raises:
        UnsafeFileError: a symbolic link, not a regular file, another user's, or open to others.
        OSError: it cannot be opened.
    """
    if path.is_symlink():
        raise UnsafeFileError(path, "is a symbolic link", "Remove it.")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, FILE_MODE)
    try:
        _check_regular(path, os.fstat(descriptor), _OTHERS)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def private_opener(path: str, flags: int) -> int:
    """Open for `open(..., opener=private_opener)`: 0600 if new, never through a symbolic link. For logs."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, FILE_MODE)


def sync_folder(path: Path) -> None:
    """Make names that were added to or removed from the folder durable.

    Raises:
        OSError: the disk refused.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def problem_of(check: Callable[[Path], None], path: Path) -> UnsafeFileError | None:
    """Return what a check has to say instead of raising it; a path that is not there is no problem."""
    try:
        check(path)
    except FileNotFoundError:
        return None
    except UnsafeFileError as problem:
        return problem
    return None


def _check_regular(path: Path, found: os.stat_result, forbidden: int) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise UnsafeFileError(path, "is not a regular file (a symbolic link is refused too)", "Put a real file there.")
    _check_owner(path, found, forbidden, "chmod 600")


def _check_owner(path: Path, found: os.stat_result, forbidden: int, remedy: str) -> None:
    if found.st_uid not in (os.getuid(), 0):
        raise UnsafeFileError(path, "belongs to another user", "Use a folder of your own.")
    if found.st_mode & forbidden:
        verb = "write to" if forbidden == _OTHERS_WRITE else "reach"
        raise UnsafeFileError(path, f"lets other users {verb} it", f"Run: {remedy} '{path}'")
