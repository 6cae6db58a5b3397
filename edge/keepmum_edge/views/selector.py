"""Whether to draw, and from which distribution (pure).

`decide` sees the selection and the books, never a score: its type has nowhere to put one. `distribution` sees scores
only for a draw. `release` runs these very functions in a transaction, and `audit` enumerates them.
"""

from dataclasses import dataclass

from keepmum_shared.view import Layout, ViewId

from keepmum_edge.views.ledger import Books, Charge, Ground, PlainBooks, Stored, admits
from keepmum_edge.views.mechanisms import Distribution
from keepmum_edge.views.periods import BEFORE_FIRST
from keepmum_edge.views.policy import Selection
from keepmum_edge.views.scorer import Scores, private_score


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What becomes of a selection.

    Attributes:
        ground: Why.
        view: The view, or None: it is to be drawn.
        charges: What the draw costs; empty unless it is one that was not paid before.
        stores: Whether the outcome is kept under the selection's key.
    """

    ground: Ground
    view: ViewId | None
    charges: tuple[Charge, ...] = ()
    stores: bool = False


def decide(selection: Selection, books: Books, layout: Layout) -> Decision:
    """Decide from public inputs and released history alone (C4, C5).

    In this order: silence, the first date, what the key has already, nothing to choose, a rollback, the caps. What
    cannot be drawn is the facet's earlier view (post-processing of a release), else generic.
    """
    generic = selection.generic
    if books.silenced(selection.slot):
        return Decision(ground=Ground.SILENCED, view=generic)
    if selection.period == BEFORE_FIRST:
        return Decision(ground=Ground.EARLY, view=generic)
    stored = books.stored(selection.key)
    if stored is not None:
        return Decision(ground=stored.ground, view=stored.view if stored.view in selection.known else generic)
    if selection.mechanism is None:
        return Decision(ground=Ground.NO_CHOICE, view=generic)
    frozen = books.frozen(selection.period)
    if not frozen and books.paid(selection.key, selection.period):
        return Decision(ground=Ground.DRAWN, view=None, stores=True)
    if not frozen and admits(books, layout, selection.gamma, selection.epsilon, selection.period):
        return Decision(ground=Ground.DRAWN, view=None, charges=charges_of(selection), stores=True)
    earlier = books.latest(selection.unit) if selection.reuses else None
    if earlier is not None:
        return Decision(ground=Ground.REUSED, view=earlier if earlier in selection.known else generic, stores=True)
    return Decision(ground=Ground.FROZEN if frozen else Ground.SPENT, view=generic, stores=True)


def charges_of(selection: Selection) -> tuple[Charge, ...]:
    """Return the charges of a draw: its epsilon to every attribute of gamma, none left out (C2)."""
    return tuple(
        Charge(
            attribute=attribute,
            slot=selection.slot,
            key=selection.key,
            period=selection.period,
            epsilon=selection.epsilon,
        )
        for attribute in sorted(selection.gamma)
    )


def utilities(selection: Selection, scores: Scores, tau: int) -> tuple[int, ...]:
    """Return 4r + 4c + 2s of each candidate; generic has the public tau in place of 4c + 2s."""
    return tuple(
        4 * r + (tau if view == selection.generic else private_score(scores, view))
        for view, r in zip(selection.candidates, selection.relevance, strict=True)
    )


def distribution(selection: Selection, decision: Decision, scores: Scores, tau: int) -> Distribution:
    """Return the probability of each candidate for a decision to draw.

    Raises:
        ValueError: the decision is not to draw.
    """
    if decision.view is not None or selection.mechanism is None:
        raise ValueError("nothing is to be drawn")
    return selection.mechanism.distribution(utilities(selection, scores, tau))


def after(books: PlainBooks, selection: Selection, decision: Decision, view: ViewId) -> PlainBooks:
    """Return the books once a view was released."""
    charged = books.charged(decision.charges)
    return charged.released(outcome(selection, decision, view)) if decision.stores else charged


def outcome(selection: Selection, decision: Decision, view: ViewId) -> Stored:
    """Return what is kept under the selection's key."""
    return Stored(key=selection.key, unit=selection.unit, period=selection.period, view=view, ground=decision.ground)
