"""Searches of one scope at the cloud, timed: the first, later ones, and whether they find what comparing all finds."""

import random
import time
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from keepmum_cloud.database import Database
from keepmum_cloud.memory.embedding_store import EmbeddingStore
from keepmum_cloud.memory.operations import Memories
from keepmum_cloud.memory.sqlite_store import MemoryStore
from keepmum_shared.ids import DeviceId, ScopeKey
from numpy.typing import NDArray
from report import percentile
from scope_filling import DIMENSION, DrawnVectors, drawn_words

LIMIT: Final = 6
NEAREST: Final = 10
_NOISE: Final = 0.2
_UNKNOWN: Final = "zzzqq"
"""A word of no memory: what is found is found by meaning."""
Place = tuple[DeviceId, ScopeKey]


class GivenVector(DrawnVectors):
    """Gives the vector that was set for whatever is looked for."""

    def __init__(self) -> None:
        super().__init__()
        self.given: NDArray[np.float32] = self.passages([""])[0]

    def query(self, text: str) -> NDArray[np.float32]:
        return self.given


def first_ms(database: Database, place: Place, rng: random.Random) -> float:
    """Return milliseconds of the first search of a scope that nothing is held of in memory."""
    memories = Memories(database)
    memories.use(DrawnVectors())
    return _timed_ms(memories, place, rng)


def later_ms(database: Database, places: Sequence[Place], searches: int, rng: random.Random) -> list[float]:
    """Return milliseconds of searches of scopes in turn that were each searched before."""
    memories = Memories(database)
    memories.use(DrawnVectors())
    for place in places:
        _timed_ms(memories, place, rng)
    return [_timed_ms(memories, places[number % len(places)], rng) for number in range(searches)]


def _timed_ms(memories: Memories, place: Place, rng: random.Random) -> float:
    query = drawn_words(rng, rng.randint(3, 20))
    began = time.perf_counter_ns()
    memories.search(*place, query, LIMIT)
    return (time.perf_counter_ns() - began) / 1e6


def figures(milliseconds: Sequence[float]) -> dict[str, Any]:
    """Return median and p95."""
    return {"p50": percentile(milliseconds, 50), "p95": percentile(milliseconds, 95)}


def recall(database: Database, place: Place, queries: int, seed: int) -> float:
    """Return which share of the NEAREST by a comparison with every stored vector the search finds, too.

    Args:
        place: A scope whose memories stand alone and are of one age, so that meaning alone decides.
    """
    with database.reading() as db:
        space = MemoryStore(db).space(*place)
        assert space is not None
        _, rows, vectors = EmbeddingStore(db).vectors(space.no, after=0, dimension=DIMENSION)
        ids = {row: each.id for row, each in MemoryStore(db).memories(rows.tolist()).items()}
    rng = np.random.default_rng(seed)
    given = GivenVector()
    memories = Memories(database)
    memories.use(given)
    hits = wanted = 0
    for _ in range(queries):
        near = vectors[rng.integers(len(vectors))] + _NOISE * rng.standard_normal(DIMENSION) / np.sqrt(DIMENSION)
        given.given = (near / np.linalg.norm(near)).astype(np.float32)
        cosines = vectors.astype(np.float64) @ given.given.astype(np.float64)
        nearest = {ids[int(rows[at])] for at in np.argsort(-cosines)[:NEAREST]}
        wanted += len(nearest)  # fewer than NEAREST where the scope is that small
        hits += len(nearest & {found.id for found in memories.search(*place, _UNKNOWN, NEAREST)})
    return hits / wanted
