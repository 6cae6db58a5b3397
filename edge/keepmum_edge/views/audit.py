"""Proof by enumeration: every transcript that an adaptive analyst can see, with its exact probability.

The functions enumerated are the shipped ones: `selector.decide`, `selector.distribution` (which the sampler consumes)
and `selector.after`. Probabilities are rationals; a ratio is compared with a rational below e^epsilon, so a bound that
holds here holds.

A store is given as the scores that each turn would see, which is all that a draw reads of it; two histories are
adjacent for an attribute if they differ only in slots listed for it. A `Rules` with a wrong function must be noticed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from keepmum_shared.view import NANO, Layout, ViewId
from keepmum_shared.view.budget import exp_lower

from keepmum_edge.views import selector
from keepmum_edge.views.ledger import Books, PlainBooks
from keepmum_edge.views.mechanisms import Distribution
from keepmum_edge.views.policy import Selection
from keepmum_edge.views.scorer import Scores
from keepmum_edge.views.selector import Decision

Observation = tuple[Any, ...]
Transcript = tuple[tuple[Observation, ...], ...]
"""What was observed, by turn and selection."""
Analyst = Callable[[Transcript], tuple[Selection, ...]]
"""Chooses the next turn from everything seen so far."""


def keeps(selection: Selection, scores: Scores) -> Selection:
    """Return the selection: what a slot holds changes nothing in it (C1, C4)."""
    del scores
    return selection


def shows(decision: Decision, view: ViewId, scores: Scores) -> Observation:
    """Return what leaves: the view, and why it is what it is; no score (C3, C6)."""
    del scores
    return str(decision.ground), view


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What is enumerated. The defaults are what ships."""

    decide: Callable[[Selection, Books, Layout], Decision] = selector.decide
    distribution: Callable[[Selection, Decision, Scores, int], Distribution] = selector.distribution
    after: Callable[[PlainBooks, Selection, Decision, ViewId], PlainBooks] = selector.after
    selects: Callable[[Selection, Scores], Selection] = keeps
    observes: Callable[[Decision, ViewId, Scores], Observation] = shows


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """The interface under audit, before its first turn."""

    layout: Layout
    tau: int
    books: PlainBooks = field(default_factory=PlainBooks)
    rules: Rules = field(default_factory=Rules)


def transcripts(interface: Interface, analyst: Analyst, store: Sequence[Scores]) -> dict[Transcript, Fraction]:
    """Return the probability of every transcript; they add up to 1.

    Args:
        interface: Rules, caps and books.
        analyst: Its turns are as many as the store has scores.
        store: The scores that each turn would see.
    """
    reached: dict[Transcript, tuple[Fraction, PlainBooks]] = {(): (Fraction(1), interface.books)}
    for scores in store:
        following: dict[Transcript, tuple[Fraction, PlainBooks]] = {}
        for seen, (chance, books) in reached.items():
            for turn, probability, left in _turn(interface, analyst(seen), books, scores):
                key = (*seen, turn)
                before = following.get(key, (Fraction(0), left))[0]
                following[key] = (before + chance * probability, left)
        reached = following
    return {seen: chance for seen, (chance, _) in reached.items()}


def worst_ratio(stores: Sequence[Mapping[Transcript, Fraction]]) -> Fraction | None:
    """Return the largest ratio of one transcript's probabilities under any two stores; None if it has no bound."""
    seen = set().union(*stores)
    if any(each.keys() != seen for each in stores):
        return None
    return max(max(each[one] for each in stores) / min(each[one] for each in stores) for one in seen)


def is_within(ratio: Fraction | None, epsilon: int) -> bool:
    """Say whether a ratio is proved to be at most e^epsilon (nano-epsilon)."""
    return ratio is not None and ratio <= exp_lower(Fraction(epsilon, NANO))


def worst_draw(distributions: Sequence[Distribution]) -> Fraction | None:
    """Return the largest ratio between any two of the distributions at any candidate; None if it has no bound."""
    columns = zip(*(each.probabilities() for each in distributions), strict=True)
    extremes = [(min(column), max(column)) for column in columns]
    return None if any(low == 0 for low, _ in extremes) else max(high / low for low, high in extremes)


def _turn(
    interface: Interface, selections: Sequence[Selection], books: PlainBooks, scores: Scores
) -> list[tuple[tuple[Observation, ...], Fraction, PlainBooks]]:
    """Return every outcome of one turn: what is seen, its probability, and the books after it."""
    rules = interface.rules
    outcomes: list[tuple[tuple[Observation, ...], Fraction, PlainBooks]] = [((), Fraction(1), books)]
    for asked in selections:
        selection = rules.selects(asked, scores)
        outcomes = [
            ((*seen, rules.observes(decision, view, scores)), chance * p, rules.after(held, selection, decision, view))
            for seen, chance, held in outcomes
            for decision in [rules.decide(selection, held, interface.layout)]
            for view, p in _choices(interface, selection, decision, scores)
        ]
    return outcomes


def _choices(
    interface: Interface, selection: Selection, decision: Decision, scores: Scores
) -> list[tuple[ViewId, Fraction]]:
    if decision.view is not None:
        return [(decision.view, Fraction(1))]
    drawn = interface.rules.distribution(selection, decision, scores, interface.tau)
    return [(view, p) for view, p in zip(selection.candidates, drawn.probabilities(), strict=True) if p]


def all_scores(views: Sequence[ViewId], levels: Sequence[tuple[int, int]]) -> list[dict[ViewId, tuple[int, int]]]:
    """Return every score table that gives each view one of the (c, s) levels."""
    return [dict(zip(views, chosen, strict=True)) for chosen in product(levels, repeat=len(views))]
