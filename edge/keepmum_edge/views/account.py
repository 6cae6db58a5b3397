"""What was spent on each attribute and what that means, for the owner's eyes (pure).

Never for the cloud or a client: the sentences name attributes and released views.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from keepmum_shared.view import GENERIC, NANO, AttributeId, Policy, SlotId, format_epsilon
from keepmum_shared.view.budget import MAX_EPSILON, PolicyError, exp_upper

from keepmum_edge.views.ledger import Books, Ground, Stored
from keepmum_edge.views.periods import Calendar, period_end

PRIOR: Final = Fraction(1, 10)
"""The chance that an example in the sentences starts from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasedView:
    """A view that was released and stays: when it first left, and until when; Unix seconds."""

    facet: str
    view: str
    since: int
    until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The state of one attribute; nano-epsilon.

    Attributes:
        spent, cap: Of the period.
        lifetime, lifetime_cap: Of all time.
        sent: Messages of the owner's that themselves touch it; no bound covers those.
        views: Newest first.
        doubted: An older ledger was found, and what it may have forgotten is more than there is: nobody knows what was
            spent.
    """

    attribute: AttributeId
    label: str
    spent: int
    cap: int
    lifetime: int
    lifetime_cap: int
    sent: int
    views: tuple[ReleasedView, ...]
    doubted: bool = False

    @property
    def bound(self) -> int:
        """What the guarantee is stated for: the lifetime cap, or what was charged beyond it by a policy change."""
        return max(self.lifetime_cap, self.lifetime)

    @property
    def state(self) -> str:
        """What was spent, and what that means; the same words for attributes of the same numbers."""
        if self.doubted:
            return (
                "its ledger cannot be relied on: an older copy of the database was put back, or two copies of this"
                " profile ran, so what views have told is not known. Nothing new is ever drawn for it"
            )
        spent = f"spent ε {format_epsilon(self.lifetime)} of {format_epsilon(self.lifetime_cap)}"
        if self.bound > MAX_EPSILON:
            return f"{spent}; views may have shown it outright"
        factor = exp_upper(Fraction(self.bound, NANO))
        posterior = PRIOR * factor / (PRIOR * factor + 1 - PRIOR)
        return (
            f"{spent}; nobody's odds of it change by more than a factor of {_tenths_up(factor)} by views, ever:"
            f" who thought it {math.floor(PRIOR * 100)} % likely comes to at most {math.ceil(posterior * 100)} %"
        )

    @property
    def messages(self) -> str:
        """How many messages of the owner's touch it."""
        return f"{self.sent} message{'' if self.sent == 1 else 's'}"

    def words(self) -> str:
        """Say what the numbers mean."""
        return f"{self.state}. You sent {self.messages} that touch{'es' if self.sent == 1 else ''} this."


def accounts(
    policy: Policy,
    books: Books,
    calendar: Calendar,
    releases: Sequence[tuple[Stored, SlotId, int]],
    touches: Mapping[AttributeId, int],
    *,
    rolled_back: bool = False,
) -> tuple[Account, ...]:
    """Return the account of every attribute, in the order of the policy.

    Args:
        policy: In force.
        books: Charges.
        calendar: Says which period it is.
        releases: Each with its slot and time, oldest first.
        touches: Messages sent, by attribute.
        rolled_back: What an older ledger may have forgotten was charged.
    """
    return tuple(
        Account(
            attribute=each.id,
            label=each.label,
            spent=books.spent(each.id, calendar.period),
            cap=each.cap,
            lifetime=books.lifetime(each.id),
            lifetime_cap=each.lifetime_cap,
            sent=touches.get(each.id, 0),
            doubted=rolled_back and books.lifetime(each.id) > each.lifetime_cap,
            views=tuple(
                _view(policy, stored, at, period_end(calendar, stored.period, policy.period_days))
                for stored, slot, at in reversed(releases)
                if stored.ground in (Ground.DRAWN, Ground.REUSED)
                and slot in policy.layout.slots
                and each.id in policy.layout.gamma(slot)
            ),
        )
        for each in policy.layout.attributes.values()
    )


def _view(policy: Policy, stored: Stored, since: int, until: int) -> ReleasedView:
    try:
        name = policy.vocabulary.view(stored.view).name
    except PolicyError:  # an older policy's; it is generic now
        name = GENERIC
    return ReleasedView(facet=str(stored.unit), view=name, since=since, until=until)


def _tenths_up(value: Fraction) -> str:
    whole, tenth = divmod(math.ceil(value * 10), 10)
    return f"{whole}.{tenth}"
