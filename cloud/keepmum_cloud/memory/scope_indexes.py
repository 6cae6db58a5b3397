"""Spaces held in memory, ready to be searched, as many as fit.

A space is read when it is first searched. Later searches read only what was stored since; a deletion gives the space
another epoch, by which it is dropped at once, or read anew where another process deleted. Call inside one transaction,
from one thread at a time: `Database.reading` sees to both.
"""

import sqlite3
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from keepmum_inference.retrieval.index import ScopeIndex

from keepmum_cloud.memory.embedding_store import EmbeddingStore
from keepmum_cloud.memory.sqlite_store import MemoryStore, Space
from keepmum_cloud.memory.term_store import IndexedTerm, TermStore

MOST_BYTES: Final = 512 * 2**20
"""Some 300,000 memories; a space that alone is larger is held all the same, until another one is searched."""
_MOST_ADDED: Final = 2000
"""Above so many new memories the space is read anew, which is then the faster way."""


@dataclass(slots=True, kw_only=True)
class _Held:
    index: ScopeIndex
    epoch: int
    last_embedding: int = 0


class ScopeIndexes:
    """Indexes by space; the ones that were not searched for the longest time go first."""

    def __init__(self, *, dimension: int, most_bytes: int = MOST_BYTES) -> None:
        """Hold nothing yet.

        Args:
            dimension: Length of the vectors; 0 where there are none.
            most_bytes: Of all indexes together.
        """
        self._dimension = dimension
        self._most_bytes = most_bytes
        self._held: OrderedDict[int, _Held] = OrderedDict()

    def drop_outdated(self, db: sqlite3.Connection) -> None:
        """Let go of every space of which something was deleted since it was read."""
        store = MemoryStore(db)
        for no in [no for no, held in self._held.items() if store.epoch(no) != held.epoch]:
            del self._held[no]

    def of(self, db: sqlite3.Connection, space: Space, terms: Sequence[IndexedTerm]) -> ScopeIndex:
        """Return the index of a space as it is now, with these terms known."""
        held = self._held.pop(space.no, None)
        if held is None or held.epoch != space.epoch:
            held = _Held(index=ScopeIndex(dimension=self._dimension, complete=False), epoch=space.epoch)
        held = self._caught_up(db, space, held)
        self._held[space.no] = held
        unknown = set(held.index.postings.unknown(term.term for term in terms))
        store = TermStore(db)
        for term in terms:
            if term.term in unknown:
                memories, frequencies = store.postings(term)
                held.index.postings.learn(term.term, held.index.rows_of(memories), frequencies)
        while len(self._held) > 1 and sum(each.index.bytes for each in self._held.values()) > self._most_bytes:
            self._held.popitem(last=False)
        return held.index

    def _caught_up(self, db: sqlite3.Connection, space: Space, held: _Held) -> _Held:
        """Add what was stored since."""
        added = MemoryStore(db).standings(space, after=held.index.last_key)
        first = held.index.size
        if first and len(added.sessions) > _MOST_ADDED:
            anew = _Held(index=ScopeIndex(dimension=self._dimension, complete=False), epoch=space.epoch)
            return self._caught_up(db, space, anew)
        held.index.add_bare(added)
        if first:  # else no term is known yet that would have to be kept up to date
            store = TermStore(db)
            for row, no in enumerate(held.index.column("key")[first:].tolist(), first):
                held.index.postings.add(row, store.terms(no))
        if self._dimension:
            held.last_embedding, memories, vectors = EmbeddingStore(db).vectors(
                space.no, after=held.last_embedding, dimension=self._dimension
            )
            held.index.place_vectors(memories, vectors)
        return held
