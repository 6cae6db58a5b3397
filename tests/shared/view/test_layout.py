import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_shared.view import PolicyError, shipped_policy
from keepmum_shared.view.layout import OTHER, Attribute, AttributeId, Layout, Slot, SlotId
from policies import overlapping, policy

SHIPPED = shipped_policy().layout
NAMES = [AttributeId(f"a{i}") for i in range(6)]


def layout(*listed: frozenset[AttributeId]) -> Layout:
    attributes = [Attribute(id=name, label=name, cap=1, lifetime_cap=1, planned=1, cues=("x",)) for name in NAMES]
    slots = [Slot(id=SlotId(f"s{i}"), label="", capacity=1, attributes=each) for i, each in enumerate(listed)]
    every = Slot(id=SlotId("every"), label="", capacity=1, attributes=frozenset(NAMES[3:]))
    return Layout(attributes, [*slots, every, Slot(id=OTHER, label="", capacity=1, attributes=frozenset(NAMES))])


subsets = st.frozensets(st.sampled_from(NAMES))


@settings(deadline=None)
@given(subsets, subsets, subsets, subsets)
def test_a_local_only_record_goes_where_every_attribute_is_listed_that_it_may_imply(
    first: frozenset[AttributeId],
    second: frozenset[AttributeId],
    rest: frozenset[AttributeId],
    may: frozenset[AttributeId],
) -> None:
    made = layout(first, second, rest | frozenset(NAMES[:3]))
    chosen = made.slot_for(may)
    assert may <= made.gamma(chosen)
    fitting = [slot for slot in made.slots if slot != OTHER and may <= made.gamma(slot)]
    assert chosen == (fitting[0] if may and fitting else OTHER)


@settings(deadline=None)
@given(st.frozensets(st.sampled_from(sorted(SHIPPED.attributes))))
def test_the_shipped_layout_never_places_a_record_where_an_attribute_is_not_charged(
    may: frozenset[AttributeId],
) -> None:
    slot = SHIPPED.slot_for(may)
    assert may <= SHIPPED.gamma(slot)
    if len(may) == 1:
        assert slot != OTHER


def test_places_that_people_expect() -> None:
    for attributes, slot in (
        ({"type_2_diabetes"}, "diet_and_metabolism"),
        ({"pregnancy", "fertility"}, "reproduction"),
        ({"type_2_diabetes", "pregnancy"}, "other"),
        ({"religion", "orientation"}, "faith_and_identity"),
        ({"immigration_status"}, "status"),
        (set(), "other"),
    ):
        assert SHIPPED.slot_for(map(AttributeId, attributes)) == slot
    with pytest.raises(PolicyError, match="no such attribute: height"):
        SHIPPED.slot_for([AttributeId("height")])


def test_gamma_and_the_positions_of_an_attribute_are_read_from_the_layout() -> None:
    made = policy(overlapping()).layout
    assert made.gamma(SlotId("two")) == {"d", "b"}
    assert made.slots_of(AttributeId("d")) == ("one", "two", "other")
