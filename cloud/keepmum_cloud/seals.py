"""The newest seal of each device's ledger: a witness against a ledger that is put back to an earlier day (design 6).

The cloud judges nothing: it keeps the highest seal that the device itself has signed, and gives it back when asked. The
edge compares. A revoked device's seal is deleted. Blocking: call from a worker thread.
"""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from keepmum_shared.ids import DeviceId
from keepmum_shared.messages import SignedSeal
from keepmum_shared.signing import from_base64url, seal_bytes

from keepmum_cloud.database import Database
from keepmum_cloud.errors import ForgedSealError
from keepmum_cloud.pairing import Device


class Seals:
    """The seals of one database. Every method may raise StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def newest(self, device: DeviceId) -> SignedSeal | None:
        """Return the highest seal that was kept; None if there is none."""
        with self._database.reading() as db:
            row = db.execute("SELECT counter, total, signature FROM seals WHERE device = ?", (device,)).fetchone()
        return None if row is None else SignedSeal(counter=row[0], total=row[1], signature=row[2])

    def keep(self, device: Device, seal: SignedSeal) -> None:
        """Keep a seal if it is higher than what is there: by counter, then by total; nearly always it is the same.

        Nothing is kept of a device that was revoked while its turn was under way.

        Raises:
            ForgedSealError: the device's key has not signed it.
        """
        if self.newest(device.id) == seal:
            return
        _verify(device, seal)
        with self._database.transaction() as db:
            db.execute(
                "INSERT INTO seals SELECT id, ?, ?, ? FROM devices WHERE id = ? AND revoked_at IS NULL "
                "ON CONFLICT (device) DO UPDATE "
                "SET counter = excluded.counter, total = excluded.total, signature = excluded.signature "
                "WHERE (excluded.counter, excluded.total) > (seals.counter, seals.total)",
                (seal.counter, seal.total, seal.signature, device.id),
            )


def _verify(device: Device, seal: SignedSeal) -> None:
    signed = seal_bytes(device=device.id, counter=seal.counter, total=seal.total)
    try:
        Ed25519PublicKey.from_public_bytes(device.public_key).verify(from_base64url(seal.signature), signed)
    except (InvalidSignature, ValueError):
        raise ForgedSealError from None
