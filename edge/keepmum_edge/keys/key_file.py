"""The two files about the database key, as JSON: how it is protected, and its copy under the recovery key. Pure.

The key file is there under every protection, so that where the key lies is read and never guessed; with the keyring it
names the account and holds no key.
"""

from dataclasses import dataclass, field
from typing import Final, Literal

from keepmum_shared.codec import decode, encode
from keepmum_shared.errors import WireError
from keepmum_shared.signing import from_base64url

from keepmum_edge.keys.wrapping import Argon2Cost

Protection = Literal["keyring", "passphrase", "file"]
"""`file`: what opens the key lies beside it; it keeps out nobody who can read the disk."""

PROFILE_BYTES: Final = 16


class DamagedFileError(ValueError):
    """The file is not what this program wrote. Never quotes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretching:
    """How the passphrase was stretched; `salt` is base64url."""

    salt: str
    cost: Argon2Cost


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFile:
    """How the database key of one profile is protected.

    Attributes:
        profile: Random id; the account in the keyring.
        wrapped: The wrapped key, base64url; None with the keyring.
        stretching: With a passphrase only.
    """

    format: Literal["keepmum-key-1"] = "keepmum-key-1"
    profile: str
    protection: Protection
    wrapped: str | None = field(default=None, repr=False)
    stretching: Stretching | None = None

    def __post_init__(self) -> None:
        if (self.wrapped is None) != (self.protection == "keyring"):
            raise ValueError("a wrapped key belongs to a passphrase or a file")
        if (self.stretching is None) != (self.protection != "passphrase"):
            raise ValueError("stretching belongs to a passphrase")
        _check_base64(self.wrapped, self.stretching.salt if self.stretching else None)

    @property
    def context(self) -> bytes:
        """What is authenticated with the wrapped key."""
        return key_context(self.profile, self.protection)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveryFile:
    """The database key of one profile under its recovery key; `wrapped` is base64url."""

    format: Literal["keepmum-recovery-1"] = "keepmum-recovery-1"
    profile: str
    wrapped: str = field(repr=False)

    def __post_init__(self) -> None:
        _check_base64(self.wrapped)

    @property
    def context(self) -> bytes:
        """What is authenticated with the wrapped key."""
        return recovery_context(self.profile)


def key_context(profile: str, protection: Protection) -> bytes:
    """Return what binds a wrapped key to its profile and protection."""
    return f"keepmum-key-1 {profile} {protection}".encode()


def recovery_context(profile: str) -> bytes:
    """Return what binds a wrapped key to its profile and the recovery file."""
    return f"keepmum-recovery-1 {profile}".encode()


def read_key_file(content: bytes) -> KeyFile:
    """Read a key file.

    Raises:
        DamagedFileError: it is not one.
    """
    try:
        return decode(KeyFile, content)
    except WireError:
        raise DamagedFileError("not a key file") from None


def read_recovery_file(content: bytes) -> RecoveryFile:
    """Read a recovery file.

    Raises:
        DamagedFileError: it is not one.
    """
    try:
        return decode(RecoveryFile, content)
    except WireError:
        raise DamagedFileError("not a recovery file") from None


def write_file(value: KeyFile | RecoveryFile) -> bytes:
    """Return the bytes of either file."""
    return encode(value) + b"\n"


def _check_base64(*texts: str | None) -> None:
    for text in texts:
        if text is not None:
            from_base64url(text)
