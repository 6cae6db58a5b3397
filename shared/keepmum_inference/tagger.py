"""A span model at work: text in, typed and levelled stretches of it out."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from keepmum_shared.taxonomy import EntityType, Level
from numpy.typing import NDArray

from keepmum_inference.artefact import LABELS, SpanArtefact
from keepmum_inference.bioes import Stretch, best_stretches, log_softmax
from keepmum_inference.borders import tidy
from keepmum_inference.errors import ArtefactError
from keepmum_inference.labels import LEVELS
from keepmum_inference.manifest import MODEL
from keepmum_inference.session import ModelSession
from keepmum_inference.subwords import Pieces, Subwords
from keepmum_inference.windows import windows

_OUTPUTS: Final = ("labels", "levels")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggedSpan:
    """A private stretch in code-point offsets, half-open; holds no text.

    Attributes:
        score: Mean probability, in [0, 1], that its pieces are private.
    """

    start: int
    end: int
    entity_type: EntityType
    level: Level
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """What the model says of each piece of a text.

    Attributes:
        labels: Log-probabilities, shape (pieces, labels of the scheme).
        levels: Corrections to the level prior, shape (pieces, 4).
    """

    labels: NDArray[np.float32]
    levels: NDArray[np.float32]


class SpanTagger:
    """A loaded span model. Stateless between calls; may be called from several threads."""

    def __init__(self, artefact: SpanArtefact, *, threads: int = 1, gpu: bool = False) -> None:
        """Start the runtime.

        Raises:
            ArtefactError: model, tokenizer and labels do not belong together.
            SessionError: the runtime refuses the model.
        """
        # Not the artefact itself: the runtime has its own copy of the model, and a daemon need not hold two.
        self._scheme, self._thresholds = artefact.scheme, artefact.thresholds
        self._window, self._overlap = artefact.window, artefact.overlap
        self._subwords = Subwords(artefact.tokenizer_json)
        self._session = ModelSession(artefact.model, threads=threads, gpu=gpu)
        if not set(_OUTPUTS) <= set(self._session.outputs):
            raise ArtefactError(MODEL, "lacks an output of a span model")
        probe = self.score(self._subwords.encode("a"))
        if probe.labels.shape[1] != artefact.scheme.size or probe.levels.shape[1] != len(LEVELS):
            raise ArtefactError(LABELS, "does not fit the outputs of the model")

    def pieces(self, text: str) -> Pieces:
        """Return the pieces of a text."""
        return self._subwords.encode(text)

    def score(self, pieces: Pieces) -> Scores:
        """Run the model over all windows of a text.

        Raises:
            SessionError: the runtime failed.
        """
        length = len(pieces.ids)
        labels = np.zeros((length, self._scheme.size), dtype=np.float32)
        levels = np.zeros((length, len(LEVELS)), dtype=np.float32)
        for window in windows(length, size=self._window, overlap=self._overlap):
            ids = np.empty((1, window.end - window.start + 2), dtype=np.int64)
            ids[0, 0], ids[0, -1] = self._subwords.begin, self._subwords.end
            ids[0, 1:-1] = pieces.ids[window.start : window.end]
            answers = self._session.run(_OUTPUTS, {"ids": ids, "mask": np.ones_like(ids)})
            if answers[0].shape[2] != labels.shape[1]:
                raise ArtefactError(LABELS, "does not fit the outputs of the model")
            kept = slice(window.keep_start, window.keep_end)
            inner = slice(1 + window.keep_start - window.start, 1 + window.keep_end - window.start)
            labels[kept] = log_softmax(answers[0][0, inner])
            levels[kept] = answers[1][0, inner]
        return Scores(labels=labels, levels=levels)

    def tag(self, text: str) -> tuple[TaggedSpan, ...]:
        """Return the private stretches of a text, sorted, not overlapping.

        Raises:
            SessionError: the runtime failed.
        """
        pieces = self._subwords.encode(text)
        scores = self.score(pieces)
        found: list[TaggedSpan] = []
        for stretch in best_stretches(scores.labels, outside_bias=self._thresholds.outside_bias):
            span = self._span(text, pieces, scores, stretch)
            if span is None or span.score < self._thresholds.of(span.entity_type):
                continue
            if found and span.start < found[-1].end:  # two stretches that tidying drew into one word
                span = replace(found.pop(), end=span.end)
            found.append(span)
        return tuple(found)

    def _span(self, text: str, pieces: Pieces, scores: Scores, stretch: Stretch) -> TaggedSpan | None:
        entity_type = self._scheme.types[stretch.type_number]
        start, end = tidy(text, int(pieces.starts[stretch.first]), int(pieces.ends[stretch.last]), entity_type)
        if start >= end:
            return None
        correction = scores.levels[stretch.first : stretch.last + 1].mean(axis=0)
        level = LEVELS[int((np.array(self._scheme.level_prior(entity_type)) + correction).argmax())]
        return TaggedSpan(start=start, end=end, entity_type=entity_type, level=level, score=stretch.score)
