import numpy as np
import pytest
from keepmum_edge.spans.encoder import artefact_folder
from keepmum_inference.artefact import load_span_artefact
from keepmum_inference.bioes import best_stretches
from keepmum_inference.session import CPU, ModelSession
from keepmum_inference.tagger import _BLOCK, SpanTagger

ARTEFACT = load_span_artefact(artefact_folder())
TAGGER = SpanTagger(ARTEFACT)
SENTENCES = (
    "My name is Sigrid Tanaka and I live at 12 Elm Street. ",
    "The train was late again, and nobody said why. ",
    "Please tell Rajesh Okonkwo. ",
)


def test_a_text_of_many_blocks_gives_what_the_whole_gives_at_once() -> None:
    text = "".join(SENTENCES[number % 3] for number in range(420))
    pieces = TAGGER.pieces(text)
    assert len(pieces.ids) > 2 * _BLOCK
    scores = TAGGER.score(pieces)
    bias = ARTEFACT.thresholds.outside_bias
    whole = [(s.first, s.last) for s in best_stretches(scores.labels, outside_bias=bias)]
    by_block = [
        (first + s.first, first + s.last)
        for first, block in TAGGER._blocks(pieces, None)
        for s in best_stretches(block.labels, outside_bias=bias)
    ]
    assert by_block == whole
    assert "Rajesh Okonkwo" in {text[span.start : span.end] for span in TAGGER.tag(text)}


def test_blocks_together_are_all_pieces_even_where_everything_is_private() -> None:
    text = "Anna Berg, Ola Tanaka, " * 1200
    pieces = TAGGER.pieces(text)
    blocks = list(TAGGER._blocks(pieces, None))
    assert [first for first, _ in blocks] == np.cumsum([0] + [len(b.labels) for _, b in blocks[:-1]]).tolist()
    assert sum(len(b.labels) for _, b in blocks) == len(pieces.ids)
    assert max(len(b.labels) for _, b in blocks) < _BLOCK + 256


def test_work_that_nobody_wants_any_more_ends_at_the_next_window() -> None:
    class Unwanted(Exception):
        pass

    looked = 0

    def look_in() -> None:
        nonlocal looked
        looked += 1
        if looked == 3:
            raise Unwanted

    with pytest.raises(Unwanted):
        TAGGER.tag(SENTENCES[1] * 1000, look_in=look_in)


def test_the_provider_is_the_one_that_the_session_has() -> None:
    session = ModelSession(ARTEFACT.model, gpu=True)  # asked for or not: a build may list what no machine here has
    assert session.provider == session._session.get_providers()[0]
    assert ModelSession(ARTEFACT.model).provider == CPU
