"""Decisions, case by case."""

from dataclasses import replace

import pytest
from keepmum_edge.views.ledger import Cause, Charge, Ground, PlainBooks, Stored
from keepmum_edge.views.policy import ReleasePolicy
from keepmum_edge.views.selector import Decision, after, charges_of, decide, distribution, utilities
from keepmum_shared.view import NANO, AttributeId, FacetId, SlotId, ViewId
from policies import overlapping, policy
from view_desk import selections_of

MADE = policy(overlapping(2 * NANO, lifetime=3 * NANO))
LAYOUT = MADE.layout
ONE, TWO = selections_of(MADE, "one", "two")
DRAWN = Stored(key="0:one", unit=FacetId("one"), period=0, view=ViewId("v012"), ground=Ground.DRAWN)


def spent(attribute: str, epsilon: int) -> PlainBooks:
    row = Charge(attribute=AttributeId(attribute), slot=SlotId("one"), key="x", period=0, epsilon=epsilon)
    return PlainBooks().charged([row])


def test_a_fresh_selection_is_drawn_and_charged_to_every_attribute_of_its_gamma() -> None:
    decision = decide(TWO, PlainBooks(), LAYOUT)
    assert (decision.ground, decision.view, decision.stores) == (Ground.DRAWN, None, True)
    assert {each.attribute: each.epsilon for each in decision.charges} == {"d": NANO, "b": NANO}


def test_a_key_has_one_view_whatever_happens_to_the_budget() -> None:
    books = spent("d", 2 * NANO).released(DRAWN)
    assert decide(ONE, books, LAYOUT) == Decision(ground=Ground.DRAWN, view=ViewId("v012"))


def test_what_does_not_fit_is_the_earlier_view_else_generic_and_is_kept_so() -> None:
    full = spent("d", 2 * NANO)
    assert decide(ONE, full, LAYOUT) == Decision(ground=Ground.SPENT, view=ViewId("v010"), stores=True)
    before = full.released(replace(DRAWN, key="earlier"))
    assert decide(ONE, before, LAYOUT) == Decision(ground=Ground.REUSED, view=ViewId("v012"), stores=True)
    turn = selections_of(MADE, "one", release=ReleasePolicy.ONLINE)[0]
    unit = before.released(replace(DRAWN, key="y", unit=SlotId("one")))
    assert decide(turn, unit, LAYOUT).ground == Ground.SPENT


def test_one_attribute_without_room_is_enough_to_refuse() -> None:
    assert decide(TWO, spent("b", NANO + 1), LAYOUT).ground == Ground.SPENT
    assert decide(ONE, spent("b", NANO + 1), LAYOUT).ground == Ground.DRAWN


def test_nothing_is_drawn_before_the_first_date_in_silence_in_a_rollback_or_without_a_choice() -> None:
    generic, no_charge = ViewId("v010"), ()
    early = decide(replace(ONE, period=-1), PlainBooks(), LAYOUT)
    silent = decide(ONE, replace(PlainBooks().released(DRAWN), silent=frozenset([SlotId("one")])), LAYOUT)
    frozen = decide(ONE, PlainBooks(frozen_before=1), LAYOUT)
    rest = decide(selections_of(MADE, "rest")[0], PlainBooks(), LAYOUT)
    assert [each.ground for each in (early, silent, frozen, rest)] == ["early", "silenced", "frozen", "no_choice"]
    assert {each.charges for each in (early, silent, frozen, rest)} == {no_charge}
    assert [each.view for each in (early, silent, frozen)] == [generic] * 3
    assert decide(ONE, PlainBooks(frozen_before=0), LAYOUT).ground == Ground.DRAWN
    assert decide(ONE, replace(PlainBooks(frozen_before=1).released(DRAWN)), LAYOUT).view == "v012"


def test_a_stored_view_that_the_vocabulary_lacks_is_generic() -> None:
    gone = PlainBooks().released(replace(DRAWN, view=ViewId("v777")))
    assert decide(ONE, gone, LAYOUT).view == "v010"
    later = selections_of(MADE, "one", period=1)[0]
    assert decide(later, spent_out(gone), LAYOUT).view == "v010"


def spent_out(books: PlainBooks) -> PlainBooks:
    return books.charged(spent("d", 3 * NANO).charges)


def test_a_draw_that_was_paid_and_lost_is_made_at_no_further_charge_once() -> None:
    paid = PlainBooks().charged(replace(each, cause=Cause.INTENT) for each in charges_of(ONE))
    decision = decide(ONE, spent_out(paid), LAYOUT)
    assert (decision.ground, decision.view, decision.charges, decision.stores) == (Ground.DRAWN, None, (), True)
    kept = after(paid, ONE, decision, ViewId("v013"))
    assert decide(ONE, kept, LAYOUT).view == "v013"
    assert decide(replace(ONE, key="0:more"), spent_out(paid), LAYOUT).ground == Ground.SPENT
    assert decide(replace(ONE, period=1), spent_out(paid), LAYOUT).ground == Ground.SPENT


def test_utilities_are_those_of_the_design() -> None:
    scores = {ViewId("v011"): (10, 10), ViewId("v012"): (3, 4)}
    assert utilities(ONE, scores, 20) == (20, 60, 20, 0)
    online = selections_of(MADE, "one", release=ReleasePolicy.ONLINE, relevance=lambda view: int(view[-1]))[0]
    assert utilities(online, scores, 20) == (20, 64, 28, 12)


def test_a_draw_prefers_generic_then_vocabulary_order_among_equals() -> None:
    decision = decide(ONE, PlainBooks(), LAYOUT)
    for scores, best in (({}, 0), ({"v012": (3, 4)}, 0), ({"v012": (8, 0), "v013": (8, 0)}, 2)):
        weights = distribution(ONE, decision, {ViewId(v): s for v, s in scores.items()}, 20).weights
        assert weights.index(max(weights)) == best
    with pytest.raises(ValueError, match="nothing is to be drawn"):
        distribution(ONE, decide(ONE, PlainBooks(frozen_before=1), LAYOUT), {}, 20)
