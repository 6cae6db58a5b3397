"""What the routes do with memories: each one transaction, inside one device. Blocking: call from a worker thread."""

import dataclasses
import sqlite3
import time
from collections.abc import Callable
from typing import Final

import numpy as np
from keepmum_inference.embedding import Embedder
from keepmum_inference.errors import InferenceError
from keepmum_inference.retrieval.eligible import TRUST_MIN, Asking
from keepmum_inference.retrieval.past import asks_about_the_past
from keepmum_inference.retrieval.rank import worth_recalling
from keepmum_shared.ids import DeviceId, MemoryId, ScopeKey
from keepmum_shared.messages import (
    ChatMessage,
    FoundMemory,
    MemoriesExport,
    MemoriesHeld,
    MemoriesStored,
    MemoriesUpdated,
    MemoryHistory,
    MemoryWrite,
)
from numpy.typing import NDArray

from keepmum_cloud.database import Database
from keepmum_cloud.errors import DeletionPendingError
from keepmum_cloud.logs import LOGGER
from keepmum_cloud.memory.deletion import Removed, held, held_of, remove, remove_all, remove_derived
from keepmum_cloud.memory.embedding_store import EmbeddingStore
from keepmum_cloud.memory.provenance_store import ProvenanceStore
from keepmum_cloud.memory.revision_store import RevisionStore
from keepmum_cloud.memory.scope_indexes import ScopeIndexes
from keepmum_cloud.memory.search import Found, search
from keepmum_cloud.memory.sqlite_store import MemoryStore
from keepmum_cloud.memory.term_store import TermStore

RECALL_LIMIT: Final = 6
MAX_RECALLED_CHARACTERS: Final = 4000
"""Recalled memories take at most this much of the prompt."""
EXPORT_PAGE: Final = 500
"""Memories in one page of an export."""
HELD_PAGE: Final = 2000
"""Memories in one page of what is held."""


