"""How often the released view is right: exactly, by following the shipped decisions and distributions through turns.

What is decided never depends on which view was drawn (C4), so one pass over the turns gives the distribution of every
released view; nothing is sampled.
"""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from keepmum_edge.views.ledger import Ground, PlainBooks
from keepmum_edge.views.mechanisms import Mechanism
from keepmum_edge.views.periods import DAY, advance, first_calendar
from keepmum_edge.views.policy import MechanismName, ReleasePolicy, Selection, Selections
from keepmum_edge.views.router import Routed
from keepmum_edge.views.scorer import CueScorer, Scores, private_score, score_slot
from keepmum_edge.views.selector import after, decide, utilities
from keepmum_shared.ids import TurnId
from keepmum_shared.view import FacetId, Policy, SlotId, TopicId, ViewId
from paired_stores import NEUTRAL, Pair, policy_of

_SCORER: Final = CueScorer()
_SCORED: Final[dict[tuple[str, str, tuple[str, ...]], dict[ViewId, tuple[int, int]]]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """One row of the table."""

    name: str
    release: ReleasePolicy
    mechanism: MechanismName
    facets: int = 1
    selections: int = 3
    of_the_paper: bool = False


STICKY, ONLINE, PLANNED = ReleasePolicy.STICKY, ReleasePolicy.ONLINE, ReleasePolicy.PREALLOCATED
KRR, EXPONENTIAL = MechanismName.KRR, MechanismName.EXPONENTIAL
MODES: Final = (
    *(
        Mode(name=f"paper: online, K={k}", release=ONLINE, mechanism=EXPONENTIAL, selections=k, of_the_paper=True)
        for k in (2, 3, 4)
    ),
    Mode(name="paper: preallocated", release=PLANNED, mechanism=EXPONENTIAL, of_the_paper=True),
    Mode(name="online, K=3, krr", release=ONLINE, mechanism=KRR),
    Mode(name="sticky, exponential", release=STICKY, mechanism=EXPONENTIAL),
    *(Mode(name=f"ours: sticky, krr, {n} facet(s)", release=STICKY, mechanism=KRR, facets=n) for n in (1, 2, 3)),
)


class Walk:
    """One store's turns under one mode; `turn` gives the distribution of the view that is released."""

    def __init__(self, policy: Policy, mode: Mode) -> None:
        self.books, self._policy = PlainBooks(), policy
        self._maker = Selections(policy, mode.release, mode.mechanism)
        self._drawn: dict[str, dict[ViewId, float]] = {}
        self._latest: dict[str, dict[ViewId, float]] = {}
        self._turns = 0

    def turn(self, slot: str, scores: Scores, period: int = 0) -> Mapping[ViewId, float]:
        """Release the facet of a slot; probabilities are exact until this last rounding."""
        topic = TopicId("talk")
        routed = Routed(topics=(topic,), facets={FacetId(slot): topic})
        self._turns += 1
        selection = self._maker.of_turn(TurnId(f"t{self._turns}"), period, routed, lambda _: 5)[0]
        decision = decide(selection, self.books, self._policy.layout)
        released = self._released(selection, decision.view, decision.ground, scores)
        self.books = after(self.books, selection, decision, decision.view or selection.generic)
        return released

    def _released(
        self, selection: Selection, view: ViewId | None, ground: Ground, scores: Scores
    ) -> dict[ViewId, float]:
        if view is None:
            assert selection.mechanism is not None
            table = utilities(selection, scores, self._policy.tau)
            chances = _chances(selection.mechanism, table)  # type: ignore[arg-type] # frozen, so hashable
            self._drawn[selection.key] = dict(zip(selection.candidates, chances, strict=True))
            self._latest[selection.unit] = self._drawn[selection.key]
        if ground == Ground.DRAWN:
            return self._drawn[selection.key]
        return self._latest[selection.unit] if ground == Ground.REUSED else {selection.generic: 1.0}


@cache
def _chances(mechanism: Mechanism, table: tuple[int, ...]) -> tuple[float, ...]:
    return tuple(map(float, mechanism.distribution(table).probabilities()))


def scores_of(policy: Policy, slot: str, texts: Sequence[str]) -> dict[ViewId, tuple[int, int]]:
    """The score table of a slot by the shipped scorer."""
    key = (policy.digest, slot, tuple(texts))
    if key not in _SCORED:
        _SCORED[key] = score_slot(policy, SlotId(slot), texts, _SCORER)
    return _SCORED[key]


def best_of(policy: Policy, scores: Scores) -> ViewId | None:
    """The best supported view, or None if none is supported above generic."""
    best = max(scores, key=lambda view: private_score(scores, view), default=None)
    return best if best is not None and private_score(scores, best) > policy.tau else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Averages over pairs and target-relevant turns.

    Attributes:
        right: Probability under M that the released view is the best supported one.
        unsupported: Probability under M' that a view is released which nothing there supports.
        draws: Target-relevant turns of 8 whose view comes from a draw and not from the fallback.
        spent: Largest nano-epsilon that any attribute was charged.
    """

    right: float
    unsupported: float
    draws: float
    spent: int


def figures(mode: Mode, made: Sequence[Pair]) -> Figures:
    """Follow every pair; its `facets` must be the mode's."""
    right, unsupported, draws, spent = [], [], 0, 0
    for pair in made:
        policy = policy_of(pair, selections=mode.selections)
        tables = [
            {turn.slot: scores_of(policy, turn.slot, pair.texts(turn.slot, other=other)) for turn in pair.turns}
            for other in (False, True)
        ]
        walks = [Walk(policy, mode) for _ in tables]
        for turn in pair.turns:
            ours, others = (walk.turn(turn.slot, t[turn.slot]) for walk, t in zip(walks, tables, strict=True))
            if turn.kind != "target":
                continue
            best = best_of(policy, tables[0][turn.slot])
            assert best is not None, "the generator gives every target slot a best view"
            right.append(ours.get(best, 0.0))
            draws += len(ours) > 1
            unsupported.append(
                math.fsum(p for view, p in others.items() if private_score(tables[1][turn.slot], view) == 0)
                - others.get(policy.vocabulary.facets[FacetId(turn.slot)].generic.id, 0.0)
            )
        spent = max(spent, *(walk.books.lifetime(a) for walk in walks for a in policy.layout.attributes))
    return Figures(
        right=math.fsum(right) / len(right),
        unsupported=math.fsum(unsupported) / len(unsupported),
        draws=draws / len(made),
        spent=spent,
    )


def arriving(mode: Mode, made: Sequence[Pair], first_period_days: int, days: int = 60, over: int = 30) -> list[float]:
    """Return, by day, how often the view is right for a user who starts with an empty store.

    The records arrive over the first days, in an order drawn once a pair; each day has one turn about the target. A day
    counts the pairs whose slot supports a view by then; NaN if there is none.
    """
    sums, counts = [0.0] * days, [0] * days
    for number, pair in enumerate(made):
        policy = policy_of(pair, selections=mode.selections, first_period_days=first_period_days)
        chance = random.Random(f"arrival:{number}")
        arrival = [chance.randrange(over) for _ in pair.records]
        walk, calendar = Walk(policy, mode), first_calendar(0, first_period_days)
        slots = list(dict.fromkeys(turn.slot for turn in pair.turns if turn.kind == "target"))
        for day in range(days):
            calendar = advance(calendar, day * DAY, policy.period_days).calendar
            slot = slots[day % len(slots)]
            texts = [
                record.text if at <= day else NEUTRAL
                for record, at in zip(pair.records, arrival, strict=True)
                if record.slot == slot
            ]
            scores = scores_of(policy, slot, texts)
            released, best = walk.turn(slot, scores, calendar.period), best_of(policy, scores)
            if best is not None:
                sums[day] += released.get(best, 0.0)
                counts[day] += 1
    return [total / count if count else math.nan for total, count in zip(sums, counts, strict=True)]
