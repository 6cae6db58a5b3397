"""Whatever is asked, in whatever order with writes and deletions: an answer holds what its scope may show, only."""

import random
import time
from pathlib import Path

import pytest
from keepmum_cloud.database import Database
from keepmum_cloud.memory.embedding_work import EmbeddingWork
from keepmum_cloud.memory.operations import Memories
from random_scopes import NOW, NearVectors, RandomScopes, Tally


def asked(folder: Path, requests: int, seed: int) -> Tally:
    database = Database(folder)
    memories = Memories(database, clock=lambda: NOW)
    work = EmbeddingWork(database, memories, load=NearVectors, clock=time.time)
    embedder = work.load()
    assert embedder is not None
    try:
        world = RandomScopes(memories=memories, rng=random.Random(seed))
        for _ in range(4):  # what was written before is found by meaning too, what comes after by words
            world.run(requests // 4)
            while work.embed_some(embedder):
                pass
        return world.tally
    finally:
        database.close()


@pytest.mark.parametrize("requests", [400, pytest.param(10_000, marks=pytest.mark.slow)])
def test_no_request_finds_a_stranger_or_what_may_not_be_found(tmp_path: Path, requests: int) -> None:
    tally = asked(tmp_path, requests, seed=requests)
    assert (tally.requests, tally.strangers, tally.ineligible) == (requests, 0, 0)
    assert tally.found > 2 * requests, "the control: answers are not empty"
    assert tally.withheld > requests, "the control: there was something to keep out"
