from random import Random

import pytest
from keepmum_models.corpus import noise
from keepmum_models.corpus.pieces import Piece, join
from keepmum_shared.taxonomy import EntityType

ENGLISH = [
    Piece("Hi, I'm "),
    Piece("Ann Lee", EntityType.NAME),
    Piece("; pass: "),
    Piece("Ab-9!x", EntityType.PASSWORD),
    Piece("."),
]
CHINESE = [
    Piece("我叫"),
    Piece("王小明", EntityType.NAME),
    Piece("，电话"),
    Piece("13800001111", EntityType.PHONE),
    Piece("。"),
]
ALL = [noise.lower_case, noise.upper_case, noise.speech, noise.typos, noise.full_width, noise.loose_tokens, noise.emoji]
ALL += [noise.title_case, noise.slang]


@pytest.mark.parametrize("change", ALL)
@pytest.mark.parametrize("pieces", [ENGLISH, CHINESE])
def test_spans_still_name_the_same_values(change: noise.Noise, pieces: list[Piece]) -> None:
    for seed in range(20):
        labelled = join(change(pieces, Random(seed)))
        found = [labelled.text[span.start : span.end] for span in labelled.private]
        before = [piece.text for piece in pieces if piece.entity_type]
        assert [text.translate(_NARROW).casefold() for text in found] == [text.casefold() for text in before]


@pytest.mark.parametrize("change", ALL)
def test_a_secret_keeps_every_character(change: noise.Noise) -> None:
    labelled = join(change(ENGLISH, Random(1)))
    span = next(span for span in labelled.private if span.entity_type is EntityType.PASSWORD)
    assert labelled.text[span.start : span.end] == "Ab-9!x"


def test_ordinary_words_get_capitals_and_values_stay() -> None:
    pieces = [Piece("please ask "), Piece("ann", EntityType.NAME), Piece(" at example.com or v1.2 again")]
    assert join(noise.title_case(pieces, Random(1))).text == "Please Ask ann At example.com Or v1.2 Again"


def test_slang_spoils_ordinary_words_only() -> None:
    pieces = [Piece("nothing better than waiting here with "), Piece("maria", EntityType.NAME)]
    texts = {join(noise.slang(pieces, Random(seed))).text for seed in range(20)}
    assert len(texts) > 10
    assert all(text.endswith(" maria") for text in texts)


def test_speech_keeps_the_blanks_of_languages_that_have_them() -> None:
    assert join(noise.speech([Piece("Où est la gare ?")], Random(1))).text == "où est la gare"


def test_speech_has_no_punctuation() -> None:
    assert join(noise.speech(CHINESE, Random(1))).text == "我叫王小明电话13800001111"
    assert join(noise.speech(ENGLISH, Random(1))).text == "hi i'm ann lee pass Ab-9!x"


_NARROW = {code + 0xFEE0: code for code in range(0x21, 0x7F)}
