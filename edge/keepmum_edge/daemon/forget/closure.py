"""Everything that a deletion takes, assembled from what each store reports; reads only, on the writer's thread.

The plan over records and turns is pure (`memory.deletion`). Around it stand the words: the turns and messages that tell
the removed (`carriers`), and the values whose placeholders nothing visible to the cloud carries any more (design
section 7): a value that another conversation or another memory at the cloud carries survives, unless the owner asked
for the value itself by matching it. Records of this computer alone neither keep a value nor end one.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from keepmum_shared.ids import ConversationId, MemoryId, TurnId
from keepmum_shared.placeholder import LAST_PROFILE_NUMBER, Placeholder, scan

from keepmum_edge.daemon.conversation_store import ConversationStore
from keepmum_edge.daemon.forget.carriers import CarrierFinder, Carriers, Tells
from keepmum_edge.daemon.forget.json_words import words_in
from keepmum_edge.daemon.forget.needles import telling
from keepmum_edge.daemon.forget.request import ForgetRequest, folded
from keepmum_edge.daemon.store import EVERYTHING
from keepmum_edge.daemon.turn_store import TraceStore, TurnStore
from keepmum_edge.errors import NotFoundError
from keepmum_edge.memory.deletion import Plan, plan
from keepmum_edge.memory.embedding_store import EmbeddingStore
from keepmum_edge.memory.provenance import Item, ItemId, Provenance, Support
from keepmum_edge.memory.record import Channel, MemoryRecord
from keepmum_edge.memory.source_store import SourceStore
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.vault.store import VaultStore

Secret = str
"""A text of the forgotten, held for as long as the deletion takes; never stored, logged or put into an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """Private values with their placeholders.

    Attributes:
        profile: Those with a profile number.
        bound: What the placeholders of each conversation mean; a profile number means the same in each.
    """

    profile: Mapping[Placeholder, Secret] = field(default_factory=dict, repr=False)
    bound: Mapping[ConversationId, Mapping[Placeholder, Secret]] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Closure:
    """What one deletion takes.

    Attributes:
        plan: Over records and turns.
        records: The removed records, parents first.
        at_cloud: Of them, the ids that the cloud holds or may hold.
        erases_cloud: The cloud half is told to erase all that it holds of this computer besides, known here or not.
        visible: Conversations that would be carried without the records of this computer alone: only there does a
            placeholder lose its value for want of a message that carries it.
        values: Those that were asked for themselves.
        needles: Words by which the look afterwards would know the forgotten.
        vectors: Embeddings of the removed records as they are stored, for the same look.
    """

    request: ForgetRequest
    plan: Plan
    records: tuple[MemoryRecord, ...] = field(repr=False)
    at_cloud: tuple[MemoryId, ...]
    erases_cloud: bool
    carriers: Carriers
    visible: frozenset[ConversationId]
    values: Values = field(repr=False)
    needles: tuple[Secret, ...] = field(repr=False)
    vectors: tuple[bytes, ...] = field(repr=False)

    @property
    def awaited(self) -> tuple[MemoryId, ...]:
        """What the cloud has to confirm."""
        return (*self.at_cloud, EVERYTHING) if self.erases_cloud else self.at_cloud

    @property
    def digest(self) -> str:
        """What tells this deletion from another, so that the owner's yes is to what was shown."""
        turns = "".join(sorted(self.carriers.turns)) + "".join(sorted(map(str, self.values.profile)))
        return hashlib.sha256(f"{self.plan.digest}\n{len(self.carriers.chains)}\n{turns}".encode()).hexdigest()[:32]


