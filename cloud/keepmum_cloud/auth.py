"""Who signed a request, and whether for the first time (design section 9). Blocking: call from a worker thread.

Order: the device is known, the signature holds, the clocks agree, the nonce is new. Only then may anyone parse the
body. Nonces are committed before the request is acted on and outlive a restart, for as long as their signed time
could pass.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from keepmum_shared.ids import is_id
from keepmum_shared.signing import (
    CLOCK_WINDOW_S,
    HEADER_DEVICE,
    HEADER_NONCE,
    HEADER_SIGNATURE,
    HEADER_TIME,
    NONCE,
    from_base64url,
    signed_bytes,
)

from keepmum_cloud.database import Database
from keepmum_cloud.errors import (
    BadSignatureError,
    ClockSkewError,
    ReplayedRequestError,
    UnknownDeviceError,
    UnsignedError,
)
from keepmum_cloud.pairing import Device, Devices

_KEEP_NONCES_S: Final = 10 * CLOCK_WINDOW_S
"""Longer than the window, so that a clock that is set back a little lets no replay in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """The signature headers of a request, well-formed but not yet believed."""

    device: str
    time: int
    nonce: str
    signature: bytes = field(repr=False)


def read_credentials(headers: Mapping[str, str]) -> Credentials:
    """Read the headers.

    Raises:
        UnsignedError: one is missing or malformed.
    """
    device, nonce = headers.get(HEADER_DEVICE, ""), headers.get(HEADER_NONCE, "")
    time = headers.get(HEADER_TIME, "")
    try:
        signature = from_base64url(headers.get(HEADER_SIGNATURE, ""))
    except ValueError:
        raise UnsignedError from None
    well_formed = is_id(device, "dev") and NONCE.fullmatch(nonce) and re.fullmatch("[0-9]{1,12}", time)
    if not well_formed or len(signature) != 64:
        raise UnsignedError
    return Credentials(device=device, time=int(time), nonce=nonce, signature=signature)


class Gate:
    """Lets in what a paired device signed, once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._devices = Devices(database)

    def device(self, credentials: Credentials) -> Device:
        """Return the device that the request says it comes from.

        Raises:
            UnknownDeviceError: there is none, or it was revoked.
        """
        device = self._devices.find(credentials.device)
        if device is None or device.revoked_at is not None:
            raise UnknownDeviceError
        return device

    def admit(
        self, device: Device, credentials: Credentials, *, method: str, target: str, body: bytes, now: int
    ) -> None:
        """Return if the request is genuine, in time and new; its nonce is used up then.

        Raises:
            BadSignatureError, ClockSkewError, ReplayedRequestError: it is not.
        """
        signed = signed_bytes(
            method=method,
            target=target,
            body=body,
            time=credentials.time,
            nonce=credentials.nonce,
            device=credentials.device,
        )
        try:
            Ed25519PublicKey.from_public_bytes(device.public_key).verify(credentials.signature, signed)
        except InvalidSignature:
            raise BadSignatureError from None
        if abs(now - credentials.time) > CLOCK_WINDOW_S:
            raise ClockSkewError(now, credentials.time, CLOCK_WINDOW_S)
        with self._database.transaction() as db:
            db.execute("DELETE FROM nonces WHERE time < ?", (now - _KEEP_NONCES_S,))
            is_new = db.execute(
                "INSERT OR IGNORE INTO nonces VALUES (?, ?, ?)", (device.id, credentials.nonce, credentials.time)
            ).rowcount
        if not is_new:
            raise ReplayedRequestError
