"""Gives every record its vector: after the answer that told of it, and never in a turn's way.

It begins when there has been a pause. Before each slice of work it waits until no request is about to leave. A slice is
a few records read, one text computed, or a vector stored, so the database's thread is free again after a few
milliseconds.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from keepmum_inference.embedding import Embedder
from keepmum_inference.errors import InferenceError
from keepmum_shared.ids import MemoryId

from keepmum_edge.daemon.retrieval.model import EmbeddingModel
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.errors import UnavailableError
from keepmum_edge.memory.embedding_store import EmbeddingStore, Unembedded

_BATCH: Final = 8
_IDLE_S: Final = 30.0
_PAUSE_S: Final = 1.0
_MOST_PAUSES: Final = 10
"""Turns that end without a pause cannot hold the work up for longer."""
_LOGGER: Final = logging.getLogger("keepmum.edge")


class EmbeddingWork:
    """Runs beside requests until it is cancelled.

    Args:
        way: Returns when no request is before its departure.
    """

    def __init__(
        self,
        *,
        writer: Writer,
        transaction: Callable[[], contextlib.AbstractContextManager[object]],
        store: EmbeddingStore,
        model: EmbeddingModel,
        way: Callable[[], Awaitable[None]],
    ) -> None:
        self._writer = writer
        self._transaction = transaction
        self._store = store
        self._model = model
        self._way = way
        self._woken = asyncio.Event()
        self._failed: set[tuple[MemoryId, int]] = set()
        """Records, in the version that could not be embedded; until the next start."""

    def wake(self) -> None:
        """Say that records may have come; from the event loop."""
        self._woken.set()

    async def run(self) -> None:
        """Embed what waits, then wait for more."""
        while True:
            for _ in range(_MOST_PAUSES):
                self._woken.clear()
                if not await self._is_woken_within(_PAUSE_S):
                    break
            with contextlib.suppress(UnavailableError):  # a full disk passes
                while await self.embed_some():
                    pass
            await self._is_woken_within(_IDLE_S)

    async def _is_woken_within(self, seconds: float) -> bool:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        return self._woken.is_set()

    async def embed_some(self) -> bool:
        """Embed a few records; return whether there were any.

        Raises:
            DatabaseUnavailableError: what was computed is not stored, and is computed again.
        """
        await self._way()
        waiting = await self._writer.run(lambda: self._store.waiting(_BATCH + len(self._failed)))
        todo = [each for each in waiting if (each.memory, each.change) not in self._failed][:_BATCH]
        embedder = await self._model.ready() if todo else None
        if embedder is None:
            return False
        for record in todo:
            await self._way()
            await self._embed(embedder, record)
        return True

    async def _embed(self, embedder: Embedder, record: Unembedded) -> None:
        try:
            vectors = await self._model.run(lambda: embedder.passages([record.text]))
        except InferenceError as error:
            _LOGGER.warning("embedding: a memory is left out until the next start: %s", type(error).__name__)
            self._failed.add((record.memory, record.change))
            return

        def store() -> None:
            with self._transaction():
                self._store.put(record, vectors[0])

        await self._way()
        await self._writer.run(store)
