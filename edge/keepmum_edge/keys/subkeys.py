"""Keys for other uses than the database, derived from its key: one label, one use, none tells of another."""

from enum import StrEnum
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES: Final = 32


class Subkey(StrEnum):
    """What a derived key is for. A label is never reused for another purpose."""

    DIGESTS = "keepmum-digests-1"
    """Of messages, chains, requests and names, by which conversations and turns are found again."""
    RECEIPTS = "keepmum-receipts-1"
    """Seed of the key that signs receipts of deletions."""
    RECORD_KEYS = "keepmum-record-keys-1"
    """Wraps the keys of records in the key file of a backup."""


def derive_subkey(key: bytes, use: Subkey) -> bytes:
    """Return the 32-byte key for one use (HKDF-SHA256, RFC 5869).

    Raises:
        ValueError: the database key is not 32 bytes.
    """
    if len(key) != KEY_BYTES:
        raise ValueError("the database key has 32 bytes")
    return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=use.encode()).derive(key)
