"""Seals in the cloud's real database."""

from collections.abc import Iterator

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st
from keepmum_cloud.database import Database
from keepmum_cloud.errors import ForgedSealError
from keepmum_cloud.pairing import Device, Devices
from keepmum_cloud.seals import Seals
from keepmum_shared.messages import SignedSeal
from keepmum_shared.signing import seal_bytes, to_base64url
from signed_client import pair_request

NOW = 1_800_000_000
KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    database = Database(tmp_path_factory.mktemp("seals"))
    yield database
    database.close()


def paired(database: Database) -> Device:
    devices = Devices(database)
    found = devices.find(devices.pair(pair_request(devices.invite(now=NOW, life_s=600), KEY), NOW))
    assert found is not None
    return found


def seal(device: Device, counter: int, total: int) -> SignedSeal:
    signature = KEY.sign(seal_bytes(device=device.id, counter=counter, total=total))
    return SignedSeal(counter=counter, total=total, signature=to_base64url(signature))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=8))
def test_whatever_the_order_of_arrival_the_highest_is_kept(database: Database, sent: list[tuple[int, int]]) -> None:
    device, seals = paired(database), Seals(database)
    for number, (counter, total) in enumerate(sent, start=1):
        seals.keep(device, seal(device, counter, total))
        assert seals.newest(device.id) == seal(device, *max(sent[:number]))


def test_one_device_does_not_change_the_seal_of_another(database: Database) -> None:
    one, other, seals = paired(database), paired(database), Seals(database)
    seals.keep(one, seal(one, 5, 5))
    seals.keep(other, seal(other, 1, 1))
    with pytest.raises(ForgedSealError):
        seals.keep(other, seal(one, 5, 5))
    assert (seals.newest(one.id), seals.newest(other.id)) == (seal(one, 5, 5), seal(other, 1, 1))


def test_a_revoked_devices_seal_is_deleted_and_none_comes_after(database: Database) -> None:
    device, seals = paired(database), Seals(database)
    seals.keep(device, seal(device, 1, 1))
    assert Devices(database).revoke(device.id, NOW)
    assert seals.newest(device.id) is None
    seals.keep(device, seal(device, 2, 2))
    assert seals.newest(device.id) is None, "its turn was under way when it was revoked"
