"""Which records may be found at all: asked before anything is ranked, so that no other record sways a rank (pure)."""

from dataclasses import dataclass, field
from typing import Final

FULL_TRUST: Final = 100
TRUST_MIN: Final = 50
"""In hundredths: the owner's own words have 100, what a page, a mail or a tool said has 20."""
MIDDLE_IMPORTANCE: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What a record is, apart from its words.

    Attributes:
        session: Which records belong together; opaque, None: this one stands alone.
        created_at: Unix seconds.
        valid_from, valid_to: Unix seconds, half-open; `valid_to` None: valid until something supersedes it.
        importance: 0..100.
        trust: 0..100.
        application: The only client that may use it; None: any.
        audiences: Labels of others who may learn of it; the owner always may.
    """

    session: str | None = None
    created_at: int
    valid_from: int = 0
    valid_to: int | None = None
    importance: int = MIDDLE_IMPORTANCE
    trust: int = FULL_TRUST
    application: str | None = None
    audiences: frozenset[str] = field(default=frozenset())


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Who asks, when, and for what kind of record.

    Attributes:
        now: Unix seconds.
        application: Which client asks; None: one that sees what any may.
        audience: Label of the other who asks; None: the owner.
        trust_min: The least trust that counts.
        closed: Whether records are wanted that were valid once and are not any more.
    """

    now: int
    application: str | None = None
    audience: str | None = None
    trust_min: int = TRUST_MIN
    closed: bool = False
