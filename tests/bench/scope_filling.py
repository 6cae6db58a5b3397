"""Scopes of the cloud's memory that are filled at once: drawn texts, and vectors that lie as those of a real model do.

Words come from a Zipf distribution over 20,000 of them, which is harder than speech: no function words are left out.
Vectors lie around one direction, at cosines of about 0.86 to each other, as those of multilingual-e5 do.
"""

import itertools
import random
import sqlite3
import time
from collections.abc import Sequence
from typing import Final

import numpy as np
from keepmum_cloud.database import Database
from keepmum_cloud.memory.embedding_work import EmbeddingWork
from keepmum_cloud.memory.operations import Memories
from keepmum_shared.ids import DeviceId, ScopeKey, new_device_id, new_memory_id, new_scope_key, new_session_key
from keepmum_shared.messages import MemoryWrite
from numpy.typing import NDArray

DIMENSION: Final = 384
TURNS_OF_A_SESSION: Final = 20
_WORDS: Final = [f"word{i}x" for i in range(20_000)]
_WEIGHTS: Final = list(itertools.accumulate(1 / (i + 1) for i in range(20_000)))
_SPREAD: Final = 0.4
_BATCH: Final = 1000


class DrawnVectors:
    """Vectors that know nothing of their texts, at no cost."""

    model_id = "drawn"
    dimension = DIMENSION

    def __init__(self) -> None:
        self._rng = np.random.default_rng(0)

    def query(self, text: str) -> NDArray[np.float32]:
        (vector,) = self.passages([text])
        return np.asarray(vector, dtype=np.float32)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = self._rng.standard_normal((len(texts), DIMENSION)).astype(np.float32) * np.float32(_SPREAD)
        vectors += 1  # the one direction, as long as the rest is wide
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


def drawn_words(rng: random.Random, count: int) -> str:
    """Return that many words."""
    return " ".join(rng.choices(_WORDS, cum_weights=_WEIGHTS, k=count))


def fill(database: Database, memories: Memories, count: int, rng: random.Random) -> tuple[DeviceId, ScopeKey]:
    """Store memories of 15 words in one scope of a new device, in sessions, with their vectors; return where."""
    device, scope = new_device_id(), new_scope_key()
    vectors = DrawnVectors()
    work = EmbeddingWork(database, memories, load=lambda: vectors, clock=time.time)
    work.load()
    now = int(time.time())
    for start in range(0, count, _BATCH):
        sessions = [new_session_key() for _ in range(_BATCH // TURNS_OF_A_SESSION)]
        batch = [
            MemoryWrite(
                id=new_memory_id(),
                text=drawn_words(rng, 15),
                created_at=now - count + start + number,
                session=sessions[number // TURNS_OF_A_SESSION],
            )
            for number in range(min(_BATCH, count - start))
        ]
        memories.add(device, scope, tuple(batch))
    while work.embed_some(vectors):
        pass
    return device, scope


def copy(
    database: Database, device: DeviceId, scope: ScopeKey, *, most: int | None = None, alone: bool = False
) -> tuple[DeviceId, ScopeKey]:
    """Copy the rows of a scope, the oldest `most` of them, to one of another device; return where.

    Args:
        alone: Take the copies out of their sessions and make them all of one second.
    """
    other, fresh = new_device_id(), new_scope_key()
    with database.transaction() as db:
        (space,) = db.execute("SELECT no FROM spaces WHERE device = ? AND scope = ?", (device, scope)).fetchone()
        (last,) = db.execute(
            "SELECT max(no) FROM (SELECT no FROM memories WHERE space = ? ORDER BY no LIMIT ?)", (space, most or -1)
        ).fetchone()
        (new,) = db.execute(
            "INSERT INTO spaces (device, scope, memories, epoch)"
            " SELECT ?, ?, count(*), 1 FROM memories WHERE space = ? AND no <= ? RETURNING no",
            (other, fresh, space, last),
        ).fetchone()
        _copy_rows(db, {"space": space, "last": last, "new": new, "device": other, "alone": alone})
    return other, fresh


def _copy_rows(db: sqlite3.Connection, values: dict[str, object]) -> None:
    """Copy what hangs on a space, all numbers moved by one step."""
    for name in ("memories", "terms", "embeddings"):
        values[f"{name}_step"] = db.execute(f"SELECT max(no) FROM {name}").fetchone()[0]
    values["step"] = max(db.execute(f"SELECT max(no) FROM {name}").fetchone()[0] for name in _NUMBERED)
    for statement in _COPYING:
        db.execute(statement, values)


_NUMBERED: Final = ("memories", "terms", "embeddings")
_COLUMNS: Final = "text, unclassified, length, valid_from, valid_to, importance, trust"
_COPYING: Final = (
    f"""
    INSERT INTO memories (no, space, device, id, {_COLUMNS}, session, created_at)
    SELECT no + :step, :new, :device, id, {_COLUMNS}, CASE WHEN :alone THEN NULL ELSE session END,
        CASE WHEN :alone THEN 1 ELSE created_at END
    FROM memories WHERE space = :space AND no <= :last
    """,
    """
    INSERT INTO terms (no, space, term, memories)
    SELECT terms.no + :step, :new, terms.term, count(*) FROM terms JOIN postings ON postings.term = terms.no
    WHERE space = :space AND postings.memory <= :last GROUP BY terms.no
    """,
    """
    INSERT INTO postings (term, memory, frequency)
    SELECT terms.no + :step, memory + :step, frequency FROM terms JOIN postings ON postings.term = terms.no
    WHERE space = :space AND memory <= :last
    """,
    """
    INSERT INTO embeddings (no, space, memory, vector)
    SELECT no + :step, :new, memory + :step, vector FROM embeddings WHERE space = :space AND memory <= :last
    """,
)
