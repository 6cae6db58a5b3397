"""Vectors of memories, and the jobs that make them. SQL only; never opens, commits or closes.

A memory is stored together with the job of embedding it, and found by its words until that is done. A job belongs to
one row: a memory that is deleted or replaced takes its job along, and work that is in flight then stores nothing.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from keepmum_inference.retrieval.stored_vectors import from_bytes, to_bytes
from numpy.typing import NDArray

from keepmum_cloud.errors import StoreError

EMBED: Final = "embed"
_FACT: Final = "embedding_model"
_FIRST_WAIT_S: Final = 30
_LONGEST_WAIT_S: Final = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingJob:
    """A text that is to be embedded."""

    no: int
    memory: int
    text: str = field(repr=False)
    tries: int


class EmbeddingStore:
    """The rows of `embeddings` and `jobs`."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def ask_for(self, memory: int) -> None:
        """Note that a memory is to be embedded."""
        self._db.execute("INSERT OR IGNORE INTO jobs (kind, memory) VALUES (?, ?)", (EMBED, memory))

    def remove(self, memory: int) -> None:
        """Delete vector and job of a memory."""
        self._db.execute("DELETE FROM jobs WHERE memory = ?", (memory,))
        self._db.execute("DELETE FROM embeddings WHERE memory = ?", (memory,))

    def use_model(self, model: str) -> bool:
        """Say which model makes the vectors, and return whether it is new: then all are deleted and asked for anew."""
        used = self._db.execute("SELECT value FROM facts WHERE name = ?", (_FACT,)).fetchone()
        if used == (model,):
            return False
        self._db.execute("DELETE FROM embeddings")
        self._db.execute("UPDATE spaces SET epoch = abs(random() >> 2)")
        self._db.execute("INSERT OR IGNORE INTO jobs (kind, memory) SELECT ?, no FROM memories", (EMBED,))
        self._db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (_FACT, model))
        return True

    def pending(self) -> int:
        """Return how many memories wait for their vectors."""
        return int(self._db.execute("SELECT count(*) FROM jobs WHERE kind = ?", (EMBED,)).fetchone()[0])

    def due(self, now: int, most: int) -> list[EmbeddingJob]:
        """Return jobs that may be done now, the newest memories first: they are looked for soonest."""
        rows = self._db.execute(
            "SELECT jobs.no, memory, text, tries FROM jobs JOIN memories ON memories.no = memory "
            "WHERE kind = ? AND not_before <= ? ORDER BY jobs.no DESC LIMIT ?",
            (EMBED, now, most),
        )
        return [EmbeddingJob(no=no, memory=memory, text=text, tries=tries) for no, memory, text, tries in rows]

    def finish(self, job: EmbeddingJob, vector: NDArray[np.float32]) -> None:
        """Store a vector, unless the job is gone: then so is the memory."""
        if self._db.execute("DELETE FROM jobs WHERE no = ? RETURNING no", (job.no,)).fetchone() is None:
            return
        self._db.execute(
            "INSERT INTO embeddings (space, memory, vector) SELECT space, no, ? FROM memories WHERE no = ?",
            (to_bytes(vector), job.memory),
        )

    def postpone(self, job: EmbeddingJob, now: int) -> None:
        """Note that a job failed; it is tried again later, ever less often."""
        wait = min(_FIRST_WAIT_S * 2 ** min(job.tries, 16), _LONGEST_WAIT_S)
        self._db.execute("UPDATE jobs SET tries = tries + 1, not_before = ? WHERE no = ?", (now + wait, job.no))

    def vectors(self, space: int, *, after: int, dimension: int) -> tuple[int, NDArray[np.int64], NDArray[np.float32]]:
        """Return the vectors of a space that were stored after one, with their memories, and the number of the last.

        Raises:
            StoreError: one is of another length.
        """
        rows: Sequence[tuple[int, int, bytes]] = self._db.execute(
            "SELECT no, memory, vector FROM embeddings WHERE space = ? AND no > ? ORDER BY no", (space, after)
        ).fetchall()
        try:
            vectors = from_bytes([vector for _, _, vector in rows], dimension=dimension)
        except ValueError:
            raise StoreError("the database holds vectors of another length; it is damaged") from None
        last = rows[-1][0] if rows else after
        memories = np.array([memory for _, memory, _ in rows], dtype=np.int64)
        return last, memories, vectors
