"""The theorem by enumeration: no transcript of any analyst passes the bound, and the bound is nearly reached."""

from fractions import Fraction
from itertools import product
from math import log

import pytest
from adjacent_stores import adjacent, always, asking, follow, store, worst
from keepmum_edge.views.audit import Interface, Rules, all_scores, is_within, transcripts
from keepmum_edge.views.ledger import PlainBooks
from keepmum_edge.views.policy import MechanismName, ReleasePolicy
from keepmum_edge.views.selector import decide, distribution
from keepmum_shared.view import NANO, ViewId
from policies import overlapping, policy, single
from view_desk import selections_of

ANALYSTS = {
    "all facets": (always("one", "two", "three"), always("one", "two", "three")),
    "follows views": (always("two"), follow, follow),
    "one after another": (always("one"), always("two"), always("three")),
}


@pytest.mark.parametrize("attribute", ["d", "b"])
@pytest.mark.parametrize("mechanism", MechanismName)
@pytest.mark.parametrize("analyst", ANALYSTS)
def test_sticky_within_a_period(attribute: str, mechanism: MechanismName, analyst: str) -> None:
    made = policy(overlapping())
    asks = asking(made, *ANALYSTS[analyst], mechanism=mechanism)
    ratio = worst(made, Rules(), asks, *adjacent(attribute, len(ANALYSTS[analyst])))
    assert is_within(ratio, 2 * NANO)
    if mechanism == MechanismName.KRR:
        assert log(ratio) > 1.99


@pytest.mark.parametrize("attribute", ["d", "b"])
def test_sticky_over_periods_stays_within_the_lifetime_cap_and_uses_it(attribute: str) -> None:
    made = policy(overlapping(NANO, lifetime=2 * NANO))
    plan = (always("one"), always("two"), always("two"), always("one"), always("two"))
    asks = asking(made, *plan, periods=(0, 0, 1, 1, 2))
    ratio = worst(made, Rules(), asks, *adjacent(attribute, 5))
    assert is_within(ratio, 2 * NANO)
    if attribute == "d":
        assert log(ratio) > 1.99


@pytest.mark.parametrize("attribute", ["d", "b"])
@pytest.mark.parametrize("release", [ReleasePolicy.ONLINE, ReleasePolicy.PREALLOCATED])
@pytest.mark.parametrize("mechanism", MechanismName)
def test_the_papers_modes(attribute: str, release: ReleasePolicy, mechanism: MechanismName) -> None:
    made = policy(overlapping())
    asks = asking(made, always("two"), follow, always("two"), follow, release=release, mechanism=mechanism)
    ratio = worst(made, Rules(), asks, *adjacent(attribute, 4))
    assert is_within(ratio, 2 * NANO)
    assert log(ratio) > (1.9 if mechanism == MechanismName.KRR else 0.7)


def test_every_score_table_against_every_other_at_one_draw() -> None:
    made = policy(single())
    selection = selections_of(made, "one")[0]
    decision = decide(selection, PlainBooks(), made.layout)
    tables = all_scores(selection.candidates[1:], list(product((0, 5, 10), repeat=2)))
    drawn = [distribution(selection, decision, table, made.tau).probabilities() for table in tables]
    assert len(drawn) == 729
    highest, lowest = ([pick(column) for column in zip(*drawn, strict=True)] for pick in (max, min))
    assert all(is_within(high / low, 2 * NANO) for high, low in zip(highest, lowest, strict=True))


def test_the_composite_bound_holds_for_stores_that_differ_for_both_attributes() -> None:
    made = policy(overlapping())
    asks = asking(made, always("one", "three"), always("two"))
    one, other = [store(one=(1,), three=(1,))] * 2, [store(one=(2,), three=(2,))] * 2
    ratio = worst(made, Rules(), asks, one, other)
    cost = made.composite_cost(frozenset(["one", "three"]))
    assert cost == 4 * NANO
    assert is_within(ratio, cost)
    assert log(ratio) > 1.99  # two draws at 1 each


def test_a_slot_that_no_draw_reads_changes_nothing() -> None:
    made = policy(overlapping())
    asks = asking(made, always("one"), always("one", "rest"))
    ratio = worst(made, Rules(), asks, [store(two=(1,), three=(3,))] * 2, [store(two=(2,))] * 2)
    assert ratio == 1


def test_silence_and_the_first_date_leave_nothing_to_tell_stores_apart() -> None:
    made = policy(overlapping())
    before = asking(made, always("one", "two"), always("one", "two"), periods=(-1, -1))
    assert worst(made, Rules(), before, [store(one=(1,))] * 2, [store(one=(2,))] * 2) == 1
    silent = Interface(layout=made.layout, tau=20, books=PlainBooks(silent=frozenset(["one"])))  # type: ignore[list-item]
    asks = asking(made, always("one"))
    found = [transcripts(silent, asks, [store(one=(view,))]) for view in (1, 2)]
    assert found[0] == found[1] == {((("silenced", ViewId("v010")),),): Fraction(1)}


def test_the_draws_of_krr_that_are_uniform_are_the_same_for_all_stores() -> None:
    """With probability k q / (p + (k - 1) q) the view is drawn uniformly, whatever the store holds."""
    made = policy(single())
    asks = asking(made, always("one"))
    found = [transcripts(Interface(layout=made.layout, tau=20), asks, [store(one=(view,))]) for view in (1, 2, 3)]
    shared = [min(each[seen] for each in found) for seen in found[0]]
    odds = made.vocabulary.facets["one"].odds  # type: ignore[index]
    assert odds is not None
    assert sum(shared) == Fraction(4 * odds.q, odds.p + 3 * odds.q)
