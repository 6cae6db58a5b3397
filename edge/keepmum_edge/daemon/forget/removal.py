"""Taking away what a closure names, in the caller's one transaction, and making anew what can be made from the rest.

Order: tombstones first, so that nothing that runs can bring back what goes; then records, turns, messages, values; then
the digests again, parents first, from survivors only: every source is read anew from the store, after the removal.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from keepmum_shared.ids import ConversationId, MemoryId, TurnId, new_memory_id
from keepmum_shared.placeholder import Placeholder

from keepmum_edge.daemon.conversation_store import ConversationStore
from keepmum_edge.daemon.forget.closure import Closure, tokens_of
from keepmum_edge.daemon.forget.receipt import Remade, StoreResult
from keepmum_edge.daemon.forget.tombstones import Tombstones
from keepmum_edge.daemon.store import OutboxStore, ScopeStore
from keepmum_edge.daemon.turn_store import TraceStore, TurnStore
from keepmum_edge.memory.digest import digest_again, is_digest
from keepmum_edge.memory.embedding_store import EmbeddingStore
from keepmum_edge.memory.provenance import ItemId
from keepmum_edge.memory.record import MemoryRecord
from keepmum_edge.memory.source_store import SourceStore
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.vault.store import VaultStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What is gone, for parts that keep something of their own about it (views' scores, session keys).

    Attributes:
        asked: Ids that were asked for themselves.
    """

    asked: frozenset[ItemId]
    records: tuple[MemoryRecord, ...]
    turns: frozenset[TurnId]
    conversations: frozenset[ConversationId]
    everything: bool


