"""The closure, the order and the plan of a deletion, on graphs drawn at random and on those of the cases."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from keepmum_edge.memory.deletion import plan
from keepmum_edge.memory.provenance import Item, ItemId, Provenance, Support

NAMES = st.integers(0, 9).map(lambda n: ItemId(f"i{n}"))
ITEMS = st.builds(Item, id=NAMES, sources=st.frozensets(NAMES, max_size=4), support=st.sampled_from([*Support]))
GRAPHS = st.lists(ITEMS, max_size=10, unique_by=lambda item: item.id).map(Provenance.of)
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
ASKED = st.frozensets(NAMES, min_size=1, max_size=3)


def made(name: str, *sources: str) -> Item:
    return Item(id=ItemId(name), sources=frozenset(map(ItemId, sources)))


def borne(name: str, *sources: str) -> Item:
    return Item(id=ItemId(name), sources=frozenset(map(ItemId, sources)), support=Support.BORNE)


def graph(*items: Item) -> Provenance:
    return Provenance.of(items)


def names(*ids: str) -> frozenset[ItemId]:
    return frozenset(map(ItemId, ids))


def test_a_summary_of_two_facts_is_made_again_from_the_other_one() -> None:
    facts = graph(made("f1"), made("f2"), made("s1", "f1", "f2"), made("v1", "f1"), made("q1", "s1"), made("x1", "f1"))
    done = plan(facts, names("f1"))
    assert frozenset(done.removed) == names("f1", "s1", "v1", "q1", "x1")
    assert [(each.item, each.sources) for each in done.rebuilt] == [("s1", names("f2")), ("q1", names("s1"))]


def test_what_another_episode_bears_out_stays_and_loses_the_first_from_its_sources() -> None:
    episodes = graph(made("e1"), made("e2"), borne("only", "e1"), borne("both", "e1", "e2"), made("of both", "both"))
    done = plan(episodes, names("e1"))
    assert frozenset(done.removed) == names("e1", "only")
    assert done.trimmed == {"both": names("e1")}
    assert done.rebuilt == ()


def test_a_circle_hung_from_the_removed_goes_with_it_and_one_that_hangs_elsewhere_stays() -> None:
    hung = graph(made("x"), borne("a", "x", "b"), borne("b", "a"))
    assert hung.closure(names("x")) == names("x", "a", "b")
    held = graph(made("x"), made("y"), borne("a", "x", "b"), borne("b", "a", "y"))
    assert held.closure(names("x")) == names("x")
    assert plan(held, names("x")).trimmed == {"a": names("x")}
    made_in_circle = graph(made("x"), made("a", "x", "b"), made("b", "a"))
    assert frozenset(plan(made_in_circle, names("x")).removed) == names("x", "a", "b")


def test_a_circle_is_seen_before_it_is_stored() -> None:
    facts = graph(made("a"), made("b", "a"), made("c", "b"))
    assert facts.closes_circle(made("a", "c"))
    assert facts.closes_circle(made("a", "a"))
    assert not facts.closes_circle(made("c", "a"))


def test_an_item_that_nobody_knows_is_removed_alone() -> None:
    assert plan(graph(made("a")), names("unknown")).removed == ("unknown",)


@patient
@given(GRAPHS, ASKED)
def test_nothing_that_stays_is_made_from_what_goes(facts: Provenance, asked: frozenset[ItemId]) -> None:
    gone = facts.closure(asked)
    assert asked <= gone <= asked | facts.descendants(asked)
    for item in facts.items.values():
        if item.id in gone:
            continue
        if item.support is Support.MADE:
            assert not item.sources & gone
        else:
            assert not item.sources or item.sources - gone


@patient
@given(GRAPHS, ASKED)
def test_what_stays_rests_on_something_that_stays_without_running_in_a_circle(
    facts: Provenance, asked: frozenset[ItemId]
) -> None:
    gone = facts.closure(asked)
    doubtful = facts.descendants(asked) - gone
    grounded: set[ItemId] = set()
    for _ in facts.items:
        for each in doubtful:
            item = facts.items[each]
            rests = item.sources - gone - (doubtful - grounded)
            if rests == item.sources or (item.support is Support.BORNE and rests):
                grounded.add(each)
    assert grounded == doubtful


@patient
@given(GRAPHS, ASKED)
def test_a_plan_makes_again_parents_first_and_from_survivors_only(facts: Provenance, asked: frozenset[ItemId]) -> None:
    done = plan(facts, asked)
    gone = frozenset(done.removed)
    assert gone == facts.closure(asked)
    assert len(done.removed) == len(gone)
    again: set[ItemId] = set()
    for each in done.rebuilt:
        assert each.item in gone - asked
        assert each.sources
        assert all(source not in gone or source in again for source in each.sources)
        assert each.sources <= facts.items[each.item].sources
        again.add(each.item)
    for each, lost in done.trimmed.items():
        assert each not in gone
        assert lost == facts.items[each].sources & gone != frozenset()


@patient
@given(GRAPHS, ASKED)
def test_parents_come_first_wherever_there_is_an_order(facts: Provenance, asked: frozenset[ItemId]) -> None:
    chosen = facts.closure(asked)
    ordered = facts.parents_first(chosen)
    place = {each: number for number, each in enumerate(ordered)}
    assert place.keys() == chosen
    circle = {each for each in chosen if each in facts.items and facts.closes_circle(facts.items[each])}
    unordered = circle | facts.descendants(circle)
    for each in chosen - unordered:
        item = facts.items.get(each)
        for source in (item.sources & chosen) if item else ():
            assert place[source] < place[each]


def test_a_plan_is_another_one_when_anything_of_it_changes() -> None:
    before = plan(graph(made("a"), made("b", "a")), names("a"))
    assert before.digest == plan(graph(made("a"), made("b", "a")), names("a")).digest
    assert before.digest != plan(graph(made("a"), made("b", "a"), made("c", "b")), names("a")).digest
    with pytest.raises(AttributeError):
        before.asked = frozenset()  # type: ignore[misc]
