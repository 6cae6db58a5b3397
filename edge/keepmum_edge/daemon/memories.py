"""The owner's records and what the cloud may hold of them (design section 7, without the classifier yet).

A record is stored on the edge. It reaches the cloud only after its owner was shown the exact placeholder text and said
yes; it is marked unclassified there until the memory issue's classifier judges it. A deletion removes both; while the
cloud cannot be reached its part waits in the outbox, by id only.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from keepmum_shared.ids import MemoryId, ScopeKey, new_memory_id
from keepmum_shared.messages import AddMemories, DeleteMemories, MemoryWrite
from keepmum_shared.placeholder import Placeholder, scan
from keepmum_shared.taxonomy import Level

from keepmum_edge.daemon.cloud_client import CloudClient
from keepmum_edge.daemon.readers import Readers
from keepmum_edge.daemon.store import OutboxStore, ScopeStore
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.errors import CloudError, IdempotencyConflictError, NotFoundError, RefusedMemoryError
from keepmum_edge.memory.record import CloudState, Consent, MemoryRecord
from keepmum_edge.memory.record_search import Admitted, RecordSearch
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.spans.extractor import TextKind
from keepmum_edge.spans.merge import merge
from keepmum_edge.spans.recurrence import Known, find_again
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.vault.binding import Origin
from keepmum_edge.vault.conversation import ConversationVault, PeekProfileNumbers, ProfileNumbers
from keepmum_edge.vault.pseudonymise import MaskSettings, pseudonymise
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
    """Adds, shares, finds and forgets records.

    Args:
        shareable: False where numbers start afresh in each conversation, so that no placeholder means anything in the
            cloud's memory (design section 5).
        secrets: The PL4 values that are known now: nothing else may give one away when it is repeated.
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
        readers: Readers,
        settings: MaskSettings,
        shareable: bool,
        cloud: Callable[[], CloudClient],
        secrets: Callable[[], Iterable[Known]],
        now: Callable[[], float],
    ) -> None:
        self._writer = writer
        self._transaction = transaction
        self._records = records
        self._search = search
        self._scopes = scopes
        self._outbox = outbox
        self._vaults = vaults
        self._readers = readers
        self._settings = settings
        self._shareable = shareable
        self._cloud = cloud
        self._secrets = secrets
        self._now = now
        self._cloud_writes = asyncio.Lock()
        """No deletion may overtake the sending of the record it deletes."""

    async def remember(self, text: str, *, scope: str) -> MemoryRecord:
        """Store a record on this computer only.

        Raises:
            RefusedMemoryError: the text is empty or holds a PL4 secret; secrets are never remembered.
        """
        if not text.strip():
            raise RefusedMemoryError("there is nothing to remember", param="text")
        made_at = int(self._now())
        record = MemoryRecord(id=new_memory_id(), text=text, scope=scope, created_at=made_at, consent=Consent.ASKED)

        found = await self._read(text)

        def add() -> MemoryRecord:
            self._with_known_secrets(text, found)
            with self._transaction():
                return self._records.add(record)

        return await self._writer.run(add)

    async def preview_share(self, memory: MemoryId) -> str:
        """Return the exact placeholder text that would go to the cloud; allots no number."""
        found = await self._read((await self._writer.run(lambda: self._get(memory))).text)
        return await self._writer.run(
            lambda: self._mask(self._get(memory), found, PeekProfileNumbers(self._vaults, self._vaults.next_number))
        )

    async def share(self, memory: MemoryId, shown_text: str) -> MemoryRecord:
        """Send a record that the owner has seen as `shown_text` and agreed to.

        Until the cloud's copy is on record here, its deletion waits in the outbox: a crash in between removes it there.

        Raises:
            IdempotencyConflictError: that is no longer what would be sent; show the new text and ask again.
            CloudError: it did not reach the cloud; it stays on the edge only.
        """
        cloud = self._cloud()

        def mark() -> MemoryRecord:
            with self._transaction():
                held = self._records.get(memory)
                if held is not None:
                    at = int(self._now())
                    shared = replace(held, cloud=CloudState.SHARED, placeholder_text=shown_text, shared_at=at)
                    self._records.put(shared)
                    self._outbox.remove([memory])
                return self._get(memory)

        found = await self._read((await self._writer.run(lambda: self._get(memory))).text)
        async with self._cloud_writes:
            record, key = await self._writer.run(lambda: self._allot(memory, found, shown_text))
            write = MemoryWrite(id=record.id, text=shown_text, created_at=record.created_at, unclassified=True)
            await cloud.add_memories(AddMemories(scope=key, memories=(write,)))
            return await self._writer.run(mark)

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

    def _get(self, memory: MemoryId) -> MemoryRecord:
        record = self._records.get(memory)
        if record is None:
            raise NotFoundError("there is no such memory; `keepmum memory list` shows them", param="id")
        return record

    def _allot(self, memory: MemoryId, found: Spans, shown_text: str) -> tuple[MemoryRecord, ScopeKey]:
        """Make the numbers of the shown text durable, or refuse if it is no longer the text."""
        with self._transaction():
            record = self._get(memory)
            if self._mask(record, found, self._vaults) != shown_text:
                raise IdempotencyConflictError("the text to be sent has changed since it was shown; look at it again")
            self._outbox.add([memory])
            return record, self._scopes.key_of(record.scope)

    def _mask(self, record: MemoryRecord, found: Spans, profile: ProfileNumbers) -> str:
        if not self._shareable:
            raise RefusedMemoryError(
                'with placeholder_scope = "conversation" memories stay on this computer: '
                "their placeholders would mean nothing in another conversation"
            )
        vault = ConversationVault(profile_scope=True, volatile_all=False)
        spans = self._with_known_secrets(record.text, found)
        return pseudonymise(
            record.text, spans, vault, origin=Origin.OWNER, profile=profile, settings=self._settings
        ).text

    async def _read(self, text: str) -> Spans:
        return await self._readers.run(len(text), lambda extract: extract(text, TextKind.PROSE))

    def _with_known_secrets(self, text: str, found: Spans) -> Spans:
        """Add what is known to be secret to the spans of a text. Raises RefusedMemoryError for a PL4 secret."""
        spans = merge(text, found, find_again(text, self._secrets()))
        secrets = sorted({str(span.entity_type) for span in spans if self._settings.level_of(span) is Level.PL4})
        if secrets:
            raise RefusedMemoryError(
                f"the text holds a secret ({', '.join(secrets)}), and secrets are never remembered; leave it out",
                param="text",
            )
        return spans
