"""Vectors of records, and what has changed of records since an index in memory was made. SQL only.

A record without a vector waits for one; there is no other list of work, so nothing can be lost of it. Never opens,
commits or closes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from keepmum_inference.retrieval.eligible import Standing
from keepmum_inference.retrieval.stored_vectors import to_bytes
from keepmum_shared.ids import MemoryId
from numpy.typing import NDArray

from keepmum_edge.database import Database
from keepmum_edge.memory.admitted import Within

_STANDING = "session, created_at, coalesce(valid_from, 0), valid_to, importance, trust, application, audiences"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unembedded:
    """A record that waits for its vector; `change` tells this version of it from others."""

    memory: MemoryId
    change: int
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A record that was added or changed, or left the place that was asked about.

    Attributes:
        change: Grows from one to the next.
        is_inside: Whether it belongs to the place that was asked about.
        vector: As stored, or None.
    """

    memory: MemoryId
    change: int
    is_inside: bool
    text: str = field(repr=False)
    standing: Standing
    vector: bytes | None = field(repr=False)


class EmbeddingStore:
    """The rows of `memory_embedding` and `memory_retrieval`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def waiting(self, most: int) -> tuple[Unembedded, ...]:
        """Return records that wait for a vector, the newest first: they are looked for soonest."""
        rows = self._db.rows(
            "SELECT memory, change, text FROM memory_embedding JOIN memory ON memory.id = memory_embedding.memory"
            " WHERE vector IS NULL ORDER BY change DESC LIMIT ?",
            most,
        )
        return tuple(Unembedded(memory=MemoryId(memory), change=change, text=text) for memory, change, text in rows)

    def put(self, record: Unembedded, vector: NDArray[np.float32]) -> bool:
        """Store a vector, unless the record is gone or has changed; return whether it was stored."""
        statement = (
            "UPDATE memory_embedding SET vector = ?, change = (SELECT max(change) + 1 FROM memory_embedding)"
            " WHERE memory = ? AND change = ?"
        )
        return self._db.execute(statement, to_bytes(vector), record.memory, record.change) > 0

    def model(self) -> str | None:
        """Return what made the vectors that are here; None if there are none."""
        model: str | None = self._db.value("SELECT model FROM memory_retrieval")
        return model

    def use_model(self, model: str, most: int) -> bool:
        """Make the vectors those of this model, by deleting others, at most so many; return whether that is done."""
        if self.model() in (None, model):
            self._db.execute("UPDATE memory_retrieval SET model = ? WHERE model IS NULL", model)
            return True
        statement = (
            "UPDATE memory_embedding SET vector = NULL WHERE memory IN"
            " (SELECT memory FROM memory_embedding WHERE vector IS NOT NULL LIMIT ?)"
        )
        if self._db.execute(statement, most) < most:
            self._db.execute("UPDATE memory_retrieval SET model = NULL")
        return False

    def remove(self, memories: Sequence[MemoryId]) -> int:
        """Delete the vectors of records that are about to be deleted; return how many there were."""
        rows = [(memory,) for memory in memories]
        statement = "UPDATE memory_embedding SET vector = NULL WHERE memory = ? AND vector IS NOT NULL"
        return self._db.execute_each(statement, rows)

    def vectors_of(self, memories: Sequence[MemoryId]) -> tuple[bytes, ...]:
        """Return the vectors of records as they are stored."""
        query = "SELECT vector FROM memory_embedding WHERE memory = ? AND vector IS NOT NULL"
        return tuple(bytes(row[0]) for memory in memories for row in self._db.rows(query, memory))

    def deletions(self) -> int:
        """Return how many records were ever deleted."""
        return int(self._db.value("SELECT deletions FROM memory_retrieval"))

    def changed(self, within: Within, *, after: int, most: int) -> tuple[Changed, ...]:
        """Return what was added or changed since, wherever, in order of the changes; so it costs what it returns.

        Args:
            within: The place that is asked about.
            after: The last change that is known.
            most: How many at once.
        """
        condition, values = within.condition
        rows = (
            self._db.rows(  # CROSS JOIN keeps to this order of the tables: the other one would sort all for each call
                f"SELECT id, change, {condition}, text, vector, {_STANDING} FROM memory_embedding"  # noqa: S608
                " CROSS JOIN memory ON memory.id = memory_embedding.memory WHERE change > ? ORDER BY change LIMIT ?",
                *(*values, after, most),
            )
        )
        return tuple(
            Changed(
                memory=MemoryId(memory),
                change=change,
                is_inside=bool(is_inside),
                text=text,
                standing=_standing(*standing),
                vector=vector,
            )
            for memory, change, is_inside, text, vector, *standing in rows
        )


def _standing(
    session: str | None,
    created_at: int,
    valid_from: int,
    valid_to: int | None,
    importance: int,
    trust: int,
    application: str | None,
    audiences: str,
) -> Standing:
    return Standing(
        session=session,
        created_at=created_at,
        valid_from=valid_from,
        valid_to=valid_to,
        importance=importance,
        trust=trust,
        application=application,
        audiences=frozenset(audiences.split()),
    )
