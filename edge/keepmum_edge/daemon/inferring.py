"""Inferred preferences: what the owner's messages show again and again becomes a record, and stops being one.

Read are placeholder text, the public list of choices and records that the cloud may hold, so nothing here depends on a
masked value or on what lies on this computer alone. What the owner says of a matter stands: it closes what was inferred
of it and what was seen before counts no more, and as long as it holds nothing of the matter is observed. What the owner
deletes is not inferred again from what was seen before. Counts are made of the sessions that are left, so a turn that
is forgotten takes its part of every conclusion along.

On the writer's thread, inside the caller's transaction.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from keepmum_shared.ids import MemoryId

from keepmum_edge.daemon.forget.receipt import Remade, StoreResult
from keepmum_edge.daemon.forget.removal import Forgotten
from keepmum_edge.daemon.memory_writing import MemoryWriting, Written
from keepmum_edge.memory.behaviour import Choice, Matter, Trait, matter_of, shipped_traits, told
from keepmum_edge.memory.behaviour_store import BehaviourStore, Seen, Session
from keepmum_edge.memory.draft import Draft, Origin
from keepmum_edge.memory.preference import believe
from keepmum_edge.memory.propose import Proposal
from keepmum_edge.memory.provenance import ItemId
from keepmum_edge.memory.record import MOST, SELF, Channel, CloudState, Kind, MemoryRecord
from keepmum_edge.memory.scope import Reach
from keepmum_edge.memory.sentences import is_chinese
from keepmum_edge.memory.store import MemoryStore

_DAY_S: Final = 24 * 3600


class Inferring:
    """Follows the choices of one profile.

    Args:
        enabled: Whether anything is observed and inferred at all; what was inferred before stays.
        shareable: False where placeholders mean nothing at the cloud; then every record stays here.
        offset_of: Seconds between the owner's clock and UTC at a Unix time.
        now: Unix seconds.
    """

    def __init__(
        self,
        *,
        records: MemoryStore,
        behaviour: BehaviourStore,
        writing: MemoryWriting,
        enabled: bool,
        shareable: bool,
        offset_of: Callable[[int], int],
        now: Callable[[], float],
    ) -> None:
        self._records = records
        self._behaviour = behaviour
        self._writing = writing
        self._enabled = enabled
        self._shareable = shareable
        self._offset_of = offset_of
        self._now = now

    def day(self, at: int) -> int:
        """Return the day of the owner's clock at a Unix time, counted from 1970."""
        return (at + self._offset_of(at)) // _DAY_S

    def observe(self, choices: Sequence[Choice], seen: Seen, *, chinese: bool) -> Written:
        """Count what a message showed, and infer or drop what follows from it.

        Args:
            choices: What it showed.
            seen: Where and when.
            chinese: Whether a new record is worded in Chinese.
        """
        written = Written()
        if not self._enabled:
            return written
        free = [each for each in choices if not self._is_stated(seen.scope, each.topic)]
        for choice in free:
            self._behaviour.note(seen, choice.trait.id, choice.option, alone=choice.trait.single)
        for trait in {choice.trait.id: choice.trait for choice in free}.values():
            written += self._settle(seen.scope, trait, chinese=chinese)
        return written

    def stated(self, records: Iterable[MemoryRecord]) -> Written:
        """Let what the owner has just said stand: close what was inferred of it, and begin to count anew."""
        closed: list[MemoryId] = []
        for record in records:
            if record.kind is not Kind.STATED or record.subject != SELF or not self._is_of_our_domain(record):
                continue
            for matter in _matters(record):
                self._behaviour.restart(record.scope, matter.trait.id, matter.option)
                for inferred in self._inferred(record.scope, matter.topic):
                    self._writing.close(inferred, at=int(self._now()), successor=record.id)
                    closed.append(inferred.id)
        return Written(closed=tuple(closed))

    def owned(self, record: MemoryRecord) -> MemoryRecord:
        """Return an inferred record as its owner's own word, which it has just become; what was seen is let go."""
        if record.channel is Channel.BEHAVIOUR:
            self._restart(record)
            record = replace(record, channel=Channel.COMMAND, sources=frozenset())
        kind = Kind.STATED if record.kind is Kind.INFERRED else record.kind
        return replace(record, kind=kind, confidence=MOST)

    def undo(self, record: MemoryRecord) -> None:
        """Delete what must not have been inferred, as a new classifier or policy sees it, and what was seen of it."""
        self._restart(record)
        self._writing.delete(record)

    def forget(self, gone: Forgotten) -> Iterable[StoreResult | Remade]:
        """Take away what forgotten turns showed, and infer again what the rest still bears out.

        What was asked for itself is not inferred again from what was seen before.
        """
        inferred = [record for record in gone.records if record.channel is Channel.BEHAVIOUR]
        for record in inferred:
            if ItemId(record.id) in gone.asked:
                self._restart(record)
        count, touched = self._behaviour.forget(gone.turns, gone.conversations, everything=gone.everything)
        yield StoreResult(store="behaviour", removed=count)
        old = {(record.scope, record.topic): record for record in inferred if record.valid_to is None}
        for scope, name in sorted(touched):
            trait = shipped_traits().get(name)
            chinese = any(is_chinese(record.text) for record in inferred if record.scope == scope)
            written = Written() if trait is None else self._settle(scope, trait, chinese=chinese)
            for new in written.kept:
                if (before := old.get((scope, new.topic))) is not None:
                    yield Remade(old=before.id, new=new.id)

    def _settle(self, scope: str, trait: Trait, *, chinese: bool) -> Written:
        """Bring the records of a trait to what its sessions bear out."""
        sessions = self._behaviour.sessions(scope, trait.id)
        written = Written()
        holding: list[str] = []
        for record in self._held(scope, trait):
            option = trait.option_of(record.text)
            belief = believe(_showing(sessions, option), trait.share, trait.tuning)
            if option is None or not belief.holds(trait.share, held=True):
                self._writing.close(record, at=int(self._now()), successor=None)
                written += Written(closed=(record.id,))
                continue
            holding.append(option)
            again = replace(record, confidence=belief.confidence(trait.share), sources=_turns(sessions, option))
            if again != record:
                self._records.put(again)
        for option in trait.wordings:
            belief = believe(_showing(sessions, option), trait.share, trait.tuning)
            if option not in holding and belief.holds(trait.share, held=False, least=trait.least):
                origin = self._origin(scope, belief.confidence(trait.share), _turns(sessions, option))
                draft = self._draft(Choice(trait=trait, option=option), chinese=chinese)
                if not draft.judgement.is_local_only:
                    written += self._writing.write((draft,), origin)
        return written

    def _draft(self, choice: Choice, *, chinese: bool) -> Draft:
        text, topic = choice.trait.wording(choice.option, chinese=chinese), choice.topic
        return Draft(
            proposal=Proposal(text=text, topic=topic, replaces_topic=choice.trait.single),
            text=text,
            subject=SELF,
            topic=topic,
            ends=frozenset(),
            judgement=self._writing.classifier.judge(text, lambda _: None),
            numbered=True,
        )

    def _origin(self, scope: str, confidence: int, sources: frozenset[str]) -> Origin:
        at = int(self._now())
        return Origin(
            channel=Channel.BEHAVIOUR,
            reach=Reach(scope=scope),
            trust=MOST,
            created_at=at,
            utc_offset_s=self._offset_of(at),
            sources=sources,
            may_leave=self._shareable,
            kind=Kind.INFERRED,
            confidence=confidence,
        )

    def _held(self, scope: str, trait: Trait) -> tuple[MemoryRecord, ...]:
        topics = dict.fromkeys(map(trait.topic_of, trait.wordings))
        return tuple(record for topic in topics for record in self._inferred(scope, topic))

    def _inferred(self, scope: str, topic: str) -> tuple[MemoryRecord, ...]:
        return tuple(r for r in self._records.on_topic(scope, SELF, topic) if r.channel is Channel.BEHAVIOUR)

    def _is_stated(self, scope: str, topic: str) -> bool:
        held = self._records.on_topic(scope, SELF, topic)
        return any(record.kind is Kind.STATED and self._is_of_our_domain(record) for record in held)

    def _is_of_our_domain(self, record: MemoryRecord) -> bool:
        """Say whether a record may sway what is inferred: one that stays here sways nothing that the cloud gets."""
        if record.slot is not None:
            return False
        return (record.cloud is not CloudState.KEPT) == self._shareable

    def _restart(self, record: MemoryRecord) -> None:
        for matter in _matters(record):
            self._behaviour.restart(record.scope, matter.trait.id, matter.option)


def _matters(record: MemoryRecord) -> tuple[Matter, ...]:
    """Return what a record is about of all that can be inferred; clear words are not read."""
    own = matter_of(record.topic)
    if own is None:
        return ()
    others = (matter_of(choice.topic) for choice in told(record.placeholder_text or ""))
    return tuple(dict.fromkeys((own, *filter(None, others))))


def _showing(sessions: Sequence[Session], option: str | None) -> list[bool]:
    return [option in session.shown for session in sessions]


def _turns(sessions: Sequence[Session], option: str) -> frozenset[str]:
    return frozenset(session.shown[option] for session in sessions if option in session.shown)
