"""What the owner does with records: tell, look, edit, confirm, consent, share; and judging records of older versions.

Texts told here are never part of a message. One that may go to the cloud goes with the next turn in its scope; nothing
is sent at once. Every text is masked as it would be sent and judged by that (`memory.classify`); numbers that it would
need are only looked at, and allotted when it is first sent.
"""

import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from keepmum_shared.ids import ConversationId, MemoryId, TurnId
from keepmum_shared.taxonomy import Level

from keepmum_edge.daemon.conversation_store import ConversationStore
from keepmum_edge.daemon.inferring import Inferring
from keepmum_edge.daemon.judging import Judging, Masked, Spans, with_sources
from keepmum_edge.daemon.memory_commands import Edit, Telling, Why
from keepmum_edge.daemon.memory_writing import MemoryWriting, Waiting, Written
from keepmum_edge.daemon.readers import Readers
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.errors import IdempotencyConflictError, NotFoundError, RefusedMemoryError
from keepmum_edge.memory.asked_store import AskedNote
from keepmum_edge.memory.behaviour import told
from keepmum_edge.memory.classify import Judgement
from keepmum_edge.memory.consent import Asked
from keepmum_edge.memory.draft import Draft, Origin, draft
from keepmum_edge.memory.propose import Moment, describe
from keepmum_edge.memory.record import MOST, MOST_CHARACTERS, Channel, CloudState, Consent, Kind, MemoryRecord
from keepmum_edge.memory.scope import Reach, most_restrictive
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.memory.trust import is_own_word, trust_of
from keepmum_edge.spans.recurrence import Known
from keepmum_edge.vault.pseudonymise import MaskSettings
from keepmum_edge.vault.store import VaultStore

