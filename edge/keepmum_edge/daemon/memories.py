"""The owner's records and what the cloud may hold of them (design section 7, without the classifier yet).

A record is stored on the edge. It reaches the cloud only after its owner was shown the exact placeholder text and said
yes; it is marked unclassified there until the memory issue's classifier judges it. Deleting is `daemon.forget`.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from dataclasses import replace

from keepmum_shared.ids import MemoryId, ScopeKey, new_memory_id
from keepmum_shared.messages import AddMemories, MemoryWrite
from keepmum_shared.placeholder import Placeholder, scan
from keepmum_shared.taxonomy import Level

from keepmum_edge.daemon.cloud_client import CloudClient
from keepmum_edge.daemon.store import OutboxStore, ScopeStore
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.errors import IdempotencyConflictError, NotFoundError, RefusedMemoryError
from keepmum_edge.memory.record import Channel, CloudState, Consent, MemoryRecord
from keepmum_edge.memory.record_search import Admitted, RecordSearch
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.spans.extractor import SpanExtractor
from keepmum_edge.spans.merge import merge
from keepmum_edge.spans.recurrence import Known, find_again
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.vault.binding import Origin
from keepmum_edge.vault.conversation import ConversationVault, PeekProfileNumbers, ProfileNumbers
from keepmum_edge.vault.pseudonymise import MaskSettings, pseudonymise
from keepmum_edge.vault.store import VaultStore


class Memories:
    """Adds, shares, finds and forgets records.

    Args:
        shareable: False where numbers start afresh in each conversation, so that no placeholder means anything in the
            cloud's memory (design section 5).
        cloud_writes: Held while anything is written to the cloud's memory: no deletion may overtake the sending of the
            record it deletes.
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
        extractor: SpanExtractor,
        settings: MaskSettings,
        shareable: bool,
        cloud: Callable[[], CloudClient],
        cloud_writes: asyncio.Lock,
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
        self._extractor = extractor
        self._settings = settings
        self._shareable = shareable
        self._cloud = cloud
        self._secrets = secrets
        self._now = now
        self._cloud_writes = cloud_writes

    async def remember(self, text: str, *, scope: str) -> MemoryRecord:
        """Store a record on this computer only.

        Raises:
            RefusedMemoryError: the text is empty or holds a PL4 secret; secrets are never remembered.
        """
        if not text.strip():
            raise RefusedMemoryError("there is nothing to remember", param="text")
        made_at = int(self._now())
        record = MemoryRecord(id=new_memory_id(), text=text, scope=scope, created_at=made_at, consent=Consent.ASKED)

        def add() -> MemoryRecord:
            self._spans(text)
            with self._transaction():
                return self._records.add(record)

        return await self._writer.run(add)

    async def preview_share(self, memory: MemoryId) -> str:
        """Return the exact placeholder text that would go to the cloud; allots no number."""
        return await self._writer.run(
            lambda: self._mask(self._get(memory), PeekProfileNumbers(self._vaults, self._vaults.next_number))
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

        async with self._cloud_writes:
            record, key = await self._writer.run(lambda: self._allot(memory, shown_text))
            write = MemoryWrite(
                id=record.id,
                text=shown_text,
                created_at=record.created_at,
                unclassified=True,
                derived_from=await self._writer.run(lambda: self._sources_at_cloud(record)),
            )
            stored = await cloud.add_memories(AddMemories(scope=key, memories=(write,)))
            if memory not in stored.stored:
                raise RefusedMemoryError("the cloud half was told to forget this memory; add it anew to send it")
            return await self._writer.run(mark)

    async def records(self, scope: str | None) -> tuple[MemoryRecord, ...]:
        """Return the records of one scope, or of all, newest first."""
        return await self._writer.run(lambda: self._records.list(scope))

    async def search(self, query: str, scope: str | None, limit: int) -> tuple[MemoryRecord, ...]:
        """Return the records that match best, on this computer alone."""
        admitted = Admitted(scope=scope, now=int(self._now()), trust_min=0)
        return await self._writer.run(lambda: self._search.search(query, admitted, limit))

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

    def _sources_at_cloud(self, record: MemoryRecord) -> tuple[MemoryId, ...]:
        """Return the records that a derived one was made from, as far as the cloud has them."""
        if record.channel is not Channel.DERIVED:
            return ()
        found = [self._records.get(MemoryId(source)) for source in sorted(record.sources)]
        return tuple(source.id for source in found if source is not None and source.cloud is CloudState.SHARED)

    def _get(self, memory: MemoryId) -> MemoryRecord:
        record = self._records.get(memory)
        if record is None:
            raise NotFoundError("there is no such memory; `keepmum memory list` shows them", param="id")
        return record

    def _allot(self, memory: MemoryId, shown_text: str) -> tuple[MemoryRecord, ScopeKey]:
        """Make the numbers of the shown text durable, or refuse if it is no longer the text."""
        with self._transaction():
            record = self._get(memory)
            if self._mask(record, self._vaults) != shown_text:
                raise IdempotencyConflictError("the text to be sent has changed since it was shown; look at it again")
            self._outbox.add([memory], forget=False)
            return record, self._scopes.key_of(record.scope)

    def _mask(self, record: MemoryRecord, profile: ProfileNumbers) -> str:
        if not self._shareable:
            raise RefusedMemoryError(
                'with placeholder_scope = "conversation" memories stay on this computer: '
                "their placeholders would mean nothing in another conversation"
            )
        vault = ConversationVault(profile_scope=True, volatile_all=False)
        return pseudonymise(
            record.text, self._spans(record.text), vault, origin=Origin.OWNER, profile=profile, settings=self._settings
        ).text

    def _spans(self, text: str) -> tuple[PrivateSpan, ...]:
        """Read a text that is to be remembered. Raises RefusedMemoryError for a PL4 secret."""
        spans = merge(text, self._extractor.extract(text), find_again(text, self._secrets()))
        secrets = sorted({str(span.entity_type) for span in spans if self._settings.level_of(span) is Level.PL4})
        if secrets:
            raise RefusedMemoryError(
                f"the text holds a secret ({', '.join(secrets)}), and secrets are never remembered; leave it out",
                param="text",
            )
        return spans
