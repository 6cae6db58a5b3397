"""Finding the owner's records, and what a recalled one may restore (design section 7).

How records come to be is `memory_writing` and `memory_keeping`; how they go is `daemon.forget`.
"""

from collections.abc import Callable

from keepmum_inference.retrieval.past import asks_about_the_past
from keepmum_shared.ids import MemoryId, ScopeKey
from keepmum_shared.placeholder import Placeholder, scan

from keepmum_edge.daemon.retrieval.search import Retrieval
from keepmum_edge.daemon.store import ScopeStore
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.memory.admitted import Admitted, Within
from keepmum_edge.memory.record import MemoryRecord
from keepmum_edge.memory.record_search import RecordSearch
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.vault.store import VaultStore

Spans = tuple[PrivateSpan, ...]


class Memories:
    """Finds records.

    Args:
        retrieval: Finds them by meaning and by words.
        search: Finds them by a piece of text.
        now: Unix seconds.
    """

    def __init__(
        self,
        *,
        writer: Writer,
        records: MemoryStore,
        retrieval: Retrieval,
        search: RecordSearch,
        scopes: ScopeStore,
        vaults: VaultStore,
        now: Callable[[], float],
    ) -> None:
        self._writer = writer
        self._records = records
        self._retrieval = retrieval
        self._search = search
        self._scopes = scopes
        self._vaults = vaults
        self._now = now

    async def records(self, scope: str | None) -> tuple[MemoryRecord, ...]:
        """Return the records of one scope, or of all, newest first."""
        return await self._writer.run(lambda: self._records.list(scope))

    async def search(self, query: str, scope: str | None, limit: int) -> tuple[MemoryRecord, ...]:
        """Return the records that match best on this computer alone, whatever their trust.

        First what has to do with the query by meaning or words, then what merely holds a piece of it: a part of a
        number or of a name means nothing. History is among them where the query asks for the past.
        """
        past = asks_about_the_past(query)
        admitted = Admitted(within=Within(scope=scope), now=int(self._now()), trust_min=0, closed=past)
        found = [found.record for found in await self._retrieval.search(query, admitted, limit)]
        holding = await self._writer.run(lambda: self._search.search(query, admitted, limit))
        known = {record.id for record in found}
        return (*found, *(record for record in holding if record.id not in known))[:limit]

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

    def get(self, memory: MemoryId) -> MemoryRecord | None:
        """Return a record, or None if it is not there (any more)."""
        return self._records.get(memory)

    def values_of(self, ids: tuple[MemoryId, ...]) -> dict[Placeholder, str]:
        """Return the values of the placeholders of records that are still there."""
        records = [record for memory in ids if (record := self._records.get(memory)) is not None]
        return {placeholder: surface for record in records for placeholder, surface in self._values(record).items()}

    def _values(self, record: MemoryRecord) -> dict[Placeholder, str]:
        found = {token: self._vaults.profile_surface(token) for _, _, token in scan(record.placeholder_text or "")}
        return {token: surface for token, surface in found.items() if surface is not None}
