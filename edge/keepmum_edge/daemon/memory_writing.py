"""How drafts become records: consent, duplicates, what is superseded, positions, and what waits for the cloud.

Everything here runs on the writer's thread, inside the caller's transaction. A new record is compared with records of
its own domain alone (`memory.supersede`): what the cloud may hold, or what lies in its slot. A record that is closed at
the cloud goes there again with its end; one that lies here is closed here, and nothing is sent.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from keepmum_shared.ids import MemoryId, new_memory_id
from keepmum_shared.view import Layout, Policy

from keepmum_edge.memory.asked_store import AskedNote, AskedStore
from keepmum_edge.memory.classify import Classifier, Judgement
from keepmum_edge.memory.consent import Asked, PendingConsents
from keepmum_edge.memory.draft import Draft, Origin, as_record
from keepmum_edge.memory.implied import Implied
from keepmum_edge.memory.record import USER_SCOPE, CloudState, Consent, Kind, MemoryRecord
from keepmum_edge.memory.slots import displaced
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.memory.supersede import closed_by, same_as
from keepmum_edge.memory.trust import TRUST_MIN, is_own_word

Waiting = tuple[Draft, Origin]
"""What waits for consent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What became of some drafts.

    Attributes:
        kept: New records.
        known: Records that said the same already.
        closed: Ids of what holds no longer.
        asked: What waits for its owner's yes.
    """

    kept: tuple[MemoryRecord, ...] = ()
    known: tuple[MemoryRecord, ...] = ()
    closed: tuple[MemoryId, ...] = ()
    asked: tuple[Asked[Waiting], ...] = field(default=(), repr=False)

    def __add__(self, more: "Written") -> "Written":
        """Return both, in their order."""
        return Written(
            kept=self.kept + more.kept,
            known=self.known + more.known,
            closed=self.closed + more.closed,
            asked=self.asked + more.asked,
        )


class MemoryWriting:
    """Writes records of one profile.

    Args:
        policy: The public policy in force; another one may come into force while the daemon runs.
        meaning: Reads texts for what no cue says.
        withdraw: Queues deletions at the cloud, inside the transaction.
        new_id: Draws the id of a new record.
        now: Unix seconds.
    """

    def __init__(
        self,
        *,
        records: MemoryStore,
        asked: AskedStore,
        policy: Callable[[], Policy],
        meaning: Implied,
        withdraw: Callable[[Iterable[MemoryId]], None],
        new_id: Callable[[], MemoryId] = new_memory_id,
        now: Callable[[], float],
    ) -> None:
        self._records = records
        self._asked = asked
        self._policy = policy
        self._withdraw = withdraw
        self._new_id = new_id
        self._now = now
        self._meaning = meaning
        self._classifier = Classifier(policy(), meaning)
        self.pending: PendingConsents[Waiting] = PendingConsents()

    @property
    def layout(self) -> Layout:
        """Slots and attributes of the policy in force."""
        return self._policy().layout

    @property
    def classifier(self) -> Classifier:
        """Judges by the policy in force."""
        policy = self._policy()
        if not self._classifier.is_of(policy):
            self._classifier = Classifier(policy, self._meaning)
        return self._classifier

    def write(self, drafts: Sequence[Draft], origin: Origin) -> Written:
        """Keep what may be kept; let wait what needs consent."""
        kept: list[MemoryRecord] = []
        known: list[MemoryRecord] = []
        closed: list[MemoryId] = []
        asked: list[Asked[Waiting]] = []
        for draft in drafts:
            if draft.needs_consent:
                asked.append(self._ask(draft, origin))
                continue
            consent = Consent.ASKED if draft.proposal.asked else Consent.NOT_NEEDED
            record, ended, is_new = self._keep(self._new_id(), draft, origin, consent)
            (kept if is_new else known).append(record)
            closed += ended
        return Written(kept=tuple(kept), known=tuple(known), closed=tuple(closed), asked=tuple(asked))

    def waiting(self) -> tuple[Asked[Waiting], ...]:
        """Return what waits for consent now."""
        return self.pending.waiting(int(self._now()))

    def unanswered(self) -> tuple[AskedNote, ...]:
        """Return what was asked and can be answered no more: time and category."""
        live = {asked.id for asked in self.waiting()}
        return tuple(note for note in self._asked.list() if note.id not in live)

    def answer(self, memory: MemoryId, *, keep: bool) -> MemoryRecord | None:
        """Keep what waits, or let it go; None if it is let go. Its note goes too.

        Raises:
            KeyError: it does not wait (any more).
        """
        asked = self.pending.take(memory, int(self._now()))
        noted = self._asked.remove(memory)
        if asked is None:
            if noted and not keep:
                return None
            raise KeyError(memory)
        if not keep:
            return None
        draft, origin = asked.draft
        return self._keep(asked.id, draft, origin, Consent.GRANTED)[0]

    def rejudge(self, record: MemoryRecord, judgement: Judgement) -> MemoryRecord:
        """Apply another judgement to a record, and delete at the cloud what may not be there."""
        cloud, placeholder_text, shared_at = record.cloud, record.placeholder_text, record.shared_at
        if judgement.is_local_only:
            if shared_at is not None:
                self._withdraw([record.id])
            cloud, placeholder_text, shared_at = CloudState.LOCAL_ONLY, None, None
        elif cloud is CloudState.LOCAL_ONLY:
            cloud = CloudState.KEPT  # to send it takes its owner's word
        elif shared_at is not None:
            cloud = CloudState.QUEUED
        changed = replace(
            record,
            slot=judgement.slot,
            has_position=False,
            attributes=judgement.attributes,
            category=judgement.category,
            level=judgement.level,
            judged_by=self.classifier.judge_id,
            cloud=cloud,
            placeholder_text=placeholder_text,
            shared_at=shared_at,
        )
        changed = self._once(changed)
        self._records.put(changed)
        return self.positioned(changed)

    def close(self, record: MemoryRecord, *, at: int, successor: MemoryId | None) -> MemoryRecord:
        """Make a record history: its validity ends; the cloud's copy goes there again with its end."""
        begun = min(record.valid_from, at) if record.valid_from is not None else None
        ended = replace(record, valid_from=begun, valid_to=at, successor=successor, has_position=False)
        closed = replace(ended, kind=Kind.HISTORY)
        if record.shared_at is not None:
            closed = replace(closed, cloud=CloudState.QUEUED)
        elif record.cloud is CloudState.QUEUED:
            closed = replace(closed, cloud=CloudState.KEPT)  # it never left, and need not
        self._records.put(closed)
        return closed

    def delete(self, record: MemoryRecord) -> None:
        """Delete a record that must not be kept at all, here and at the cloud."""
        if record.shared_at is not None:
            self._withdraw([record.id])
        self._records.delete(record.id)

    def keep_here(self, record: MemoryRecord) -> None:
        """Keep on this computer what was about to be sent; delete at the cloud what is there of it."""
        if record.shared_at is not None:
            self._withdraw([record.id])
        self._records.put(self._once(replace(record, cloud=CloudState.KEPT, placeholder_text=None, shared_at=None)))

    def let_go(self, record: MemoryRecord) -> MemoryRecord:
        """Queue for the cloud what was kept here; if the same is on its way there already, this one has ended."""
        queued = self._once(replace(record, cloud=CloudState.QUEUED))
        if queued.valid_to is not None and record.valid_to is None:
            queued = replace(queued, cloud=CloudState.KEPT)
        self._records.put(queued)
        return queued

    def _once(self, changed: MemoryRecord) -> MemoryRecord:
        """Return a record that changes its domain; ended, if the same is said already where it belongs now."""
        same = same_as(changed, self._records.beside(changed, whole=False)) if changed.valid_to is None else None
        if same is None:
            return changed
        begun = None if changed.valid_from is None else min(changed.valid_from, int(self._now()))
        return replace(changed, valid_from=begun, valid_to=int(self._now()), successor=same.id)

    def _ask(self, draft: Draft, origin: Origin) -> Asked[Waiting]:
        asked = Asked(
            id=self._new_id(),
            category=str(draft.judgement.category),
            asked_at=int(self._now()),
            draft=(draft, origin),
        )
        self.pending.add(asked)
        self._asked.add(AskedNote(id=asked.id, category=asked.category, asked_at=asked.asked_at))
        return asked

    def _keep(
        self, memory: MemoryId, draft: Draft, origin: Origin, consent: Consent
    ) -> tuple[MemoryRecord, list[MemoryId], bool]:
        record = as_record(memory, draft, origin, self.classifier.judge_id, consent)
        ends = draft.ends if record.slot is not None else draft.proposal.ends
        others = self._records.beside(record, whole=bool(ends))
        same = same_as(record, others)
        if same is not None and record.valid_to is None:
            return self._strengthened(same, record), [], False
        ended = closed_by(record, others, replaces_topic=draft.proposal.replaces_topic, ends=ends, words_of=_readable)
        stored = self._records.add(record)
        if stored.id != record.id:
            return stored, [], False
        for other in ended:
            self.close(other, at=origin.created_at, successor=record.id)
        return self.positioned(record), [other.id for other in ended], True

    def _strengthened(self, held: MemoryRecord, new: MemoryRecord) -> MemoryRecord:
        """Return a held record that was said again; what its owner said once more gains by it."""
        if not is_own_word(new.channel):
            return held
        sources, trust = held.sources | new.sources, max(held.trust, new.trust)
        stronger = replace(held, sources=sources, trust=trust, importance=max(held.importance, new.importance))
        if stronger != held:
            self._records.put(stronger)
        return stronger

    def positioned(self, record: MemoryRecord) -> MemoryRecord:
        """Give a record a position of its slot; a full slot gives up its least important one."""
        if record.slot is None or record.scope != USER_SCOPE or record.trust < TRUST_MIN or record.valid_to is not None:
            return record
        slots = self.layout.slots
        if record.slot not in slots:  # an older policy's; it is judged again
            return record
        held = self._records.positions(record.slot)
        over = displaced(held, slots[record.slot].capacity)
        if over is not None:
            self._records.put(replace(over, has_position=False))
        placed = replace(record, has_position=True)
        self._records.put(placed)
        return placed


def _readable(record: MemoryRecord) -> str:
    """Return the text that may be read for superseding: clear words of local-only records alone."""
    return record.text if record.slot is not None else record.placeholder_text or ""
