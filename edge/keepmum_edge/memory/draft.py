"""A proposal on its way to become a record: with its values, and judged (pure)."""

from collections.abc import Callable
from dataclasses import dataclass, field

from keepmum_shared.ids import MemoryId, SessionKey
from keepmum_shared.placeholder import Placeholder, scan

from keepmum_edge.memory.classify import Classifier, Judgement
from keepmum_edge.memory.propose import Proposal
from keepmum_edge.memory.record import MOST, Channel, CloudState, Consent, Kind, MemoryRecord
from keepmum_edge.memory.scope import Reach
from keepmum_edge.memory.trust import TRUST_MIN
from keepmum_edge.memory.wording import content_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a record comes from and where it may be used.

    Attributes:
        sources: Ids of turns, records and documents that it was derived from.
        trust: 0..100.
        may_leave: False if its owner keeps it on this computer, or no placeholder means anything at the cloud.
        created_at: Unix seconds.
        utc_offset_s: Of the owner's clock then.
        confidence: 0..100.
    """

    channel: Channel
    reach: Reach
    trust: int
    created_at: int
    utc_offset_s: int | None = None
    sources: frozenset[str] = frozenset()
    session: SessionKey | None = None
    may_leave: bool = True
    kind: Kind = Kind.STATED
    confidence: int = MOST


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A judged proposal with its values.

    Attributes:
        proposal: In placeholder text.
        text, subject, topic: The same in clear.
        ends: Content words in clear of what it ends; read for local-only records alone.
        numbered: Whether its placeholders are bound numbers, and not only those that would be given.
    """

    proposal: Proposal = field(repr=False)
    text: str = field(repr=False)
    subject: str = field(repr=False)
    topic: str | None = field(repr=False)
    ends: frozenset[str] = field(repr=False)
    judgement: Judgement = field(repr=False)
    numbered: bool

    @property
    def needs_consent(self) -> bool:
        """Whether it may be kept only if its owner says yes."""
        return self.judgement.category is not None and not self.proposal.asked


def draft(
    proposal: Proposal, classifier: Classifier, value_of: Callable[[Placeholder], str | None], *, numbered: bool
) -> Draft:
    """Judge a proposal by its placeholder text, and put its values in."""

    def clear(text: str) -> str:
        return with_values(text, value_of)

    return Draft(
        proposal=proposal,
        text=clear(proposal.text),
        subject=clear(proposal.subject),
        topic=None if proposal.topic is None else clear(proposal.topic),
        ends=frozenset(word for end in proposal.ends for word in content_words(clear(end)) or {end}),
        judgement=classifier.judge(proposal.text, value_of),
        numbered=numbered,
    )


def as_record(memory: MemoryId, made: Draft, origin: Origin, judge_id: str, consent: Consent) -> MemoryRecord:
    """Return the record of a draft; whether it holds a position of its slot is not decided here."""
    proposal, judgement = made.proposal, made.judgement
    return MemoryRecord(
        id=memory,
        kind=origin.kind,
        text=made.text,
        subject=made.subject,
        topic=made.topic,
        slot=judgement.slot,
        attributes=judgement.attributes,
        category=judgement.category,
        level=judgement.level,
        confidence=origin.confidence,
        importance=proposal.importance,
        scope=origin.reach.scope,
        application=origin.reach.application,
        audiences=origin.reach.audiences,
        created_at=origin.created_at,
        utc_offset_s=origin.utc_offset_s,
        valid_from=proposal.valid_from,
        valid_to=proposal.valid_to,
        channel=origin.channel,
        sources=origin.sources,
        trust=origin.trust,
        consent=consent,
        session=origin.session,
        judged_by=judge_id,
        cloud=cloud_state(judgement, origin),
        placeholder_text=proposal.text if made.numbered and not judgement.is_local_only else None,
    )


def cloud_state(judgement: Judgement, origin: Origin) -> CloudState:
    """Return what the cloud may hold of a new record."""
    if judgement.is_local_only:
        return CloudState.LOCAL_ONLY
    if not origin.may_leave or origin.trust < TRUST_MIN or origin.reach.application is not None:
        return CloudState.KEPT
    return CloudState.QUEUED


def with_values(text: str, value_of: Callable[[Placeholder], str | None]) -> str:
    """Return a text with every placeholder replaced whose value is known."""
    pieces: list[str] = []
    position = 0
    for start, end, token in scan(text):
        value = value_of(token)
        pieces += (text[position:start], text[start:end] if value is None else value)
        position = end
    return "".join((*pieces, text[position:]))
