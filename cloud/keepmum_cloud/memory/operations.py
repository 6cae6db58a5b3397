"""What the routes do with memories: each one transaction, inside one device. Blocking: call from a worker thread."""

from keepmum_shared.ids import DeviceId, MemoryId, ScopeKey
from keepmum_shared.messages import (
    ChatMessage,
    ExportedMemory,
    FoundMemory,
    MemoriesDeleted,
    MemoriesStored,
    MemoryWrite,
)

from keepmum_cloud.database import Database
from keepmum_cloud.memory.rank import above_floor
from keepmum_cloud.memory.search import search
from keepmum_cloud.memory.sqlite_store import MemoryStore

MAX_RECALLED_CHARACTERS = 4000
"""Recalled memories take at most this much of the prompt."""


class Memories:
    """Memory operations over one database. Every method may raise StoreError, and then has changed nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, device: DeviceId, scope: ScopeKey, memories: tuple[MemoryWrite, ...]) -> MemoriesStored:
        """Store all or none; an id that is there is replaced and its old text erased, a retry changes nothing."""
        with self._database.transaction() as db:
            store = MemoryStore(db)
            for memory in memories:
                store.put(device, scope, memory)
        self._database.erase_deleted()
        return MemoriesStored(stored=tuple(memory.id for memory in memories))

    def search(self, device: DeviceId, scope: ScopeKey, query: str, limit: int) -> tuple[FoundMemory, ...]:
        """Return the best of the scope, best first."""
        with self._database.reading() as db:
            return search(MemoryStore(db), device, scope, query, limit)

    def recall(
        self, device: DeviceId, scope: ScopeKey, messages: tuple[ChatMessage, ...], limit: int
    ) -> tuple[FoundMemory, ...]:
        """Return what is worth quoting to the model: the best of the scope above the floor, and not too much text."""
        found = self.search(device, scope, recall_query(messages), limit)
        kept: list[FoundMemory] = []
        room = MAX_RECALLED_CHARACTERS
        for memory in found[: above_floor([memory.score for memory in found])]:
            room -= len(memory.text)
            if room >= 0:
                kept.append(memory)
        return tuple(kept)

    def delete(self, device: DeviceId, memories: tuple[MemoryId, ...]) -> MemoriesDeleted:
        """Delete by id in whatever scope. When this returns, no byte of them is left in the database or its log.

        Raises:
            DeletionPendingError: the rows are gone but the log is in use; ask again.
        """
        with self._database.transaction() as db:
            store = MemoryStore(db)
            there = {memory: store.delete(device, memory) for memory in dict.fromkeys(memories)}
        self._database.erase_deleted()
        return MemoriesDeleted(
            deleted=tuple(memory for memory, was in there.items() if was),
            absent=tuple(memory for memory, was in there.items() if not was),
        )

    def delete_all(self, device: DeviceId) -> int:
        """Delete all memories of a device; return how many there were. Raises as `delete` does."""
        with self._database.reading() as db:
            memories = tuple(MemoryStore(db).ids_of(device))
        return len(self.delete(device, memories).deleted)

    def export(self, device: DeviceId) -> tuple[ExportedMemory, ...]:
        """Return all that is held of a device."""
        with self._database.reading() as db:
            return MemoryStore(db).export(device)


def recall_query(messages: tuple[ChatMessage, ...]) -> str:
    """Return the text that recall looks for: what the user said last, or last twice if the last says little."""
    said = [message.content or "" for message in messages if message.role == "user"]
    return said[-1] if said and len(said[-1]) >= 40 else "\n".join(said[-2:])
