"""Memories as rows. SQL only; which words of them can be found is `term_store`, their vectors are `embedding_store`.

A space is one scope of one device; everything that ranking reads belongs to one space. Never opens, commits or closes:
the caller owns the connection and the transaction. Deleting takes the row and everything that was derived from it,
and gives the space another epoch, by which every copy in memory knows that it is out of date.
"""

import secrets
import sqlite3
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from keepmum_inference.retrieval.index import BARE_COLUMNS, FOREVER, Bare
from keepmum_inference.retrieval.terms import record_terms
from keepmum_shared.held import held_digest
from keepmum_shared.ids import DeviceId, MemoryId, ScopeKey
from keepmum_shared.messages import ExportedMemory, HeldMemory, MemoryWrite

from keepmum_cloud.memory.embedding_store import EmbeddingStore
from keepmum_cloud.memory.term_store import TermStore

_WRITTEN = "text, created_at, unclassified, session, valid_from, valid_to, importance, trust"


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """One scope of one device; `epoch` changes whenever a memory of it is deleted."""

    no: int
    epoch: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMemory:
    """A memory as search returns it. `no` grows with every write, so a higher one was stored later."""

    no: int
    id: MemoryId
    text: str = field(repr=False)
    created_at: int
    valid_from: int | None
    valid_to: int | None


class MemoryStore:
    """The rows. Methods may raise sqlite3.Error, which `Database.transaction` and `reading` turn into StoreError."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._terms = TermStore(db)
        self._embeddings = EmbeddingStore(db)

    def put(self, device: DeviceId, scope: ScopeKey, memory: MemoryWrite) -> None:
        """Store a memory; the same id of that device is replaced, wherever it was; the same memory changes nothing."""
        written = (
            *(memory.text, memory.created_at, memory.unclassified, memory.session),
            *(memory.valid_from, memory.valid_to, memory.importance, memory.trust),
        )
        known = self._db.execute(
            f"SELECT scope, {_WRITTEN} FROM memories JOIN spaces ON spaces.no = space "  # noqa: S608
            "WHERE memories.device = ? AND id = ?",
            (device, memory.id),
        ).fetchone()
        if known == (scope, *written):
            return
        if known is not None:
            self.delete(device, memory.id)
        terms = Counter(record_terms(memory.text, memory.created_at))
        space = self._space_with_one_more(device, scope)
        (no,) = self._db.execute(
            f"INSERT INTO memories (space, device, id, length, {_WRITTEN}) "  # noqa: S608
            "VALUES (?,?,?,?,?,?,?,?,?,?,?,?) RETURNING no",
            (space, device, memory.id, terms.total(), *written),
        ).fetchone()
        self._terms.add(space, no, terms)
        self._embeddings.ask_for(no)

    def _space_with_one_more(self, device: DeviceId, scope: ScopeKey) -> int:
        (no,) = self._db.execute(
            "INSERT INTO spaces (device, scope, memories, epoch) VALUES (?, ?, 1, ?) "
            "ON CONFLICT (device, scope) DO UPDATE SET memories = memories + 1 RETURNING no",
            (device, scope, secrets.randbits(62)),
        ).fetchone()
        return int(no)

    def delete(self, device: DeviceId, memory: MemoryId) -> bool:
        """Delete one memory and note that its bytes are to be erased; return whether it was there."""
        row = self._db.execute(
            "SELECT no, space FROM memories WHERE device = ? AND id = ?", (device, memory)
        ).fetchone()
        if row is None:
            return False
        no, space = row
        self._terms.remove(no)
        self._embeddings.remove(no)
        self._db.execute("DELETE FROM memories WHERE no = ?", (no,))
        self._db.execute(
            "UPDATE spaces SET memories = memories - 1, epoch = ? WHERE no = ?", (secrets.randbits(62), space)
        )
        self._db.execute("DELETE FROM spaces WHERE no = ? AND memories = 0", (space,))
        self._db.execute("INSERT OR IGNORE INTO erasures VALUES (1)")
        return True

    def where(self, device: DeviceId, memory: MemoryId) -> tuple[ScopeKey, str] | None:
        """Return scope and text of a memory, or None if it is not there."""
        row = self._db.execute(
            "SELECT scope, text FROM memories JOIN spaces ON spaces.no = space WHERE memories.device = ? AND id = ?",
            (device, memory),
        ).fetchone()
        return None if row is None else (ScopeKey(row[0]), str(row[1]))

    def export(self, device: DeviceId, *, after: int, most: int) -> list[tuple[int, ExportedMemory]]:
        """Return memories of a device behind a row with their rows, oldest first."""
        rows = self._db.execute(
            f"SELECT memories.no, id, scope, {_WRITTEN} FROM memories JOIN spaces ON spaces.no = space "  # noqa: S608
            "WHERE memories.device = ? AND memories.no > ? ORDER BY memories.no LIMIT ?",
            (device, after, most),
        )
        names = ("id", "scope", *_WRITTEN.split(", "))
        found = ((no, dict(zip(names, row, strict=True))) for no, *row in rows)
        return [(no, ExportedMemory(**{**each, "unclassified": bool(each["unclassified"])})) for no, each in found]

    def held(self, device: DeviceId, *, after: int, most: int) -> list[tuple[int, HeldMemory]]:
        """Return which memories are behind a row, in which state, with their rows; oldest first."""
        rows = self._db.execute(
            "SELECT memories.no, id, scope, text, valid_from, valid_to FROM memories JOIN spaces ON spaces.no = space "
            "WHERE memories.device = ? AND memories.no > ? ORDER BY memories.no LIMIT ?",
            (device, after, most),
        )
        return [(no, HeldMemory(id=memory, digest=held_digest(*state))) for no, memory, *state in rows]

    def space(self, device: DeviceId, scope: ScopeKey) -> Space | None:
        """Return the space, or None if nothing is stored there."""
        row = self._db.execute(
            "SELECT no, epoch FROM spaces WHERE device = ? AND scope = ?", (device, scope)
        ).fetchone()
        return None if row is None else Space(no=row[0], epoch=row[1])

    def epoch(self, space: int) -> int | None:
        """Return the epoch of a space, or None if nothing is stored there any more."""
        row = self._db.execute("SELECT epoch FROM spaces WHERE no = ?", (space,)).fetchone()
        return None if row is None else int(row[0])

    def standings(self, space: Space, *, after: int) -> Bare:
        """Return what ranking reads of the memories of a space that were stored after a row, oldest first."""
        rows = self._db.execute(
            "SELECT session, no, length, created_at, coalesce(valid_from, 0), coalesce(valid_to, ?), importance, trust "
            "FROM memories WHERE space = ? AND no > ? ORDER BY no",
            (FOREVER, space.no, after),
        ).fetchall()
        sessions, *numbers = zip(*rows, strict=True) if rows else ((), *((),) * len(BARE_COLUMNS))
        return Bare(numbers=np.array(numbers, dtype=np.int64), sessions=sessions)

    def memories(self, nos: Iterable[int]) -> dict[int, StoredMemory]:
        """Return the memories of those row numbers, which the index has just named."""
        names = ("no", "id", "text", "created_at", "valid_from", "valid_to")
        query = f"SELECT {', '.join(names)} FROM memories WHERE no = ?"  # noqa: S608
        found = {}
        for no in nos:
            row = self._db.execute(query, (no,)).fetchone()
            found[no] = StoredMemory(**dict(zip(names, row, strict=True)))
        return found
