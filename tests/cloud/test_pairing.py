import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from keepmum_cloud.database import Database
from keepmum_cloud.errors import PairingExpiredError, PairingRefusedError, PairingUsedError
from keepmum_cloud.pairing import MAX_WRONG_TRIES, Devices
from keepmum_shared.errors import MalformedError
from keepmum_shared.messages import PairRequest
from keepmum_shared.signing import PairingUri, to_base64url
from signed_client import pair_request

NOW = 1_800_000_000
KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
WRONG = "a" * 32


@pytest.fixture
def devices(tmp_path: Path) -> Iterator[Devices]:
    database = Database(tmp_path)
    yield Devices(database)
    database.close()


def test_a_secret_has_the_form_that_the_uri_wants(devices: Devices) -> None:
    secret = devices.invite(now=NOW, life_s=600)
    uri = PairingUri(host="h", port=1, secret=secret, fingerprint=to_base64url(bytes(32)))
    assert PairingUri.parse(str(uri)).secret == secret


def test_a_secret_pairs_once(devices: Devices) -> None:
    secret = devices.invite(now=NOW, life_s=600)
    device = devices.pair(pair_request(secret, KEY, "laptop"), NOW + 600)
    paired = devices.find(device)
    assert paired is not None
    assert (paired.name, paired.public_key) == ("laptop", KEY.public_key().public_bytes_raw())
    with pytest.raises(PairingUsedError):
        devices.pair(pair_request(secret, KEY), NOW + 1)
    assert len(devices.all()) == 1


def test_a_secret_expires(devices: Devices) -> None:
    secret = devices.invite(now=NOW, life_s=600)
    with pytest.raises(PairingExpiredError):
        devices.pair(pair_request(secret, KEY), NOW + 601)
    devices.invite(now=NOW + 100_000, life_s=600)
    with pytest.raises(PairingRefusedError):
        devices.pair(pair_request(secret, KEY), NOW + 100_000)


def test_wrong_tries_burn_every_open_invitation_and_none_made_later(devices: Devices) -> None:
    secrets = [devices.invite(now=NOW, life_s=600) for _ in range(2)]
    for _ in range(MAX_WRONG_TRIES):
        with pytest.raises(PairingRefusedError):
            devices.pair(pair_request(WRONG, KEY), NOW)
    for secret in secrets:
        with pytest.raises(PairingRefusedError):
            devices.pair(pair_request(secret, KEY), NOW)
    assert devices.pair(pair_request(devices.invite(now=NOW, life_s=600), KEY), NOW)


def test_one_try_fewer_burns_nothing(devices: Devices) -> None:
    secret = devices.invite(now=NOW, life_s=600)
    for _ in range(MAX_WRONG_TRIES - 1):
        with pytest.raises(PairingRefusedError):
            devices.pair(pair_request(WRONG, KEY), NOW)
    assert devices.pair(pair_request(secret, KEY), NOW)


@pytest.mark.parametrize(
    "change", [{"public_key": "AAAA"}, {"public_key": "é"}, {"name": ""}, {"name": "a\nb"}, {"name": "x" * 65}]
)
def test_a_bad_key_or_name_is_refused_and_the_invitation_stays(devices: Devices, change: dict[str, str]) -> None:
    secret = devices.invite(now=NOW, life_s=600)
    good = pair_request(secret, KEY)
    fields = {"secret": secret, "public_key": good.public_key, "name": good.name} | change
    with pytest.raises(MalformedError):
        devices.pair(PairRequest(**fields), NOW)
    assert devices.pair(good, NOW)


def test_the_secret_is_stored_nowhere(devices: Devices, tmp_path: Path) -> None:
    secret = devices.invite(now=NOW, life_s=600)
    assert not any(secret.encode() in path.read_bytes() for path in tmp_path.iterdir())
    with closing(sqlite3.connect(tmp_path / "cloud.sqlite3")) as db:
        rows = db.execute("SELECT length(secret_hash) FROM invitations").fetchall()
    assert rows == [(32,)]


def test_a_revoked_device_stays_known_as_revoked(devices: Devices) -> None:
    device = devices.pair(pair_request(devices.invite(now=NOW, life_s=600), KEY), NOW)
    assert devices.revoke(device, NOW + 5)
    assert devices.revoke(device, NOW + 9)
    found = devices.find(device)
    assert found is not None
    assert found.revoked_at == NOW + 5
    assert not devices.revoke("dev_none", NOW)
