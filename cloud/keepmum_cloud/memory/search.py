"""The best memories of one space for a query, as `keepmum_inference.retrieval` ranks them."""

import sqlite3

import numpy as np
from keepmum_inference.retrieval.eligible import Asking
from keepmum_inference.retrieval.rank import Ranked, best_records
from keepmum_inference.retrieval.relevance import MAX_QUERY_TERMS
from keepmum_inference.retrieval.terms import query_terms
from keepmum_shared.ids import DeviceId, ScopeKey
from keepmum_shared.messages import FoundMemory
from numpy.typing import NDArray

from keepmum_cloud.memory.scope_indexes import ScopeIndexes
from keepmum_cloud.memory.sqlite_store import MemoryStore
from keepmum_cloud.memory.term_store import TermStore

Found = tuple[FoundMemory, Ranked]


def search(
    db: sqlite3.Connection,
    indexes: ScopeIndexes,
    device: DeviceId,
    scope: ScopeKey,
    query: str,
    vector: NDArray[np.float32] | None,
    asking: Asking,
    limit: int,
) -> list[Found]:
    """Return at most `limit` memories of that device's scope, best first, each with how it was found."""
    store = MemoryStore(db)
    space = store.space(device, scope)
    if space is None:
        return []
    terms = TermStore(db).find(space.no, query_terms(query))[:MAX_QUERY_TERMS]
    index = indexes.of(db, space, terms)
    ranked = best_records(index, [term.term for term in terms], vector, asking, limit=limit)
    memories = store.memories(each.key for each in ranked)
    return [
        (
            FoundMemory(
                id=memories[each.key].id,
                text=memories[each.key].text,
                score=each.score,
                created_at=memories[each.key].created_at,
                valid_from=memories[each.key].valid_from,
                valid_to=memories[each.key].valid_to,
            ),
            each,
        )
        for each in ranked
    ]
