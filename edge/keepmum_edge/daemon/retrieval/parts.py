"""The parts that work with the sentence embedding, put together for one profile: retrieval, and what texts imply."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from keepmum_inference.embedding import load_embedder

from keepmum_edge.daemon.forget.receipt import StoreResult
from keepmum_edge.daemon.forget.removal import Forgotten
from keepmum_edge.daemon.retrieval.meaning import head_id, load_both
from keepmum_edge.daemon.retrieval.model import EmbeddingModel, LoadEmbedder
from keepmum_edge.daemon.retrieval.search import Retrieval
from keepmum_edge.daemon.retrieval.work import EmbeddingWork
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.database import Database
from keepmum_edge.memory.embedding_store import EmbeddingStore
from keepmum_edge.memory.implied import EmbeddedAttributes
from keepmum_edge.memory.store import MemoryStore

SHIPPED: Final[LoadEmbedder] = partial(load_embedder, None, keeps_room=False)
_CLEARED_AT_ONCE: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalParts:
    """What finds the records of one profile, and what reads texts for what they imply."""

    store: EmbeddingStore
    model: EmbeddingModel
    meaning: EmbeddedAttributes
    search: Retrieval
    work: EmbeddingWork

    def forget(self, _: Forgotten) -> Iterable[StoreResult]:
        """Let go of every index in memory; the vectors go with their records."""
        return (StoreResult(store="search indexes", removed=self.search.forget()),)


def open_retrieval(
    database: Database,
    writer: Writer,
    records: MemoryStore,
    *,
    load: LoadEmbedder,
    way: Callable[[], Awaitable[None]],
) -> RetrievalParts:
    """Put the parts together; nothing is loaded yet.

    Args:
        database: Where records and vectors are.
        writer: Runs on its thread.
        records: The records.
        load: Loads the sentence embedding.
        way: Returns when no request is before its departure.
    """
    store = EmbeddingStore(database)

    async def adopt(model: str) -> None:
        def clear_some() -> bool:
            with database.transaction():
                return store.use_model(model, _CLEARED_AT_ONCE)

        while not await writer.run(clear_some):
            await way()

    model = EmbeddingModel(load, way, adopt)
    return RetrievalParts(
        store=store,
        model=model,
        meaning=EmbeddedAttributes(partial(load_both, model), head_id()),
        search=Retrieval(writer=writer, store=store, records=records, model=model),
        work=EmbeddingWork(writer=writer, transaction=database.transaction, store=store, model=model, way=way),
    )
