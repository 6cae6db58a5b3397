"""The look afterwards finds what a deletion missed, and tells it from words that others hold by themselves."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from keepmum_edge.daemon.forget.needles import irredundant, telling
from keepmum_edge.daemon.forget.verification import Verification
from keepmum_edge.database import Database
from keepmum_edge.database.raw_pages import count_in_pages
from keepmum_edge.memory.record import MemoryRecord
from keepmum_edge.memory.store import MemoryStore
from keepmum_shared.ids import new_memory_id
from profiles import KEY, new_database, settings

TEXT = 'owns a "zqboatword"'


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = new_database(tmp_path)
    yield database
    database.close()


@pytest.fixture
def look(db: Database, tmp_path: Path) -> Verification:
    file = settings(tmp_path).paths.database
    return Verification(db, lambda needles: count_in_pages(file, KEY, needles), lambda: 0)


def record(db: Database, text: str = TEXT, **fields: object) -> MemoryRecord:
    made = MemoryRecord(id=new_memory_id(), text=text, created_at=1, **{"scope": "user", **fields})  # type: ignore[arg-type]
    with db.transaction():
        return MemoryStore(db).add(made)


def test_a_row_under_a_removed_id_is_counted_whichever_table_holds_it(db: Database, look: Verification) -> None:
    gone = record(db)
    child = record(db, "sails", sources=frozenset({gone.id}))
    ids = {gone.id}
    assert look.look(ids=ids, chains=(), needles=()).rows == 3, "the record, its embedding, the child that names it"
    with db.transaction():
        MemoryStore(db).delete(gone.id)
    assert look.look(ids=ids, chains=(), needles=()).rows == 1
    with db.transaction():
        MemoryStore(db).delete(child.id)
        db.execute("INSERT INTO tombstone VALUES (?, 1)", gone.id)
        db.execute("INSERT INTO cloud_deletion VALUES (?, 1)", gone.id)
    assert look.look(ids=ids, chains=(), needles=()).rows == 0, "where it is named on purpose"


def test_a_message_is_found_by_its_chain(db: Database, look: Verification) -> None:
    chain = bytes(range(32))
    with db.transaction():
        db.execute("INSERT INTO message VALUES ('c', ?, 0, ?, '{}')", chain, bytes(32))
    assert look.look(ids=(), chains=(chain,), needles=()).rows == 1
    assert look.look(ids=(), chains=(bytes(32),), needles=()).rows == 0


def test_words_in_the_bytes_are_found_and_words_of_others_are_told_as_theirs(db: Database, look: Verification) -> None:
    db.value("PRAGMA secure_delete = OFF")
    gone = record(db)
    with db.transaction():
        MemoryStore(db).delete(gone.id)
    db.checkpoint()
    found = look.look(ids={gone.id}, chains=(), needles=(TEXT,))
    assert found.texts > 0
    assert found.same_words == 0
    record(db, scope="work")
    found = look.look(ids={gone.id}, chains=(), needles=(TEXT, "tea"))
    assert (found.texts, found.rows, found.unlooked) == (0, 0, 1)
    assert found.same_words >= 1


def test_a_vector_in_the_bytes_is_found_and_that_of_somebody_who_says_the_same_is_told_as_theirs(
    db: Database, look: Verification
) -> None:
    db.value("PRAGMA secure_delete = OFF")
    vector = bytes(range(256)) * 3
    gone, other = record(db), record(db, scope="work")

    def embed(*records: MemoryRecord) -> None:
        with db.transaction():
            db.execute_each(
                "UPDATE memory_embedding SET vector = ? WHERE memory = ?", [(vector, r.id) for r in records]
            )

    embed(gone)
    with db.transaction():
        MemoryStore(db).delete(gone.id)
    db.checkpoint()
    assert look.look(ids={gone.id}, chains=(), needles=(), vectors=(vector,)).texts == 1
    embed(other)
    found = look.look(ids={gone.id}, chains=(), needles=(), vectors=(vector, vector))
    assert (found.texts, found.same_words, found.unlooked) == (0, 1, 0)


def test_words_inside_json_are_found(db: Database, look: Verification) -> None:
    import json

    with db.transaction():
        db.execute("INSERT INTO setting VALUES ('planted', ?)", json.dumps({"content": TEXT}))
    assert look.look(ids=(), chains=(), needles=(TEXT,)).same_words == 1


def test_as_few_needles_as_will_do() -> None:
    assert irredundant(["a boat and tea", "boat", "tea time", "boat", ""]) == ("boat", "tea time")
    assert telling(["tea", "a longer text", 'with "quotes" in it']) == ("a longer text", 'with \\"quotes\\" in it')
