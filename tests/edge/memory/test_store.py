from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from keepmum_edge.database import Database
from keepmum_edge.errors import NotFoundError
from keepmum_edge.memory.admitted import Admitted, Within
from keepmum_edge.memory.record import CloudState, MemoryRecord
from keepmum_edge.memory.record_search import RecordSearch
from keepmum_edge.memory.store import MemoryStore
from keepmum_shared.ids import MemoryId, new_memory_id
from keepmum_shared.placeholder import Placeholder
from keepmum_shared.taxonomy import EntityType
from profiles import decrypted_pages, new_database, settings


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = new_database(tmp_path)
    yield database
    database.close()


def record(text: str, scope: str = "user", at: int = 1) -> MemoryRecord:
    return MemoryRecord(id=new_memory_id(), text=text, scope=scope, created_at=at)


def added(db: Database, *records: MemoryRecord) -> MemoryStore:
    store = MemoryStore(db)
    with db.transaction():
        for each in records:
            store.add(each)
    return store


def shared(record: MemoryRecord, text: str, at: int) -> MemoryRecord:
    return replace(record, cloud=CloudState.SHARED, placeholder_text=text, shared_at=at)


def found(db: Database, query: str) -> tuple[MemoryRecord, ...]:
    return RecordSearch(db).search(query, Admitted(within=Within(scope="user"), now=1_000))


def test_a_record_comes_back_whole_and_newest_first(db: Database) -> None:
    first, second = record("owns a boat", at=1), record("drinks tea", at=2)
    other = record("drinks tea", scope="work", at=3)
    store = added(db, first, second, other)
    assert store.get(first.id) == first
    assert store.list("user") == (second, first)
    assert store.list() == (other, second, first)
    assert store.get(new_memory_id()) is None


def test_saying_the_same_twice_is_one_memory_of_the_scope(db: Database) -> None:
    store, first = MemoryStore(db), record("My cat is called Pixel")
    with db.transaction():
        assert store.add(first) == first
        assert store.add(record("My cat is called Pixel")) == first
        assert store.add(record("My cat is called Pixel", scope="work")) != first
    assert store.list("user") == (first,)


def test_a_deleted_record_is_found_by_nothing_and_is_on_no_page(db: Database, tmp_path: Path) -> None:
    kept, gone = record("keeps the Oskarcanary secret"), record("knows the Quokkacanary word")
    store = added(db, kept, gone)
    with db.transaction():
        store.put(shared(gone, "knows <NAME_7>", 5))
    file = settings(tmp_path).paths.database
    db.checkpoint()
    assert b"Quokkacanary" in decrypted_pages(file)
    with db.transaction():
        assert store.delete(gone.id)
        assert not store.delete(gone.id)
    db.checkpoint()
    assert found(db, "Quokkacanary") == ()
    assert found(db, "quo") == ()
    assert store.holding(Placeholder(EntityType.NAME, 7)) == ()
    pages = decrypted_pages(file)
    assert b"Quokkacanary" not in pages
    assert b"Oskarcanary" in pages
    db.value("PRAGMA cache_size")
    assert not db.rows("SELECT rowid FROM memory_words WHERE memory_words MATCH 'quo OR uok OR okk'")


def test_the_words_of_a_deleted_record_leave_the_index_pages_too(db: Database, tmp_path: Path) -> None:
    store, gone = MemoryStore(db), record("zyxzyx")
    with db.transaction():
        store.add(gone)
    file = settings(tmp_path).paths.database
    db.checkpoint()
    assert b"zyx" in decrypted_pages(file)
    with db.transaction():
        store.delete(gone.id)
    db.checkpoint()
    assert b"zyx" not in decrypted_pages(file)
    assert b"xzy" not in decrypted_pages(file)


def test_only_shared_records_of_the_scope_admit_their_placeholders(db: Database) -> None:
    mine, other, local = record("a"), record("b", scope="work"), record("c")
    store = added(db, mine, other, local)
    with db.transaction():
        store.put(shared(mine, "met <NAME_1> and <NAME_1> at <ADDRESS_2>", 10))
        store.put(shared(other, "met <NAME_3>", 10))
    ids = (mine.id, other.id, local.id, MemoryId("mem_unknown"))
    name, address = Placeholder(EntityType.NAME, 1), Placeholder(EntityType.ADDRESS, 2)
    assert store.placeholders_of(ids, "user") == {name, address}
    assert store.placeholders_of(ids, "work") == {Placeholder(EntityType.NAME, 3)}
    assert store.holding(name) == (mine.id,)
    assert (store.shared("user"), len(store.shared())) == ((mine.id,), 2)
    kept = store.get(mine.id)
    assert kept is not None
    assert (kept.placeholder_text, kept.shared_at) == ("met <NAME_1> and <NAME_1> at <ADDRESS_2>", 10)
    with db.transaction():
        store.put(shared(mine, "met <NAME_9>", 11))
        assert store.placeholders_of(ids, "user") == {Placeholder(EntityType.NAME, 9)}
        store.put(mine)
    assert store.placeholders_of(ids, "user") == frozenset()
    assert store.get(mine.id) == mine


def test_an_unknown_record_cannot_be_changed(db: Database) -> None:
    with pytest.raises(NotFoundError), db.transaction():
        MemoryStore(db).put(record("x"))


def test_a_record_shows_no_text_in_its_repr() -> None:
    assert "boat" not in repr(record("owns a boat"))
    with pytest.raises(ValueError, match="both"):
        MemoryRecord(id=new_memory_id(), text="x", scope="user", created_at=1, shared_at=2)


def test_the_words_of_many_deleted_records_leave_the_index_pages_too(db: Database, tmp_path: Path) -> None:
    store, gone = MemoryStore(db), [record(f"zyxzyx {number}") for number in range(100)]
    kept = added(db, record("Oskarcanary")).list()[0]
    with db.transaction():
        for each in gone:
            store.add(each)
    file = settings(tmp_path).paths.database
    db.checkpoint()
    assert b"zyx" in decrypted_pages(file)
    with db.transaction():
        assert store.delete_all([each.id for each in (*gone, record("never stored"))]) == 100
    db.checkpoint()
    assert b"zyx" not in decrypted_pages(file)
    assert b"xzy" not in decrypted_pages(file)
    assert store.list() == (kept,)
    assert db.rows("SELECT rowid FROM memory_words WHERE memory_words MATCH 'Oskarcanary'")
    with db.transaction():
        store.delete(kept.id)
    db.checkpoint()
    assert b"ska" not in decrypted_pages(file), "and erasing goes on as before"
