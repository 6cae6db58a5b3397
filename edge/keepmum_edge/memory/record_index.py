"""The records of one place in memory, found by meaning and by words: the cloud's way of searching, on this computer.

An index learns in slices what changed in the store (`memory.embedding_store`), and searches with
`keepmum_inference.retrieval`. What it cannot unlearn (a text that was reworded, a record that left or was deleted)
makes it outdated: it is thrown away, and another one is made. Compute-bound; not safe for several threads at once.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from keepmum_inference.retrieval.eligible import Asking
from keepmum_inference.retrieval.index import Entry, ScopeIndex
from keepmum_inference.retrieval.rank import Ranked, best_records
from keepmum_inference.retrieval.stored_vectors import from_bytes
from keepmum_inference.retrieval.terms import query_terms, record_terms
from keepmum_shared.ids import MemoryId
from numpy.typing import NDArray

from keepmum_edge.memory.embedding_store import Changed

_RECORD_BYTES: Final = 300
"""What the tables by id take of each record, about."""
_MOST_STEMS: Final = 20_000
"""Words whose stem is kept while records are learnt; some three megabytes."""
_STEM_BYTES: Final = 150


class OutdatedIndexError(Exception):
    """The index holds what is no more; a new one has to be made."""


@dataclass(frozen=True, slots=True)
class _Held:
    key: int
    text_hash: int
    """Of this process alone; tells whether the text is still the one whose words are here."""


class RecordIndex:
    """An index over one place.

    Attributes:
        last: The last change that it knows.

    Args:
        dimension: Length of the vectors; 0: search by words alone.
    """

    def __init__(self, *, dimension: int) -> None:
        self.last = 0
        self._dimension = dimension
        self._index = ScopeIndex(dimension=dimension)
        self._held: dict[MemoryId, _Held] = {}
        self._ids: dict[int, MemoryId] = {}
        self._stems: dict[str, str] = {}

    @property
    def bytes(self) -> int:
        """Memory that it takes, about."""
        return self._index.bytes + _RECORD_BYTES * len(self._held) + _STEM_BYTES * len(self._stems)

    def learn(self, changes: Sequence[Changed]) -> None:
        """Take in changes, in their order; what is known already changes nothing.

        Raises:
            OutdatedIndexError: one of them cannot be taken in; the index must not be used any more.
            ValueError: a vector has another length.
        """
        added: list[Entry] = []
        for change in changes:
            held = self._held.get(change.memory)
            if held is not None and (not change.is_inside or held.text_hash != hash(change.text)):
                raise OutdatedIndexError
            if held is not None:
                self._index.change(held.key, change.standing)
            elif change.is_inside:
                added.append(self._entry(change))
        self._index.add(added)
        self._place_vectors([change for change in changes if change.memory in self._held])
        if changes:
            self.last = max(self.last, changes[-1].change)

    def best(
        self, query: str, vector: NDArray[np.float32] | None, asking: Asking, limit: int
    ) -> list[tuple[MemoryId, Ranked]]:
        """Return the best records, best first, each with how it was found."""
        terms = query_terms(query)
        ranked = best_records(self._index, terms, vector if self._dimension else None, asking, limit=limit)
        return [(self._ids[each.key], each) for each in ranked]

    def _entry(self, change: Changed) -> Entry:
        if len(self._stems) > _MOST_STEMS:
            self._stems.clear()
        terms = Counter(record_terms(change.text, change.standing.created_at, self._stems))
        self._held[change.memory] = _Held(change.change, hash(change.text))
        self._ids[change.change] = change.memory
        return Entry(key=change.change, standing=change.standing, length=terms.total(), terms=terms)

    def _place_vectors(self, changes: Sequence[Changed]) -> None:
        made = {change.memory: change.vector for change in changes if change.vector is not None}
        if made and self._dimension:
            keys = np.array([self._held[memory].key for memory in made], dtype=np.int64)
            self._index.place_vectors(keys, from_bytes(list(made.values()), dimension=self._dimension))
