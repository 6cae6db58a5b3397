"""Keys for other uses than the database, derived from its key: one label, one use, none tells of another."""

from enum import StrEnum
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES: Final = 32


class Subkey(StrEnum):
    """What a derived key is for. A label is never reused for another purpose."""

    TURN_DIGEST = "keepmum-turn-digest-1"
    MESSAGE_DIGEST = "keepmum-message-digest-1"
    BLOCK_MARK = "keepmum-block-mark-1"


def derive_subkey(key: bytes, use: Subkey) -> bytes:
    """Return the 32-byte key for one use (HKDF-SHA256, RFC 5869).

    Raises:
        ValueError: the database key is not 32 bytes.
    """
    if len(key) != KEY_BYTES:
        raise ValueError("the database key has 32 bytes")
    return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=use.encode()).derive(key)
