"""The receipt of a deletion: what is gone where, what the cloud has signed, what stays and why. Ids and counts only.

It is signed by a key derived from the database key, so that the owner can show that this profile issued it; the public
key is in it. It proves the part of this computer; for the cloud's part it carries the cloud's own signed statements.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from keepmum_shared import codec
from keepmum_shared.ids import MemoryId
from keepmum_shared.messages import DeletionStatement
from keepmum_shared.signing import from_base64url, to_base64url

from keepmum_edge.daemon.forget.request import How

FORM: Final = "keepmum-receipt-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreResult:
    """How many items a store gave up."""

    store: str
    removed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Remade:
    """A record that was made again from what is left of its sources."""

    old: MemoryId
    new: MemoryId


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedStatement:
    """The cloud's statement, its signature, and the fingerprint of the key that made it."""

    statement: DeletionStatement
    signature: str
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What one deletion did.

    Attributes:
        at: Unix seconds.
        records: Every record that is gone, asked for or derived.
        remade: Derived records that were made again from what is left.
        trimmed: Records that stay, having lost a source.
        values: Placeholders whose values are gone; nothing restores them any more.
        values_kept: Placeholders of the removed whose values stay, since other messages or memories carry them.
        stores: What each store gave up.
        rows_left: Rows that the look afterwards still found under a removed id, and score tables that are not of what
            is left; None: it was interrupted.
        texts_left: Texts of the removed that it found in the file's bytes; None: as above.
        same_words: Places that hold the same words but were not asked for: another scope says the same, for example.
        unlooked: Texts that were too short or too many to be looked for in the bytes.
        cloud: `never_sent`, or `pending` until the cloud has confirmed every id of `cloud_ids`, and all besides if
            `cloud_everything` says so.
        statements: What the cloud signed.
        stale_key_files: Backups whose key file could not be rewritten: copies that can still open what is forgotten.
        notes: What stays and until when, in words.
        public_key: Ed25519, base64url.
    """

    id: str
    at: int
    how: How
    records: tuple[MemoryId, ...]
    remade: tuple[Remade, ...] = ()
    trimmed: tuple[MemoryId, ...] = ()
    values: tuple[str, ...] = ()
    values_kept: tuple[str, ...] = ()
    stores: tuple[StoreResult, ...] = ()
    rows_left: int | None = None
    texts_left: int | None = None
    same_words: int = 0
    unlooked: int = 0
    cloud: Literal["never_sent", "pending", "confirmed"] = "never_sent"
    cloud_ids: tuple[MemoryId, ...] = ()
    cloud_everything: Literal[True] | None = None
    statements: tuple[SignedStatement, ...] = ()
    stale_key_files: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    public_key: str = ""
    form: Literal["keepmum-receipt-1"] = "keepmum-receipt-1"

    @property
    def verified(self) -> bool:
        """Whether the look afterwards was done and found nothing."""
        return self.texts_left == 0 and self.rows_left == 0


class ReceiptSigner:
    """Signs receipts; `seed` is 32 bytes."""

    def __init__(self, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)

    def sign(self, receipt: Receipt) -> tuple[Receipt, str]:
        """Return the receipt with the public key in it, and its signature."""
        public_key = to_base64url(self._key.public_key().public_bytes_raw())
        signed = replace(receipt, public_key=public_key)
        return signed, to_base64url(self._key.sign(receipt_bytes(signed)))


def receipt_bytes(receipt: Receipt) -> bytes:
    """Return what is signed."""
    return f"{FORM}\n".encode() + codec.encode(receipt)


def is_genuine(receipt: Receipt, signature: str) -> bool:
    """Say whether a receipt is as its public key signed it."""
    try:
        key = Ed25519PublicKey.from_public_bytes(from_base64url(receipt.public_key))
        key.verify(from_base64url(signature), receipt_bytes(receipt))
    except (InvalidSignature, ValueError):
        return False
    return True
