import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_inference.borders import Borders
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
    left, right = Borders(text).tidy(start, start + len(found), entity_type)
    assert text[left:right] == wanted


def test_marks_alone_are_nothing() -> None:
    start, end = Borders("a ... b").tidy(1, 6, EntityType.NAME)
    assert start >= end


@given(text=st.text(max_size=40), cut=st.tuples(st.integers(0, 40), st.integers(0, 40)))
def test_borders_stay_inside_the_text(text: str, cut: tuple[int, int]) -> None:
    start, end = min(*cut, len(text)), min(max(cut), len(text))
    for entity_type in (EntityType.NAME, EntityType.PASSWORD):
        left, right = Borders(text).tidy(start, end, entity_type)
        assert left >= right or 0 <= left < right <= len(text)


class Counted(str):
    """A text that counts how often a character of it is looked at."""

    looks = 0

    def __getitem__(self, key: object) -> str:
        Counted.looks += 1
        return super().__getitem__(key)  # type: ignore[index]


def test_many_stretches_in_one_long_word_cost_no_more_than_its_length() -> None:
    text = Counted("k" * 20_000)
    borders = Borders(text)
    for start in range(0, len(text) - 10, 10):
        assert borders.tidy(start, start + 10, EntityType.TOKEN) == (0, len(text))
    assert Counted.looks < 5 * len(text)
