from collections.abc import Iterator
from pathlib import Path

import pytest
from keepmum_edge.database import Database
from keepmum_edge.errors import NotFoundError
from keepmum_edge.memory.record import MemoryRecord
from keepmum_edge.memory.store import MemoryStore, search_terms
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


def test_words_are_found_whatever_their_case_and_more_of_the_query_comes_first(db: Database) -> None:
    tea, boat = record("Drinks green TEA in the morning"), record("Owns a green boat")
    store = added(db, boat, tea, record("Runs a lot"))
    assert store.search("green tea", "user") == (tea, boat)
    assert store.search("BOAT", "user") == (boat,)
    assert store.search("submarine", "user") == ()
    assert store.search("green", "user", limit=1) == (tea,)


def test_chinese_words_of_two_characters_are_found_in_short_and_long_queries(db: Database) -> None:
    beijing, shanghai = record("我住在北京朝阳区"), record("妈妈在上海工作")
    store = added(db, beijing, shanghai)
    assert store.search("北京", "user") == (beijing,)
    assert store.search("上海", "user") == (shanghai,)
    assert store.search("你知道北京的天气吗？", "user") == (beijing,)
    assert store.search("广州", "user") == ()


def test_a_search_looks_into_no_other_scope_and_no_other_scope_changes_its_order(db: Database) -> None:
    tea, coffee = record("green tea"), record("green coffee with tea")
    store = added(db, tea, coffee)
    before = store.search("tea coffee", "user")
    with db.transaction():
        for i in range(50):
            store.add(record(f"tea tea coffee {i}", scope="work"))
    assert store.search("tea coffee", "user") == before == (coffee, tea)
    assert len(store.search("tea", None, limit=100)) == 52


@pytest.mark.parametrize(
    "query", ['"', '""', "a*", "NEAR(a b)", "text:x", "%", "_", "a%b", "'; DROP TABLE memory", "()", "", "\0ab"]
)
def test_no_query_is_read_as_syntax(db: Database, query: str) -> None:
    store = added(db, record("plain words"))
    assert store.search(query, "user") == ()


def test_a_percent_sign_or_underscore_is_a_letter_like_any_other() -> None:
    assert search_terms("5_ ab 北") == ("北", "5_", "ab")
    assert search_terms("北京天") == ("北京", "京天")


def test_a_deleted_record_is_found_by_nothing_and_is_on_no_page(db: Database, tmp_path: Path) -> None:
    kept, gone = record("keeps the Oskarcanary secret"), record("knows the Quokkacanary word")
    store = added(db, kept, gone)
    with db.transaction():
        store.mark_shared(gone.id, "knows <NAME_7>", 5)
    file = settings(tmp_path).paths.database
    db.checkpoint()
    assert b"Quokkacanary" in decrypted_pages(file)
    with db.transaction():
        assert store.delete(gone.id)
        assert not store.delete(gone.id)
    db.checkpoint()
    assert store.search("Quokkacanary", "user") == ()
    assert store.search("quo", "user") == ()
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
        store.mark_shared(mine.id, "met <NAME_1> and <NAME_1> at <ADDRESS_2>", 10)
        store.mark_shared(other.id, "met <NAME_3>", 10)
    ids = (mine.id, other.id, local.id, MemoryId("mem_unknown"))
    name, address = Placeholder(EntityType.NAME, 1), Placeholder(EntityType.ADDRESS, 2)
    assert store.placeholders_of(ids, "user") == {name, address}
    assert store.placeholders_of(ids, "work") == {Placeholder(EntityType.NAME, 3)}
    assert store.holding(name) == (mine.id,)
    assert (store.shared("user"), len(store.shared())) == ((mine.id,), 2)
    shared = store.get(mine.id)
    assert (shared.placeholder_text, shared.shared_at) == ("met <NAME_1> and <NAME_1> at <ADDRESS_2>", 10)
    with db.transaction():
        store.mark_shared(mine.id, "met <NAME_9>", 11)
        assert store.placeholders_of(ids, "user") == {Placeholder(EntityType.NAME, 9)}
        store.mark_withdrawn(mine.id)
    assert store.placeholders_of(ids, "user") == frozenset()
    assert store.get(mine.id) == mine


def test_an_unknown_record_cannot_be_shared(db: Database) -> None:
    for act in (
        lambda: MemoryStore(db).mark_shared(new_memory_id(), "x", 1),
        lambda: MemoryStore(db).mark_withdrawn(new_memory_id()),
    ):
        with pytest.raises(NotFoundError), db.transaction():
            act()


def test_a_record_shows_no_text_in_its_repr() -> None:
    assert "boat" not in repr(record("owns a boat"))
    with pytest.raises(ValueError, match="both"):
        MemoryRecord(id=new_memory_id(), text="x", scope="user", created_at=1, shared_at=2)
