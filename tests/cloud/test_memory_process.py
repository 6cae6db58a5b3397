"""What the cloud half does with memories, over HTTPS: updates, history, provenance, deletion, jobs, restarts."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from keepmum_shared.ids import MemoryId, ScopeKey, new_memory_id, new_scope_key
from keepmum_shared.messages import AddMemories, DeleteMemories, HistoryOfMemory, MemoryWrite, UpdateMemories
from signed_client import CloudProcess, SignedClient, cloud_process


@pytest.fixture
def cloud(tmp_path: Path) -> Iterator[CloudProcess]:
    with cloud_process(tmp_path) as running:
        yield running


@pytest.fixture
def edge(cloud: CloudProcess) -> Iterator[SignedClient]:
    with cloud.pinned_client() as http:
        yield SignedClient.pair(http, cloud.uri.secret)


def write(text: str, **fields: Any) -> MemoryWrite:
    return MemoryWrite(id=new_memory_id(), text=text, created_at=5, **fields)


def add(edge: SignedClient, scope: ScopeKey, *memories: MemoryWrite) -> dict[str, Any]:
    return edge.call("POST", "/v1/memories", AddMemories(scope=scope, memories=memories))


def held(edge: SignedClient) -> dict[str, dict[str, Any]]:
    return {each["id"]: each for each in edge.call("GET", "/v1/memories/export")["memories"]}


def delete(edge: SignedClient, *memories: MemoryId, forget: bool = True) -> dict[str, Any]:
    return edge.call("POST", "/v1/memories/delete", DeleteMemories(memories=memories, forget=forget))


def test_an_update_keeps_what_it_said_and_a_correction_leaves_nothing_of_it(edge: SignedClient, tmp_path: Path) -> None:
    scope = new_scope_key()
    memory = write("Lives in <ADDRESS_1>", importance=60)
    add(edge, scope, memory)
    moved = replace(memory, text="Lives in <ADDRESS_2>", valid_from=9)
    changed = edge.call("POST", "/v1/memories/update", UpdateMemories(scope=scope, memories=(moved, write("no such"))))
    assert (changed["updated"], len(changed["absent"])) == ([memory.id], 1)
    said = edge.call("POST", "/v1/memories/history", HistoryOfMemory(memory=memory.id))["revisions"]
    assert [each["text"] for each in said] == ["Lives in <ADDRESS_1>"]
    assert held(edge)[memory.id]["history"] == said
    right = replace(moved, text="Lives in <ADDRESS_3>")
    edge.call("POST", "/v1/memories/update", UpdateMemories(scope=scope, memories=(right,), keep_history=False))
    assert edge.call("POST", "/v1/memories/history", HistoryOfMemory(memory=memory.id))["revisions"] == []
    assert held(edge)[memory.id]["text"] == "Lives in <ADDRESS_3>"
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*.sqlite3*"))
    assert b"<ADDRESS_3>" in kept
    assert b"Lives in <ADDRESS_1>" not in kept


def test_what_was_derived_goes_with_its_source_and_never_comes_back(edge: SignedClient) -> None:
    scope = new_scope_key()
    boat, tea = write("Owns a boat"), write("Drinks tea")
    add(edge, scope, boat, tea)
    both = write("Owns a boat\nDrinks tea", derived_from=(boat.id, tea.id))
    above = write("A calm person", derived_from=(both.id,))
    assert add(edge, scope, both, above)["stored"] == [both.id, above.id]
    assert held(edge)[both.id]["derived_from"] == sorted((boat.id, tea.id))
    loop = write("Round and round", derived_from=(above.id,))
    circle = replace(boat, derived_from=(above.id,))
    assert add(edge, scope, loop, circle)["refused"] == [circle.id], "a circle of sources is refused, nothing else is"
    gone = delete(edge, boat.id)
    assert set(gone["derived"]) == {both.id, above.id, loop.id}
    assert gone["stale"] == [both.id], "the edge is told what can be made again from the rest"
    assert set(gone["statement"]["gone"]) == {boat.id, both.id, above.id, loop.id}
    assert set(held(edge)) == {tea.id}
    assert set(add(edge, scope, boat, both)["refused"]) == {boat.id, both.id}
    again = write("Drinks tea", derived_from=(tea.id,))
    assert add(edge, scope, again)["stored"] == [again.id], "made again under another id"


def test_a_memory_that_was_only_taken_back_may_come_again(edge: SignedClient) -> None:
    scope, memory = new_scope_key(), write("Likes rain")
    add(edge, scope, memory)
    delete(edge, memory.id, forget=False)
    assert add(edge, scope, memory)["stored"] == [memory.id]


def test_jobs_and_memories_outlive_a_kill(tmp_path: Path) -> None:
    scope, memories = new_scope_key(), [write(f"Fact number {n} about tea") for n in range(20)]
    with cloud_process(tmp_path) as cloud, cloud.pinned_client() as http:
        edge = SignedClient.pair(http, cloud.uri.secret)
        add(edge, scope, *memories)
        cloud.process.kill()
        cloud.process.wait(timeout=10)
    with cloud_process(tmp_path) as cloud, cloud.pinned_client() as http:
        edge.http = http
        assert len(held(edge)) == len(memories)
        until = time.monotonic() + 60
        while _rows(tmp_path, "jobs"):
            assert time.monotonic() < until, "what waited for its vector has it in the end"
            time.sleep(0.1)
        assert _rows(tmp_path, "embeddings") == len(memories)
        delete(edge, *(memory.id for memory in memories))
        assert (_rows(tmp_path, "embeddings"), _rows(tmp_path, "jobs")) == (0, 0)


def _rows(home: Path, table: str) -> int:
    (path,) = home.rglob("cloud.sqlite3")
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        return int(database.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
