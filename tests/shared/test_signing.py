import base64
import hashlib
import secrets

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st
from keepmum_shared.signing import NONCE, PairingUri, from_base64url, seal_bytes, signed_bytes, to_base64url

PARTS = {
    "method": "POST",
    "target": "/v1/turns?x=1",
    "body": b"{}",
    "time": 1_700_000_000,
    "nonce": "n" * 22,
    "device": "dev_" + "a" * 26,
}
SECRET = "a2" * 16
FINGERPRINT = to_base64url(bytes(range(32)))


def test_golden_signed_bytes_and_signature() -> None:
    signed = signed_bytes(**PARTS)
    digest = hashlib.sha256(b"{}").hexdigest()
    assert signed == (
        f"keepmum-request-1\nPOST\n/v1/turns?x=1\n{digest}\n1700000000\n{'n' * 22}\ndev_{'a' * 26}".encode()
    )
    signature = to_base64url(Ed25519PrivateKey.from_private_bytes(bytes(32)).sign(signed))
    assert signature == ("Bd-PyIM2od1C7-JAivmoy-ZRRnE8t174a5yiXfnZBe5n3tUYnSJtWATwk6FO1f-wc8GrpJJq5O5pnRzA1GroAA")


def test_a_seal_signs_its_device_and_both_numbers_and_can_be_no_request() -> None:
    device = PARTS["device"]
    assert seal_bytes(device=device, counter=12, total=3) == f"keepmum-seal-1\n{device}\n12\n3".encode()
    assert seal_bytes(device=device, counter=1, total=23) != seal_bytes(device=device, counter=12, total=3)
    assert not signed_bytes(**PARTS).startswith(b"keepmum-seal-1")


@pytest.mark.parametrize(
    "change",
    [
        {"method": "GET"},
        {"target": "/v1/turns"},
        {"body": b"{ }"},
        {"time": 1_700_000_001},
        {"nonce": "m" * 22},
        {"device": "dev_" + "b" * 26},
    ],
)
def test_each_part_is_signed(change: dict[str, object]) -> None:
    assert signed_bytes(**(PARTS | change)) != signed_bytes(**PARTS)


@given(st.binary(max_size=100))
def test_base64url_round_trip(raw: bytes) -> None:
    text = to_base64url(raw)
    assert "=" not in text
    assert from_base64url(text) == raw
    assert text == base64.urlsafe_b64encode(raw).decode().rstrip("=")


@pytest.mark.parametrize("text", ["a", "+/==", "a b", "é", "AAA=\n"])
def test_what_is_not_base64url_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        from_base64url(text)


def test_a_nonce_has_128_bits() -> None:
    assert NONCE.fullmatch(to_base64url(secrets.token_bytes(16)))
    assert not NONCE.fullmatch("a" * 21)
    assert not NONCE.fullmatch("a" * 22 + "\n")


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "cloud.example.org"])
def test_a_pairing_uri_survives_being_written_and_read(host: str) -> None:
    uri = PairingUri(host=host, port=8766, secret=SECRET, fingerprint=FINGERPRINT)
    assert PairingUri.parse(f"  {uri}\n") == uri
    assert SECRET not in repr(uri)


GOOD = f"keepmum://127.0.0.1:8766/pair?secret={SECRET}&fingerprint={FINGERPRINT}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        GOOD.replace("keepmum:", "https:"),
        GOOD.replace(":8766", ""),
        GOOD.replace("8766", "99999"),
        GOOD.replace("/pair", "/other"),
        GOOD.replace(SECRET, SECRET[:-1]),
        GOOD.replace(SECRET, SECRET.upper()),
        GOOD.replace(FINGERPRINT, FINGERPRINT + "A"),
        GOOD + "&secret=" + SECRET,
        GOOD + "&extra=1",
        GOOD + "#x",
        GOOD.replace("127.0.0.1", "user@127.0.0.1"),
        GOOD.replace("127.0.0.1", "[::1"),
    ],
)
def test_what_is_no_pairing_uri_is_refused_without_being_quoted(text: str) -> None:
    with pytest.raises(ValueError, match=r"^not a pairing URI$") as caught:
        PairingUri.parse(text)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
