"""Selections: what a turn may choose from and pays, from public inputs only."""

from fractions import Fraction

from keepmum_edge.views.mechanisms import Exponential, RandomisedResponse
from keepmum_edge.views.policy import MechanismName, ReleasePolicy, Selections
from keepmum_shared.view import NANO, ViewId, shipped_policy
from policies import attribute, facet, overlapping, policy, single, slot
from view_desk import selections_of

MADE = policy(overlapping())


def test_sticky_asks_once_for_each_facet_and_period() -> None:
    one, two = selections_of(MADE, "one", "two", turn="t1", period=3)
    assert (one.key, two.key) == ("3:one", "3:two")
    assert one.candidates == ("v010", "v011", "v012", "v013")
    assert (one.gamma, two.gamma) == ({"d"}, {"d", "b"})
    assert (one.epsilon, one.relevance, one.reuses) == (NANO, (0, 0, 0, 0), True)
    assert one == selections_of(MADE, "one", turn="t2", period=3)[0]


def test_no_query_enters_a_sticky_selection() -> None:
    near, far = (selections_of(MADE, "one", relevance=lambda _, r=r: r)[0] for r in (10, 0))
    assert near == far


def test_the_papers_modes_ask_for_each_slot_and_turn_at_their_share_of_the_cap() -> None:
    online = selections_of(MADE, "two", turn="t1", release=ReleasePolicy.ONLINE)[0]
    planned = selections_of(MADE, "two", turn="t1", release=ReleasePolicy.PREALLOCATED)[0]
    assert (online.key, online.unit, online.reuses) == ("t1:two", "two", False)
    assert (online.epsilon, planned.epsilon) == (2 * NANO // 3, NANO // 2)
    assert 3 * online.epsilon <= 2 * NANO


def test_the_papers_candidates_are_generic_and_the_three_most_relevant_views() -> None:
    file = single() | {
        "attributes": [attribute("d", {"one": NANO, "more": NANO})],
        "slots": [slot("one", ["d"]), slot("other", ["d"])],
        "facets": [
            facet("one", "one", 1, epsilon=NANO),
            facet("more", "one", 2, epsilon=NANO),
            facet("rest", "other", 9, epsilon=None, views=1),
        ],
    }
    wanted = {"v012": 9, "v021": 8, "v023": 9}
    chosen = selections_of(
        policy(file), "one", "more", release=ReleasePolicy.ONLINE, relevance=lambda view: wanted.get(view, 5)
    )
    assert [each.candidates for each in chosen] == [("v010", "v012", "v021", "v023")]
    assert chosen[0].relevance == (5, 9, 8, 9)
    assert chosen[0].known >= {"v011", "v013", "v022"}
    even = selections_of(policy(file), "one", "more", release=ReleasePolicy.ONLINE)
    assert even[0].candidates == ("v010", "v011", "v012", "v013")


def test_each_mechanism_is_the_one_asked_for_and_certified_for_its_epsilon() -> None:
    for release in ReleasePolicy:
        for name, kind in ((MechanismName.KRR, RandomisedResponse), (MechanismName.EXPONENTIAL, Exponential)):
            selection = selections_of(MADE, "two", release=release, mechanism=name)[0]
            assert isinstance(selection.mechanism, kind)
            assert selection.mechanism.epsilon == selection.epsilon


def test_the_generic_slots_have_nothing_to_choose_and_cost_nothing() -> None:
    for release in ReleasePolicy:
        rest = selections_of(MADE, "rest", release=release)[0]
        assert (rest.epsilon, rest.mechanism, rest.candidates) == (0, None, ("v090",))


def test_selections_of_the_shipped_policy_come_at_two_epsilon_with_its_own_odds() -> None:
    shipped = shipped_policy()
    maker = Selections(shipped, ReleasePolicy.STICKY, MechanismName.KRR)
    chosen = selections_of(maker, "diet", "belonging")
    assert [each.epsilon for each in chosen] == [2 * NANO, 2 * NANO]
    drawn = chosen[0].mechanism.distribution([20, 28, 0, 0]).probabilities()  # type: ignore[union-attr]
    assert abs(drawn[1] - Fraction(711, 1000)) < Fraction(1, 1000)
    assert chosen[0].generic == ViewId("v010")
