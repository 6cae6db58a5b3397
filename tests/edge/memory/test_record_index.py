"""An index over the edge's records learns what the database tells it, and refuses to go on from what is no more."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from keepmum_edge.database import Database
from keepmum_edge.memory.admitted import Admitted, Within
from keepmum_edge.memory.embedding_store import EmbeddingStore
from keepmum_edge.memory.record import CloudState, MemoryRecord
from keepmum_edge.memory.record_index import OutdatedIndexError, RecordIndex
from keepmum_edge.memory.store import MemoryStore
from keepmum_shared.ids import MemoryId, new_memory_id
from profiles import new_database

NOW = 1_000
USER = Within(scope="user")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = new_database(tmp_path)
    yield database
    database.close()


def add(db: Database, text: str, **fields: object) -> MemoryRecord:
    made = MemoryRecord(id=new_memory_id(), text=text, created_at=1, **{"scope": "user", **fields})  # type: ignore[arg-type]
    with db.transaction():
        return MemoryStore(db).add(made)


def change(db: Database, record: MemoryRecord, **fields: object) -> None:
    with db.transaction():
        MemoryStore(db).put(replace(record, **fields))  # type: ignore[arg-type]


def learn(db: Database, index: RecordIndex, within: Within = USER) -> RecordIndex:
    index.learn(EmbeddingStore(db).changed(within, after=index.last, most=1000))
    return index


def found(index: RecordIndex, query: str, within: Within = USER, **who: object) -> list[MemoryId]:
    admitted = Admitted(within=within, now=NOW, **who)  # type: ignore[arg-type]
    return [memory for memory, _ in index.best(query, None, admitted.asking, 10)]


def embed(db: Database, record: MemoryRecord, *vector: float) -> bool:
    store = EmbeddingStore(db)
    waiting = {each.memory: each for each in store.waiting(100)}
    with db.transaction():
        return store.put(waiting[record.id], np.array(vector, dtype=np.float32))


def test_what_is_added_or_changes_its_standing_is_learnt_without_a_new_index(db: Database) -> None:
    tea = add(db, "drinks green tea")
    index = learn(db, RecordIndex(dimension=0))
    assert found(index, "tea") == [tea.id]
    boat = add(db, "owns a boat and likes tea")
    change(db, tea, valid_to=NOW)
    learn(db, index)
    assert found(index, "tea") == [boat.id]
    assert set(found(index, "tea", closed=True)) == {tea.id, boat.id}


def test_trust_application_and_audience_are_asked_before_anything_is_ranked(db: Database) -> None:
    page = add(db, "mail goes to Mallory", trust=20)
    shared = add(db, "mail comes on Monday", audiences=frozenset({"mum"}))
    theirs = add(db, "mail is for the editor", application="editor")
    index = learn(db, RecordIndex(dimension=0))
    assert set(found(index, "mail")) == {shared.id, theirs.id}
    assert page.id in found(index, "mail", trust_min=0)
    assert found(index, "mail", audience="mum") == [shared.id]
    assert found(index, "mail", application="browser") == [shared.id]
    assert set(found(index, "mail", application="editor")) == {shared.id, theirs.id}


@pytest.mark.parametrize("fields", [{"text": "drinks coffee"}, {"scope": "work"}])
def test_an_index_that_holds_words_which_are_no_more_cannot_go_on(db: Database, fields: dict[str, object]) -> None:
    tea = add(db, "drinks green tea")
    index = learn(db, RecordIndex(dimension=0))
    change(db, tea, **fields)
    with pytest.raises(OutdatedIndexError):
        learn(db, index)
    assert found(learn(db, RecordIndex(dimension=0)), "tea") == []


def test_what_is_here_only_is_a_place_that_records_leave_when_they_are_shared(db: Database) -> None:
    here = Within(scope="user", here_only=True)
    local, kept = add(db, "tea with sugar", cloud=CloudState.LOCAL_ONLY), add(db, "tea with milk")
    add(db, "tea at five", cloud=CloudState.QUEUED)
    index = learn(db, RecordIndex(dimension=0), here)
    assert set(found(index, "tea", here)) == {local.id, kept.id}
    change(db, kept, cloud=CloudState.QUEUED)
    with pytest.raises(OutdatedIndexError):
        learn(db, index, here)


def test_a_vector_belongs_to_one_version_of_a_text(db: Database) -> None:
    tea = add(db, "drinks green tea")
    assert embed(db, tea, 1, 0)
    store = EmbeddingStore(db)
    assert store.waiting(9) == ()
    change(db, tea, importance=90)
    assert store.waiting(9) == (), "its standing alone changes no vector"
    change(db, tea, text="drinks coffee")
    (waiting,) = store.waiting(9)
    assert store.vectors_of([tea.id]) == ()
    change(db, tea, text="drinks water")
    with db.transaction():
        assert not store.put(waiting, np.ones(2, dtype=np.float32)), "computed from a text that is no more"
        MemoryStore(db).delete(tea.id)
    assert store.waiting(9) == ()
    assert store.deletions() == 1
    assert db.value("SELECT count(*) FROM memory_embedding") == 0


def test_vectors_of_another_model_are_deleted_and_made_anew(db: Database) -> None:
    records = [add(db, f"text {i}") for i in range(5)]
    store = EmbeddingStore(db)
    with db.transaction():
        assert store.use_model("first", 2)
    for record in records:
        embed(db, record, 1, 0)
    steps = 0
    while True:
        with db.transaction():
            if store.use_model("second", 2):
                break
        steps += 1
    assert steps == 3
    assert store.model() == "second"
    assert len(store.waiting(9)) == 5


def test_vectors_are_learnt_when_they_come_and_find_what_shares_no_word(db: Database) -> None:
    tea, boat = add(db, "drinks green tea"), add(db, "owns a boat")
    index = learn(db, RecordIndex(dimension=2))
    for record, vector in ((tea, (1, 0)), (boat, (0, 1))):
        embed(db, record, *vector)
    learn(db, index)
    query = np.array([1, 0], dtype=np.float32)
    best = index.best("beverages", query, Admitted(within=USER, now=NOW).asking, 10)
    assert [memory for memory, _ in best] == [tea.id]


def test_whatever_happens_to_records_an_index_that_goes_on_equals_one_made_anew(db: Database) -> None:
    rng = random.Random(5)
    store, index, held = EmbeddingStore(db), RecordIndex(dimension=0), []
    seen_deletions = 0
    for step in range(150):
        held = [record for each in held if (record := MemoryStore(db).get(each.id)) is not None]
        what = rng.random()
        if what < 0.5 or not held:
            scope = rng.choice(["user", "work"])
            held.append(add(db, f"tea number {step} with {rng.choice(['milk', 'sugar'])}", scope=scope))
        elif what < 0.6:
            with db.transaction():
                MemoryStore(db).delete(rng.choice(held).id)
        else:
            fields: dict[str, object] = rng.choice(
                [{"valid_to": 5}, {"trust": 20}, {"text": f"coffee {step}"}, {"scope": "work"}, {"importance": 99}]
            )
            change(db, rng.choice(held), **fields)
        try:
            if store.deletions() != seen_deletions:
                raise OutdatedIndexError
            learn(db, index)
        except OutdatedIndexError:
            seen_deletions, index = store.deletions(), learn(db, RecordIndex(dimension=0))
        fresh = learn(db, RecordIndex(dimension=0))
        for query in ("tea milk", "coffee", f"number {step}"):
            assert set(found(index, query)) == set(found(fresh, query)), step


def test_more_words_than_are_kept_are_learnt_all_the_same(db: Database) -> None:
    records = [add(db, " ".join(f"sailing{number}x{word}s" for word in range(1500))) for number in range(15)]
    index = learn(db, RecordIndex(dimension=0))
    for number, record in enumerate(records):
        assert found(index, f"sailing{number}x1499s") == [record.id]
