"""Each way to break the guarantee, built into an otherwise right interface, is noticed by a promise that ours keeps.

Those of memory are in tests/edge/daemon/test_memory_mutants.py, those that show at a socket or in a log in
tests/integration/test_non_interference.py and tests/statistical; `test_mutant_list` says which test catches which.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import exp
from pathlib import Path
from typing import Any

import pytest
from adjacent_stores import always, asking, store, worst
from keepmum_edge.database import Database
from keepmum_edge.views import selector
from keepmum_edge.views.audit import Rules, is_within, worst_draw
from keepmum_edge.views.ledger import Books, Ground, PlainBooks
from keepmum_edge.views.log_audit import InForce, audit_log
from keepmum_edge.views.mechanisms import Distribution, Exponential
from keepmum_edge.views.policy import MechanismName, ReleasePolicy, Selection, Selections
from keepmum_edge.views.release import Releaser
from keepmum_edge.views.released import Released
from keepmum_edge.views.rollback import Verdict
from keepmum_edge.views.router import Routed
from keepmum_edge.views.sampling import uniform_below
from keepmum_edge.views.scorer import Scores, private_score
from keepmum_edge.views.selector import Decision, decide, distribution
from keepmum_shared.ids import TurnId
from keepmum_shared.view import NANO, AttributeId, Layout, Policy, ViewId
from keepmum_shared.view.budget import Odds, exp_lower
from policies import overlapping, policy, single, written
from profiles import KEY, settings
from view_desk import Desk, selections_of

MADE = policy(overlapping())
ROOMY = policy(overlapping(90 * NANO)).layout

# --- promises about transcripts ---


@dataclass(frozen=True)
class Trial:
    """An analyst and adjacent histories for d, under a policy."""

    made: Policy
    facets: tuple[tuple[str, ...], ...]
    histories: tuple[tuple[Scores, ...], ...]
    release: ReleasePolicy = ReleasePolicy.STICKY
    mechanism: MechanismName = MechanismName.KRR
    bound: int = 2 * NANO

    def holds(self, rules: Rules) -> bool:
        plan = [always(*facets) for facets in self.facets]
        analyst = asking(self.made, *plan, release=self.release, mechanism=self.mechanism)
        return is_within(worst(self.made, rules, analyst, *map(list, self.histories)), self.bound)


def constant(turns: int, *tables: Mapping[str, Sequence[int]]) -> tuple[tuple[Scores, ...], ...]:
    return tuple((store(**table),) * turns for table in tables)


BOTH = ({"one": (1,), "two": (1,)}, {"one": (2,), "two": (2,)})
STICKY = Trial(MADE, (("one",), ("one",)), constant(2, {"one": (1,)}, {"one": (2,)}, {}))
RETRIED = Trial(MADE, (("one",),) * 3, constant(3, {"one": (1,)}, {"one": (2,)}))
CHANGING = Trial(MADE, (("one",), ("one",)), ((store(one=(1,)), store(one=(2,))), (store(one=(3,)),) * 2))
ONLINE = Trial(MADE, (("two",),) * 5, constant(5, *BOTH), release=ReleasePolicy.ONLINE)
OVERLAP = Trial(MADE, (("two",),) * 3 + (("one",),) * 3, constant(6, *BOTH), release=ReleasePolicy.ONLINE)
EXPONENTIAL = Trial(
    policy(single()), (("one",),), constant(1, {"one": (1,)}, {"one": (2, 3)}), mechanism=MechanismName.EXPONENTIAL
)


def charges_one_attribute(selection: Selection, books: Books, layout: Layout) -> Decision:
    right = decide(selection, books, layout)
    if right.charges:
        return replace(right, charges=right.charges[:1])
    only = {charge.attribute for charge in selector.charges_of(selection)[:1]}
    return decide(replace(selection, gamma=frozenset(only)), books, layout)


def charges_first_only(selection: Selection, books: Books, layout: Layout) -> Decision:
    return decide(replace(selection, gamma=frozenset(sorted(selection.gamma)[:1])), books, layout)


def takes_the_best(selection: Selection, decision: Decision, scores: Scores, tau: int) -> Distribution:
    utilities = selector.utilities(selection, scores, tau)
    return Distribution(tuple(int(i == utilities.index(max(utilities))) for i in range(len(utilities))))


def asks_no_cap(selection: Selection, books: Books, layout: Layout) -> Decision:
    del layout
    return decide(selection, books, ROOMY)


def drops_unsupported(selection: Selection, scores: Scores) -> Selection:
    left = [i for i, view in enumerate(selection.candidates) if i == 0 or private_score(scores, view)]
    return replace(
        selection,
        candidates=tuple(selection.candidates[i] for i in left),
        relevance=tuple(selection.relevance[i] for i in left),
    )


def shows_the_score(decision: Decision, view: ViewId, scores: Scores) -> tuple[Any, ...]:
    return str(decision.ground), view, max((private_score(scores, each) for each in scores), default=0)


def forgets_the_two(selection: Selection, decision: Decision, scores: Scores, tau: int) -> Distribution:
    base = exp_lower(Fraction(selection.epsilon, NANO * 60))
    powers = [base**u for u in selector.utilities(selection, scores, tau)]
    scale = max(power.denominator for power in powers)
    return Distribution(tuple(int(power * scale) for power in powers))


def draws_again(selection: Selection, books: Books, layout: Layout) -> Decision:
    right = decide(selection, books, layout)
    again = right.ground == Ground.DRAWN and right.view is not None
    return Decision(ground=Ground.DRAWN, view=None, stores=True) if again else right


def refreshes(selection: Selection, scores: Scores) -> Selection:
    return replace(selection, key=f"{selection.key}:{sorted(scores.items())}")


def refreshes_unpaid(selection: Selection, books: Books, layout: Layout) -> Decision:
    if books.stored(selection.key) is None and books.latest(selection.unit) is not None:
        return Decision(ground=Ground.DRAWN, view=None, stores=True)
    return decide(selection, books, layout)


def skips_an_empty_slot(selection: Selection, scores: Scores) -> Selection:
    empty = not any(private_score(scores, view) for view in selection.candidates)
    return replace(selection, mechanism=None) if empty else selection


def falls_back_to_the_best(selection: Selection, scores: Scores) -> Selection:
    best = max(selection.candidates, key=lambda view: private_score(scores, view))
    return replace(selection, candidates=(best, *(view for view in selection.candidates if view != best)))


TRANSCRIPTS: dict[str, tuple[Trial, Rules]] = {
    "IncompleteCharge": (OVERLAP, Rules(decide=charges_first_only)),
    "CappedArgmax": (ONLINE, Rules(distribution=takes_the_best)),
    "NoCap": (ONLINE, Rules(decide=asks_no_cap)),
    "OneSidedVocabulary": (STICKY, Rules(selects=drops_unsupported)),
    "ScoreLeak": (STICKY, Rules(observes=shows_the_score)),
    "FactorTwo": (EXPONENTIAL, Rules(distribution=forgets_the_two)),
    "RetryRedraw": (RETRIED, Rules(decide=draws_again)),
    "RefreshOnChange": (CHANGING, Rules(selects=refreshes, decide=refreshes_unpaid)),
    "RefreshOnChange, paid": (CHANGING, Rules(selects=refreshes)),
    "EmptyFacetArgmax": (STICKY, Rules(selects=skips_an_empty_slot)),
    "ContentFallback": (ONLINE, Rules(selects=falls_back_to_the_best)),
}


@pytest.mark.parametrize("mutant", TRANSCRIPTS)
def test_a_mutant_passes_the_bound_in_a_trial_that_ours_keeps(mutant: str) -> None:
    trial, rules = TRANSCRIPTS[mutant]
    assert trial.holds(Rules())
    assert not trial.holds(rules)


# --- promises about the log, the mechanism and selections ---


def log_of(decider: Callable[[Selection, Books, Layout], Decision]) -> tuple[str, ...]:
    """What the second opinion says of 16 turns that ask for the overlapping slot."""
    books = PlainBooks()
    for turn in range(16):
        selection = selections_of(MADE, "two", turn=f"t{turn}", release=ReleasePolicy.ONLINE)[0]
        decision = decider(selection, books, MADE.layout)
        books = selector.after(books, selection, decision, decision.view or ViewId("v021"))
    policies = [InForce(from_period=0, release="online", file=written(overlapping()))]
    return audit_log(policies, list(books.releases.values()), books.charges).words


@pytest.mark.parametrize("mutant", [charges_first_only, charges_one_attribute, asks_no_cap])
def test_the_log_of_a_mutant_is_found_out(mutant: Callable[[Selection, Books, Layout], Decision]) -> None:
    assert log_of(decide) == ()
    assert log_of(mutant) != ()


def float_weights(utilities: Sequence[int], epsilon: float, sensitivity: int) -> tuple[Fraction, ...]:
    weights = [exp(epsilon * u / (2 * sensitivity)) for u in utilities]
    return tuple(Fraction(weight) / Fraction(sum(weights)) for weight in weights)


def everyone_has_a_chance(probabilities: Callable[[Sequence[int]], Sequence[Fraction]]) -> bool:
    return all(min(probabilities(u)) > 0 for u in ([0, -2000], [-2000, 0], [-1999, -2000, 0]))


def test_float_underflow_takes_a_chance_away() -> None:
    exact = Exponential.within(NANO, sensitivity=1, low=-2000, high=0)
    assert everyone_has_a_chance(lambda utilities: exact.distribution(utilities).probabilities())
    assert not everyone_has_a_chance(lambda utilities: float_weights(utilities, 1.0, 1))


def spends_no_more_than_it_says(distribution_of: Callable[[Sequence[int]], Distribution]) -> bool:
    tables = [(20, *rest) for rest in product((0, 60), repeat=3)]
    return is_within(worst_draw([distribution_of(table) for table in tables]), 2 * NANO)


def test_factor_two_passes_epsilon_at_one_draw() -> None:
    doubled = Odds(int(exp_lower(Fraction(2, 60)) * 2**24), 2**24)
    assert spends_no_more_than_it_says(Exponential.within(2 * NANO, sensitivity=60, low=0, high=60).distribution)
    assert not spends_no_more_than_it_says(
        lambda table: Distribution(tuple(doubled.p**u * doubled.q ** (60 - u) for u in table))
    )
    with pytest.raises(ValueError, match="spends more"):
        Exponential(2 * NANO, doubled, 60, 0, 60)


class QueryDependentSelections(Selections):
    """Lets the message choose what a sticky draw chooses from."""

    def of_turn(
        self, turn: TurnId, period: int, routed: Routed, relevance: Callable[[ViewId], int]
    ) -> tuple[Selection, ...]:
        return tuple(
            replace(each, relevance=tuple(map(relevance, each.candidates)))
            for each in super().of_turn(turn, period, routed, relevance)
        )


def sticky_is_deaf(kind: type[Selections]) -> bool:
    maker = kind(MADE, ReleasePolicy.STICKY, MechanismName.KRR)
    asked = [selections_of(maker, "one", relevance=lambda view, r=r: r if view == "v012" else 0)[0] for r in (0, 10)]
    decision = decide(asked[0], PlainBooks(), MADE.layout)
    return asked[0] == asked[1] and len({distribution(each, decision, {}, 20) for each in asked}) == 1


def test_query_dependent_facet_lets_a_message_into_a_sticky_draw() -> None:
    assert sticky_is_deaf(Selections)
    assert not sticky_is_deaf(QueryDependentSelections)


# --- promises about the process ---


class SeededReleaser(Releaser):
    """Draws from a seed, as a setting might give it."""

    def __init__(self, db: Database, keeper: Any, **options: Any) -> None:
        super().__init__(db, keeper, **{"source": random.Random(0).randbytes, **options})


def draws_differ_between_profiles(home: Path, kind: type[Releaser]) -> bool:
    """60 draws of two profiles with the same memory: alike by chance in one of 10^17 runs."""
    seen = []
    for name in ("a", "b"):
        desk = Desk(home / kind.__name__ / name, single(), releaser_class=kind)
        seen.append([uniform_below(4, desk.releaser._source) for _ in range(60)])
    return seen[0] != seen[1]


def test_seeded_rng_draws_the_same_for_everyone(tmp_path: Path) -> None:
    assert draws_differ_between_profiles(tmp_path, Releaser)
    assert not draws_differ_between_profiles(tmp_path, SeededReleaser)


class LateReleaser(Releaser):
    """Lets the view leave, and charges afterwards."""

    def release(self, selections: Sequence[Selection], now: int) -> tuple[Released, ...]:
        class Undo(Exception):
            pass

        views: tuple[Released, ...] = ()
        try:
            with self._db.transaction():
                views = self._each(selections, self.in_force(selections[0].period).policy, now)
                raise Undo
        except Undo:
            self._settle()
        self.later = (selections, now)  # a task would charge it when there is time
        return views


def a_view_that_left_is_charged(home: Path, kind: type[Releaser]) -> bool:
    """The process ends right after the view left."""
    desk = Desk(home / kind.__name__, single(), releaser_class=kind)
    view = desk.turn("one")[0].view
    desk.reopen()
    stored = desk.releaser.store.stored("0:one")
    return stored is not None and stored.view == view and desk.releaser.store.lifetime(AttributeId("d")) == 2 * NANO


def test_charge_after_release_loses_a_charge(tmp_path: Path) -> None:
    assert a_view_that_left_is_charged(tmp_path, Releaser)
    assert not a_view_that_left_is_charged(tmp_path, LateReleaser)


class RefreshingReleaser(Releaser):
    """Draws anew for what a slot holds now."""

    def release(self, selections: Sequence[Selection], now: int) -> tuple[Released, ...]:
        fresh = [replace(each, key=f"{each.key}:{self._held(each)}") for each in selections]
        return super().release(fresh, now)

    def _held(self, selection: Selection) -> str:
        return repr(sorted(self.scores.scores([selection]).items()))


def a_period_has_one_draw(home: Path, kind: type[Releaser]) -> bool:
    """What a slot holds changes after its draw, and changes back; there is budget enough for each."""
    desk = Desk(home / kind.__name__, single(2 * NANO, lifetime=90 * NANO), releaser_class=kind)
    for scores in ({"v012": (10, 10)}, {"v011": (10, 10)}, {}):
        desk.remember("one", scores)
        desk.turn("one")
    return len(desk.releaser.store.releases()) == 1 == len(desk.releaser.store.charges())


def test_refresh_on_change_draws_again_when_memory_changes(tmp_path: Path) -> None:
    assert a_period_has_one_draw(tmp_path, Releaser)
    assert not a_period_has_one_draw(tmp_path, RefreshingReleaser)


class TrustingReleaser(Releaser):
    """Believes whatever database it finds."""

    def _repair(self, verdict: Verdict) -> None:
        del verdict


def a_budget_draws_once(home: Path, kind: type[Releaser]) -> bool:
    """A database is put back to before its draw, and asked again."""
    desk = Desk(home / kind.__name__, single(), releaser_class=kind)
    desk.db.checkpoint()
    before = settings(desk.home).paths.database.read_bytes()
    drawn = [desk.turn("one")[0].ground]
    desk.db.close()
    file = settings(desk.home).paths.database
    for suffix in ("-wal", "-shm"):
        Path(f"{file}{suffix}").unlink(missing_ok=True)
    file.write_bytes(before)
    desk.db = Database.open(file, KEY)
    desk.start()
    drawn.append(desk.turn("one")[0].ground)
    return drawn.count(Ground.DRAWN) == 1


def test_rollback_ledger_draws_twice_from_one_budget(tmp_path: Path) -> None:
    assert a_budget_draws_once(tmp_path, Releaser)
    assert not a_budget_draws_once(tmp_path, TrustingReleaser)
