"""Vectors of memories: made by jobs, never of what is gone, and searched by meaning."""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from keepmum_cloud.database import FILE_NAME, Database
from keepmum_cloud.memory.embedding_store import EmbeddingStore
from keepmum_cloud.memory.embedding_work import EmbeddingState, EmbeddingWork
from keepmum_cloud.memory.operations import Memories
from keepmum_inference.embedding import Embedder, load_embedder
from keepmum_inference.errors import SessionError
from keepmum_shared.ids import DeviceId, MemoryId, ScopeKey, SessionKey
from keepmum_shared.messages import ChatMessage, MemoryWrite
from numpy.typing import NDArray

ALICE, BOB = DeviceId("dev_" + "a" * 26), DeviceId("dev_" + "b" * 26)
HOME, WORK = ScopeKey("scope_" + "a" * 26), ScopeKey("scope_" + "b" * 26)
NOW = 1_000_000


def memory_id(letter: str) -> MemoryId:
    return MemoryId("mem_" + letter * 26)


def write(letter: str, text: str, **more: object) -> MemoryWrite:
    return MemoryWrite(**({"id": memory_id(letter), "text": text, "created_at": NOW - 10} | more))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return load_embedder(None)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def memories(database: Database) -> Memories:
    return Memories(database, clock=lambda: float(NOW))


def work_of(database: Database, memories: Memories, load: Callable[[], Embedder]) -> EmbeddingWork:
    return EmbeddingWork(database, memories, load=load, clock=lambda: float(NOW))


@pytest.fixture
def work(database: Database, memories: Memories, embedder: Embedder) -> EmbeddingWork:
    made = work_of(database, memories, lambda: embedder)
    assert made.load() is embedder
    return made


def ids(memories: Memories, query: str, **more: int) -> list[str]:
    return [hit.id for hit in memories.search(ALICE, HOME, query, 5, **more)]


PUPPY = write("p", "Our puppy answers to <NAME_1>")
TRAIN = write("t", "Takes the train to <ADDRESS_1> at nine")


def test_a_memory_is_found_by_its_words_at_once_and_by_its_meaning_when_the_job_is_done(
    memories: Memories, work: EmbeddingWork, embedder: Embedder
) -> None:
    memories.add(ALICE, HOME, (PUPPY, TRAIN))
    assert ids(memories, "puppy") == [PUPPY.id]
    assert ids(memories, "What is the name of my little dog?") == []
    assert memories.pending_embeddings() == 2
    assert work.embed_some(embedder)
    assert memories.pending_embeddings() == 0
    assert not work.embed_some(embedder)
    assert ids(memories, "What is the name of my little dog?")[0] == PUPPY.id
    asked = ChatMessage(role="user", content="Remind me please, what is the name of my little dog?")
    assert memories.recall(ALICE, HOME, (asked,), 6)[0].id == PUPPY.id
    assert memories.search(ALICE, WORK, "dog", 5) == memories.search(BOB, HOME, "dog", 5) == ()


class DeletingEmbedder:
    """Deletes or replaces memories while their vectors are being made, as a request would."""

    def __init__(self, inner: Embedder, meanwhile: Callable[[], object]) -> None:
        self._inner, self._meanwhile = inner, meanwhile
        self.model_id, self.dimension = inner.model_id, inner.dimension

    def query(self, text: str) -> NDArray[np.float32]:
        return self._inner.query(text)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = self._inner.passages(texts)
        self._meanwhile()
        return vectors


def test_work_in_flight_brings_nothing_deleted_back(
    database: Database, memories: Memories, work: EmbeddingWork, embedder: Embedder
) -> None:
    memories.add(ALICE, HOME, (PUPPY, TRAIN))

    def meanwhile() -> None:
        memories.delete(ALICE, (PUPPY.id, TRAIN.id))
        memories.add(ALICE, HOME, (write("n", "Plays the piano"),))  # takes the row number of what is gone

    work.embed_some(DeletingEmbedder(embedder, meanwhile))
    with database.reading() as db:
        assert db.execute("SELECT count(*) FROM embeddings").fetchone() == (0,)
        assert EmbeddingStore(db).pending() == 1
    work.embed_some(embedder)
    assert ids(memories, "Which musical instrument do I play?") == [memory_id("n")]


def test_no_byte_of_a_deleted_vector_is_left(
    tmp_path: Path, memories: Memories, work: EmbeddingWork, embedder: Embedder
) -> None:
    memories.add(ALICE, HOME, (PUPPY, TRAIN))
    work.embed_some(embedder)
    from keepmum_inference.embedder import SentenceEmbedder

    assert isinstance(embedder, SentenceEmbedder)
    stored = embedder.passages([PUPPY.text])[0].astype("<f2").tobytes()

    def holding() -> list[str]:
        return [path.name for path in tmp_path.iterdir() if stored in path.read_bytes()]

    assert holding(), "the scan must be able to find what is there"
    memories.delete(ALICE, (PUPPY.id,))
    assert holding() == []
    assert ids(memories, "puppy dog name") == []


