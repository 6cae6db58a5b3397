import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from keepmum_cloud.database import FILE_NAME, Database
from keepmum_cloud.errors import StoreError
from keepmum_cloud.memory import operations
from keepmum_cloud.memory.operations import Memories
from keepmum_cloud.memory.sqlite_store import MemoryStore
from keepmum_shared.held import held_digest
from keepmum_shared.ids import DeviceId, MemoryId, ScopeKey, new_memory_id
from keepmum_shared.messages import MemoryWrite

DEVICE = DeviceId("dev_" + "a" * 26)
SCOPES = [ScopeKey("scope_" + letter * 26) for letter in "ab"]


def holds(folder: Path, canary: str) -> list[str]:
    needle = canary.encode()
    return [path.name for path in folder.iterdir() if path.is_file() and needle in path.read_bytes().lower()]


def canary_memory(rng: Random, canaries: list[str]) -> MemoryWrite:
    canary = f"zq{rng.randrange(10**12):012d}"
    canaries.append(canary)
    words = " ".join(f"w{rng.randrange(3000)}" for _ in range(rng.randrange(1, 120)))
    return MemoryWrite(id=new_memory_id(), text=f"{words} {canary} tail", created_at=rng.randrange(2**31))


def test_no_byte_of_a_deleted_memory_is_left_in_database_or_log(tmp_path: Path) -> None:
    rng = Random(0)  # without VACUUM, some canaries of this history stay in the file
    database = Database(tmp_path)
    memories = Memories(database)
    alive: list[tuple[MemoryId, str]] = []
    dead: list[str] = []
    for _ in range(12):
        canaries: list[str] = []
        batch = tuple(canary_memory(rng, canaries) for _ in range(60))
        memories.add(DEVICE, rng.choice(SCOPES), batch)
        alive += [(memory.id, canary) for memory, canary in zip(batch, canaries, strict=True)]
        rng.shuffle(alive)
        doomed, alive = alive[:45], alive[45:]
        memories.delete(DEVICE, tuple(id_ for id_, _ in doomed))
        dead += [canary for _, canary in doomed]
    database.close()
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert all(canary.encode() in content for _, canary in alive), "the scan must be able to find what is there"
    left = [canary for canary in dead if canary.encode() in content]
    assert left == []


def test_before_a_deletion_the_scan_finds_text_and_term_and_after_it_neither(tmp_path: Path) -> None:
    database = Database(tmp_path)
    memories = Memories(database)
    memory = MemoryWrite(id=new_memory_id(), text="Likes ZQCANARYTERM", created_at=1)
    memories.add(DEVICE, SCOPES[0], (memory,))
    assert holds(tmp_path, "zqcanaryterm")
    assert holds(tmp_path, memory.id)
    memories.delete(DEVICE, (memory.id,))
    assert holds(tmp_path, "zqcanaryterm") == []
    assert holds(tmp_path, memory.id) == []
    assert holds(tmp_path, SCOPES[0]) == []
    database.close()
    assert holds(tmp_path, "zqcanaryterm") == []


def test_a_replaced_text_is_gone(tmp_path: Path) -> None:
    database = Database(tmp_path)
    memories = Memories(database)
    id_ = new_memory_id()
    memories.add(DEVICE, SCOPES[0], (MemoryWrite(id=id_, text="zqoldtext", created_at=1),))
    memories.add(DEVICE, SCOPES[0], (MemoryWrite(id=id_, text="zqnewtext", created_at=1),))
    assert holds(tmp_path, "zqoldtext") == []
    database.close()


def test_all_memories_of_a_device_can_be_erased_and_no_other(tmp_path: Path) -> None:
    database = Database(tmp_path)
    memories = Memories(database)
    other = DeviceId("dev_" + "b" * 26)
    for device in (DEVICE, other):
        memories.add(
            device, SCOPES[0], tuple(MemoryWrite(id=new_memory_id(), text="tea", created_at=1) for _ in range(5))
        )
    assert memories.delete_all(DEVICE) == 5
    assert memories.export(DEVICE).memories == ()
    assert len(memories.export(other).memories) == 5
    database.close()


def test_to_erase_everything_takes_what_hangs_on_no_memory_and_forbids_what_was_there(tmp_path: Path) -> None:
    database = Database(tmp_path)
    memories = Memories(database)
    there, orphan = (MemoryWrite(id=new_memory_id(), text="zqthere", created_at=1) for _ in range(2))
    memories.add(DEVICE, SCOPES[0], (there,))
    with database.transaction() as db:
        db.execute("INSERT INTO revisions VALUES (NULL, ?, ?, 'zqorphan', NULL, NULL, 1)", (DEVICE, orphan.id))
        db.execute("INSERT INTO derivations VALUES (?, ?, ?)", (DEVICE, orphan.id, there.id))
    assert memories.delete_all(DEVICE) == 1
    assert memories.held(DEVICE).memories == ()
    for canary in ("zqthere", "zqorphan", there.id, orphan.id):
        assert holds(tmp_path, canary) == []
    late = memories.add(DEVICE, SCOPES[0], (there, orphan))
    assert (late.stored, set(late.refused)) == ((), {there.id, orphan.id})
    database.close()


def test_what_is_held_is_told_in_pages_by_id_and_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "HELD_PAGE", 2)
    database = Database(tmp_path)
    memories = Memories(database)
    written = [MemoryWrite(id=new_memory_id(), text=f"tea {i}", created_at=1, valid_to=i) for i in range(5)]
    memories.add(DEVICE, SCOPES[0], tuple(written))
    found, page = [], memories.held(DEVICE)
    while page.next is not None:
        found += page.memories
        page = memories.held(DEVICE, after=page.next)
    found += page.memories
    assert {each.id: each.digest for each in found} == {
        each.id: held_digest(SCOPES[0], each.text, each.valid_from, each.valid_to) for each in written
    }
    assert len({each.digest for each in found}) == 5
    database.close()


def test_what_a_crash_left_undone_is_erased_at_the_next_start(tmp_path: Path) -> None:
    database = Database(tmp_path)
    memory = MemoryWrite(id=new_memory_id(), text="zqcanaryterm", created_at=1)
    Memories(database).add(DEVICE, SCOPES[0], (memory,))
    with database.transaction() as db:
        MemoryStore(db).delete(DEVICE, memory.id)
    assert holds(tmp_path, "zqcanaryterm"), "the log still holds it"
    Database(tmp_path).close()
    assert holds(tmp_path, "zqcanaryterm") == []
    database.close()


def test_what_a_reader_delayed_is_erased_when_it_is_asked_for_again(tmp_path: Path) -> None:
    database = Database(tmp_path)
    database._connection.execute("PRAGMA busy_timeout = 50")
    memories = Memories(database)
    memory = MemoryWrite(id=new_memory_id(), text="zqcanaryterm", created_at=1)
    memories.add(DEVICE, SCOPES[0], (memory,))
    with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM devices").fetchall()
        with pytest.raises(StoreError) as caught:
            memories.delete(DEVICE, (memory.id,))
        assert caught.value.retryable
    assert memories.delete(DEVICE, (memory.id,)).absent == (memory.id,)
    assert holds(tmp_path, "zqcanaryterm") == []
    database.close()
