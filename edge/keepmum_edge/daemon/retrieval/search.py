"""The records that match best, of one place, for one who asks: filtered before anything is ranked.

Indexes are held in memory, as many as fit, and made when they are first asked for. Reading them is cut into slices of
the database's thread; what computes runs on the model's. A deletion lets go of all of them at once, since the words of
what is gone are in them.
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

import numpy as np
from keepmum_inference.embedding import Embedder
from keepmum_inference.errors import InferenceError
from keepmum_inference.retrieval.rank import Ranked
from numpy.typing import NDArray

from keepmum_edge.daemon.retrieval.model import EmbeddingModel
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.memory.admitted import Admitted, Within
from keepmum_edge.memory.embedding_store import Changed, EmbeddingStore
from keepmum_edge.memory.record import MemoryRecord
from keepmum_edge.memory.record_index import OutdatedIndexError, RecordIndex
from keepmum_edge.memory.store import MemoryStore

MOST_BYTES: Final = 48 * 2**20
"""Of all indexes together: some 20,000 records; a place that alone takes more is held all the same."""
_SLICE: Final = 50
"""Records that are read at once: about a millisecond."""


@dataclass(frozen=True, slots=True)
class Found:
    """A record, and how it was found."""

    record: MemoryRecord
    ranked: Ranked


@dataclass(frozen=True, slots=True)
class _Held:
    index: RecordIndex
    dimension: int
    deletions: int


class Retrieval:
    """Searches, one after the other. Use it inside one event loop.

    Args:
        most_bytes: Of all indexes together.
    """

    def __init__(
        self,
        *,
        writer: Writer,
        store: EmbeddingStore,
        records: MemoryStore,
        model: EmbeddingModel,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self._writer = writer
        self._store = store
        self._records = records
        self._model = model
        self._most_bytes = most_bytes
        self._held: OrderedDict[Within, _Held] = OrderedDict()
        self._searching = asyncio.Lock()

    async def search(self, query: str, admitted: Admitted, limit: int) -> tuple[Found, ...]:
        """Return at most `limit` records that have to do with the query at all, best first.

        Raises:
            DatabaseUnavailableError: they could not be read.
        """
        async with self._searching:
            embedder = await self._model.ready()
            index = await self._current(admitted.within, 0 if embedder is None else embedder.dimension)
            best = await self._model.run(lambda: index.best(query, _vector(embedder, query), admitted.asking, limit))
        records = await self._writer.run(lambda: [(self._records.get(memory), ranked) for memory, ranked in best])
        return tuple(Found(record, ranked) for record, ranked in records if record is not None)

    def forget(self) -> int:
        """Let go of every index, from any thread; return how many there were."""
        held, self._held = self._held, OrderedDict()
        return len(held)

    async def _current(self, within: Within, dimension: int) -> RecordIndex:
        """Return the index of a place as it is now. Cancelled, it is kept as far as it came."""
        indexes = self._held
        while True:
            held = indexes.get(within)
            if held is None or held.dimension != dimension:
                held = indexes[within] = await self._writer.run(lambda: self._fresh(dimension))
            try:
                while not await self._learn_slice(within, held):
                    pass
            except OutdatedIndexError:
                indexes.pop(within, None)
                continue
            break
        indexes.move_to_end(within)
        while len(indexes) > 1 and sum(each.index.bytes for each in indexes.values()) > self._most_bytes:
            indexes.popitem(last=False)
        return held.index

    async def _learn_slice(self, within: Within, held: _Held) -> bool:
        """Learn some of what changed; return whether that was all.

        Raises:
            OutdatedIndexError: another index has to be made.
        """
        deletions, changes = await self._writer.run(lambda: self._slice(within, held))
        if deletions != held.deletions:
            raise OutdatedIndexError
        await self._model.run(lambda: held.index.learn(changes))
        return len(changes) < _SLICE

    def _fresh(self, dimension: int) -> _Held:
        return _Held(RecordIndex(dimension=dimension), dimension, self._store.deletions())

    def _slice(self, within: Within, held: _Held) -> tuple[int, tuple[Changed, ...]]:
        changes = self._store.changed(within, after=held.index.last, most=_SLICE)
        return self._store.deletions(), changes


def _vector(embedder: Embedder | None, query: str) -> NDArray[np.float32] | None:
    """Return the query's vector; without it words have to do."""
    if embedder is None:
        return None
    try:
        return embedder.query(query)
    except InferenceError:
        return None
