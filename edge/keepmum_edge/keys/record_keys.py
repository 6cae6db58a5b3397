"""Keys of single records, and the one file that holds them for a backup (pure).

A backup is two files: the records, each sealed under a key of its own, and the keys. Forgetting a record writes the key
file anew without that record's key, and from then on no copy of the record file gives it back. The keys are wrapped
under a key derived from the database key, which the file holds under the recovery key: so the recovery key opens a
backup on another computer, and nothing else does.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from keepmum_shared.codec import decode, encode
from keepmum_shared.errors import WireError
from keepmum_shared.signing import from_base64url, to_base64url

from keepmum_edge.keys.key_file import DamagedFileError, RecoveryFile
from keepmum_edge.keys.recovery import parse_recovery_key
from keepmum_edge.keys.subkeys import KEY_BYTES, Subkey, derive_subkey
from keepmum_edge.keys.wrapping import NONCE_BYTES, WrongSecretError, key_from_secret, unwrap

_TABLE: Final = "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordKeyFile:
    """The keys of the records of one backup.

    Attributes:
        generation: Grows with every writing; an older file is stale.
        recovery: The database key under the recovery key.
        wrapped: The keys, base64url.
    """

    format: Literal["keepmum-record-keys-1"] = "keepmum-record-keys-1"
    generation: int
    recovery: RecoveryFile
    wrapped: str = field(repr=False)


def write_record_keys(
    keys: Mapping[str, bytes], *, database_key: bytes, recovery: RecoveryFile, generation: int, nonce: bytes
) -> bytes:
    """Return the bytes of a key file.

    Args:
        keys: Record id -> its key, 32 bytes.
        database_key: 32 bytes.
        recovery: Of this profile.
        generation: Higher than that of every older file.
        nonce: NONCE_BYTES random bytes, used once.
    """
    plain = json.dumps({memory: to_base64url(key) for memory, key in sorted(keys.items())}).encode()
    context = _context(recovery.profile, generation)
    wrapped = nonce + AESGCM(derive_subkey(database_key, Subkey.RECORD_KEYS)).encrypt(nonce, plain, context)
    return encode(RecordKeyFile(generation=generation, recovery=recovery, wrapped=to_base64url(wrapped))) + b"\n"


def read_record_keys(content: bytes, recovery_key: str) -> dict[str, bytes]:
    """Return the keys in a key file.

    Raises:
        MistypedError: that is no recovery key.
        WrongSecretError: it is another profile's.
        DamagedFileError: the file is not what this program wrote.
    """
    try:
        file = decode(RecordKeyFile, content)
        wrapped, held = from_base64url(file.wrapped), from_base64url(file.recovery.wrapped)
    except (WireError, ValueError):
        raise DamagedFileError("not a file of record keys") from None
    under = key_from_secret(parse_recovery_key(recovery_key), context=file.recovery.context)
    key = derive_subkey(unwrap(held, under=under, context=file.recovery.context), Subkey.RECORD_KEYS)
    try:
        context = _context(file.recovery.profile, file.generation)
        plain = AESGCM(key).decrypt(wrapped[:NONCE_BYTES], wrapped[NONCE_BYTES:], context)
        return {str(memory): from_base64url(text) for memory, text in json.loads(plain).items()}
    except (InvalidTag, ValueError):
        raise DamagedFileError("the keys in the file do not open") from None


def seal_record(plain: bytes, *, key: bytes, memory: str, nonce: bytes) -> str:
    """Return a record sealed under its key, base64url; it opens as no other record."""
    return to_base64url(nonce + AESGCM(key).encrypt(nonce, plain, _record_context(memory)))


def open_record(sealed: str, *, key: bytes, memory: str) -> bytes:
    """Return a record.

    Raises:
        WrongSecretError: the key is another record's, or the record was changed.
    """
    try:
        raw = from_base64url(sealed)
        if len(key) != KEY_BYTES:
            raise WrongSecretError("the key of a record has the wrong length")
        return AESGCM(key).decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], _record_context(memory))
    except (InvalidTag, ValueError):
        raise WrongSecretError("a record does not open") from None


def _context(profile: str, generation: int) -> bytes:
    return f"keepmum-record-keys-1 {profile} {generation}".encode()


def _record_context(memory: str) -> bytes:
    return f"{memory}|1|{_TABLE}".encode()
