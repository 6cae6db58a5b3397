"""One memory of the owner, as the edge keeps it: every field of design section 7.

kind      stated (the owner said it), inferred (concluded, so uncertain; `confidence` says how sure), history (it held
          once, and something else took its place or it was said to hold no longer)
subject   whose fact it is: SELF, or another person in the owner's words; never merged across subjects
validity  [valid_from, valid_to): a fact that was superseded keeps its text and gets an end and a successor
channel   where the text came from; with the sources it decides the trust (`memory.trust`)
cloud     what the cloud may hold of it. A record that may imply a protected attribute is `local_only` for good, lies in
          a slot of the public layout, and no other part of it is ever sent.

confidence, importance and trust are hundredths, 0..100.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from keepmum_shared.ids import MemoryId, SessionKey
from keepmum_shared.taxonomy import Level
from keepmum_shared.view.layout import AttributeId, SlotId

SELF: Final = "self"
"""The subject that is the owner."""
MOST_CHARACTERS: Final = 4_000
"""Of a record's text: a statement has a few dozen, and reading so many for private spans takes a fifth of a second."""
USER_SCOPE: Final = "user"
"""The owner's general scope; any other name is a project."""
MOST: Final = 100
"""Full confidence, importance or trust."""


class Kind(StrEnum):
    """How a record came to be."""

    STATED = "stated"
    INFERRED = "inferred"
    HISTORY = "history"


class Channel(StrEnum):
    """Where a text came from."""

    CHAT = "chat"
    """The owner's own words in a message."""
    COMMAND = "command"
    """The owner told Keepmum itself: command line, /remember, dashboard."""
    CONTACT = "contact"
    APPLICATION = "application"
    TOOL = "tool"
    WEB = "web"
    MAIL = "mail"
    BEHAVIOUR = "behaviour"
    """Concluded from what the owner's messages show again and again (`memory.behaviour`); its sources are turns."""
    DERIVED = "derived"
    """Made from other records; its trust is that of the least trusted of them."""


class Consent(StrEnum):
    """Whether the write should have happened at all."""

    NOT_NEEDED = "not_needed"
    ASKED = "asked"
    """The owner asked for it in so many words."""
    GRANTED = "granted"
    """The owner was asked, and said yes."""


class CloudState(StrEnum):
    """What the cloud may hold of a record.

    LOCAL_ONLY  nothing, ever: it may imply a protected attribute, or is of a category that needs consent
    KEPT        nothing: the owner keeps it here, or it is not trusted; it may become eligible by the owner's word
    QUEUED      goes with the batch of the next turn in its scope; an older version may be there (`shared_at`)
    SENT        left with a turn that has not been confirmed; it may be there
    SHARED      the cloud has confirmed
    """

    LOCAL_ONLY = "local_only"
    KEPT = "kept"
    QUEUED = "queued"
    SENT = "sent"
    SHARED = "shared"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRecord:
    """A memory. Times are Unix seconds.

    Attributes:
        text: In clear; never leaves this computer.
        subject: SELF or words for another person, in clear.
        topic: What of its subject it tells, if only one such fact can hold at a time; in clear.
        slot: Of the layout; None for what is not LOCAL_ONLY.
        has_position: Whether it holds one of the slot's positions, and so enters its scores.
        attributes: Protected attributes that it may imply.
        category: Of GDPR Article 9, or finances; None: neither.
        level: The highest of the private spans in it; PL1 if there is none.
        application: The only client that may use it; None: any.
        audiences: Labels of others who may learn of it; the owner always may.
        utc_offset_s: Of the owner's clock when it was said; None: not known.
        successor: The record that superseded it.
        sources: Ids that it was derived from: turns, records, documents.
        session: Records with one key come from one conversation.
        revision: Grows with every change by its owner.
        judged_by: The classifier and policy that judged it; None: none has yet.
        placeholder_text: What goes, or went, to the cloud; None: not made yet.
        shared_at: Since when the cloud may hold a version of it; None: it never left.
    """

    id: MemoryId
    kind: Kind = Kind.STATED
    text: str = field(repr=False)
    subject: str = field(default=SELF, repr=False)
    topic: str | None = field(default=None, repr=False)
    slot: SlotId | None = field(default=None, repr=False)
    has_position: bool = False
    attributes: frozenset[AttributeId] = field(default=frozenset(), repr=False)
    category: str | None = field(default=None, repr=False)
    level: Level = Level.PL1
    confidence: int = MOST
    importance: int = 50
    scope: str
    application: str | None = None
    audiences: frozenset[str] = frozenset()
    created_at: int
    utc_offset_s: int | None = None
    valid_from: int | None = None
    valid_to: int | None = None
    successor: MemoryId | None = None
    channel: Channel = Channel.COMMAND
    sources: frozenset[str] = frozenset()
    trust: int = MOST
    consent: Consent = Consent.NOT_NEEDED
    last_used: int | None = None
    session: SessionKey | None = None
    revision: int = 1
    judged_by: str | None = None
    cloud: CloudState = CloudState.KEPT
    placeholder_text: str | None = field(default=None, repr=False)
    shared_at: int | None = None

    def __post_init__(self) -> None:
        for name in ("confidence", "importance", "trust"):
            if not 0 <= getattr(self, name) <= MOST:
                raise ValueError(f"{name} is 0..{MOST}")
        if not self.text.strip() or not self.subject.strip():
            raise ValueError("a record has a text and a subject")
        if self.level is Level.PL4:
            raise ValueError("a secret is never remembered")
        if self.valid_from is not None and self.valid_to is not None and self.valid_from > self.valid_to:
            raise ValueError("a record does not end before it begins")
        if self.slot is not None and self.cloud is not CloudState.LOCAL_ONLY:
            raise ValueError("only a local-only record lies in a slot")
        if self.has_position and (self.slot is None or self.scope != USER_SCOPE):
            raise ValueError("only records of the general scope hold positions")
        if self.attributes and self.judged_by is not None and self.cloud is not CloudState.LOCAL_ONLY:
            raise ValueError("what may imply a protected attribute is local-only")
        if self.cloud is CloudState.LOCAL_ONLY and self.shared_at is not None:
            raise ValueError("a local-only record never left")
        if self.cloud in (CloudState.SENT, CloudState.SHARED) and self.shared_at is None:
            raise ValueError("what left has a time")
        if self.shared_at is not None and self.placeholder_text is None:
            raise ValueError("a shared memory has both its placeholder text and its time")

    @property
    def unclassified(self) -> bool:
        """Whether no classifier has judged it yet."""
        return self.judged_by is None

    def holds_at(self, now: int) -> bool:
        """Say whether it is valid at a time."""
        return (self.valid_from is None or self.valid_from <= now) and (self.valid_to is None or now < self.valid_to)
