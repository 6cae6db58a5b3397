"""Finding the owner's records, what a recalled one may restore, and deleting (design section 7).

A deletion removes a record here and at the cloud; while the cloud cannot be reached its part waits in the outbox, by id
only. How records come to be is `memory_writing` and `memory_keeping`.
"""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from keepmum_shared.ids import MemoryId, ScopeKey
from keepmum_shared.messages import DeleteMemories
from keepmum_shared.placeholder import Placeholder, scan

from keepmum_edge.daemon.cloud_client import CloudClient
from keepmum_edge.daemon.store import OutboxStore, ScopeStore
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.errors import CloudError, NotFoundError
from keepmum_edge.memory.record import MemoryRecord
from keepmum_edge.memory.record_search import Admitted, RecordSearch
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.vault.store import VaultStore

Spans = tuple[PrivateSpan, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetReceipt:
    """What a deletion did.

    Attributes:
        edge_deleted: False if the record was not there.
        cloud: `queued` until the cloud has confirmed; `never_sent` if the record never left this computer.
    """

    memory: MemoryId
    edge_deleted: bool
    cloud: Literal["deleted", "queued", "never_sent"]


class Memories:
    """Finds and forgets records.

    Args:
        now: Unix seconds.
    """

    def __init__(
        self,
        *,
        writer: Writer,
        transaction: Callable[[], contextlib.AbstractContextManager[object]],
        records: MemoryStore,
        search: RecordSearch,
        scopes: ScopeStore,
        outbox: OutboxStore,
        vaults: VaultStore,
        cloud: Callable[[], CloudClient],
        now: Callable[[], float],
    ) -> None:
        self._writer = writer
        self._transaction = transaction
        self._records = records
        self._search = search
        self._scopes = scopes
        self._outbox = outbox
        self._vaults = vaults
        self._cloud = cloud
        self._now = now
        self._cloud_writes = asyncio.Lock()
        """No deletion may overtake the sending of the record it deletes."""

    async def records(self, scope: str | None) -> tuple[MemoryRecord, ...]:
        """Return the records of one scope, or of all, newest first."""
        return await self._writer.run(lambda: self._records.list(scope))

    async def search(self, query: str, scope: str | None, limit: int) -> tuple[MemoryRecord, ...]:
        """Return the records that match best, on this computer alone."""
        admitted = Admitted(scope=scope, now=int(self._now()), trust_min=0)
        return await self._writer.run(lambda: self._search.search(query, admitted, limit))

    async def forget(self, memory: MemoryId) -> ForgetReceipt:
        """Delete a record here and, if it was ever sent, at the cloud."""

        def delete() -> tuple[bool, bool]:
            with self._transaction():
                record = self._records.get(memory)
                waiting = memory in self._outbox.waiting()
                if record is not None:
                    if record.shared_at is not None:
                        self._outbox.add([memory])
                    self._records.delete(memory)
                return record is not None, waiting or (record is not None and record.shared_at is not None)

        deleted, sent = await self._writer.run(delete)
        if not deleted and not sent:
            raise NotFoundError("there is no such memory; `keepmum memory list` shows them", param="id")
        if not sent:
            return ForgetReceipt(memory=memory, edge_deleted=deleted, cloud="never_sent")
        confirmed = await self.deliver_deletions()
        return ForgetReceipt(memory=memory, edge_deleted=deleted, cloud="deleted" if confirmed else "queued")

    async def deliver_deletions(self) -> bool:
        """Send the deletions that wait; return whether none waits any more."""
        async with self._cloud_writes:
            waiting = await self._writer.run(self._outbox.waiting)
            if not waiting:
                return True
            try:
                await self._cloud().delete_memories(DeleteMemories(memories=waiting))
            except CloudError:
                return False

            def confirm() -> None:
                with self._transaction():
                    self._outbox.remove(waiting)

            await self._writer.run(confirm)
            return True

    def scope_key(self, scope: str) -> ScopeKey:
        """Return the key of a scope, made on first use; inside the caller's transaction."""
        return self._scopes.key_of(scope)

    def admitted(self, ids: tuple[MemoryId, ...], scope: str) -> tuple[tuple[MemoryId, ...], dict[Placeholder, str]]:
        """Return which of the ids are shared records of that scope, and the values of their placeholders."""
        known: list[MemoryId] = []
        values: dict[Placeholder, str] = {}
        for memory in ids:
            record = self._records.get(memory)
            if record is None or record.shared_at is None or record.scope != scope:
                continue
            known.append(memory)
            values.update(self._values(record))
        return tuple(known), values

    def values_of(self, ids: tuple[MemoryId, ...]) -> dict[Placeholder, str]:
        """Return the values of the placeholders of records that are still there."""
        records = [record for memory in ids if (record := self._records.get(memory)) is not None]
        return {placeholder: surface for record in records for placeholder, surface in self._values(record).items()}

    def _values(self, record: MemoryRecord) -> dict[Placeholder, str]:
        found = {token: self._vaults.profile_surface(token) for _, _, token in scan(record.placeholder_text or "")}
        return {token: surface for token, surface in found.items() if surface is not None}
