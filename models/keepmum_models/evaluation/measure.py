"""Running our own extractors over texts, one after the other, on one thread."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from keepmum_edge.spans.encoder import EncoderExtractor
from keepmum_edge.spans.extractor import SpanExtractor
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_edge.spans.shipped import load_shipped

from keepmum_models.evaluation.figures import Answer
from keepmum_models.evaluation.marked import MarkedText
from keepmum_models.evaluation.masks import masks_of

KINDS: Final = ("combined", "encoder", "rules")


def make_extractor(kind: str, artefact: Path | None = None) -> SpanExtractor:
    """Return an extractor.

    Args:
        kind: `rules`, `encoder`, or `combined`, which is both and the list of public figures, as they ship.
        artefact: Folder of the span model; None: the shipped one.

    Raises:
        ExtractorUnavailableError: the artefact is not usable.
    """
    if kind == "rules":
        return RuleExtractor()
    return EncoderExtractor(artefact) if kind == "encoder" else load_shipped(artefact)


def answers_of(extractor: SpanExtractor, texts: Sequence[MarkedText]) -> list[Answer]:
    """Extract from each text, timing each call."""
    answers = []
    for one in texts:
        began = time.perf_counter()
        spans = extractor.extract(one.text)
        took = (time.perf_counter() - began) * 1000
        answers.append(Answer(masks=masks_of(spans), milliseconds=took))
    return answers
