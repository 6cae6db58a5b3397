"""No request ever gets a memory of another scope or device, or one that it may not have, whatever is asked."""

import random
from pathlib import Path

import pytest
from keepmum_cloud.database import Database
from keepmum_cloud.memory.operations import Memories
from keepmum_shared.ids import DeviceId, MemoryId, ScopeKey, new_device_id, new_memory_id, new_scope_key
from keepmum_shared.messages import MemoryWrite

NOW = 1_800_000_000
WORDS = ("tea", "boat", "cat", "garden", "piano", "rain", "snow", "bread", "river", "kite", "lamp", "chess", "harbour")


@pytest.mark.parametrize("requests", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_in_randomised_requests_nothing_of_another_place_is_found(tmp_path: Path, requests: int) -> None:
    chance = random.Random(7)
    database = Database(tmp_path)
    memories = Memories(database, clock=lambda: NOW)
    places: list[tuple[DeviceId, ScopeKey]] = []
    for _ in range(4):
        device = new_device_id()
        places += [(device, new_scope_key()) for _ in range(5)]
    shared_key = new_scope_key()  # two devices that happen to have one key are two places all the same
    places += [(places[0][0], shared_key), (places[5][0], shared_key)]
    home: dict[MemoryId, tuple[DeviceId, ScopeKey]] = {}
    barred: set[MemoryId] = set()
    closed: set[MemoryId] = set()
    for place in places:
        writes = []
        for _ in range(30):
            text = " ".join(chance.choices(WORDS, k=4))
            fields = chance.choice([{}, {}, {"trust": 20}, {"valid_to": NOW - 1}, {"valid_from": NOW + 9}])
            write = MemoryWrite(id=new_memory_id(), text=text, created_at=5, **fields)  # type: ignore[arg-type]
            home[write.id] = place
            barred |= {write.id} if {"trust", "valid_from"} & set(fields) else set()
            closed |= {write.id} if "valid_to" in fields else set()
            writes.append(write)
        memories.add(*place, tuple(writes))
    found = 0
    for number in range(requests):
        place = chance.choice(places)
        past = chance.random() < 0.3
        query = " ".join(chance.choices(WORDS, k=chance.randint(1, 4)))
        hits = memories.search(*place, query, chance.randint(1, 20), closed=past)
        found += len(hits)
        ids = {hit.id for hit in hits}
        assert all(home[each] == place for each in ids), number
        assert not ids & barred, number
        assert past or not ids & closed, number
        if number % 50 == 0:
            (gone,) = chance.sample(sorted(each for each, at in home.items() if at == place), 1)
            memories.delete(place[0], (gone,))
            barred.add(gone)
    assert found > requests, "the control: there is much to be found"
    database.close()
