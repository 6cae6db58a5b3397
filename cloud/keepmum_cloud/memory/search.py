"""The best memories of one space for a query: BM25 by MaxScore.

Terms are read from the rarest on. Once the terms still unread could not lift an unseen memory among the best, no new
memory is taken up and the long lists of the common terms are only looked into for those at hand. The result is exactly
that of scoring everything: contributions are added in the same order for every memory, so equal texts score equal.
"""

import heapq
from typing import Final

from keepmum_shared.ids import DeviceId, ScopeKey
from keepmum_shared.messages import FoundMemory

from keepmum_cloud.memory.rank import inverse_document_frequency, term_score, upper_bound
from keepmum_cloud.memory.sqlite_store import IndexedTerm, MemoryStore, Space
from keepmum_cloud.memory.terms import query_terms

MAX_QUERY_TERMS: Final = 24
"""Of a longer query only the rarest terms count."""
_SLACK: Final = 1e-9


def search(store: MemoryStore, device: DeviceId, scope: ScopeKey, query: str, limit: int) -> tuple[FoundMemory, ...]:
    """Return at most `limit` memories of that device's scope, best first; equal scores: stored later first."""
    space = store.space(device, scope)
    if space is None:
        return ()
    scores = _scores(store, space, store.indexed_terms(space, query_terms(query)), limit)
    best = heapq.nsmallest(limit, scores, key=lambda no: (-scores[no], -no))
    return tuple(_found(store, no, scores[no]) for no in best)


def _found(store: MemoryStore, no: int, score: float) -> FoundMemory:
    memory = store.memory(no)
    return FoundMemory(id=memory.id, text=memory.text, score=score, created_at=memory.created_at)


def _scores(store: MemoryStore, space: Space, terms: list[IndexedTerm], limit: int) -> dict[int, float]:
    """Score the memories that can be among the best `limit`; the best are exact, the others may be left out."""
    mean_length = space.statistics.mean_length
    weighted = sorted((-inverse_document_frequency(t.memories, space.statistics), t.term, t) for t in terms)
    ranked = [
        (-negative, upper_bound(-negative, term.most_frequent, space.statistics), term)
        for negative, _, term in weighted[:MAX_QUERY_TERMS]
    ]
    rest = sum(bound for _, bound, _ in ranked)
    scores: dict[int, float] = {}
    closed = False
    for idf, bound, term in ranked:
        if len(scores) >= limit:
            threshold = heapq.nlargest(limit, scores.values())[-1] - _SLACK
            closed = closed or threshold > rest
            if closed:
                scores = {no: score for no, score in scores.items() if score + rest >= threshold}
        rest -= bound
        if not closed:
            for no, frequency, length in store.postings(term):
                scores[no] = scores.get(no, 0.0) + term_score(idf, frequency, length, mean_length)
        else:
            for no, frequency, length in store.postings_among(term, scores):
                scores[no] += term_score(idf, frequency, length, mean_length)
    return scores
