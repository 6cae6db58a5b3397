import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_edge.spans.encoder import artefact_folder
from keepmum_inference.errors import ArtefactError
from keepmum_inference.manifest import TOKENIZER
from keepmum_inference.subwords import _SECTION, Subwords

SUBWORDS = Subwords((artefact_folder() / TOKENIZER).read_text(encoding="utf-8"))
WORDS = ["My ", "name is Sigrid ", "Tanaka.\n", "我叫李明，", "\t", "  ", "e\u0301t\u00e9 ", "😀", "x" * 40 + " "]


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_a_long_text_has_the_pieces_of_the_whole_wherever_it_is_cut(seed: int) -> None:
    rng = np.random.default_rng(seed)
    text = "".join(rng.choice(WORDS, 6000))
    assert len(text) > 2 * _SECTION
    pieces = SUBWORDS.encode(text)
    whole_ids, _, _ = SUBWORDS._encode(text.replace("\n", " ").replace("\t", " "), 0)
    assert np.array_equal(pieces.ids, whole_ids)
    assert (pieces.starts <= pieces.ends).all()
    assert (np.diff(pieces.starts) >= 0).all()


@pytest.mark.parametrize("unit", ["我叫李明", "abcdefgh", "\u0301", "\ud800"])
def test_a_long_text_without_blanks_is_covered_to_its_end(unit: str) -> None:
    text = unit * (3 * _SECTION // len(unit)) + "终"
    pieces = SUBWORDS.encode(text)
    assert pieces.ends[-1] == len(text)
    assert pieces.starts[-1] == len(text) - 1
    covered = pieces.starts[pieces.ends > pieces.starts]
    assert np.diff(covered).max() <= _SECTION


def test_blanks_belong_to_no_piece() -> None:
    text = " \u00a0My  name\u3000is\n"
    pieces = SUBWORDS.encode(text)
    shown = [text[start:end] for start, end in zip(pieces.starts, pieces.ends, strict=True) if start < end]
    assert "".join(shown) == "Mynameis"
    assert not any(char.isspace() for piece in shown for char in piece)


def test_what_is_no_tokenizer_is_refused() -> None:
    with pytest.raises(ArtefactError):
        Subwords("{}")
