"""From a routed message to selections: candidates, gamma, epsilon, mechanism and key, all from public inputs (C4)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Final

from keepmum_shared.ids import TurnId
from keepmum_shared.view import AttributeId, Facet, FacetId, Policy, SlotId, TopicId, ViewId
from keepmum_shared.view.budget import odds_within

from keepmum_edge.views.mechanisms import PAPER_SENSITIVITY, Exponential, Mechanism, RandomisedResponse
from keepmum_edge.views.router import MAX_RELEVANCE, Routed
from keepmum_edge.views.scorer import MAX_SCORE

Relevance = Callable[[ViewId], int]
OTHERS: Final = 3
"""Candidates of the paper's modes beside generic: a hard, public filter."""


class ReleasePolicy(StrEnum):
    """When to draw. STICKY: once a facet and period. ONLINE, PREALLOCATED: the paper's modes, once a slot and turn."""

    STICKY = "sticky"
    ONLINE = "online"
    PREALLOCATED = "preallocated"


class MechanismName(StrEnum):
    """How to draw."""

    KRR = "krr"
    EXPONENTIAL = "exponential"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """One choice that a turn asks for. Everything here is public.

    Attributes:
        key: A second selection with the same key is the same one.
        unit: The facet (sticky) or the slot (the paper's modes).
        candidates: Generic first, then vocabulary order.
        topics: Of each candidate, what it is worded for.
        relevance: r of each candidate, 0..10; all 0 under `sticky`.
        known: Every view that the unit has; a stored one outside it is generic now.
        gamma: Attributes that a draw is charged to.
        epsilon: Nano-epsilon of a draw, 0 if there is nothing to choose.
        mechanism: None if there is nothing to choose.
        period: BEFORE_FIRST (-1) before the first date.
        reuses: Whether an earlier period's view stands in when nothing may be drawn.
    """

    key: str
    unit: FacetId | SlotId
    slot: SlotId
    candidates: tuple[ViewId, ...]
    topics: Mapping[ViewId, TopicId] = field(hash=False)
    relevance: tuple[int, ...]
    known: frozenset[ViewId]
    gamma: frozenset[AttributeId]
    epsilon: int
    mechanism: Mechanism | None
    period: int
    reuses: bool

    @property
    def generic(self) -> ViewId:
        """The view that needs no charge."""
        return self.candidates[0]


class Selections:
    """Makes the selections of a turn under one policy, release policy and mechanism."""

    def __init__(self, policy: Policy, release: ReleasePolicy, mechanism: MechanismName) -> None:
        self.policy = policy
        self.release = release
        self._name = mechanism
        self._mechanisms: dict[tuple[int, FacetId | None], Mechanism] = {}

    def of_turn(self, turn: TurnId, period: int, routed: Routed, relevance: Relevance) -> tuple[Selection, ...]:
        """Return the selections in the policy's order.

        Args:
            turn: Of the request; a retry has the same.
            period: Index, -1 before the first.
            routed: By `Router.route`.
            relevance: r of a view for this message; used by the paper's modes only.
        """
        facets = self.policy.vocabulary.facets
        if self.release == ReleasePolicy.STICKY:
            return tuple(self._of_facet(facets[facet], period, topic) for facet, topic in routed.facets.items())
        by_slot: dict[SlotId, dict[ViewId, TopicId]] = {}
        for facet, topic in routed.facets.items():
            by_slot.setdefault(facets[facet].slot, {}).update((view.id, topic) for view in facets[facet].views)
        return tuple(self._of_slot(slot, turn, period, topics, relevance) for slot, topics in by_slot.items())

    def _of_facet(self, facet: Facet, period: int, topic: TopicId) -> Selection:
        views = tuple(view.id for view in facet.views)
        epsilon = self.policy.epsilon(facet) if facet.draws else 0
        return Selection(
            key=f"{period}:{facet.id}",
            unit=facet.id,
            slot=facet.slot,
            candidates=views,
            topics=dict.fromkeys(views, topic),
            relevance=(0,) * len(views),
            known=frozenset(views),
            gamma=self.policy.layout.gamma(facet.slot),
            epsilon=epsilon,
            mechanism=self._mechanism(epsilon, facet) if facet.draws else None,
            period=period,
            reuses=True,
        )

    def _of_slot(
        self, slot: SlotId, turn: TurnId, period: int, topics: dict[ViewId, TopicId], relevance: Relevance
    ) -> Selection:
        facets = self.policy.vocabulary.of_slot(slot)
        generic = next(facet.generic.id for facet in facets if facet.generic.id in topics)
        others = [view.id for facet in facets for view in facet.views[1:] if view.id in topics]
        nearest = sorted(others, key=lambda view: -relevance(view))[:OTHERS]  # stable: equals in vocabulary order
        candidates = (generic, *(view for view in others if view in nearest))
        epsilon = self._slot_epsilon[slot] if len(candidates) > 1 else 0
        return Selection(
            key=f"{turn}:{slot}",
            unit=slot,
            slot=slot,
            candidates=candidates,
            topics=topics,
            relevance=tuple(map(relevance, candidates)),
            known=frozenset(view.id for facet in facets for view in facet.views),
            gamma=self.policy.layout.gamma(slot),
            epsilon=epsilon,
            mechanism=self._mechanism(epsilon, None) if epsilon else None,
            period=period,
            reuses=False,
        )

    @cached_property
    def _slot_epsilon(self) -> dict[SlotId, int]:
        """Least B_a / K, or least B_a / C_a, rounded down (paper, section 5)."""
        attributes = self.policy.layout.attributes
        online = self.release == ReleasePolicy.ONLINE
        return {
            slot: min(
                attributes[a].cap // (self.policy.selections if online else attributes[a].planned)
                for a in self.policy.layout.gamma(slot)
            )
            for slot in self.policy.layout.slots
            if self.policy.layout.gamma(slot)
        }

    def _mechanism(self, epsilon: int, facet: Facet | None) -> Mechanism:
        key = (epsilon, facet.id if facet else None)
        if key not in self._mechanisms:
            self._mechanisms[key] = self._made(epsilon, facet)
        return self._mechanisms[key]

    def _made(self, epsilon: int, facet: Facet | None) -> Mechanism:
        if self._name == MechanismName.EXPONENTIAL:
            high = MAX_SCORE if facet else MAX_SCORE + 4 * MAX_RELEVANCE
            return Exponential.within(epsilon, sensitivity=PAPER_SENSITIVITY, low=0, high=high)
        odds = facet.odds if facet and facet.odds else odds_within(epsilon)
        return RandomisedResponse(epsilon, odds)
