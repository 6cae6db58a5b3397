"""The certificate of the cloud half: one is trusted, the paired one, and known by the fingerprint of its key."""

import asyncio
import hashlib
import ssl

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from keepmum_shared import signing
from keepmum_shared.messages import DeletionStatement

from keepmum_edge.errors import CloudUnreachableError, PairingError


async def certificate_of(host: str, port: int, fingerprint: str, timeout: float) -> str:
    """Fetch the server's certificate and return it as PEM if its key has the fingerprint."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # nothing is sent on this connection; the fingerprint is checked below
    try:
        async with asyncio.timeout(timeout):
            _, writer = await asyncio.open_connection(host, port, ssl=context)
            tls: ssl.SSLObject = writer.get_extra_info("ssl_object")
            der = tls.getpeercert(binary_form=True)
            writer.close()
    except (OSError, TimeoutError):
        raise CloudUnreachableError(f"nothing answers at {host}:{port}; is the cloud half running?") from None
    if der is None or fingerprint_of(der) != fingerprint:
        raise PairingError(f"the server at {host}:{port} is not the one that this pairing is with; nothing was sent")
    return ssl.DER_cert_to_PEM_cert(der)


def fingerprint_of(certificate: bytes) -> str:
    """Return SHA-256 of a certificate's SubjectPublicKeyInfo, base64url; `certificate` is DER."""
    public_key = x509.load_der_x509_certificate(certificate).public_key()
    info = public_key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return signing.to_base64url(hashlib.sha256(info).digest())


def is_signed_by(certificate: bytes, statement: DeletionStatement, signature: str) -> bool:
    """Say whether the key of a certificate (DER) signed a statement."""
    key = x509.load_der_x509_certificate(certificate).public_key()
    if not isinstance(key, ec.EllipticCurvePublicKey):
        return False
    try:
        key.verify(signing.from_base64url(signature), signing.statement_bytes(statement), ec.ECDSA(SHA256()))
    except (InvalidSignature, ValueError):
        return False
    return True
