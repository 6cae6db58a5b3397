"""How near records and their sessions are to a query: four scores, brought to one scale and averaged (pure).

    session, lexical   BM25 of all its records as one text
    passage, lexical   BM25 of a record with half of what stands beside it, the best of the session
    passage, vector    cosine of a record with a quarter of what stands beside it, the best of the session
    session, vector    mean cosine of its records

Each is standardised over what may be found (mean 0, deviation 1), since a BM25 and a cosine have no common scale and
ranks throw away how far ahead the first is; measured, this beats reciprocal ranks by 2 points of MRR, and equal weights
are as good as any. A record is judged by itself and by its session in equal parts: what answers is often said beside
what was asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from keepmum_inference.retrieval.bm25 import inverse_document_frequency, saturation, term_scores
from keepmum_inference.retrieval.index import Layout, ScopeIndex
from keepmum_inference.retrieval.terms import is_placeholder

Floats = NDArray[np.float32]
LEXICAL_NEIGHBOUR: Final = np.float32(0.5)
VECTOR_NEIGHBOUR: Final = np.float32(0.25)
MAX_QUERY_TERMS: Final = 32
"""Of a longer query only the rarest terms count."""
PLACEHOLDER_WEIGHT: Final = 1.5
"""A placeholder is one term, but stands for a value that is as a rule more than one word."""
_FLAT: Final = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    """Scores; minus infinity where nothing may be found.

    Attributes:
        records: By row.
        sessions: By number of the session.
        session_parts: What `sessions` was fused from, as it was before; by number of the session.
        matched: By row, the share of the query's lexical weight that the record itself holds, in [0, 1].
        cosine: By row, that of the record itself; -1 where it has no vector.
    """

    records: Floats
    sessions: Floats
    session_parts: tuple[Floats, ...]
    matched: Floats
    cosine: Floats


def relevance(index: ScopeIndex, terms: Sequence[str], vector: Floats | None, allowed: NDArray[np.bool_]) -> Relevance:
    """Score everything that may be found.

    Args:
        index: The scope; `terms` are known to its postings.
        terms: Of the query, each once.
        vector: Of the query, or None: lexical scores alone.
        allowed: By row, see `ScopeIndex.eligible`.
    """
    layout = index.layout()
    counts = allowed[layout.order]
    lexical = _Lexical(index, layout, allowed, counts)
    for term in _rarest(index, terms, allowed):
        lexical.add(term)
    sessions_allowed = np.logical_or.reduceat(counts, layout.starts) if index.size else np.zeros(0, dtype=np.bool_)
    parts_of_records = [lexical.passages]
    parts_of_sessions = [lexical.sessions, _best(lexical.passages, counts, layout)]
    cosine = np.full(index.size, -1.0, dtype=np.float32)
    known = index.has_vector & allowed
    if vector is not None and known.any():
        cosine = np.where(index.has_vector, index.vectors @ vector, np.float32(-1))
        # What has no vector yet is taken for average, so that it neither wins nor loses by that.
        own = np.where(index.has_vector, cosine, cosine[known].mean())[layout.order]
        beside = _with_neighbours(np.where(counts, own, 0), layout, VECTOR_NEIGHBOUR)
        beside /= _with_neighbours(counts.astype(np.float32), layout, VECTOR_NEIGHBOUR).clip(min=1)
        members = np.add.reduceat(counts.astype(np.float32), layout.starts)
        mean = np.add.reduceat(np.where(counts, own, 0), layout.starts) / members.clip(min=1)
        parts_of_records.append(beside)
        parts_of_sessions += [_best(beside, counts, layout), mean.astype(np.float32)]
    sessions = fuse(parts_of_sessions, sessions_allowed)
    records = (fuse(parts_of_records, counts) + sessions[layout.session]) / 2
    return Relevance(
        records=records.astype(np.float32)[layout.place],
        sessions=sessions,
        session_parts=tuple(parts_of_sessions),
        matched=lexical.matched_share()[layout.place],
        cosine=cosine,
    )


def fuse(parts: Sequence[Floats], counts: NDArray[np.bool_]) -> Floats:
    """Return the mean of scores of several kinds, each standardised over what counts; minus infinity elsewhere."""
    mean = np.mean([_standardised(part, counts) for part in parts], axis=0)
    result: Floats = np.where(counts, mean, -np.inf).astype(np.float32)
    return result


class _Lexical:
    """BM25 of passages (records with their neighbours) and of sessions; places as in `Layout`."""

    def __init__(
        self, index: ScopeIndex, layout: Layout, allowed: NDArray[np.bool_], counts: NDArray[np.bool_]
    ) -> None:
        self._index, self._layout, self._allowed, self._counts = index, layout, allowed, counts
        self._documents = int(counts.sum())
        lengths = np.where(counts, index.column("length")[layout.order], 0).astype(np.float32)
        sums = np.add.reduceat(lengths, layout.starts) if index.size else lengths
        self._session_count = int(np.logical_or.reduceat(counts, layout.starts).sum()) if index.size else 0
        beside = np.where(counts, _with_neighbours(lengths, layout, LEXICAL_NEIGHBOUR), 0)
        self._passage_against = saturation(beside, max(1, self._documents))
        self._session_against = saturation(sums, max(1, self._session_count))
        self.passages = np.zeros(index.size, dtype=np.float32)
        self.sessions = np.zeros(len(sums), dtype=np.float32)
        self._matched = np.zeros(index.size, dtype=np.float32)
        self._weight = 0.0
        self._followed = np.append(layout.follows[1:], np.False_)
        self._spread = np.zeros(index.size, dtype=np.float32)

    def add(self, term: str) -> None:
        """Add what a term contributes."""
        rows, frequencies = self._index.postings.of(term)
        kept = self._allowed[rows]
        places, frequencies = self._layout.place[rows[kept]], frequencies[kept]
        if not len(places):
            return
        weight = PLACEHOLDER_WEIGHT if is_placeholder(term) else 1.0
        own_idf = weight * inverse_document_frequency(len(places), self._documents)
        self._matched[places] += np.float32(own_idf)
        self._weight += own_idf
        held, spread = self._beside(places, frequencies)
        idf = weight * inverse_document_frequency(len(held), self._documents)
        self.passages[held] += term_scores(idf, spread, self._passage_against[held])
        in_sessions = np.bincount(self._layout.session[places], weights=frequencies, minlength=len(self.sessions))
        held = np.flatnonzero(in_sessions)
        idf = weight * inverse_document_frequency(len(held), self._session_count)
        frequencies = in_sessions[held].astype(np.float32)
        self.sessions[held] += term_scores(idf, frequencies, self._session_against[held])

    def _beside(self, places: NDArray[np.int64], frequencies: Floats) -> tuple[NDArray[np.int64], Floats]:
        """Return the places that count and hold a term or stand beside one that does, and how often they have it.

        As `_with_neighbours`, at the price of where the term is and not of the whole scope.
        """
        before, after = self._layout.follows[places], self._followed[places]
        share = LEXICAL_NEIGHBOUR * frequencies
        self._spread[places] += frequencies
        self._spread[places[before] - 1] += share[before]
        self._spread[places[after] + 1] += share[after]
        held = np.flatnonzero(self._counts & (self._spread > 0))
        spread = self._spread[held]
        for touched in (places, places[before] - 1, places[after] + 1):
            self._spread[touched] = 0
        return held, spread

    def matched_share(self) -> Floats:
        """Return by place how much of the weight of all terms a record holds itself."""
        return self._matched / np.float32(self._weight or 1.0)


def _rarest(index: ScopeIndex, terms: Sequence[str], allowed: NDArray[np.bool_]) -> list[str]:
    if len(terms) <= MAX_QUERY_TERMS:
        return list(terms)
    held = {term: int(allowed[index.postings.of(term)[0]].sum()) for term in terms}
    return sorted((term for term in terms if held[term]), key=lambda term: held[term])[:MAX_QUERY_TERMS]


def _with_neighbours(values: Floats, layout: Layout, share: np.float32) -> Floats:
    """Add to each place a share of the places before and after it in the same session."""
    result: Floats = values.astype(np.float32, copy=True)
    follows = layout.follows[1:]
    result[1:] += share * values[:-1] * follows
    result[:-1] += share * values[1:] * follows
    return result


def _best(values: Floats, counts: NDArray[np.bool_], layout: Layout) -> Floats:
    """Return the highest value of each session among the places that count."""
    if not len(values):
        return values
    best: Floats = np.maximum.reduceat(np.where(counts, values, -np.inf), layout.starts).astype(np.float32)
    return best


def _standardised(values: Floats, counts: NDArray[np.bool_]) -> Floats:
    """Bring the values that count to mean 0 and deviation 1; to 0 where they do not differ."""
    kept = values[counts]
    if not len(kept):
        return np.zeros_like(values)
    deviation = float(kept.std())
    if deviation < _FLAT:
        return np.zeros_like(values)
    result: Floats = np.where(counts, (values - kept.mean()) / np.float32(deviation), 0).astype(np.float32)
    return result
