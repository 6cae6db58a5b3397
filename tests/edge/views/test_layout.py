"""Closure: what a slot holds depends on the writes to that slot alone."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_edge.views.layout import Contents, Position, place, remove
from keepmum_shared.ids import MemoryId
from keepmum_shared.view import AttributeId, Layout
from policies import overlapping, policy

LAYOUT = policy(overlapping()).layout
Write = tuple[tuple[str, ...], int]
writes = st.lists(st.tuples(st.sampled_from([("d",), ("b",), ("b", "d"), ()]), st.integers(0, 3)), max_size=12)


def position(number: int, importance: int = 5) -> Position:
    return Position(record=MemoryId(f"mem_{number}"), text=f"text {number}", importance=importance)


def after(history: Sequence[tuple[int, Write]], layout: Layout = LAYOUT) -> Contents:
    contents: Contents = {}
    for number, (attributes, importance) in history:
        contents = place(layout, contents, map(AttributeId, attributes), position(number, importance)).contents
    return contents


@settings(deadline=None)
@given(writes, st.sampled_from(["one", "two", "three", "other"]))
def test_a_slot_is_the_same_whatever_was_written_to_the_others(history: list[Write], slot: str) -> None:
    numbered = list(enumerate(history))
    own = [write for write in numbered if LAYOUT.slot_for(map(AttributeId, write[1][0])) == slot]
    assert after(numbered).get(slot, ()) == after(own).get(slot, ())


@settings(deadline=None)
@given(writes)
def test_no_slot_holds_more_than_its_positions_and_every_record_has_one_place(history: list[Write]) -> None:
    contents = after(list(enumerate(history)))
    records = [each.record for held in contents.values() for each in held]
    assert len(records) == len(set(records))
    assert all(len(held) <= LAYOUT.slots[slot].capacity for slot, held in contents.items())


def test_a_full_slot_gives_up_its_least_important_record_and_of_equals_the_oldest() -> None:
    contents = after([(1, (("d",), 5)), (2, (("d",), 3))])
    placed = place(LAYOUT, contents, [AttributeId("d")], position(3, 0))
    assert (placed.slot, placed.replaced) == ("one", "mem_2")
    assert [each.record for each in placed.contents["one"]] == ["mem_1", "mem_3"]
    equal = after([(1, (("d",), 5)), (2, (("d",), 5))])
    assert place(LAYOUT, equal, [AttributeId("d")], position(3, 5)).replaced == "mem_1"


def test_removing_a_record_says_whose_scores_must_be_made_anew() -> None:
    contents = after([(1, (("d",), 5)), (2, (("b",), 3))])
    left, slots = remove(contents, MemoryId("mem_1"))
    assert slots == ("one",)
    assert left["one"] == ()
    assert left["two"] == contents["two"]
    assert remove(contents, MemoryId("mem_9")) == (contents, ())


def test_a_position_shows_no_text_in_its_repr() -> None:
    assert "text 1" not in repr(position(1))
