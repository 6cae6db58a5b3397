import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_edge.spans.encoder import artefact_folder
from keepmum_inference.artefact import load_span_artefact
from keepmum_inference.bioes import Stretch
from keepmum_inference.hysteresis import LEAST_GROWTH, Expected, grown, type_probabilities, with_expected
from keepmum_inference.tagger import SpanTagger
from keepmum_shared.taxonomy import EntityType

TAGGER = SpanTagger(load_span_artefact(artefact_folder()))
NAME, OTHER = 0, 1


def stretch(first: int, last: int, kind: int = NAME) -> Stretch:
    return Stretch(first, last, kind, 0.9)


@pytest.mark.parametrize(
    ("probabilities", "single", "whole"),
    [
        ([0.0, 0.2, 0.9, 0.1, 0.0], [False] * 5, (1, 3)),
        ([0.2, 0.01, 0.9, 0.05, 0.9], [False] * 5, (2, 2)),  # a gap ends it
        ([0.3, 0.3, 0.9, 0.3, 0.3], [True] * 5, (1, 3)),  # by one Chinese character, no further
    ],
)
def test_a_name_takes_up_what_is_weakly_part_of_it(
    probabilities: list[float], single: list[bool], whole: tuple[int, int]
) -> None:
    likely = np.array(probabilities) >= LEAST_GROWTH
    (found,) = grown([stretch(2, 2)], likely, NAME, np.array(single))
    assert (found.first, found.last) == whole


def test_nothing_but_names_grows() -> None:
    assert grown([stretch(2, 2, OTHER)], np.ones(5, bool), NAME, np.zeros(5, bool)) == [stretch(2, 2, OTHER)]


@given(st.data())
def test_growth_never_reaches_another_stretch(data: st.DataObject) -> None:
    length = data.draw(st.integers(1, 30))
    cuts = sorted(data.draw(st.sets(st.integers(0, length), max_size=8)))
    stretches = [
        stretch(a, b - 1, data.draw(st.sampled_from((NAME, OTHER))))
        for a, b in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    likely = data.draw(st.lists(st.booleans(), min_size=length, max_size=length))
    single = data.draw(st.lists(st.booleans(), min_size=length, max_size=length))
    found = grown(stretches, np.array(likely), NAME, np.array(single))
    assert len(found) == len(stretches)
    pieces = [piece for one in found for piece in range(one.first, one.last + 1)]
    assert len(pieces) == len(set(pieces))
    assert set(pieces) <= set(range(length))
    for before, after in zip(stretches, found, strict=True):
        assert after.first <= before.first <= before.last <= after.last


def test_what_is_expected_counts_only_where_nothing_else_was_found() -> None:
    assert with_expected([stretch(2, 4)], [stretch(0, 0), stretch(4, 5), stretch(6, 6)]) == [
        stretch(0, 0),
        stretch(2, 4),
        stretch(6, 6),
    ]


def test_an_expected_word_is_found_at_its_own_threshold_in_every_block() -> None:
    text = "The weather was fine and the train was late again. " * 700 + "We painted it in Okonkwo blue. "
    start = text.index("Okonkwo")
    pieces = TAGGER.pieces(text)
    scores = type_probabilities(TAGGER.score(pieces).labels, TAGGER._name)
    at = [i for i in range(len(pieces.ids)) if start <= pieces.starts[i] < start + 7]
    likely = float(scores[at].mean())
    assert not TAGGER.tag(text)
    for least, found in ((likely * 0.9, ["Okonkwo"]), (likely * 1.1, [])):
        expected = (Expected(start, start + 7, EntityType.NAME, least),)
        assert [text[span.start : span.end] for span in TAGGER.tag(text, expected=expected)] == found
