"""Wrapping of the database key: AES-256-GCM under a key made from a passphrase or from a random secret. Pure.

A passphrase goes through Argon2id (RFC 9106), so that guessing costs 64 MiB and about 0.2 s a try; a secret of 160
bits or more is not guessable and goes through HKDF. `context` is authenticated and not stored here: a wrapped key moved
into another file, another profile or another kind of protection does not open.
"""

from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

NONCE_BYTES: Final = 12
SALT_BYTES: Final = 16
_TAG_BYTES: Final = 16
_KEY_BYTES: Final = 32


class WrongSecretError(ValueError):
    """The passphrase or secret does not open the wrapped key, or the wrapped key was changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Argon2Cost:
    """What one guess costs.

    Attributes:
        memory_kib: 8 KiB a lane .. 4 GiB.
        iterations: 1..64.
        lanes: 1..64.
    """

    memory_kib: int = 64 * 1024
    iterations: int = 3
    lanes: int = 4

    def __post_init__(self) -> None:
        fits = 8 * self.lanes <= self.memory_kib <= 4 * 1024 * 1024
        if not (1 <= self.lanes <= 64 and 1 <= self.iterations <= 64 and fits):
            raise ValueError("Argon2id cost out of range")


def key_from_passphrase(passphrase: bytes, *, salt: bytes, cost: Argon2Cost) -> bytes:
    """Return the wrapping key of a passphrase; takes as long as `cost` says."""
    derive = Argon2id(
        salt=salt, length=_KEY_BYTES, iterations=cost.iterations, lanes=cost.lanes, memory_cost=cost.memory_kib
    )
    return derive.derive(passphrase)


def key_from_secret(secret: bytes, *, context: bytes) -> bytes:
    """Return the wrapping key of a random secret of at least 160 bits.

    Raises:
        ValueError: the secret is shorter.
    """
    if len(secret) < 20:
        raise ValueError("a secret has at least 160 bits")
    return HKDF(algorithm=SHA256(), length=_KEY_BYTES, salt=None, info=context).derive(secret)


def wrap(key: bytes, *, under: bytes, nonce: bytes, context: bytes) -> bytes:
    """Return nonce, ciphertext and tag. A nonce is never used twice under one key."""
    return nonce + AESGCM(under).encrypt(nonce, key, context)


def unwrap(wrapped: bytes, *, under: bytes, context: bytes) -> bytes:
    """Return the key.

    Raises:
        WrongSecretError: `under` or `context` is not what it was wrapped with, or a bit was changed.
    """
    if len(wrapped) != NONCE_BYTES + _KEY_BYTES + _TAG_BYTES:
        raise WrongSecretError("the wrapped key has the wrong length")
    try:
        return AESGCM(under).decrypt(wrapped[:NONCE_BYTES], wrapped[NONCE_BYTES:], context)
    except InvalidTag:
        raise WrongSecretError("the wrapped key does not open") from None
