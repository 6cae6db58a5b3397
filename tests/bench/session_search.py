"""Ranks the sessions of a history for its questions with the product's own search, both halves together.

A turn is one record. Turns that must stay are in the edge's index, in clear, and are searched with the question in
clear; all others are in the cloud's, as the cloud sees them. Of a session that both halves hold a part of, the scores
that are fused are joined: of each lexical score and of the best passage the higher one (two scores of BM25 do not add
up: each half's is as high as one of the whole session can be), the mean cosine weighted by records. Then they are
standardised over all sessions.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np
from histories import History
from keepmum_inference.retrieval.eligible import Asking, Standing
from keepmum_inference.retrieval.index import Entry, ScopeIndex
from keepmum_inference.retrieval.relevance import fuse, relevance
from keepmum_inference.retrieval.terms import index_terms, query_terms, record_terms
from numpy.typing import NDArray


class System(StrEnum):
    """Which scores take part."""

    FUSED = "fused"
    BM25 = "bm25"
    DENSE = "dense"


class Vectors(Protocol):
    """What of an embedder is needed."""

    dimension: int

    def query(self, text: str) -> NDArray[np.float32]: ...

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


class RememberingVectors:
    """An embedder that embeds every text once."""

    def __init__(self, embedder: Vectors, *, say: Callable[[str], None]) -> None:
        self._embedder = embedder
        self._say = say
        self._passages: dict[str, NDArray[np.float32]] = {}
        self._queries: dict[str, NDArray[np.float32]] = {}
        self.dimension = embedder.dimension

    def query(self, text: str) -> NDArray[np.float32]:
        if text not in self._queries:
            self._queries[text] = self._embedder.query(text)
        return self._queries[text]

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        new = [text for text in dict.fromkeys(texts) if text not in self._passages]
        for start in range(0, len(new), 512):
            part = new[start : start + 512]
            self._passages.update(zip(part, self._embedder.passages(part), strict=True))
            self._say(f"embedded {min(start + 512, len(new))} of {len(new)} turns")
        return np.array([self._passages[text] for text in texts], dtype=np.float32).reshape(-1, self.dimension)


@dataclass(frozen=True, slots=True, kw_only=True)
class Half:
    """One half's share of a history.

    Attributes:
        index: Its records.
        sessions: Id of the session of each number of the index.
        questions: As this half reads them.
    """

    index: ScopeIndex
    sessions: tuple[str, ...]
    questions: tuple[str, ...]


def halves(seen: History, clear: History, stays: Callable[[str], bool], vectors: Vectors) -> tuple[Half, ...]:
    """Index a history.

    Args:
        seen: As the cloud sees it.
        clear: As it is.
        stays: Whether a turn (in clear) is kept from the cloud.
        vectors: Makes the vectors of both halves.
    """
    parts: list[Half] = []
    for history, at_edge in ((seen, False), (clear, True)):
        turns = [
            (session.id, session.time or 0, text)
            for session, original in zip(history.sessions, clear.sessions, strict=True)
            for text, said in zip(session.turns, original.turns, strict=True)
            if stays(said) is at_edge
        ]
        if turns:
            parts.append(_half(turns, tuple(question.text for question in history.questions), vectors))
    return tuple(parts)


def _half(turns: Sequence[tuple[str, int, str]], questions: tuple[str, ...], vectors: Vectors) -> Half:
    index = ScopeIndex(dimension=vectors.dimension)
    counted = [Counter(record_terms(text, time) if time else index_terms(text)) for _, time, text in turns]
    index.add(
        [
            Entry(key=number, standing=Standing(session=session, created_at=time), length=terms.total(), terms=terms)
            for number, ((session, time, _), terms) in enumerate(zip(turns, counted, strict=True))
        ]
    )
    index.place_vectors(np.arange(len(turns)), vectors.passages([text for _, _, text in turns]))
    return Half(index=index, sessions=tuple(dict.fromkeys(turn[0] for turn in turns)), questions=questions)


def rankings(parts: Sequence[Half], everyone: Sequence[str], vectors: Vectors, system: System) -> list[list[str]]:
    """Return for each question all sessions, best first; equal ones in the order of the history."""
    last = max((int(part.index.column("created_at").max()) for part in parts), default=0)
    asking = Asking(now=last + 1)
    found: list[list[str]] = []
    number = {session: place for place, session in enumerate(everyone)}
    for place in range(len(parts[0].questions)):
        joined: list[list[NDArray[np.float32]]] = []
        for part in parts:
            question = part.questions[place]
            terms = [] if system is System.DENSE else query_terms(question)
            vector = None if system is System.BM25 else vectors.query(question)
            kinds = relevance(part.index, terms, vector, part.index.eligible(asking)).session_parts
            here = [number[session] for session in part.sessions]
            joined.append(_spread(kinds, here, np.bincount(part.index.column("session")), len(everyone)))
        score = fuse(_joined(joined), np.sum([each[-1] for each in joined], axis=0) > 0)
        found.append([everyone[at] for at in np.argsort(-score, kind="stable")])
    return found


def _spread(
    kinds: Sequence[NDArray[np.float32]], here: Sequence[int], records: NDArray[np.int64], everyone: int
) -> list[NDArray[np.float32]]:
    """Put a half's scores, and how many records of each session it holds, to the places of all sessions."""
    spread = []
    for scores in (*kinds, records.astype(np.float32)):
        whole = np.zeros(everyone, dtype=np.float32)
        whole[here] = scores
        spread.append(whole)
    return spread


def _joined(halves_: Sequence[Sequence[NDArray[np.float32]]]) -> list[NDArray[np.float32]]:
    """Join the scores of the halves, which come as `relevance` orders them: three times the highest, weighted mean."""
    kinds = [np.stack(kind) for kind in zip(*halves_, strict=True)]
    *scores, records = kinds
    joined = [kind.max(axis=0) for kind in scores[:3]]
    if len(scores) > 3:
        joined.append((scores[3] * records).sum(axis=0) / records.sum(axis=0).clip(min=1))
    return joined
