"""What every SpanExtractor promises. The trained encoder joins by one more fixture parameter."""

import itertools
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_edge.spans.extractor import SpanExtractor
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_shared.taxonomy import NOT_A_LEVEL, default_level

EXTRACTORS: tuple[SpanExtractor, ...] = (RuleExtractor(),)

any_text = st.text(st.characters(exclude_categories=()), max_size=200)
odd_pieces = st.sampled_from(
    [
        "😀",
        "👩‍👩‍👧",
        "א",
        "\u200f",
        "\u200b",
        "e\u0301",
        "密码",
        "是",
        "一二三四",
        "１２３",
        "\r\n",
        "\x00",
        "\ud800",
        "@",
        "://",
        "ß",
        "İ",
    ]
)
words = st.sampled_from(
    [
        "password",
        " is ",
        "pin ",
        "a.b@example.org",
        "+47 99 88 77 66",
        "key=",
        "token: ",
        "4111 1111 1111 1111",
        '"',
        "'",
    ]
)
likely_text = st.lists(st.one_of(odd_pieces, words, st.text(string.printable, max_size=8)), max_size=30).map("".join)


@pytest.mark.parametrize("extractor", EXTRACTORS, ids=lambda e: e.model_id)
@given(text=st.one_of(any_text, likely_text))
def test_spans_are_sorted_disjoint_and_say_what_stands_there(extractor: SpanExtractor, text: str) -> None:
    spans = extractor.extract(text)
    assert all(text[s.start : s.end] == s.surface for s in spans)
    assert all(a.end <= b.start for a, b in itertools.pairwise(spans))
    assert all(s.entity_type not in NOT_A_LEVEL and s.level == default_level(s.entity_type) for s in spans)
    assert all(0 <= s.certainty <= 100 for s in spans)


@pytest.mark.parametrize("extractor", EXTRACTORS, ids=lambda e: e.model_id)
@given(text=likely_text)
def test_the_same_text_gives_the_same_spans(extractor: SpanExtractor, text: str) -> None:
    assert extractor.extract(text) == extractor.extract(text)


@pytest.mark.parametrize("extractor", EXTRACTORS, ids=lambda e: e.model_id)
@pytest.mark.parametrize("padding", [0, 1_000, 100_000])
def test_the_whole_text_is_read_however_long(extractor: SpanExtractor, padding: int) -> None:
    text = "lorem ipsum " * (padding // 12) + "write to last.fake@example.org"
    assert [s.surface for s in extractor.extract(text)] == ["last.fake@example.org"]


@pytest.mark.parametrize("extractor", EXTRACTORS, ids=lambda e: e.model_id)
def test_no_repr_shows_a_surface(extractor: SpanExtractor) -> None:
    (span,) = extractor.extract("write to someone.fake@example.org")
    assert "fake" not in repr(span)


@pytest.mark.parametrize("extractor", EXTRACTORS, ids=lambda e: e.model_id)
def test_says_who_it_is_and_whether_it_finds_names(extractor: SpanExtractor) -> None:
    assert extractor.model_id
    found = [span.surface for span in extractor.extract("Then Sigrid Tanaka left with Ola.")]
    assert extractor.finds_names is (found == ["Sigrid Tanaka", "Ola"])
