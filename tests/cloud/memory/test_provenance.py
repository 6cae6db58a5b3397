"""What was derived goes with its source, what is forgotten stays so, and what was said before is kept or erased."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from keepmum_cloud.database import Database
from keepmum_cloud.memory.deletion import held
from keepmum_cloud.memory.embedding_store import EmbeddingStore
from keepmum_cloud.memory.operations import EXPORT_PAGE, Memories
from keepmum_cloud.memory.sqlite_store import MemoryStore
from keepmum_shared.ids import DeviceId, MemoryId, ScopeKey, new_memory_id
from keepmum_shared.messages import MemoryRevision, MemoryWrite

ALICE, BOB = DeviceId("dev_" + "a" * 26), DeviceId("dev_" + "b" * 26)
HOME, WORK = ScopeKey("scope_" + "a" * 26), ScopeKey("scope_" + "b" * 26)
NOW = 1_000_000


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def memories(database: Database) -> Memories:
    return Memories(database, clock=lambda: float(NOW))


def written(text: str, *sources: MemoryId) -> MemoryWrite:
    return MemoryWrite(id=new_memory_id(), text=text, created_at=1, derived_from=sources)


def ids(memories: Memories, device: DeviceId = ALICE) -> set[MemoryId]:
    return {memory.id for memory in memories.export(device).memories}


def add(memories: Memories, *batch: MemoryWrite, scope: ScopeKey = HOME) -> None:
    assert memories.add(ALICE, scope, batch).refused == ()


def test_the_closure_goes_and_what_has_another_source_is_named(memories: Memories) -> None:
    boat, tea = written("owns a boat"), written("drinks tea")
    summary = written("boat and tea", boat.id, tea.id)
    near, far = written("sails", boat.id), written("a person who sails and drinks", summary.id)
    add(memories, boat, tea, summary, near)
    add(memories, far, scope=WORK)
    removed = memories.delete(ALICE, (boat.id,))
    assert removed.deleted == (boat.id,)
    assert set(removed.derived) == {summary.id, near.id, far.id}
    assert removed.stale == (summary.id,), "its other source is still held; those of the others are not"
    assert set(removed.gone) == {boat.id, summary.id, near.id, far.id}
    assert ids(memories) == {tea.id}
    assert memories.search(ALICE, HOME, "boat sails", 10) == ()


def test_a_late_write_of_what_is_forgotten_is_refused_and_so_is_what_is_derived_from_it(memories: Memories) -> None:
    boat, tea = written("owns a boat"), written("drinks tea")
    add(memories, boat, tea)
    memories.delete(ALICE, (boat.id,))
    late = memories.add(ALICE, HOME, (boat, written("sails", boat.id), tea))
    assert late.refused[0] == boat.id
    assert (len(late.refused), late.stored) == (2, (tea.id,))
    assert ids(memories) == {tea.id}
    unknown = new_memory_id()
    memories.delete(ALICE, (unknown,))
    early = MemoryWrite(id=unknown, text="came after its deletion", created_at=1)
    assert memories.add(ALICE, HOME, (early,)).refused == (unknown,)
    assert memories.add(BOB, HOME, (boat,)).stored == (boat.id,), "another device's ids are its own"


def test_a_write_that_was_only_taken_back_may_come_again(memories: Memories) -> None:
    boat = written("owns a boat")
    add(memories, boat)
    assert memories.delete(ALICE, (boat.id,), forget=False).deleted == (boat.id,)
    add(memories, boat)
    assert ids(memories) == {boat.id}


def test_a_circle_and_an_unknown_source_are_refused(memories: Memories) -> None:
    first = written("one")
    second = written("two", first.id)
    add(memories, first, second)
    circle = MemoryWrite(id=first.id, text="one again", created_at=1, derived_from=(second.id,))
    assert memories.add(ALICE, HOME, (circle, written("x", new_memory_id()))).stored == ()
    with pytest.raises(ValueError, match="itself"):
        MemoryWrite(id=first.id, text="x", created_at=1, derived_from=(first.id,))
    assert ids(memories) == {first.id, second.id}


def test_what_was_derived_from_a_replaced_text_goes(memories: Memories) -> None:
    boat = written("owns a boat")
    sails = written("sails", boat.id)
    add(memories, boat, sails)
    changed = MemoryWrite(id=boat.id, text="owns a canoe", created_at=1)
    assert memories.add(ALICE, HOME, (changed,)).stale == (sails.id,)
    assert memories.add(ALICE, HOME, (changed,)).stale == (), "a retry changes nothing"
    assert ids(memories) == {boat.id}


def test_an_update_keeps_the_old_text_as_a_revision_and_a_correction_erases_it(
    memories: Memories, tmp_path: Path
) -> None:
    tea = written("drinks zqtea")
    add(memories, tea)
    coffee = MemoryWrite(id=tea.id, text="drinks zqcoffee", created_at=1, valid_from=9)
    assert memories.update(ALICE, HOME, (coffee,), keep_history=True).updated == (tea.id,)
    assert memories.history(ALICE, tea.id).revisions == (MemoryRevision(text="drinks zqtea", replaced_at=NOW),)
    (exported,) = memories.export(ALICE).memories
    assert (exported.text, exported.history[0].text) == ("drinks zqcoffee", "drinks zqtea")
    assert memories.search(ALICE, HOME, "zqtea", 5) == ()
    water = MemoryWrite(id=tea.id, text="drinks water", created_at=1)
    memories.update(ALICE, HOME, (water,), keep_history=False)
    assert memories.history(ALICE, tea.id).revisions == ()
    for gone in (b"zqtea", b"zqcoffee"):
        assert not any(gone in path.read_bytes() for path in tmp_path.iterdir())
    assert memories.history(BOB, tea.id).revisions == ()


def test_an_update_makes_nothing_and_moves_nothing(memories: Memories) -> None:
    tea = written("drinks tea")
    add(memories, tea)
    assert memories.update(ALICE, WORK, (tea,), keep_history=True).absent == (tea.id,)
    assert memories.update(BOB, HOME, (tea,), keep_history=True).absent == (tea.id,)
    new = written("new")
    assert memories.update(ALICE, HOME, (new,), keep_history=True).absent == (new.id,)
    memories.delete(ALICE, (tea.id,))
    assert memories.update(ALICE, HOME, (tea,), keep_history=True).absent == (tea.id,)
    assert ids(memories) == set()


def test_revisions_go_with_their_memory(memories: Memories, tmp_path: Path) -> None:
    tea = written("drinks zqtea")
    add(memories, tea)
    memories.update(ALICE, HOME, (MemoryWrite(id=tea.id, text="drinks zqcoffee", created_at=1),), keep_history=True)
    assert any(b"zqtea" in path.read_bytes() for path in tmp_path.iterdir()), "the control"
    memories.delete(ALICE, (tea.id,))
    for gone in (b"zqtea", b"zqcoffee", tea.id.encode()):
        assert not any(gone in path.read_bytes() for path in tmp_path.iterdir())


def test_a_job_in_flight_cannot_bring_back_what_was_deleted(memories: Memories, database: Database) -> None:
    tea, boat = written("drinks tea"), written("owns a boat")
    add(memories, tea, boat)
    with database.reading() as db:
        jobs = {job.text: job for job in EmbeddingStore(db).due(NOW, 10)}
    memories.delete(ALICE, (tea.id,))
    import numpy as np

    with database.transaction() as db:
        for job in jobs.values():
            EmbeddingStore(db).finish(job, np.ones(4, dtype=np.float32))
        assert db.execute("SELECT count(*) FROM embeddings").fetchone() == (1,)
    with database.reading() as db:
        assert held(db, ALICE, (tea.id,)) == 0
        assert held(db, ALICE, (boat.id,)) == 1, "the look afterwards does see what is there"


def test_the_same_words_find_nothing_any_more_not_even_when_all_terms_are_made_anew(
    memories: Memories, database: Database
) -> None:
    boat, tea = written("owns a zqboat"), written("drinks tea")
    add(memories, boat, written("sails the zqboat", boat.id), tea)
    assert len(memories.search(ALICE, HOME, "zqboat", 9)) == 2
    memories.delete(ALICE, (boat.id,))
    with database.transaction() as db:
        db.execute("DELETE FROM facts")
    again = Memories(database, clock=lambda: float(NOW))
    for each in (memories, again):
        assert each.search(ALICE, HOME, "zqboat", 9) == ()
        assert [found.id for found in each.search(ALICE, HOME, "tea", 9)] == [tea.id]


def test_a_row_that_deleting_forgot_is_seen_by_the_look_afterwards(memories: Memories, database: Database) -> None:
    tea, boat = written("drinks tea"), written("owns a boat")
    add(memories, tea, written("x", tea.id), boat)
    with database.transaction() as db:
        MemoryStore(db).delete(ALICE, tea.id)  # without its provenance
    with database.reading() as db:
        assert held(db, ALICE, (tea.id,)) == 1


def test_an_export_comes_in_pages_and_misses_nothing(memories: Memories) -> None:
    batch = tuple(written(f"number {i}") for i in range(EXPORT_PAGE + 3))
    memories.add(ALICE, HOME, batch)
    first = memories.export(ALICE)
    assert first.next is not None
    second = memories.export(ALICE, after=first.next)
    assert second.next is None
    assert [memory.id for memory in (*first.memories, *second.memories)] == [memory.id for memory in batch]
