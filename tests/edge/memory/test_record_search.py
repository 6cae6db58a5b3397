from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from keepmum_edge.database import Database
from keepmum_edge.memory.admitted import Admitted, Within
from keepmum_edge.memory.record import Channel, MemoryRecord
from keepmum_edge.memory.record_search import RecordSearch, search_terms
from keepmum_edge.memory.store import MemoryStore
from keepmum_shared.ids import new_memory_id
from profiles import new_database

NOW = 1_000


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


def found(db: Database, query: str, scope: str | None, limit: int = 10) -> tuple[MemoryRecord, ...]:
    return RecordSearch(db).search(query, Admitted(within=Within(scope=scope), now=NOW), limit)


def test_words_are_found_whatever_their_case_and_more_of_the_query_comes_first(db: Database) -> None:
    tea, boat = record("Drinks green TEA in the morning"), record("Owns a green boat")
    added(db, boat, tea, record("Runs a lot"))
    assert found(db, "green tea", "user") == (tea, boat)
    assert found(db, "BOAT", "user") == (boat,)
    assert found(db, "submarine", "user") == ()
    assert found(db, "green", "user", limit=1) == (tea,)


def test_chinese_words_of_two_characters_are_found_in_short_and_long_queries(db: Database) -> None:
    beijing, shanghai = record("我住在北京朝阳区"), record("妈妈在上海工作")
    added(db, beijing, shanghai)
    assert found(db, "北京", "user") == (beijing,)
    assert found(db, "上海", "user") == (shanghai,)
    assert found(db, "你知道北京的天气吗？", "user") == (beijing,)
    assert found(db, "广州", "user") == ()


def test_a_search_looks_into_no_other_scope_and_no_other_scope_changes_its_order(db: Database) -> None:
    tea, coffee = record("green tea"), record("green coffee with tea")
    store = added(db, tea, coffee)
    before = found(db, "tea coffee", "user")
    with db.transaction():
        for i in range(50):
            store.add(record(f"tea tea coffee {i}", scope="work"))
    assert found(db, "tea coffee", "user") == before == (coffee, tea)
    assert len(found(db, "tea", None, limit=100)) == 52


@pytest.mark.parametrize(
    "query", ['"', '""', "a*", "NEAR(a b)", "text:x", "%", "_", "a%b", "'; DROP TABLE memory", "()", "", "\0ab"]
)
def test_no_query_is_read_as_syntax(db: Database, query: str) -> None:
    added(db, record("plain words"))
    assert found(db, query, "user") == ()


def test_a_percent_sign_or_underscore_is_a_letter_like_any_other() -> None:
    assert search_terms("5_ ab 北") == ("北", "5_", "ab")
    assert search_terms("北京天") == ("北京", "京天")


def test_only_what_holds_now_is_found_unless_the_past_is_asked_for(db: Database) -> None:
    past = replace(record("lived in Lyon"), valid_from=100, valid_to=NOW)
    future = replace(record("moves to Lyon"), valid_from=NOW + 1)
    now = replace(record("works in Lyon"), valid_from=NOW, valid_to=NOW + 1)
    added(db, past, future, now)
    assert found(db, "Lyon", "user") == (now,)
    everything = RecordSearch(db).search("Lyon", Admitted(within=Within(scope="user"), now=NOW, closed=True))
    assert set(everything) == {past, now}


def test_what_is_not_trusted_or_not_for_the_asker_is_never_scored(db: Database) -> None:
    page = replace(record("mail goes to Mallory"), trust=20, channel=Channel.WEB)
    shared = replace(record("mail comes on Monday"), audiences=frozenset({"mum", "boss"}))
    theirs = replace(record("mail is for the editor"), application="editor")
    added(db, page, shared, theirs)
    assert set(found(db, "mail", "user")) == {shared, theirs}

    def asked_by(**who: str) -> set[MemoryRecord]:
        return set(RecordSearch(db).search("mail", Admitted(within=Within(scope="user"), now=NOW, **who)))

    assert asked_by(audience="mum") == {shared}
    assert asked_by(audience="mu") == set()
    with pytest.raises(ValueError, match="one label"):
        asked_by(audience="boss mum")
    assert asked_by(application="browser") == {shared}
    assert asked_by(application="editor") == {shared, theirs}
