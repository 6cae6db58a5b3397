"""Where the passphrase of the key file comes from: a private file, the environment, or a person."""

import unicodedata
from pathlib import Path
from typing import Final, Literal, Protocol

from keepmum_edge.config import EdgeConfig, UnsafeFileError
from keepmum_edge.config.private_files import read_private
from keepmum_edge.errors import KeyUnavailableError

MIN_LENGTH: Final = 8
"""Of a new passphrase, in characters."""


class Ask(Protocol):
    """Asks a person. The command line gives one; a daemon has nobody to ask."""

    def __call__(self, purpose: Literal["new", "unlock"]) -> str | None:
        """Return what was typed, or None if there is nobody to ask."""
        ...


def ask_nobody(purpose: Literal["new", "unlock"]) -> None:
    """`Ask` of a process without a terminal."""
    del purpose


def configured_passphrase(config: EdgeConfig) -> str | None:
    """Return the passphrase of the file or of the environment, or None if neither is set.

    Raises:
        KeyUnavailableError: the file is set and cannot be used.
    """
    if config.passphrase_file is not None:
        return _from_file(config.passphrase_file)
    return config.passphrase


def check_new(passphrase: str) -> str:
    """Return a passphrase that may protect a key.

    Raises:
        KeyUnavailableError: it is too short to keep anybody out.
    """
    if len(passphrase) < MIN_LENGTH:
        part = f"the new passphrase has fewer than {MIN_LENGTH} characters"
        raise KeyUnavailableError(part, "Choose a longer one, five random words for example.")
    return passphrase


def passphrase_bytes(passphrase: str) -> bytes:
    """Return the bytes that are stretched: NFC, so that every keyboard gives the same.

    Raises:
        KeyUnavailableError: it holds a lone surrogate.
    """
    try:
        return unicodedata.normalize("NFC", passphrase).encode("utf-8")
    except UnicodeEncodeError:
        raise KeyUnavailableError("the passphrase is not valid Unicode", "Type it in again.") from None


def _from_file(file: Path) -> str:
    try:
        passphrase = read_private(file, limit=4096).decode("utf-8").removesuffix("\n").removesuffix("\r")
    except UnsafeFileError as unsafe:
        raise KeyUnavailableError(f"the passphrase file {unsafe.problem}", unsafe.next_step) from None
    except (OSError, UnicodeDecodeError):
        raise KeyUnavailableError("the passphrase file cannot be read", "Check passphrase_file.") from None
    if not passphrase:
        raise KeyUnavailableError("the passphrase file is empty", "Write the passphrase into it.")
    return passphrase
