import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_inference.retrieval.terms import STOP_WORDS, date_terms, index_terms, query_terms, stem


@pytest.mark.parametrize(
    "words",
    [
        "walk walks walked walking",
        "like likes liked liking",
        "carry carries carried carrying",
        "run runs running",
        "box boxes",
        "class classes",
        "dentist dentists",
        "hobby hobbies",
        "Allergy ALLERGIES",
    ],
)
def test_forms_of_a_word_are_one_term(words: str) -> None:
    assert len({term for word in words.split() for term in index_terms(word)}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("bus", "bu"), ("news", "new"), ("thing", "th"), ("red", "r"), ("cat", "car")]
)
def test_different_words_stay_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_placeholders_are_whole_terms_and_differ_by_number_and_type() -> None:
    assert index_terms("Met <NAME_3> and <NAME_31> at <ADDRESS_3>.") == ["met", "<NAME_3>", "<NAME_31>", "<ADDRESS_3>"]


def test_a_word_that_looks_like_a_type_is_no_placeholder() -> None:
    assert "<NAME_3>" not in index_terms("NAME 3 name_3")


def test_full_width_and_case_are_folded() -> None:
    assert index_terms("ＴＥＡ Straße") == index_terms("tea STRASSE")


def test_chinese_words_of_two_characters_are_bigrams() -> None:
    assert query_terms("喜欢") == ["喜欢"]
    assert "喜欢" in index_terms("我很喜欢喝茶")
    assert query_terms("茶") == ["茶"]
    assert "茶" in index_terms("我很喜欢喝茶")


def test_function_words_are_left_out() -> None:
    assert query_terms("What do I like about it?") == [stem("like")]


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_every_query_term_of_a_text_is_in_its_index(text: str) -> None:
    singles = set(query_terms(text))
    assert singles <= set(index_terms(text))


def test_mixed_text_is_parted_at_the_script() -> None:
    assert query_terms("我用Rust写代码 <NAME_1>说hello") == ["我用", "rust", "写代", "代码", "<NAME_1>", "说", "hello"]


@given(st.lists(st.text(st.sampled_from("abnRun ing's'’é茶 <>_1NAME"), max_size=40), max_size=6))
def test_stems_that_other_texts_gave_change_no_term(texts: list[str]) -> None:
    stems: dict[str, str] = {}
    assert [index_terms(text, stems) for text in texts] == [index_terms(text) for text in texts]
    assert all(word not in STOP_WORDS for word in stems)


def test_a_day_is_found_by_the_words_of_a_query() -> None:
    assert set(date_terms(1_683_554_160)) == set(query_terms("on 8 May 2023"))