class ClosureFinder:
    """Assembles closures.

    Args:
        waiting: Says whether an id is to be deleted at the cloud already: a write of it may have arrived there.
        paired: Says whether there is a cloud half. To forget everything tells it so, whatever it may hold.
    """

    def __init__(
        self,
        *,
        records: MemoryStore,
        sources: SourceStore,
        turns: TurnStore,
        traces: TraceStore,
        conversations: ConversationStore,
        vaults: VaultStore,
        embeddings: EmbeddingStore,
        waiting: Callable[[MemoryId], bool],
        paired: Callable[[], bool],
    ) -> None:
        self._records = records
        self._sources = sources
        self._turns = turns
        self._conversations = conversations
        self._vaults = vaults
        self._embeddings = embeddings
        self._waiting = waiting
        self._paired = paired
        self._carriers = CarrierFinder(turns, traces, conversations)

    def find(self, request: ForgetRequest) -> Closure:
        """Return what the request takes.

        Raises:
            NotFoundError: an id is not there, or nothing matches.
        """
        values = self._values(request)
        asked = self._asked(request, values)
        along: frozenset[ItemId] = frozenset()
        while True:  # what was inferred from a turn goes with it, and so do the turns that tell what goes
            planned = plan(self._provenance(asked | along), asked, along=along)
            removed = [self._records.get(MemoryId(each)) for each in planned.removed]
            records = tuple(record for record in removed if record is not None)
            carriers, visible = self._carriers_of(request, planned, records, values)
            concluded = frozenset(map(ItemId, self._sources.concluded_from(carriers.turns))) - set(planned.removed)
            if not concluded:
                break
            along |= concluded
        if request.matching is not None and not (asked or values.profile or values.bound or carriers.cut):
            raise NotFoundError("nothing here matches; `keepmum memory list` shows what there is", param="matching")
        return Closure(
            request=request,
            plan=planned,
            records=records,
            at_cloud=tuple(record.id for record in records if record.shared_at is not None or self._waiting(record.id)),
            erases_cloud=request.everything and self._paired(),
            carriers=carriers,
            visible=frozenset(visible.cut),
            values=values,
            needles=_needles(request, records, values),
            vectors=self._embeddings.vectors_of([record.id for record in records]),
        )

    def _carriers_of(
        self, request: ForgetRequest, planned: Plan, records: Sequence[MemoryRecord], values: Values
    ) -> tuple[Carriers, Carriers]:
        """Return all that tells the forgotten, and the part of it that tells what the cloud has seen of it.

        No turn tells what was inferred from behaviour: its words are of a public list. An answer that used such a
        record says no more than that list, and stays unless the record itself was asked for.
        """
        if request.everything or request.scope is not None:
            whole = self._carriers.whole(self._conversations.ids(request.scope))
            return whole, whole

        def found(gone: Sequence[MemoryRecord]) -> Carriers:
            said = [record for record in gone if record.channel is not Channel.BEHAVIOUR]
            told = said + [r for r in gone if r.channel is Channel.BEHAVIOUR and ItemId(r.id) in planned.asked]
            origins = {source for record in said for source in record.sources} | set(planned.removed)
            used = frozenset(str(record.id) for record in told)
            return self._carriers.find(origins, used, teller(told, request, values))

        every = found(records)
        shared = [record for record in records if record.shared_at is not None]
        return every, every if len(shared) == len(records) else found(shared)

    def _asked(self, request: ForgetRequest, values: Values) -> frozenset[ItemId]:
        if request.ids:
            for each in request.ids:
                is_turn = self._turns.conversation_of(TurnId(each)) is not None
                if not is_turn and self._records.get(MemoryId(each)) is None:
                    raise NotFoundError("there is no such memory; `keepmum memory list` shows them", param="id")
            return frozenset(map(ItemId, request.ids))
        records = self._records.list(request.scope)
        if request.matching is not None:
            wanted = folded(request.matching)
            holding = {memory for value in values.profile for memory in self._records.holding(value)}
            records = tuple(r for r in records if r.id in holding or any(wanted in folded(t) for t in texts_of(r)))
        return frozenset(ItemId(record.id) for record in records)

    def _values(self, request: ForgetRequest) -> Values:
        """Return the values that were asked for themselves, not only because a memory holds them."""
        wanted = None if request.matching is None else folded(request.matching)
        if wanted is None and not request.everything:
            return Values()
        profile = {t: surface for t, surface in self._vaults.values() if wanted is None or wanted in folded(surface)}
        bound: dict[ConversationId, dict[Placeholder, Secret]] = {}
        for conversation, token, surface in self._vaults.bound():
            if wanted is None or wanted in folded(surface) or token in profile:
                bound.setdefault(conversation, {})[token] = surface
        return Values(profile=profile, bound=bound)

    def _provenance(self, asked: Iterable[ItemId]) -> Provenance:
        """Return the part of the graph below the asked."""
        items: list[Item] = []
        for memory, sources, channel in self._sources.downstream(asked):
            of_all = channel in (Channel.DERIVED, Channel.BEHAVIOUR) or any(s.startswith("mem_") for s in sources)
            support = Support.MADE if of_all else Support.BORNE
            items.append(Item(id=ItemId(memory), sources=frozenset(map(ItemId, sources)), support=support))
        return Provenance.of(items)


def texts_of(record: MemoryRecord) -> tuple[str, ...]:
    """Return every text of a record."""
    subject = () if record.subject == "self" else (record.subject,)
    return tuple(filter(None, (record.text, record.placeholder_text, record.topic, *subject)))


def teller(records: Iterable[MemoryRecord], request: ForgetRequest, values: Values) -> Tells:
    """Return what says whether a stored JSON text of a conversation tells the forgotten."""
    texts = [text for record in records for text in (record.text, record.placeholder_text) if text]
    exact = (*telling(texts), *map(str, values.profile))
    bound = {conversation: frozenset(map(str, tokens)) for conversation, tokens in values.bound.items()}
    wanted = None if request.matching is None else folded(request.matching)

    def tells(conversation: ConversationId, text: str) -> bool:
        if any(each in text for each in exact) or any(each in text for each in bound.get(conversation, ())):
            return True
        return wanted is not None and any(wanted in folded(word) for word in words_in(text))

    return tells


def _needles(request: ForgetRequest, records: Iterable[MemoryRecord], values: Values) -> tuple[Secret, ...]:
    found = [text for record in records for text in texts_of(record)]
    found += values.profile.values()
    found += [surface for tokens in values.bound.values() for surface in tokens.values()]
    if request.matching is not None:
        found.append(request.matching)
    return tuple(dict.fromkeys(text for text in found if text.strip()))


def tokens_of(records: Iterable[MemoryRecord]) -> frozenset[Placeholder]:
    """Return the profile placeholders that the cloud's copies of records carry."""
    texts = (record.placeholder_text or "" for record in records if record.shared_at is not None)
    found = (token for text in texts for _, _, token in scan(text))
    return frozenset(token for token in found if token.number <= LAST_PROFILE_NUMBER)
