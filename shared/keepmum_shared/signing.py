"""What a signed request signs, and the pairing URI (design section 9). Pure: the keys live in each half.

A signed request carries four headers; the signature is Ed25519 over `signed_bytes`, base64url without padding.
The nonce makes each request single-use within the clock window; a turn's id, not the nonce, marks a retry.
"""

import base64
import hashlib
import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qs, urlsplit

from keepmum_shared import codec
from keepmum_shared.messages import DeletionStatement

HEADER_DEVICE: Final = "x-keepmum-device"
HEADER_TIME: Final = "x-keepmum-time"
HEADER_NONCE: Final = "x-keepmum-nonce"
HEADER_SIGNATURE: Final = "x-keepmum-signature"

CLOCK_WINDOW_S: Final = 60
"""A request is refused when the clocks differ by more, in seconds."""
NONCE: Final = re.compile(r"[A-Za-z0-9_-]{22}")
"""16 random bytes, base64url without padding."""


def signed_bytes(*, method: str, target: str, body: bytes, time: int, nonce: str, device: str) -> bytes:
    """Return what is signed. `target` is the path with its query, `time` Unix seconds."""
    digest = hashlib.sha256(body).hexdigest()
    return "\n".join(("keepmum-request-1", method.upper(), target, digest, str(time), nonce, device)).encode()


def statement_bytes(statement: DeletionStatement) -> bytes:
    """Return what the cloud signs to state a deletion."""
    return f"{statement.form}\n".encode() + codec.encode(statement)


def seal_bytes(*, device: str, counter: int, total: int) -> bytes:
    """Return what a device signs of its ledger's seal (`messages.SignedSeal`)."""
    return f"keepmum-seal-1\n{device}\n{counter}\n{total}".encode()


def to_base64url(raw: bytes) -> str:
    """Encode without padding."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def from_base64url(text: str) -> bytes:
    """Decode without padding.

    Raises:
        ValueError: not base64url.
    """
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        raise ValueError("not base64url")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingUri:
    """`keepmum://HOST:PORT/pair?secret=...&fingerprint=...`, valid once and for minutes.

    Attributes:
        secret: 160 random bits, 32 characters of base32, lower case.
        fingerprint: SHA-256 of the server certificate's SubjectPublicKeyInfo (DER), base64url.
    """

    host: str
    port: int
    secret: str = field(repr=False)
    fingerprint: str

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"keepmum://{host}:{self.port}/pair?secret={self.secret}&fingerprint={self.fingerprint}"

    @staticmethod
    def parse(text: str) -> "PairingUri":
        """Read a URI.

        Raises:
            ValueError: it is not a pairing URI; the message does not quote it.
        """
        try:
            parts = urlsplit(text.strip())
            query = parse_qs(parts.query, strict_parsing=True)
            host, port = parts.hostname, parts.port
            (secret,), (fingerprint,) = query.pop("secret"), query.pop("fingerprint")
        except (ValueError, KeyError):
            raise ValueError("not a pairing URI") from None
        well_formed = re.fullmatch(r"[a-z2-7]{32}", secret) and re.fullmatch(r"[A-Za-z0-9_-]{43}", fingerprint)
        extra = query or parts.fragment or "@" in parts.netloc
        if parts.scheme != "keepmum" or parts.path != "/pair" or extra or not host or not port or not well_formed:
            raise ValueError("not a pairing URI")
        return PairingUri(host=host, port=port, secret=secret, fingerprint=fingerprint)