def test_a_failing_model_puts_off_and_loses_nothing(
    database: Database, memories: Memories, work: EmbeddingWork, embedder: Embedder, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise SessionError("the runtime failed")

    memories.add(ALICE, HOME, (PUPPY,))
    with caplog.at_level(logging.WARNING):
        assert work.embed_some(DeletingEmbedder(embedder, fail))
    assert "puppy" not in caplog.text
    assert not work.embed_some(embedder), "not again at once"
    later = EmbeddingWork(database, memories, load=lambda: embedder, clock=lambda: NOW + 31.0)
    assert later.embed_some(embedder)
    assert memories.pending_embeddings() == 0


def test_another_model_makes_all_vectors_anew(
    database: Database, memories: Memories, work: EmbeddingWork, embedder: Embedder
) -> None:
    class Other(DeletingEmbedder):
        pass

    memories.add(ALICE, HOME, (PUPPY, TRAIN))
    work.embed_some(embedder)
    assert ids(memories, "little dog") == [PUPPY.id]
    other = Other(embedder, lambda: None)
    other.model_id = "other"
    memories.use(other)
    assert memories.pending_embeddings() == 2
    assert ids(memories, "little dog") == []
    work.embed_some(other)
    assert ids(memories, "little dog") == [PUPPY.id]


def test_without_the_model_memories_are_found_by_their_words_and_the_log_says_so(
    tmp_path: Path, database: Database, memories: Memories, embedder: Embedder, caplog: pytest.LogCaptureFixture
) -> None:
    work = work_of(database, memories, lambda: load_embedder(tmp_path / "nothing"))
    with caplog.at_level(logging.ERROR):
        assert work.load() is None
    assert work.state is EmbeddingState.MISSING
    assert "by words only: manifest.json: cannot be read" in caplog.text
    memories.add(ALICE, HOME, (PUPPY,))
    assert ids(memories, "puppy") == [PUPPY.id]
    assert memories.pending_embeddings() == 1
    again = work_of(database, memories, lambda: embedder)
    again.load()
    assert again.embed_some(embedder), "the job waited for the model"


def test_the_thread_embeds_what_is_added_and_stops(database: Database, memories: Memories, embedder: Embedder) -> None:
    memories.add(ALICE, HOME, (PUPPY,))
    work = work_of(database, memories, lambda: embedder)
    work.start()
    try:
        for added in ((), (TRAIN,)):
            memories.add(ALICE, HOME, added)
            until = time.monotonic() + 60
            while memories.pending_embeddings():
                assert time.monotonic() < until
                time.sleep(0.01)
    finally:
        work.stop()
    assert work.state is EmbeddingState.READY
    assert ids(memories, "little dog")[0] == PUPPY.id


def test_trust_validity_and_session_are_kept_exported_and_asked_before_ranking(memories: Memories) -> None:
    session = SessionKey("sess_" + "s" * 26)
    mail = write("m", "tea is poison", trust=20)
    old = write("o", "drinks coffee, not tea", valid_to=NOW, session=session)
    new = write("n", "drinks tea", valid_from=NOW, session=session, importance=90)
    memories.add(ALICE, HOME, (mail, old, new))
    assert ids(memories, "tea") == [new.id]
    assert ids(memories, "tea", closed=True) == [new.id, old.id]
    assert set(ids(memories, "tea", trust_min=0)) == {mail.id, new.id}
    kept = {each.id: each for each in memories.export(ALICE).memories}
    assert (kept[old.id].valid_to, kept[old.id].session, kept[mail.id].trust) == (NOW, session, 20)
    assert (kept[new.id].valid_from, kept[new.id].importance) == (NOW, 90)


@pytest.mark.parametrize("asked", ["What did I use to drink before this, tea or what?", "我以前喝什么？ tea"])
def test_what_was_is_recalled_when_the_question_is_about_the_past(memories: Memories, asked: str) -> None:
    old = write("o", "drinks tea", valid_to=NOW)
    memories.add(ALICE, HOME, (old,))
    assert (
        memories.recall(ALICE, HOME, (ChatMessage(role="user", content="Do I drink tea in the morning or not?"),), 6)
        == ()
    )
    assert memories.recall(ALICE, HOME, (ChatMessage(role="user", content=asked),), 6)[0].id == old.id


def test_what_another_process_adds_and_deletes_is_seen(
    tmp_path: Path, memories: Memories, work: EmbeddingWork, embedder: Embedder
) -> None:
    memories.add(ALICE, HOME, (PUPPY,))
    assert ids(memories, "puppy") == [PUPPY.id]
    elsewhere = Database(tmp_path)
    try:
        other = Memories(elsewhere)
        other.add(ALICE, HOME, (write("q", "Another puppy came"),))
        assert set(ids(memories, "puppy")) == {PUPPY.id, memory_id("q")}
        other.delete(ALICE, (PUPPY.id,))
        assert ids(memories, "puppy") == [memory_id("q")]
    finally:
        elsewhere.close()


def test_the_store_of_the_first_version_is_brought_along(tmp_path: Path, embedder: Embedder) -> None:
    import sqlite3
    from contextlib import closing

    from keepmum_cloud import schema

    folder = tmp_path / "old"
    folder.mkdir()
    with closing(sqlite3.connect(folder / FILE_NAME)) as old:
        for statement in filter(str.strip, schema._FIRST.split(";")):
            old.execute(statement)
        old.execute("INSERT INTO spaces VALUES (1, ?, ?, 1, 2, 2)", (ALICE, HOME))
        row = (1, 1, ALICE, PUPPY.id, PUPPY.text, 5, 1, 2)
        old.execute("INSERT INTO memories VALUES (?,?,?,?,?,?,?,?)", row)
        old.execute("INSERT INTO terms VALUES (1, 1, 'puppyx', 1, 1)")
        old.execute("INSERT INTO postings VALUES (1, 1, 1, 2)")
        old.execute("PRAGMA user_version = 1")
        old.commit()
    database = Database(folder)
    try:
        memories = Memories(database, clock=lambda: float(NOW))
        assert ids(memories, "puppies") == [PUPPY.id]
        assert ids(memories, "puppyx") == []
        work = work_of(database, memories, lambda: embedder)
        work.load()
        assert work.embed_some(embedder)
        assert ids(memories, "little dog") == [PUPPY.id]
        assert memories.export(ALICE).memories[0].trust == 100
    finally:
        database.close()
