"""Records that come from elsewhere, a backup or an export, into this profile: only what is not here, and as new ones.

Their words are theirs; all that follows from words is computed here. Each is read for private spans, refused if it
holds a secret, and judged by the classifier and policy in force; it gets the position that its slot has for it now, the
trust of its channel and sources, and no word of it waits for the cloud until its owner shares it. What was forgotten
here does not come back, nor does what was made of it.

All or nothing: every record is judged before the first is written; what was written is taken back if the rest cannot
be. (A daemon that is killed half-way leaves a part; the same import then brings in the rest.)
"""

import contextlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Final

from keepmum_shared.ids import MemoryId
from keepmum_shared.view.layout import SlotId

from keepmum_edge.daemon.judging import Judging, with_sources
from keepmum_edge.daemon.memory_writing import MemoryWriting
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.errors import RefusedMemoryError, UnavailableError
from keepmum_edge.memory.classify import Judgement
from keepmum_edge.memory.record import SELF, Channel, CloudState, Consent, MemoryRecord
from keepmum_edge.memory.scope import Reach, most_restrictive
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.memory.trust import UNKNOWN_SOURCE, trust_of

_MEMORY: Final = "mem_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What became of records that came from elsewhere.

    Attributes:
        records: New here.
        there: Were here already.
        forgotten: Not taken: forgotten since.
        refused: Not taken: they hold a secret, or have no place (`memory.scope`).
        queued: Of the new ones, those that go to the cloud with the next message in their scope.
    """

    records: int = 0
    there: int = 0
    forgotten: int = 0
    refused: int = 0
    queued: tuple[MemoryId, ...] = ()


@dataclass(frozen=True, slots=True)
class _Judged:
    """A record, by what it was judged, and the judgement; None: it holds a secret."""

    record: MemoryRecord = field(repr=False)
    judge: str
    judgement: Judgement | None = field(repr=False)


class Arrivals:
    """Takes records into one profile, in slices between which other requests come.

    Args:
        is_forgotten: Says whether an id was forgotten.
    """

    def __init__(
        self,
        *,
        writer: Writer,
        transaction: Callable[[], AbstractContextManager[object]],
        records: MemoryStore,
        is_forgotten: Callable[[str], bool],
        judging: Judging,
        writing: MemoryWriting,
    ) -> None:
        self._writer = writer
        self._transaction = transaction
        self._records = records
        self._is_forgotten = is_forgotten
        self._judging = judging
        self._writing = writing

    async def add(self, records: Sequence[MemoryRecord], *, vouched: bool) -> Added:
        """Add the records that are neither here nor forgotten.

        Args:
            records: Unjudged and kept here; what one was made of comes before it.
            vouched: Whether the owner's own key says that this program wrote them: then trust and consent hold.
        """
        judged = [await self._judged(record) for record in records]
        arriving = _Arriving(self._records, self._writing, self._is_forgotten, vouched=vouched)
        try:
            await self._writer.run_each(judged, arriving.take, self._transaction)
            await self._writer.run_each(tuple(arriving.new), arriving.place, self._transaction)
        except BaseException:
            with contextlib.suppress(UnavailableError):  # on a full disk; the same import brings in the rest
                await self._writer.run_each(tuple(arriving.new), arriving.take_back, self._transaction)
                await self._writer.run_each(tuple(arriving.displaced()), arriving.put_back, self._transaction)
            raise
        return replace(arriving.added, records=len(arriving.new))

    async def _judged(self, record: MemoryRecord) -> _Judged:
        if await self._writer.run(lambda: self._is_settled(record)):
            return _Judged(record, "", None)
        others = [record.subject] if record.subject != SELF else []
        texts = [record.text, *others, *filter(None, [record.topic])]
        found = [await self._judging.read_to_judge(record.text)]
        found += [await self._judging.read(text) for text in texts[1:]]

        def judge() -> _Judged:
            try:
                masked = [self._judging.mask(text, spans) for text, spans in zip(texts, found, strict=True)]
            except RefusedMemoryError:
                return _Judged(record, "", None)
            return _Judged(record, *self._judging.judge(masked[0]))

        return await self._writer.run(judge)

    def _is_settled(self, record: MemoryRecord) -> bool:
        return self._is_forgotten(record.id) or self._records.get(record.id) is not None


class _Arriving:
    """One batch on its way in; on the writer's thread."""

    def __init__(
        self, records: MemoryStore, writing: MemoryWriting, is_forgotten: Callable[[str], bool], *, vouched: bool
    ) -> None:
        self._records = records
        self._writing = writing
        self._is_forgotten = is_forgotten
        self._vouched = vouched
        self._known: dict[str, str] = {}
        """Ids of the file -> ids of the records here that hold the same words."""
        self._gone: set[str] = set()
        self._held: dict[SlotId, tuple[MemoryId, ...]] = {}
        """What held the positions of a slot before anything of this batch did."""
        self.new: list[MemoryId] = []
        self.added = Added()

    def take(self, judged: _Judged) -> None:
        """Add one record, if it is new and may be here."""
        record, added = judged.record, self.added
        if self._records.get(record.id) is not None:
            self.added = replace(added, there=added.there + 1)
        elif self._is_gone(record):
            self._gone.add(record.id)
            self.added = replace(added, forgotten=added.forgotten + 1)
        elif (made := self._made(judged)) is None:
            self.added = replace(added, refused=added.refused + 1)
        elif (stored := self._records.add(made)).id != record.id:
            self._known[record.id] = stored.id
            self.added = replace(added, there=added.there + 1)
        else:
            self.new.append(record.id)

    def place(self, memory: MemoryId) -> None:
        """Give a new record a position of its slot, as any record that is told."""
        record = self._records.get(memory)
        if record is None or record.slot is None:
            return
        if record.slot not in self._held:
            self._held[record.slot] = tuple(each.id for each in self._records.positions(record.slot))
        self._writing.positioned(record)

    def take_back(self, memory: MemoryId) -> None:
        """Take one record of the batch out again."""
        self._records.delete(memory)

    def displaced(self) -> tuple[MemoryId, ...]:
        """Return the records that held positions before."""
        return tuple(memory for held in self._held.values() for memory in held)

    def put_back(self, memory: MemoryId) -> None:
        """Give a record its position again, if the batch took it."""
        record = self._records.get(memory)
        if record is not None and record.slot is not None and not record.has_position:
            self._writing.positioned(record)

    def _is_gone(self, record: MemoryRecord) -> bool:
        """Say whether a record was forgotten here, or what it was made of was (as `forget.closure` has it)."""
        if self._is_forgotten(record.id):
            return True
        gone = {source for source in record.sources if source in self._gone or self._is_forgotten(source)}
        of_all = record.channel in (Channel.DERIVED, Channel.BEHAVIOUR) or any(map(_is_memory, record.sources))
        return bool(gone) and (of_all or gone == record.sources)

    def _made(self, judged: _Judged) -> MemoryRecord | None:
        """Return a record as it may be kept here, or None."""
        record = judged.record
        sources = frozenset(self._known.get(each, each) for each in record.sources)
        found = [self._records.get(MemoryId(each)) for each in sorted(sources) if _is_memory(each)]
        present = [each for each in found if each is not None]
        if judged.judgement is None:
            return None
        judgement = with_sources(judged.judgement, present, self._writing.layout)
        if judgement.is_local_only and record.channel is Channel.BEHAVIOUR:  # must not have been inferred
            return None
        try:
            reach = most_restrictive([Reach.of(record), *map(Reach.of, present)])
        except RefusedMemoryError:
            return None
        trusts = [each.trust for each in present] + [UNKNOWN_SOURCE] * (len(found) - len(present))
        asked = Consent.NOT_NEEDED if judgement.category is None else Consent.ASKED  # its owner brought it in
        return replace(
            record,
            sources=frozenset(each for each in sources if not self._is_forgotten(each)),
            scope=reach.scope,
            application=reach.application,
            audiences=reach.audiences,
            trust=record.trust if self._vouched else trust_of(record.channel, trusts),
            consent=record.consent if self._vouched else asked,
            slot=judgement.slot,
            attributes=judgement.attributes,
            category=judgement.category,
            level=judgement.level,
            judged_by=judged.judge,
            cloud=CloudState.LOCAL_ONLY if judgement.is_local_only else CloudState.KEPT,
        )


def _is_memory(source: str) -> bool:
    return source.startswith(_MEMORY)
