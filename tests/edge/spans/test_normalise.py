import sys
import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from keepmum_edge.spans.normalise import read

INVISIBLE = "\u200b\u200e\u202e\u2060\ufeff\u00ad"


def test_full_width_forms_and_foreign_digits_become_ascii() -> None:
    assert read("ｐｗ：１２３　٣४").text == "pw:123 34"


def test_chinese_numerals_become_digits_only_where_they_stand_together() -> None:
    assert read("一三八零零一三八").text == "13800138"
    assert read("一二三四五").text == "12345"
    assert read("三叔和一个人").text == "三叔和一个人"


def test_invisible_marks_are_left_out_and_offsets_point_back() -> None:
    reading = read("x\u200b1\u202e2\u200by")
    assert reading.text == "x12y"
    assert reading.original(1, 3) == (2, 5)


def test_every_format_character_is_left_out() -> None:
    """None of them is a letter to anybody; inside a card's number one would leave half of it in clear."""
    marks = "".join(filter(lambda c: unicodedata.category(c) == "Cf", map(chr, range(sys.maxunicode + 1))))
    assert len(marks) > 160
    assert read(f"4{marks}1").text == "41"
    assert read("4\u20e3 1\u20dd\u28002").text == "4 12"


def test_an_escape_is_read_as_its_character_and_maps_back_to_all_of_it() -> None:
    text = r'{"\u5bc6\u7801": "a\ud83d\ude00b"} &#64;&#x40; **Pin:** \\\"x\\\"'
    reading = read(text)
    assert reading.text == r'{"密码": "a😀b"} @@ **Pin: \"x\"'
    at = reading.text.index("😀")
    start, end = reading.original(at, at + 1)
    assert text[start:end] == r"\ud83d\ude00"


def test_only_base64_is_blanked() -> None:
    assert read("data:image/png,secret data:image/svg+xml;utf8,secret").text.count("secret") == 2


def test_lower_case_keeps_the_length() -> None:
    reading = read("İSTANBUL")
    assert len(reading.lower) == len(reading.text)


def test_a_base64_image_is_blanked_and_text_around_it_stays() -> None:
    reading = read("see data:image/png;base64,AAAA1234+/== here")
    assert reading.text.startswith("see \n")
    assert reading.text.endswith("\n here")


@given(st.text(st.characters(exclude_categories=())))
def test_folding_is_one_to_one(text: str) -> None:
    reading = read(text)
    assert len(reading.text) == len(reading.lower)
    if reading.starts is None or reading.ends is None:
        assert len(reading.text) == len(text)
    else:
        assert len(reading.starts) == len(reading.ends) == len(reading.text)


@given(st.text("abc123@.密码 ", min_size=1), st.text(INVISIBLE), st.integers(0, 40))
def test_a_mark_anywhere_changes_no_reading(text: str, marks: str, place: int) -> None:
    place = min(place, len(text))
    assert read(text[:place] + marks + text[place:]).text == read(text).text