class Memories:
    """Memory operations over one database. Every method may raise StoreError, and then has changed nothing."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        """Work on a database; by words alone until `use` is called.

        Args:
            database: Where memories are; its terms are made anew if they are of an older rule.
            clock: Unix time in seconds.

        Raises:
            StoreError: it cannot be used.
        """
        self._database = database
        self._clock = clock
        self._embedder: Embedder | None = None
        self._indexes = ScopeIndexes(dimension=0)
        self._added: Callable[[], None] = _nothing
        with database.transaction() as db:
            if made := TermStore(db).bring_up_to_date():
                LOGGER.info("memory: terms of %d memories made anew", made)
        database.erase_deleted()

    def use(self, embedder: Embedder) -> None:
        """Search by meaning too, with this model; memories that have no vector of it get one in time."""
        with self._database.transaction() as db:
            if EmbeddingStore(db).use_model(embedder.model_id):
                LOGGER.info("memory: vectors are made by another model; all are made anew")
            self._indexes = ScopeIndexes(dimension=embedder.dimension)
            self._embedder = embedder

    def when_added(self, told: Callable[[], None]) -> None:
        """Have `told` called, from any thread, whenever memories were stored."""
        self._added = told

    def pending_embeddings(self) -> int:
        """Return how many memories wait for their vectors."""
        with self._database.reading() as db:
            return EmbeddingStore(db).pending()

    def add(self, device: DeviceId, scope: ScopeKey, memories: tuple[MemoryWrite, ...]) -> MemoriesStored:
        """Store all that may be; an id that is there is replaced and its old text erased, a retry changes nothing."""
        stored: list[MemoryId] = []
        refused: list[MemoryId] = []
        stale: list[MemoryId] = []
        with self._database.transaction() as db:
            for memory in memories:
                if ProvenanceStore(db).admits(device, memory.id, memory.derived_from):
                    stale += self._put(db, device, scope, memory)
                    stored.append(memory.id)
                else:
                    refused.append(memory.id)
        if refused:
            LOGGER.info("memory: %d writes refused: forgotten, or derived from what is not held", len(refused))
        self._added()
        self._after_deletion()
        return MemoriesStored(stored=tuple(stored), refused=tuple(refused), stale=tuple(stale))

    def update(
        self, device: DeviceId, scope: ScopeKey, memories: tuple[MemoryWrite, ...], *, keep_history: bool
    ) -> MemoriesUpdated:
        """Change memories that the scope holds; see `UpdateMemories`."""
        updated: list[MemoryId] = []
        absent: list[MemoryId] = []
        stale: list[MemoryId] = []
        with self._database.transaction() as db:
            for memory in memories:
                known = MemoryStore(db).where(device, memory.id)
                admitted = ProvenanceStore(db).admits(device, memory.id, memory.derived_from)
                if known is None or known[0] != scope or not admitted:
                    absent.append(memory.id)
                    continue
                if not keep_history:
                    RevisionStore(db).remove(device, memory.id)
                elif known[1] != memory.text:
                    RevisionStore(db).keep(device, memory.id, int(self._clock()))
                stale += self._put(db, device, scope, memory)
                updated.append(memory.id)
        self._added()
        self._after_deletion()
        return MemoriesUpdated(updated=tuple(updated), absent=tuple(absent), stale=tuple(stale))

    def history(self, device: DeviceId, memory: MemoryId) -> MemoryHistory:
        """Return what a memory said before."""
        with self._database.reading() as db:
            return MemoryHistory(memory=memory, revisions=RevisionStore(db).of(device, memory))

    def _put(
        self, db: sqlite3.Connection, device: DeviceId, scope: ScopeKey, memory: MemoryWrite
    ) -> tuple[MemoryId, ...]:
        """Store one memory with its provenance; return what goes because it was derived from the text before."""
        known = MemoryStore(db).where(device, memory.id)
        stale = remove_derived(db, device, memory.id) if known is not None and known[1] != memory.text else ()
        MemoryStore(db).put(device, scope, memory)
        ProvenanceStore(db).put(device, memory.id, memory.derived_from)
        return stale

    def search(
        self,
        device: DeviceId,
        scope: ScopeKey,
        query: str,
        limit: int,
        *,
        trust_min: int = TRUST_MIN,
        closed: bool = False,
    ) -> tuple[FoundMemory, ...]:
        """Return the best of the scope, best first; see `SearchMemories` for the arguments."""
        return tuple(memory for memory, _ in self._found(device, scope, query, limit, trust_min, closed))

    def recall(
        self, device: DeviceId, scope: ScopeKey, messages: tuple[ChatMessage, ...], limit: int
    ) -> tuple[FoundMemory, ...]:
        """Return what is worth quoting to the model: the best of the scope above the floor, and not too much text."""
        query = recall_query(messages)
        found = self._found(device, scope, query, limit, TRUST_MIN, asks_about_the_past(query))
        kept: list[FoundMemory] = []
        room = MAX_RECALLED_CHARACTERS
        for (memory, _), is_worth_it in zip(found, worth_recalling([ranked for _, ranked in found]), strict=True):
            room -= len(memory.text) if is_worth_it else 0
            if is_worth_it and room >= 0:
                kept.append(memory)
        return tuple(kept)

    def _found(
        self, device: DeviceId, scope: ScopeKey, query: str, limit: int, trust_min: int, closed: bool
    ) -> list[Found]:
        asking = Asking(now=int(self._clock()), trust_min=trust_min, closed=closed)
        embedder = self._embedder
        vector = None if embedder is None else _vector(embedder, query)
        with self._database.reading() as db:
            return search(db, self._indexes, device, scope, query, vector, asking, limit)

    def delete(self, device: DeviceId, memories: tuple[MemoryId, ...], *, forget: bool = True) -> Removed:
        """Delete by id in whatever scope, with all that was derived from them.

        When this returns, no byte of them is left in the database or its log.

        Raises:
            DeletionPendingError: the rows are gone but the log is in use, or some are still there; ask again.
        """
        with self._database.transaction() as db:
            removed = remove(db, device, memories, forget=forget)
        self._after_deletion()
        with self._database.reading() as db:
            left = held(db, device, removed.gone)
        if left:
            LOGGER.error("memory: %d rows outlived a deletion", left)
            raise DeletionPendingError
        return removed

    def delete_all(self, device: DeviceId) -> int:
        """Delete all memories of a device; return how many there were. Raises as `delete` does."""
        with self._database.transaction() as db:
            deleted = remove_all(db, device)
        self._after_deletion()
        with self._database.reading() as db:
            left = held_of(db, device)
        if left:
            LOGGER.error("memory: %d rows outlived a deletion", left)
            raise DeletionPendingError
        return deleted

    def export(self, device: DeviceId, *, after: int = 0) -> MemoriesExport:
        """Return a page of what is held of a device: the memories behind row `after`, oldest row first."""
        with self._database.reading() as db:
            revisions, provenance = RevisionStore(db), ProvenanceStore(db)
            rows = MemoryStore(db).export(device, after=after, most=EXPORT_PAGE)
            memories = tuple(
                dataclasses.replace(
                    memory,
                    derived_from=provenance.sources(device, memory.id),
                    history=revisions.of(device, memory.id),
                )
                for _, memory in rows
            )
        return MemoriesExport(memories=memories, next=rows[-1][0] if len(rows) == EXPORT_PAGE else None)

    def held(self, device: DeviceId, *, after: int = 0) -> MemoriesHeld:
        """Return a page of which memories are held of a device, and in which state; as `export`."""
        with self._database.reading() as db:
            rows = MemoryStore(db).held(device, after=after, most=HELD_PAGE)
        return MemoriesHeld(
            memories=tuple(memory for _, memory in rows), next=rows[-1][0] if len(rows) == HELD_PAGE else None
        )

    def _after_deletion(self) -> None:
        """Let go of what is held in memory of anything deleted, and erase its bytes."""
        with self._database.reading() as db:
            self._indexes.drop_outdated(db)
        self._database.erase_deleted()


def _nothing() -> None:
    """Nobody waits for memories to be stored."""


def _vector(embedder: Embedder, query: str) -> NDArray[np.float32] | None:
    """Return the query's vector; without it words have to do."""
    try:
        return embedder.query(query)
    except InferenceError as error:
        LOGGER.warning("memory: a search goes by words only: %s", type(error).__name__)
        return None


def recall_query(messages: tuple[ChatMessage, ...]) -> str:
    """Return the text that recall looks for: what the user said last, or last twice if the last says little."""
    said = [message.content or "" for message in messages if message.role == "user"]
    return said[-1] if said and len(said[-1]) >= 40 else "\n".join(said[-2:])
