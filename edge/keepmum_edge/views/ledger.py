"""What was charged to whom, and whether one more draw fits (pure).

A privacy filter under basic composition (Rogers et al., NeurIPS 2016): a draw is admitted only if afterwards every
attribute of its gamma is within its cap of the period and its lifetime cap (C5). Units: nano-epsilon, integers.

Charges are only ever added. Deleting a memory, turning a period or setting the clock back gives nothing back.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol

from keepmum_shared.view import AttributeId, FacetId, Layout, SlotId, ViewId


class Cause(StrEnum):
    """Why something was charged.

    DRAW: a draw, with it. INTENT: a draw that a crash cut off before it was stored; its key may be drawn once more
    without a charge. LISTING: an earlier draw on a slot that is newly listed for the attribute. ROLLBACK: what an older
    database may have forgotten.
    """

    DRAW = "draw"
    INTENT = "intent"
    LISTING = "listing"
    ROLLBACK = "rollback"


class Ground(StrEnum):
    """Why a view is what it is. All of it is public: none depends on what a slot holds."""

    DRAWN = "drawn"
    REUSED = "reused"
    EARLY = "early"
    SILENCED = "silenced"
    NO_CHOICE = "no_choice"
    SPENT = "spent"
    FROZEN = "frozen"


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """Nano-epsilon charged to one attribute for one draw. `key` is that of the selection."""

    attribute: AttributeId
    slot: SlotId
    key: str
    period: int
    epsilon: int
    cause: Cause = Cause.DRAW


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A view that was released under a key."""

    key: str
    unit: FacetId | SlotId
    period: int
    view: ViewId
    ground: Ground


class Books(Protocol):
    """What a decision reads besides the selection."""

    def stored(self, key: str) -> Stored | None:
        """Return what was released under a key."""
        ...

    def latest(self, unit: FacetId | SlotId) -> ViewId | None:
        """Return the newest view that was drawn for a facet or slot, in whatever period."""
        ...

    def spent(self, attribute: AttributeId, period: int) -> int:
        """Return the sum of the charges of one period."""
        ...

    def lifetime(self, attribute: AttributeId) -> int:
        """Return the sum of all charges."""
        ...

    def paid(self, key: str, period: int) -> bool:
        """Say whether a draw was charged under this key in this period and never stored."""
        ...

    def silenced(self, slot: SlotId) -> bool:
        """Say whether the user silenced a slot."""
        ...

    def frozen(self, period: int) -> bool:
        """Say whether nothing may be drawn in this period, because an older database was found."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainBooks:
    """Books as a value: those of the audit, and the model that the store is tested against."""

    charges: tuple[Charge, ...] = ()
    releases: Mapping[str, Stored] = field(default_factory=dict)
    silent: frozenset[SlotId] = frozenset()
    frozen_before: int = -1

    def stored(self, key: str) -> Stored | None:
        """Return what was released under a key."""
        return self.releases.get(key)

    def latest(self, unit: FacetId | SlotId) -> ViewId | None:
        """Return the newest view that was drawn for a facet or slot."""
        drawn = [each.view for each in self.releases.values() if each.unit == unit and each.ground == Ground.DRAWN]
        return drawn[-1] if drawn else None

    def spent(self, attribute: AttributeId, period: int) -> int:
        """Return the sum of the charges of one period."""
        return sum(each.epsilon for each in self.charges if each.attribute == attribute and each.period == period)

    def lifetime(self, attribute: AttributeId) -> int:
        """Return the sum of all charges."""
        return sum(each.epsilon for each in self.charges if each.attribute == attribute)

    def paid(self, key: str, period: int) -> bool:
        """Say whether a draw was charged under this key in this period and never stored."""
        cut_off = (each for each in self.charges if each.cause == Cause.INTENT)
        return key not in self.releases and any((each.key, each.period) == (key, period) for each in cut_off)

    def silenced(self, slot: SlotId) -> bool:
        """Say whether the user silenced a slot."""
        return slot in self.silent

    def frozen(self, period: int) -> bool:
        """Say whether nothing may be drawn in this period."""
        return period < self.frozen_before

    def charged(self, charges: Iterable[Charge]) -> "PlainBooks":
        """Return the books with more charges."""
        return replace(self, charges=(*self.charges, *charges))

    def released(self, stored: Stored) -> "PlainBooks":
        """Return the books with one more release."""
        return replace(self, releases={**self.releases, stored.key: stored})


def admits(books: Books, layout: Layout, gamma: Iterable[AttributeId], epsilon: int, period: int) -> bool:
    """Say whether a draw fits into every cap it touches, before it is made."""
    return all(
        books.spent(attribute, period) + epsilon <= layout.attributes[attribute].cap
        and books.lifetime(attribute) + epsilon <= layout.attributes[attribute].lifetime_cap
        for attribute in gamma
    )


def listing_charges(before: Layout, after: Layout, charges: Iterable[Charge]) -> tuple[Charge, ...]:
    """Return what a policy change charges: every earlier draw on a slot, to each attribute that it newly lists.

    Args:
        before: The layout that was.
        after: The layout that takes effect; a slot that it dropped charges nobody.
        charges: All so far.
    """
    draws = {(each.slot, each.key): each for each in charges if each.cause in (Cause.DRAW, Cause.INTENT)}
    have = {(each.attribute, each.slot, each.key) for each in charges}
    return tuple(
        replace(draw, attribute=attribute, cause=Cause.LISTING)
        for (slot, key), draw in draws.items()
        if slot in after.slots
        for attribute in sorted(after.gamma(slot) - (before.gamma(slot) if slot in before.slots else frozenset()))
        if (attribute, slot, key) not in have
    )
