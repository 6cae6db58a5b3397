import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_inference.borders import tidy
from keepmum_shared.taxonomy import EntityType

WEAK = "hunter2" + "!"


@pytest.mark.parametrize(
    ("text", "found", "wanted", "entity_type"),
    [
        ("I am Ann Lee, hello", " Ann Lee,", "Ann Lee", EntityType.NAME),
        ("我叫李明。", "李明。", "李明", EntityType.NAME),
        ("ask Tanaka now", "Tana", "Tanaka", EntityType.NAME),
        ("ask Tanaka now", "aka", "Tanaka", EntityType.NAME),
        ("at 5 Elm St (rear) today", "5 Elm St (rear)", "5 Elm St (rear)", EntityType.ADDRESS),
        ("(Ann Lee) said", "Ann Lee)", "Ann Lee", EntityType.NAME),
        ("call +47 99 88 now", "+47 99 88", "+47 99 88", EntityType.PHONE),
        (f"it is '{WEAK}'", f"'{WEAK}'", WEAK, EntityType.PASSWORD),
        ("用户Tanaka说", "Tanaka", "Tanaka", EntityType.NAME),
    ],
)
def test_borders_are_where_a_reader_would_put_them(text: str, found: str, wanted: str, entity_type: EntityType) -> None:
    start = text.index(found)
    left, right = tidy(text, start, start + len(found), entity_type)
    assert text[left:right] == wanted


def test_marks_alone_are_nothing() -> None:
    start, end = tidy("a ... b", 1, 6, EntityType.NAME)
    assert start >= end


@given(text=st.text(max_size=40), cut=st.tuples(st.integers(0, 40), st.integers(0, 40)))
def test_borders_stay_inside_the_text(text: str, cut: tuple[int, int]) -> None:
    start, end = min(*cut, len(text)), min(max(cut), len(text))
    for entity_type in (EntityType.NAME, EntityType.PASSWORD):
        left, right = tidy(text, start, end, entity_type)
        assert left >= right or 0 <= left < right <= len(text)
