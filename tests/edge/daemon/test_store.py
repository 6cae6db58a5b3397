from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from keepmum_edge.daemon.store import OutboxStore, Pairing, PairingStore, ScopeStore, SettingStore
from keepmum_edge.database import Database
from keepmum_edge.errors import DatabaseUnavailableError
from keepmum_shared.ids import DeviceId, MemoryId, new_scope_key
from profiles import KEY, disk_bytes, new_database, settings

PAIRING = Pairing(
    device=DeviceId("dev_x"),
    host="127.0.0.1",
    port=8766,
    certificate_pem="certificate-canary",
    private_key=b"private-key-canary".ljust(32, b"."),
    paired_at=1,
)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = new_database(tmp_path)
    yield database
    database.close()


def test_one_pairing_is_kept_and_a_new_one_takes_its_place(db: Database) -> None:
    store = PairingStore(db)
    assert store.get() is None
    with db.transaction():
        store.put(PAIRING)
        store.put(replace(PAIRING, port=9))
        assert store.get() == replace(PAIRING, port=9)
        store.remove()
    assert store.get() is None


def test_the_signing_key_is_in_no_repr_and_not_on_disk_in_clear(db: Database, tmp_path: Path) -> None:
    with db.transaction():
        PairingStore(db).put(PAIRING)
    db.checkpoint()
    assert "canary" not in repr(PAIRING)
    assert b"private-key-canary" not in disk_bytes(tmp_path)


def test_a_signing_key_of_another_length_is_refused(db: Database) -> None:
    with pytest.raises(DatabaseUnavailableError), db.transaction():
        PairingStore(db).put(replace(PAIRING, private_key=b"short"))


def test_a_scope_gets_one_key_for_good(db: Database, tmp_path: Path) -> None:
    store = ScopeStore(db)
    assert store.find("user") is None
    with db.transaction():
        user, work = store.key_of("user"), store.key_of("work")
        assert store.key_of("user") == user != work
    again = Database.open(settings(tmp_path).paths.database, KEY)
    assert ScopeStore(again).find("user") == user
    assert ScopeStore(again).names() == ("user", "work")
    again.close()


def test_two_scopes_cannot_share_a_key(db: Database) -> None:
    key = new_scope_key()
    store = ScopeStore(db, new_key=lambda: key)
    with db.transaction():
        store.key_of("user")
    with pytest.raises(DatabaseUnavailableError, match="rule"), db.transaction():
        store.key_of("work")


def test_a_forgotten_scope_gets_another_key(db: Database) -> None:
    store = ScopeStore(db)
    with db.transaction():
        before, other = store.key_of("work"), store.key_of("home")
        store.forget("work")
        assert store.key_of("work") != before
        assert store.key_of("home") == other
        store.forget(None)
    assert store.names() == ()


def test_a_deletion_waits_until_the_cloud_has_confirmed_it(db: Database) -> None:
    store, (one, two) = OutboxStore(db), (MemoryId("mem_one"), MemoryId("mem_two"))
    with db.transaction():
        store.add([one, two], forget=False)
        store.add([one], forget=True)
        store.add([one], forget=False)
    assert store.waiting() == (one, two)
    assert store.waiting(1) == (one,)
    assert (store.waiting(forget=True), store.waiting(forget=False)) == ((one,), (two,)), "what is forgotten stays so"
    assert (store.holds(two), store.holds(MemoryId("mem_other"))) == (True, False)
    with db.transaction():
        store.remove([one, MemoryId("mem_other")])
    assert store.waiting() == (two,)


def test_a_setting_is_kept_and_replaced(db: Database) -> None:
    store = SettingStore(db)
    assert store.get("first_start") is None
    with db.transaction():
        store.put("first_start", "1")
        store.put("first_start", "2")
    assert store.get("first_start") == "2"