_AT_ONCE: Final = 50
"""Records of older versions that are looked up at once."""
_CHANGED: Final = "this memory has changed since it was shown; look at it again"
_MAY_NOT_WRITE: Final = "this conversation is incognito or not known; it may not write"
NOTHING_WAITS: Final = "nothing waits under this id; `keepmum memory pending` lists what does"
_NO_SUCH: Final = "there is no such memory; `keepmum memory list` shows them"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A text that was told, read and judged; `judge` says by what."""

    judge: str
    telling: Telling = field(repr=False)
    origin: Origin
    drafts: tuple[Draft, ...] = field(repr=False)


class MemoryKeeping:
    """The owner's side of memory.

    Args:
        shareable: False where placeholders mean nothing at the cloud; then everything stays here.
        readers: Give way to requests before their departure.
        secrets: The PL4 values that are known now.
        offset_of: Seconds between the owner's clock and UTC at a Unix time.
        now: Unix seconds.
    """

    def __init__(
        self,
        *,
        writer: Writer,
        transaction: Callable[[], contextlib.AbstractContextManager[object]],
        records: MemoryStore,
        writing: MemoryWriting,
        inferring: Inferring,
        conversations: ConversationStore,
        vaults: VaultStore,
        readers: Readers,
        settings: MaskSettings,
        shareable: bool,
        secrets: Callable[[], Iterable[Known]],
        offset_of: Callable[[int], int],
        now: Callable[[], float],
    ) -> None:
        self._writer = writer
        self._transaction = transaction
        self._records = records
        self._writing = writing
        self._inferring = inferring
        self._conversations = conversations
        self._readers = readers
        self._shareable = shareable
        self._offset_of = offset_of
        self._now = now
        self.judging = Judging(
            vaults=vaults,
            readers=readers,
            settings=settings,
            secrets=secrets,
            classifier=lambda: writing.classifier,
        )

    async def tell(self, telling: Telling) -> Written:
        """Remember a text.

        Raises:
            RefusedMemoryError: it is empty or too long, holds a PL4 secret, comes from an incognito or unknown
                conversation, or its sources share no scope.
            NotFoundError: a source is not there.
        """
        return await self.keep(await self.prepare(telling))

    async def prepare(self, telling: Telling) -> Prepared:
        """Read and judge a text that is told, and write nothing yet. Raises as `tell`."""
        if not telling.text.strip():
            raise RefusedMemoryError("there is nothing to remember", param="text")
        _refuse_long(telling.text)
        judge = self.judge_id
        found = await self.judging.read(telling.text)

        def prepare() -> tuple[Masked, list[MemoryRecord]]:
            self._refuse_incognito(telling.conversation)
            return self.judging.mask(telling.text, found), self._sources(telling)

        masked, sources = await self._writer.run(prepare)
        origin = self._origin(telling, sources)
        drafts = await self._readers.run(
            len(telling.text), lambda _: self._drafts(masked, sources, origin, asked=is_own_word(telling.channel))
        )
        return Prepared(judge=judge, telling=telling, origin=origin, drafts=tuple(drafts))

    async def keep(self, prepared: Prepared) -> Written:
        """Remember what was prepared. Raises NotFoundError: a source is not there any more."""
        if prepared.judge != self.judge_id:  # another policy came into force meanwhile
            prepared = await self.prepare(prepared.telling)
        written = Written()

        def write(draft: Draft) -> None:
            nonlocal written
            self._sources(prepared.telling)  # they may have been forgotten since
            new = self._writing.write((draft,), prepared.origin)
            written += new + self._inferring.stated((*new.kept, *new.known))

        await self._writer.run_each(prepared.drafts, write, self._transaction)
        return written

    async def record(self, memory: MemoryId) -> MemoryRecord:
        """Return a record. Raises NotFoundError."""
        return await self._writer.run(lambda: self._get(memory))

    async def edit(self, memory: MemoryId, edit: Edit) -> MemoryRecord:
        """Change a record. What its owner wrote anew is the owner's own word, and is judged again.

        Raises:
            NotFoundError: it is gone.
            IdempotencyConflictError: it was changed since it was looked at.
            RefusedMemoryError: the text is empty, too long or holds a PL4 secret.
        """
        if edit.text is not None and not edit.text.strip():
            raise RefusedMemoryError("there is nothing to remember; `keepmum forget` deletes a memory", param="text")
        if edit.text is not None:
            _refuse_long(edit.text)
        text = edit.text or (await self.record(memory)).text
        found = await self.judging.read_to_judge(text)

        def change() -> MemoryRecord:
            masked = self.judging.mask(text, found)
            with self._transaction():
                held = self._get(memory)
                if edit.revision not in (None, held.revision) or (edit.text is None and held.text != text):
                    raise IdempotencyConflictError(_CHANGED)
                judgement = self._writing.classifier.judge(masked.text, masked.value_of)
                if edit.text not in (None, held.text) or edit.scope not in (None, held.scope):
                    held = self._inferring.owned(held)
                edited = self._writing.rejudge(_edited(held, edit, masked.text), judgement)
                self._inferring.stated((edited,))
                return edited

        return await self._writer.run(change)

    async def confirm(self, memory: MemoryId) -> MemoryRecord:
        """Raise a record to full trust, and what was inferred to what was said: its owner says that it is so.

        Raises:
            NotFoundError: it is gone.
        """

        def confirm() -> MemoryRecord:
            with self._transaction():
                held = self._get(memory)
                raised = replace(self._inferring.owned(held), trust=MOST, revision=held.revision + 1)
                if held.trust < MOST and self._may_leave(raised):
                    return self._writing.let_go(raised)
                self._records.put(raised)
                return raised

        return await self._writer.run(confirm)

    async def preview_share(self, memory: MemoryId) -> str:
        """Return the exact placeholder text that would go to the cloud; allots no number.

        Raises:
            NotFoundError: it is gone.
            RefusedMemoryError: it may not leave.
        """
        record = await self.record(memory)
        self._require_may_leave(record)
        found = await self.judging.read(record.text)
        return await self._writer.run(lambda: self.judging.mask(record.text, found).text)

    async def share(self, memory: MemoryId, shown_text: str) -> MemoryRecord:
        """Let a record that was kept here go to the cloud with the next turn in its scope.

        Raises:
            IdempotencyConflictError: `shown_text` is no longer what would be sent; show the new text and ask again.
            NotFoundError, RefusedMemoryError: as `preview_share`.
        """
        found = await self.judging.read((await self.record(memory)).text)

        def queue() -> MemoryRecord:
            with self._transaction():
                held = self._get(memory)
                self._require_may_leave(held)
                if self.judging.mask(held.text, found).text != shown_text:
                    raise IdempotencyConflictError(_CHANGED)
                return self._writing.let_go(held) if held.cloud is CloudState.KEPT else held

        return await self._writer.run(queue)

    async def why(self, turn: TurnId, used: Sequence[MemoryId]) -> Why:
        """Return the records that a turn used and those that were made of it, as far as they are still there."""

        def look() -> Why:
            def present(ids: Iterable[MemoryId]) -> tuple[MemoryRecord, ...]:
                return tuple(record for each in ids if (record := self._records.get(each)) is not None)

            return Why(used=present(used), kept=present(self._records.derived_from(turn)))

        return await self._writer.run(look)

    async def pending(self) -> tuple[tuple[Asked[Waiting], ...], tuple[AskedNote, ...]]:
        """Return what waits for consent, and of what can be answered no more time and category."""
        return await self._writer.run(lambda: (self._writing.waiting(), self._writing.unanswered()))

    async def answer(self, memory: MemoryId, *, keep: bool) -> MemoryRecord | None:
        """Keep what waits for consent, or let it go; nothing is sent either way. Raises NotFoundError."""

        def answer() -> MemoryRecord | None:
            with self._transaction():
                try:
                    return self._writing.answer(memory, keep=keep)
                except KeyError:
                    raise NotFoundError(NOTHING_WAITS, param="id") from None

        return await self._writer.run(answer)

    @property
    def judge_id(self) -> str:
        """By what new records are judged now."""
        return self._writing.classifier.judge_id

    async def judge_all(self) -> int:
        """Judge every record that this classifier and policy have not judged; return how many were.

        What is kept already stays as it was judged while no text's meaning can be read: a broken installation must not
        empty the cloud.
        """
        count = 0
        judge = self._writing.classifier.judge_id
        while records := await self._writer.run(lambda: self._records.unjudged(judge, _AT_ONCE)):
            for record in records:
                found = await self.judging.read_to_judge(record.text)
                if not self._writing.classifier.is_whole:
                    return count
                await self._writer.run(lambda: self._judge(record, found))  # noqa: B023 - it is awaited
                count += 1
        return count

    def _judge(self, record: MemoryRecord, found: Spans) -> None:
        with self._transaction():
            held = self._records.get(record.id)
            if held is None or held.text != record.text:
                return
            try:
                masked = self.judging.mask(held.text, found)
                judgement = self._writing.classifier.judge(masked.text, masked.value_of)
            except RefusedMemoryError:  # an older version did not see the secret in it: it stays here, and only here
                every = frozenset(self._writing.layout.attributes)
                slot = self._writing.layout.slot_for(every)
                judgement = Judgement(attributes=every, category=None, level=Level.PL3, slot=slot)
            if judgement.is_local_only and held.channel is Channel.BEHAVIOUR:
                self._inferring.undo(held)
            else:
                self._writing.rejudge(held, judgement)

    def _sources(self, telling: Telling) -> list[MemoryRecord]:
        """Return the records that a text was derived from. Raises NotFoundError, RefusedMemoryError."""
        sources = [self._get(MemoryId(each)) for each in sorted(telling.sources) if each.startswith("mem_")]
        if telling.channel is Channel.DERIVED and not sources:
            raise RefusedMemoryError("a derived memory needs its sources", param="sources")
        return sources

    def _origin(self, telling: Telling, sources: Sequence[MemoryRecord]) -> Origin:
        at = int(self._now()) if telling.at is None else telling.at
        reaches = [telling.reach, *(Reach.of(source) for source in sources)]
        leaves = all(source.cloud is not CloudState.KEPT for source in sources)
        return Origin(
            channel=telling.channel,
            reach=most_restrictive(reaches) if sources else telling.reach,
            trust=trust_of(telling.channel, (source.trust for source in sources)),
            created_at=at,
            utc_offset_s=self._offset_of(at),
            sources=telling.sources,
            may_leave=self._shareable and not telling.here_only and leaves,
            kind=Kind.INFERRED if telling.channel is Channel.DERIVED else Kind.STATED,
        )

    def _drafts(self, masked: Masked, sources: Sequence[MemoryRecord], origin: Origin, *, asked: bool) -> list[Draft]:
        moment = Moment(at=origin.created_at, offset_s=self._offset_of(origin.created_at))
        drafts = []
        for proposal in describe(masked.text, moment, self._readers.hold):
            self._readers.hold()
            made = draft(replace(proposal, asked=asked), self._writing.classifier, masked.value_of, numbered=False)
            drafts.append(replace(made, judgement=with_sources(made.judgement, sources, self._writing.layout)))
        return drafts

    def _refuse_incognito(self, conversation: ConversationId | None) -> None:
        if conversation is None:
            return
        row = self._conversations.get(conversation)
        if row is None or row.mode == "incognito":
            raise RefusedMemoryError(_MAY_NOT_WRITE, param="conversation")

    def _require_may_leave(self, record: MemoryRecord) -> None:
        if not self._shareable:
            raise RefusedMemoryError(
                'with placeholder_scope = "conversation" memories stay on this computer: '
                "their placeholders would mean nothing in another conversation"
            )
        if record.cloud is CloudState.LOCAL_ONLY:
            raise RefusedMemoryError("this memory may tell something protected; it never leaves this computer")
        if record.cloud is CloudState.KEPT and not self._may_leave(record):
            raise RefusedMemoryError("this memory is not trusted or is for one application; confirm it first")

    def _may_leave(self, record: MemoryRecord) -> bool:
        trusted = record.trust == MOST and record.application is None
        return self._shareable and trusted and record.cloud is CloudState.KEPT and not record.unclassified

    def _get(self, memory: MemoryId) -> MemoryRecord:
        record = self._records.get(memory)
        if record is None:
            raise NotFoundError(_NO_SUCH, param="id")
        return record


def _edited(held: MemoryRecord, edit: Edit, placeholder_text: str) -> MemoryRecord:
    """Return a record with the owner's changes, which is judged next; `placeholder_text` is its new text, masked."""
    reworded = edit.text is not None and edit.text != held.text
    return replace(
        held,
        text=edit.text or held.text,
        topic=next((choice.topic for choice in told(placeholder_text)), None) if reworded else held.topic,
        channel=Channel.COMMAND if reworded else held.channel,
        trust=MOST if reworded else held.trust,
        consent=Consent.ASKED if reworded else held.consent,
        scope=edit.scope or held.scope,
        importance=held.importance if edit.importance is None else edit.importance,
        audiences=held.audiences if edit.audiences is None else edit.audiences,
        valid_to=held.valid_to if edit.valid_to is None else edit.valid_to,
        revision=held.revision + 1,
        has_position=False,
        placeholder_text=None if reworded and held.shared_at is None else held.placeholder_text,
        session=None if edit.scope not in (None, held.scope) else held.session,
    )


def _refuse_long(text: str) -> None:
    """Refuse what is no statement but a document: every search and every batch would read all of it."""
    if len(text) > MOST_CHARACTERS:
        raise RefusedMemoryError(
            f"a memory has at most {MOST_CHARACTERS:,} characters, and this text has {len(text):,}; tell what matters, "
            "or tell it in parts",
            param="text",
        )
