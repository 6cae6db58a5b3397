"""The whole public policy, checked: shares add up, and what a mechanism spends is proved to fit its share."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Final

from keepmum_shared.view.budget import NANO, PolicyError, check_epsilon, format_epsilon, is_certified
from keepmum_shared.view.layout import OTHER, AttributeId, Layout, SlotId
from keepmum_shared.view.vocabulary import Facet, FacetId, Vocabulary

USEFUL: Final = Fraction(45, 100)
"""A draw that names the best supported view less often than this is warned of."""
WEAK_CAP: Final = 4 * NANO
"""From this lifetime cap on the bound protects hardly anyone (e^4 = 55) and is warned of."""
MAX_TAU: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class FacetReport:
    """What the loader says of one drawing facet.

    Attributes:
        views: k, candidates of a draw.
        epsilon: Nano-epsilon of a draw under `sticky`.
        p_best: Probability that the best supported view is released.
    """

    facet: FacetId
    views: int
    epsilon: int
    p_best: Fraction

    @property
    def warning(self) -> str | None:
        """Words, if the draw is right less often than USEFUL."""
        if self.p_best >= USEFUL:
            return None
        return f"facet {self.facet}: a draw is right with probability {int(self.p_best * 1000)} in 1000 only"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A policy that was checked.

    Attributes:
        version: Grows with every shipped file.
        digest: Hex SHA-256 of the canonical content; both halves compare it.
        tau: What the generic view scores, 1..60, for every store (private scores are 0..60).
        period_days, first_period_days: Length of a period; days from first start to the first one.
        selections: K of the policy `online`.
        shares: Nano-epsilon of a draw, by attribute and facet.
        retired: Attribute ids that were used once and never come back.
    """

    version: int
    digest: str
    tau: int
    period_days: int
    first_period_days: int
    selections: int
    layout: Layout
    vocabulary: Vocabulary
    shares: Mapping[tuple[AttributeId, FacetId], int]
    retired: frozenset[AttributeId] = field(default=frozenset())

    def __post_init__(self) -> None:
        for value, low, high, what in (
            (self.version, 1, 10**6, "version"),
            (self.tau, 1, MAX_TAU, "tau"),
            (self.period_days, 1, 3660, "period_days"),
            (self.first_period_days, 0, 3660, "first_period_days"),
            (self.selections, 1, 1000, "selections"),
        ):
            if not low <= value <= high:
                raise PolicyError(f"{what}: must be {low} to {high}")
        reused = self.retired & self.layout.attributes.keys()
        if reused:
            raise PolicyError(f"attribute {min(reused)}: its id was retired; take a new one")
        for facet in self.vocabulary.facets.values():
            if facet.slot not in self.layout.slots:
                raise PolicyError(f"facet {facet.id}: unknown slot, {facet.slot}")
        self._check_budgets()
        self._check_facets()

    def epsilon(self, facet: Facet) -> int:
        """Return what one sticky draw costs every attribute of its gamma: the least share."""
        return min(self.shares[attribute, facet.id] for attribute in self.layout.gamma(facet.slot))

    def drawing(self, attribute: AttributeId) -> tuple[Facet, ...]:
        """Return the facets whose draws read positions of the attribute's group."""
        facets = self.vocabulary.facets.values()
        return tuple(f for f in facets if f.draws and attribute in self.layout.gamma(f.slot))

    def reports(self) -> tuple[FacetReport, ...]:
        """Return k, epsilon and P(best) of every drawing facet."""
        return tuple(self._report(facet) for facet in self.vocabulary.facets.values() if facet.draws)

    def warnings(self) -> tuple[str, ...]:
        """Return words for what is allowed but unwise."""
        useless = [report.warning for report in self.reports() if report.warning]
        weak = [
            f"attribute {a.id}: a lifetime cap of {format_epsilon(a.lifetime_cap)} protects hardly at all"
            for a in self.layout.attributes.values()
            if a.lifetime_cap >= WEAK_CAP
        ]
        return tuple(useless + weak)

    def composite_cost(self, slots: frozenset[SlotId]) -> int:
        """Return kappa: the least sum of lifetime caps of attributes whose groups cover the slots that differ.

        Raises:
            PolicyError: a slot is listed for no attribute, so that no sum covers it.

        Source: Corollary 1, with lifetime caps.
        """
        attributes = self.layout.attributes
        costs = [
            sum(attributes[a].lifetime_cap for a in chosen)
            for size in range(len(attributes) + 1)
            for chosen in combinations(attributes, size)
            if all(self.layout.gamma(slot) & set(chosen) for slot in slots)
        ]
        if not costs:
            raise PolicyError("a slot is listed for no attribute; the bound does not cover it")
        return min(costs)

    def _report(self, facet: Facet) -> FacetReport:
        assert facet.odds is not None
        k, ratio = len(facet.views), facet.odds.ratio
        return FacetReport(facet=facet.id, views=k, epsilon=self.epsilon(facet), p_best=ratio / (ratio + k - 1))

    def _check_budgets(self) -> None:
        for attribute in self.layout.attributes.values():
            check_epsilon(attribute.cap, f"attribute {attribute.id}, cap")
            check_epsilon(attribute.lifetime_cap, f"attribute {attribute.id}, lifetime_cap")
            if attribute.lifetime_cap < attribute.cap:
                raise PolicyError(f"attribute {attribute.id}: its lifetime cap is below its cap")
            if not 1 <= attribute.planned <= 1000:
                raise PolicyError(f"attribute {attribute.id}: planned must be 1 to 1000")
        for (owner, facet), share in self.shares.items():
            check_epsilon(share, f"attribute {owner}, share of {facet}")
            if facet not in self.vocabulary.facets:
                raise PolicyError(f"attribute {owner}: has a share of an unknown facet, {facet}")
            if self.vocabulary.facets[facet] not in self.drawing(owner):
                raise PolicyError(f"attribute {owner}: has a share of {facet}, which does not read it")
        for attribute in self.layout.attributes.values():
            total = sum(share for (owner, _), share in self.shares.items() if owner == attribute.id)
            if total > attribute.cap:
                raise PolicyError(f"attribute {attribute.id}: its shares add up to more than its cap")

    def _check_facets(self) -> None:
        for slot in self.layout.slots:
            facets = self.vocabulary.of_slot(slot)
            if not 1 <= len(facets) <= 2:
                raise PolicyError(f"slot {slot}: has one facet, or two; not {len(facets)}")
            if len(facets) == 2 and any(len(self.drawing(a)) > 2 for a in self.layout.gamma(slot)):
                raise PolicyError(f"slot {slot}: a second facet would be a third that reads one attribute")
        for facet in self.vocabulary.facets.values():
            if facet.draws != (facet.odds is not None):
                raise PolicyError(f"facet {facet.id}: a facet that draws has odds, another has none")
            if facet.draws:
                self._check_drawing(facet)

    def _check_drawing(self, facet: Facet) -> None:
        gamma = self.layout.gamma(facet.slot)
        if facet.slot == OTHER:
            raise PolicyError("slot other: has the generic view only")
        if not gamma:
            raise PolicyError(f"slot {facet.slot}: draws, but is listed for no attribute")
        for attribute in sorted(gamma):
            if (attribute, facet.id) not in self.shares:
                raise PolicyError(f"attribute {attribute}: has no share of {facet.id}, which reads it")
        assert facet.odds is not None
        if not is_certified(facet.odds, self.epsilon(facet)):
            raise PolicyError(f"facet {facet.id}: its odds spend more than the share, {self.epsilon(facet)}")
