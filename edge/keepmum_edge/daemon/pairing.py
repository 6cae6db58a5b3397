"""Pairing: this edge's key is registered at the server that a one-time URI names."""

import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from keepmum_shared import codec, signing
from keepmum_shared.errors import TooLargeError, WireError
from keepmum_shared.messages import ErrorResponse, PairRequest, PairResponse

from keepmum_edge.daemon.cloud_certificate import certificate_of
from keepmum_edge.daemon.cloud_http import Patience, pinned_client, plain_words, whole_body
from keepmum_edge.daemon.store import Pairing
from keepmum_edge.errors import CloudUnreachableError, PairingError


async def pair(uri: str, *, name: str, patience: Patience, paired_at: int) -> Pairing:
    """Register this edge at the server that a one-time URI names.

    The server's certificate is compared with the URI's fingerprint before the secret is sent.

    Raises:
        PairingError: the URI is malformed, used or expired, or another server answers.
        CloudError: no connection.
    """
    try:
        target = signing.PairingUri.parse(uri)
    except ValueError:
        raise PairingError("that is no pairing URI; ask the cloud half for a new one (`keepmum-cloud pair`)") from None
    certificate = await certificate_of(target.host, target.port, target.fingerprint, patience.connect)
    key = Ed25519PrivateKey.generate()
    request = PairRequest(
        secret=target.secret, public_key=signing.to_base64url(key.public_key().public_bytes_raw()), name=name
    )
    async with pinned_client(target.host, target.port, certificate, patience) as http:
        try:
            async with http.stream("POST", "/v1/pair", content=codec.encode(request)) as response:
                body = await whole_body(response)
        except (httpx.HTTPError, TooLargeError):
            raise CloudUnreachableError(
                f"the cloud half at {target.host}:{target.port} broke off while pairing"
            ) from None
    if response.status_code != httpx.codes.OK:
        raise PairingError(_pairing_refusal(response.status_code, body))
    try:
        device = codec.decode(PairResponse, body).device
    except WireError:
        raise PairingError(f"what answers at {target.host}:{target.port} is no cloud half of this version") from None
    return Pairing(
        device=device,
        host=target.host,
        port=target.port,
        certificate_pem=certificate,
        private_key=key.private_bytes_raw(),
        paired_at=paired_at,
    )


def _pairing_refusal(status: int, body: bytes) -> str:
    try:
        return plain_words(codec.decode(ErrorResponse, body).error.message)
    except WireError:
        return f"the cloud half refused to pair (status {status})"
