"""Registering devices by a one-time secret. Blocking: call from a worker thread.

The secret has 160 bits, lives for minutes, works once and is kept as its SHA-256 only. Every wrong try counts against
every invitation that is open, and after MAX_WRONG_TRIES they are all burned.
"""

import hashlib
import hmac
import secrets
from base64 import b32encode
from dataclasses import dataclass
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from keepmum_shared.errors import MalformedError
from keepmum_shared.ids import DeviceId, new_device_id
from keepmum_shared.messages import PairRequest
from keepmum_shared.signing import from_base64url

from keepmum_cloud.database import Database
from keepmum_cloud.errors import PairingExpiredError, PairingRefusedError, PairingUsedError

MAX_WRONG_TRIES: Final = 10
MAX_NAME: Final = 64
_KEEP_S: Final = 86_400
"""How long an old invitation is remembered, so that its user is told what is wrong with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A paired edge. Times are Unix seconds."""

    id: DeviceId
    public_key: bytes
    name: str
    paired_at: int
    revoked_at: int | None


class Devices:
    """The paired devices and open invitations of one database. Every method may raise StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def invite(self, *, now: int, life_s: int) -> str:
        """Make an invitation and return its secret, which is stored nowhere."""
        secret = b32encode(secrets.token_bytes(20)).decode("ascii").lower()
        with self._database.transaction() as db:
            db.execute("DELETE FROM invitations WHERE expires_at < ?", (now - _KEEP_S,))
            db.execute("INSERT INTO invitations (secret_hash, expires_at) VALUES (?, ?)", (_hash(secret), now + life_s))
        return secret

    def pair(self, request: PairRequest, now: int) -> DeviceId:
        """Register a device.

        Raises:
            MalformedError: the key or the name is not what it should be; the invitation stays open.
            PairingExpiredError, PairingUsedError, PairingRefusedError: the secret is not good.
        """
        public_key = _public_key(request.public_key)
        if not 1 <= len(request.name) <= MAX_NAME or not request.name.isprintable():
            raise MalformedError("name", f"must be 1..{MAX_NAME} printable characters")
        presented = _hash(request.secret)
        failure: Exception | None = None
        with self._database.transaction() as db:
            rows = db.execute("SELECT secret_hash, expires_at, used_at, wrong_tries FROM invitations").fetchall()
            matching = [row for row in rows if hmac.compare_digest(row[0], presented)]
            if not matching:
                db.execute(
                    "UPDATE invitations SET wrong_tries = wrong_tries + 1 WHERE used_at IS NULL AND expires_at >= ?",
                    (now,),
                )
                failure = PairingRefusedError()
            else:
                failure = _objection(*matching[0][1:], now=now)
            if failure is None:
                device = new_device_id()
                db.execute("UPDATE invitations SET used_at = ? WHERE secret_hash = ?", (now, presented))
                db.execute("INSERT INTO devices VALUES (?, ?, ?, ?, NULL)", (device, public_key, request.name, now))
                return device
        raise failure  # after the commit, so that the wrong try is counted

    def find(self, device: str) -> Device | None:
        """Return a device, revoked or not."""
        with self._database.reading() as db:
            row = db.execute("SELECT * FROM devices WHERE id = ?", (device,)).fetchone()
        return None if row is None else _device(row)

    def all(self) -> tuple[Device, ...]:
        """Return every device, in order of pairing."""
        with self._database.reading() as db:
            rows = db.execute("SELECT * FROM devices ORDER BY paired_at, id").fetchall()
        return tuple(_device(row) for row in rows)

    def revoke(self, device: str, now: int) -> bool:
        """Shut a device out from its next request on; return whether there is such a device."""
        with self._database.transaction() as db:
            changed = db.execute(
                "UPDATE devices SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?", (now, device)
            ).rowcount
            db.execute("DELETE FROM seals WHERE device = ?", (device,))
        return changed > 0


def _device(row: tuple[str, bytes, str, int, int | None]) -> Device:
    id_, public_key, name, paired_at, revoked_at = row
    return Device(id=DeviceId(id_), public_key=public_key, name=name, paired_at=paired_at, revoked_at=revoked_at)


def _objection(expires_at: int, used_at: int | None, wrong_tries: int, *, now: int) -> Exception | None:
    if used_at is not None:
        return PairingUsedError()
    if now > expires_at:
        return PairingExpiredError()
    return PairingRefusedError() if wrong_tries >= MAX_WRONG_TRIES else None


def _hash(secret: str) -> bytes:
    """A hash without salt or stretching: the secret has 160 random bits."""
    return hashlib.sha256(secret.encode("utf-8")).digest()


def _public_key(text: str) -> bytes:
    try:
        raw = from_base64url(text)
        Ed25519PublicKey.from_public_bytes(raw)
    except ValueError:
        raise MalformedError("public_key", "must be an Ed25519 public key, base64url") from None
    return raw
