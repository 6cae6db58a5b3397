import datetime
import socket
import ssl
import stat
import threading
from pathlib import Path

import pytest
from cryptography import x509
from keepmum_cloud.certificate import ServerIdentity, server_identity, tls_context
from keepmum_cloud.errors import StoreError
from signed_client import strict_context

NOW = datetime.datetime.now(datetime.UTC)


def handshake(identity: ServerIdentity, client: ssl.SSLContext, name: str) -> str:
    """Shake hands over a socket pair; return the TLS version."""
    ours, theirs = socket.socketpair()
    server_side = tls_context(identity)

    def serve() -> None:
        try:
            with server_side.wrap_socket(theirs, server_side=True) as connection:
                connection.recv(1)
        except OSError:
            theirs.close()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        with client.wrap_socket(ours, server_hostname=name) as connection:
            connection.sendall(b"x")
            return connection.version() or ""
    finally:
        ours.close()
        thread.join(5)


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "::1", "cloud.example.org", "192.0.2.7", "2001:db8::7"])
def test_it_passes_a_strict_check_as_the_only_trusted_certificate(tmp_path: Path, name: str) -> None:
    identity = server_identity(tmp_path, ("cloud.example.org", "192.0.2.7", "2001:db8::7", "0.0.0.0"), NOW)
    assert handshake(identity, strict_context(identity.certificate_file.read_text()), name) == "TLSv1.3"


def test_another_name_is_refused(tmp_path: Path) -> None:
    identity = server_identity(tmp_path, (), NOW)
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(identity, strict_context(identity.certificate_file.read_text()), "other.example.org")


def test_old_tls_is_refused_and_1_2_is_taken(tmp_path: Path) -> None:
    identity = server_identity(tmp_path, (), NOW)
    client = strict_context(identity.certificate_file.read_text())
    client.maximum_version = ssl.TLSVersion.TLSv1_2
    assert handshake(identity, client, "localhost") == "TLSv1.2"
    assert tls_context(identity).minimum_version == ssl.TLSVersion.TLSv1_2


def test_the_files_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "cloud"
    identity = server_identity(folder, (), NOW)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(identity.key_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(identity.certificate_file.stat().st_mode) == 0o600


def test_it_stays_the_same_until_it_must_be_renewed_and_the_key_stays_then_too(tmp_path: Path) -> None:
    first = server_identity(tmp_path, ("a.example",), NOW)
    pem = first.certificate_file.read_bytes()
    assert server_identity(tmp_path, ("a.example",), NOW) == first
    assert first.certificate_file.read_bytes() == pem
    for names, now in ((("b.example",), NOW), (("b.example",), NOW + datetime.timedelta(days=800))):
        renewed = server_identity(tmp_path, names, now)
        assert renewed.fingerprint == first.fingerprint
        assert renewed.certificate_file.read_bytes() != pem
        pem = renewed.certificate_file.read_bytes()
        assert x509.load_pem_x509_certificate(pem).not_valid_after_utc > now + datetime.timedelta(days=100)


def test_two_servers_have_two_fingerprints(tmp_path: Path) -> None:
    assert server_identity(tmp_path / "a", (), NOW).fingerprint != server_identity(tmp_path / "b", (), NOW).fingerprint


@pytest.mark.parametrize("name", ["server.key", "server.crt"])
def test_a_damaged_file_is_named_and_not_replaced(tmp_path: Path, name: str) -> None:
    server_identity(tmp_path, (), NOW)
    (tmp_path / name).write_bytes(b"damaged")
    with pytest.raises(StoreError, match="key or certificate"):
        server_identity(tmp_path, (), NOW)
    assert (tmp_path / name).read_bytes() == b"damaged"
