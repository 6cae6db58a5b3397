"""Random memories of several devices and scopes at the cloud, and random requests that may find only their own.

What may be found is known from what was written, not from the store: a memory lies in one scope of one device, holds
from one second to another, and is believed to some degree. All texts are of the same few words and lie near each other
in meaning, so that a search which looked beyond its scope, or ranked before it filtered, would find strangers at once.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from keepmum_cloud.memory.operations import Memories
from keepmum_inference.retrieval.eligible import TRUST_MIN
from keepmum_shared.ids import (
    DeviceId,
    MemoryId,
    ScopeKey,
    SessionKey,
    new_device_id,
    new_memory_id,
    new_scope_key,
    new_session_key,
)
from keepmum_shared.messages import ChatMessage, FoundMemory, MemoryWrite
from numpy.typing import NDArray

NOW: Final = 1_000_000
WORDS: Final = ("tea", "coffee", "<NAME_1>", "<NAME_2>", "walks", "花生", "喝茶", "mountain", "piano", "boat")
TRUSTS: Final = (0, 20, 40, 49, 50, 80, 100)
_DIMENSION: Final = 8
Place = tuple[DeviceId, ScopeKey]


class NearVectors:
    """Vectors by the letters of a text, all within a few degrees: everything is near everything in meaning."""

    model_id = "near"
    dimension = _DIMENSION

    def query(self, text: str) -> NDArray[np.float32]:
        (vector,) = self.passages([text])
        return np.asarray(vector, dtype=np.float32)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        counts = [
            [1.0 + 0.01 * sum(ord(c) % _DIMENSION == i for c in text) for i in range(_DIMENSION)] for text in texts
        ]
        vectors = np.array(counts, dtype=np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


@dataclass
class Tally:
    """What requests came to.

    Attributes:
        requests: How many were made.
        found: Memories in all answers.
        strangers: Of those, ones of another scope or device, or of none any more.
        ineligible: Of those, ones that do not hold now or are not believed enough.
        withheld: Memories of the asked scopes that had to be left out, counted for each request.
    """

    requests: int = 0
    found: int = 0
    strangers: int = 0
    ineligible: int = 0
    withheld: int = 0


@dataclass
class RandomScopes:
    """Writes at random, asks at random, and judges every answer.

    Args:
        memories: The cloud's own, over a real database, with a clock that stands at NOW.
        rng: Decides everything.
    """

    memories: Memories
    rng: random.Random
    devices: int = 4
    scopes: int = 3
    tally: Tally = field(default_factory=Tally)
    held: dict[tuple[DeviceId, MemoryId], tuple[ScopeKey, MemoryWrite]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shared = [new_scope_key() for _ in range(self.scopes)]  # the same key of two devices is two scopes
        self.places: list[Place] = [(device, scope) for device in self._new(self.devices) for scope in shared]
        self._sessions = [new_session_key() for _ in range(3)]

    def run(self, requests: int) -> Tally:
        """Make that many requests, with writes, changes and deletions between them."""
        for place in self.places:
            for _ in range(5):
                self._write(place)
        for _ in range(requests):
            if self.rng.random() < 0.1:
                self.rng.choice((self._write, self._write, self._change, self._delete))(self.rng.choice(self.places))
            self._ask(self.rng.choice(self.places))
        return self.tally

    def _new(self, count: int) -> list[DeviceId]:
        return [new_device_id() for _ in range(count)]

    def _text(self) -> str:
        return " ".join(self.rng.choices(WORDS, k=self.rng.randint(1, 5)))

    def _memory(self, memory: MemoryId) -> MemoryWrite:
        rng = self.rng
        session: SessionKey | None = rng.choice([None, *self._sessions])
        return MemoryWrite(
            id=memory,
            text=self._text(),
            created_at=NOW - rng.randint(0, 1000),
            session=session,
            valid_from=rng.choice([None, NOW - 100, NOW + 100]),
            valid_to=rng.choice([None, None, NOW - 1, NOW, NOW + 200]),
            importance=rng.randint(0, 100),
            trust=rng.choice(TRUSTS),
        )

    def _write(self, place: Place) -> None:
        device, scope = place
        others = [memory for _, memory in self.held]  # an id that another device or scope uses, now and then
        memory = self.rng.choice(others) if others and self.rng.random() < 0.2 else new_memory_id()
        write = self._memory(memory)
        if self.memories.add(device, scope, (write,)).stored:
            self.held[device, memory] = scope, write

    def _change(self, place: Place) -> None:
        device, scope = place
        mine = [memory for (owner, memory), (where, _) in self.held.items() if owner == device and where == scope]
        if mine:
            write = self._memory(self.rng.choice(mine))
            if self.memories.update(device, scope, (write,), keep_history=True).updated:
                self.held[device, write.id] = scope, write

    def _delete(self, place: Place) -> None:
        device, _ = place
        mine = [memory for owner, memory in self.held if owner == device]
        if mine:
            memory = self.rng.choice(mine)
            self.memories.delete(device, (memory,))
            del self.held[device, memory]

    def _ask(self, place: Place) -> None:
        device, scope = place
        if self.rng.random() < 0.2:
            said = ChatMessage(role="user", content=self._text())
            self._judge(place, self.memories.recall(device, scope, (said,), 6), trust_min=TRUST_MIN, closed=False)
            return
        trust_min, closed = self.rng.choice([TRUST_MIN, *TRUSTS]), self.rng.random() < 0.2
        found = self.memories.search(device, scope, self._text(), 10, trust_min=trust_min, closed=closed)
        self._judge(place, found, trust_min=trust_min, closed=closed)

    def _judge(self, place: Place, found: Sequence[FoundMemory], *, trust_min: int, closed: bool) -> None:
        device, scope = place
        inside = {
            memory: write for (owner, memory), (where, write) in self.held.items() if (owner, where) == (device, scope)
        }
        eligible = {memory for memory, write in inside.items() if _may_be_found(write, trust_min, closed=closed)}
        self.tally.requests += 1
        self.tally.found += len(found)
        self.tally.withheld += len(inside) - len(eligible)
        for each in found:
            if each.id not in inside or inside[each.id].text != each.text:
                self.tally.strangers += 1
            elif each.id not in eligible:
                self.tally.ineligible += 1


def _may_be_found(write: MemoryWrite, trust_min: int, *, closed: bool) -> bool:
    begins, ends = write.valid_from or 0, write.valid_to
    return write.trust >= trust_min and (closed or (begins <= NOW and (ends is None or ends > NOW)))
