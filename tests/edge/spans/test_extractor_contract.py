"""What every SpanExtractor promises: the rules, the trained model, and both together, which is what ships."""

import itertools
import string
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_edge.errors import ExtractorUnavailableError
from keepmum_edge.spans.encoder import EncoderExtractor
from keepmum_edge.spans.extractor import SpanExtractor, TextKind
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_edge.spans.shipped import load_shipped
from keepmum_shared.taxonomy import NOT_A_LEVEL, Level

EXTRACTORS: tuple[SpanExtractor, ...] = (RuleExtractor(), EncoderExtractor(), load_shipped())

FOUND_BY_ALL = "My name is Sigrid Tanaka."

each_extractor = pytest.mark.parametrize("extractor", EXTRACTORS, ids=("rules", "encoder", "shipped"))

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


@each_extractor
@settings(deadline=None, max_examples=60)
@given(text=st.one_of(any_text, likely_text))
def test_spans_are_sorted_disjoint_and_say_what_stands_there(extractor: SpanExtractor, text: str) -> None:
    spans = extractor.extract(text)
    assert all(text[s.start : s.end] == s.surface for s in spans)
    assert all(a.end <= b.start for a, b in itertools.pairwise(spans))
    assert all(s.entity_type not in NOT_A_LEVEL and s.level is not Level.PL1 for s in spans)
    assert all(0 <= s.certainty <= 100 for s in spans)


@each_extractor
@settings(deadline=None, max_examples=60)
@given(text=likely_text)
def test_the_same_text_gives_the_same_spans(extractor: SpanExtractor, text: str) -> None:
    assert extractor.extract(text) == extractor.extract(text)


@each_extractor
@pytest.mark.parametrize("padding", [0, 1_000, 20_000])
def test_the_whole_text_is_read_however_long(extractor: SpanExtractor, padding: int) -> None:
    text = "The train was late again. " * (padding // 26) + FOUND_BY_ALL
    assert extractor.extract(text)[-1].surface == "Sigrid Tanaka"


@each_extractor
def test_no_repr_shows_a_surface(extractor: SpanExtractor) -> None:
    spans = extractor.extract(FOUND_BY_ALL)
    assert spans
    assert "Tanaka" not in repr(spans)


@each_extractor
def test_says_who_it_is(extractor: SpanExtractor) -> None:
    assert extractor.model_id


@each_extractor
def test_a_cancelled_reading_gives_no_partial_result(extractor: SpanExtractor) -> None:
    with pytest.raises(ExtractorUnavailableError, match="cancelled"):
        extractor.extract(FOUND_BY_ALL, cancelled=lambda: True)
    assert extractor.extract(FOUND_BY_ALL, cancelled=lambda: False)


@each_extractor
def test_threads_may_share_it(extractor: SpanExtractor) -> None:
    texts = [f"My name is Sigrid Tanaka, write to someone{n}.fake@example.org. " * (1 + n % 7) for n in range(24)]
    alone = [extractor.extract(text) for text in texts]
    with ThreadPoolExecutor(max_workers=6) as threads:
        assert list(threads.map(extractor.extract, texts)) == alone


@pytest.mark.parametrize(
    "word", ["memory_add", "transcribe_audio", "call_8f3Kd92mZpQx7vLw", "toolu_01A09q90qw90lq917835lq9", "clock_skew"]
)
def test_nobody_guesses_at_an_identifier(word: str) -> None:
    """A request whose function names or call ids were taken for names and keys would be refused."""
    assert EXTRACTORS[-1].extract(word, kind=TextKind.WORD) == ()


def test_a_form_is_found_in_a_word_too() -> None:
    (span,) = EXTRACTORS[-1].extract("last.fake@example.org", kind=TextKind.WORD)
    assert span.surface == "last.fake@example.org"