AlsoForget = Callable[[Forgotten], Iterable[StoreResult | Remade]]
"""Removes what one more part holds, inside the same transaction; says how much, and what it made again of the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """What was done; fields as in `Receipt`."""

    remade: tuple[Remade, ...]
    values: frozenset[Placeholder]
    values_kept: frozenset[Placeholder]
    bindings: dict[ConversationId, frozenset[Placeholder]]
    stores: tuple[StoreResult, ...]


class Removal:
    """Writes on the stores of one profile; on the writer's thread, inside a transaction."""

    def __init__(
        self,
        *,
        records: MemoryStore,
        sources: SourceStore,
        turns: TurnStore,
        traces: TraceStore,
        conversations: ConversationStore,
        vaults: VaultStore,
        scopes: ScopeStore,
        outbox: OutboxStore,
        tombstones: Tombstones,
        embeddings: EmbeddingStore,
        also: Sequence[AlsoForget] = (),
        new_id: Callable[[], MemoryId] = new_memory_id,
    ) -> None:
        self._records = records
        self._sources = sources
        self._turns = turns
        self._traces = traces
        self._conversations = conversations
        self._vaults = vaults
        self._scopes = scopes
        self._outbox = outbox
        self._tombstones = tombstones
        self._embeddings = embeddings
        self._also = also
        self._new_id = new_id

    def remove(self, closure: Closure, now: int) -> Removed:
        """Take away what the closure names; `now` is in Unix seconds."""
        carriers = closure.carriers
        self._tombstones.add((*closure.plan.removed, *carriers.turns), carriers.chains, now)
        recipes = self._recipes(closure)
        self._outbox.add(closure.awaited, forget=True)
        ids = [record.id for record in closure.records]
        stores = [StoreResult(store="embeddings", removed=self._embeddings.remove(ids))]
        stores.append(StoreResult(store="records", removed=self._records.delete_all(ids)))
        self._sources.end_succession(ids)
        for item, lost in closure.plan.trimmed.items():
            self._sources.drop(MemoryId(item), lost)
        stores.append(StoreResult(store="traces", removed=sum(map(self._traces.delete, sorted(carriers.turns)))))
        stores.append(StoreResult(store="answers", removed=sum(map(self._turns.strip, sorted(carriers.turns)))))
        stores.append(StoreResult(store="messages", removed=self._remove_messages(closure)))
        values, kept, bindings = self._remove_values(closure)
        stores.append(StoreResult(store="values", removed=len(values)))
        if closure.request.everything or closure.request.scope is not None:
            self._scopes.forget(closure.request.scope)
        gone = Forgotten(
            asked=closure.plan.asked,
            records=closure.records,
            turns=carriers.turns,
            conversations=frozenset(carriers.cut) if self._is_whole(closure) else frozenset(),
            everything=closure.request.everything,
        )
        self._sources.forget_sessions(gone.conversations, everything=gone.everything)
        remade = [*self._remake(closure, recipes, now)]
        for also in self._also:
            done = tuple(also(gone))
            stores += [each for each in done if isinstance(each, StoreResult)]
            remade += [each for each in done if isinstance(each, Remade)]
        return Removed(
            remade=tuple(remade),
            values=values,
            values_kept=kept,
            bindings=bindings,
            stores=tuple(stores),
        )

    def _is_whole(self, closure: Closure) -> bool:
        return closure.request.everything or closure.request.scope is not None

    def _remove_messages(self, closure: Closure) -> int:
        removed = sum(self._conversations.forget_from(each, first) for each, first in closure.carriers.cut.items())
        if self._is_whole(closure):
            for conversation in closure.carriers.cut:
                self._conversations.forget(conversation)
                self._turns.forget_conversation(conversation)
                self._traces.forget_conversation(conversation)
                self._vaults.forget_conversation(conversation)
        return removed

    def _remove_values(
        self, closure: Closure
    ) -> tuple[frozenset[Placeholder], frozenset[Placeholder], dict[ConversationId, frozenset[Placeholder]]]:
        """Delete values that were asked for, and those that nothing visible to the cloud carries any more."""
        if closure.request.everything:
            everything = frozenset(closure.values.profile)
            bindings = {each: frozenset(tokens) for each, tokens in closure.values.bound.items()}
            self._vaults.forget_all()
            return everything, frozenset(), bindings
        bindings = {each: frozenset(tokens) for each, tokens in closure.values.bound.items()}
        candidates = set(tokens_of(closure.records))
        for conversation in sorted(closure.visible):
            unused = self._unused(conversation)
            bindings[conversation] = bindings.get(conversation, frozenset()) | unused
            candidates |= {token for token in unused if self._vaults.profile_surface(token) is not None}
        for conversation, tokens in bindings.items():
            for token in tokens:
                self._vaults.forget_binding(conversation, token)
        kept = {t for t in candidates if t not in closure.values.profile and self._is_carried(t)}
        gone: set[Placeholder] = set()
        for token in sorted((candidates - kept) | set(closure.values.profile)):
            gone.update(self._vaults.forget_value(token))
        return frozenset(gone), frozenset(kept), bindings

    def _unused(self, conversation: ConversationId) -> frozenset[Placeholder]:
        """Return what a conversation's placeholders mean that no message or trace of it carries any more."""
        bound, _ = self._vaults.load(conversation)
        texts = [message.masked for message in self._conversations.messages(conversation)]
        texts += [trace.sent_json + (trace.received_json or "") for trace in self._traces.of_conversation(conversation)]
        carried = "\n".join(texts)
        return frozenset(each.placeholder for each in bound if str(each.placeholder) not in carried)

    def _is_carried(self, token: Placeholder) -> bool:
        return self._vaults.is_bound(token) or bool(self._records.holding(token))

    def _recipes(self, closure: Closure) -> dict[str, MemoryRecord]:
        """Return the removed digests that the rule can make again: decided before the removal, from all sources."""
        recipes: dict[str, MemoryRecord] = {}
        for again in closure.plan.rebuilt:
            record = self._records.get(MemoryId(again.item))
            if record is None:
                continue
            sources = [self._records.get(MemoryId(source)) for source in record.sources]
            if is_digest(record, [source for source in sources if source is not None]):
                recipes[again.item] = record
        return recipes

    def _remake(self, closure: Closure, recipes: dict[str, MemoryRecord], now: int) -> tuple[Remade, ...]:
        made: dict[str, MemoryRecord] = {}
        remade: list[Remade] = []
        for again in closure.plan.rebuilt:
            recipe = recipes.get(again.item)
            if recipe is None:
                continue
            found = [made.get(source) or self._records.get(MemoryId(source)) for source in again.sources]
            left = [source for source in found if source is not None]
            if not left:
                continue
            wanted = digest_again(recipe, left, new=self._new_id(), now=now)
            made[again.item] = self._records.add(wanted)
            if made[again.item].id == wanted.id:  # else it would say what its only source says already
                remade.append(Remade(old=recipe.id, new=wanted.id))
        return tuple(remade)
