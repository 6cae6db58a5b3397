"""The server's key and self-signed certificate, made at the first start.

The edge pins the SHA-256 of the key (SubjectPublicKeyInfo), which the pairing URI carries. The certificate also
passes a strict X.509 check when it is the only one trusted. The key stays when the certificate is renewed (another
host name, or near its end), so devices stay paired.
"""

import datetime
import hashlib
import ipaddress
import os
import socket
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from keepmum_shared.messages import DeletionStatement
from keepmum_shared.signing import statement_bytes, to_base64url

from keepmum_cloud.errors import StoreError

KEY_FILE: Final = "server.key"
CERTIFICATE_FILE: Final = "server.crt"
_LIFE: Final = datetime.timedelta(days=825)
_RENEW: Final = datetime.timedelta(days=60)
_WILDCARDS: Final = frozenset({"", "0.0.0.0", "::"})  # noqa: S104  # names to leave out, no address to bind


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerIdentity:
    """Key and certificate as files, and the fingerprint that devices pin."""

    key_file: Path
    certificate_file: Path
    fingerprint: str


def server_identity(folder: Path, names: Iterable[str], now: datetime.datetime) -> ServerIdentity:
    """Return the identity in `folder`, making or renewing what is missing, near its end, or lacks one of the names.

    Raises:
        StoreError: the files cannot be read or written.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        key = _key(folder / KEY_FILE)
        wanted = _names(names)
        certificate_file = folder / CERTIFICATE_FILE
        if not _is_good(certificate_file, key.public_key(), wanted, now):
            _write(certificate_file, _certificate(key, wanted, now).public_bytes(serialization.Encoding.PEM))
    except (OSError, ValueError, TypeError) as error:
        raise StoreError(
            f"the server's key or certificate in {folder} cannot be used ({type(error).__name__}); check the folder's "
            "permissions, or move the two files away and pair all devices again"
        ) from None
    return ServerIdentity(
        key_file=folder / KEY_FILE, certificate_file=certificate_file, fingerprint=fingerprint(key.public_key())
    )


def sign_statement(identity: ServerIdentity, statement: DeletionStatement) -> str:
    """Sign with the server's key: ECDSA with SHA-256, DER, base64url.

    Raises:
        StoreError: the key cannot be read.
    """
    try:
        key = _key(identity.key_file)
    except (OSError, ValueError, TypeError) as error:
        raise StoreError(f"the server's key cannot be read ({type(error).__name__})") from None
    return to_base64url(key.sign(statement_bytes(statement), ec.ECDSA(hashes.SHA256())))


def fingerprint(public_key: ec.EllipticCurvePublicKey) -> str:
    """Return the SHA-256 of the SubjectPublicKeyInfo (DER), base64url without padding."""
    info = public_key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return to_base64url(hashlib.sha256(info).digest())


def tls_context(identity: ServerIdentity) -> ssl.SSLContext:
    """Return the server side of TLS: 1.2 at least, 1.3 where the client has it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_COMPRESSION | ssl.OP_NO_RENEGOTIATION
    context.set_ciphers("ECDHE+AESGCM:ECDHE+CHACHA20")
    context.load_cert_chain(identity.certificate_file, identity.key_file)
    return context


def _key(path: Path) -> ec.EllipticCurvePrivateKey:
    if path.exists():
        key = serialization.load_pem_private_key(path.read_bytes(), password=None)
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise ValueError("not an elliptic curve key")
        return key
    key = ec.generate_private_key(ec.SECP256R1())
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    _write(path, pem)
    return key


def _write(path: Path, content: bytes) -> None:
    """Write a file of mode 0600 whole or not at all."""
    temporary = path.with_name(path.name + ".new")
    temporary.unlink(missing_ok=True)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def _names(names: Iterable[str]) -> list[x509.GeneralName]:
    every = {"localhost", "127.0.0.1", "::1", socket.gethostname(), *names} - _WILDCARDS
    return [_general_name(name) for name in sorted(every)]


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name.encode("idna").decode("ascii"))


def _is_good(path: Path, key: ec.EllipticCurvePublicKey, names: list[x509.GeneralName], now: datetime.datetime) -> bool:
    if not path.exists():
        return False
    certificate = x509.load_pem_x509_certificate(path.read_bytes())
    held = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    in_time = certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc - _RENEW
    return in_time and certificate.public_key() == key and all(name in held for name in names)


def _certificate(
    key: ec.EllipticCurvePrivateKey, names: list[x509.GeneralName], now: datetime.datetime
) -> x509.Certificate:
    """Make an end-entity certificate with every extension that a strict verifier asks for (RFC 5280, 4.2)."""
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "keepmum-cloud")])
    usage = x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    public_key = key.public_key()
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(public_key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + _LIFE)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public_key), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(public_key), critical=False)
        .sign(key, hashes.SHA256())
    )
