"""A span model at work: text in, typed and levelled stretches of it out."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from keepmum_shared.taxonomy import EntityType, Level
from numpy.typing import NDArray

from keepmum_inference.artefact import LABELS, SpanArtefact
from keepmum_inference.bioes import Stretch, best_stretches, log_softmax
from keepmum_inference.borders import Borders
from keepmum_inference.errors import ArtefactError
from keepmum_inference.hysteresis import (
    LEAST_GROWTH,
    LEAST_GROWTH_PLAIN,
    Expected,
    grown,
    type_probabilities,
    with_expected,
)
from keepmum_inference.labels import LEVELS
from keepmum_inference.manifest import MODEL
from keepmum_inference.session import ModelSession
from keepmum_inference.subwords import Pieces, Subwords
from keepmum_inference.windows import windows

_OUTPUTS: Final = ("labels", "levels")
_EAST: Final = "\u2e80"
"""The first code point of the scripts in which a character is a syllable or a word."""
_BLOCK: Final = 2048
"""Pieces whose scores are held at once when a text is tagged: those of a megabyte would take 100 MB."""


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
        types = artefact.scheme.types
        self._name = types.index(EntityType.NAME) if EntityType.NAME in types else -1
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
        return _joined(list(self._windows(pieces)), self._scheme.size)

    def tag(
        self, text: str, *, expected: Sequence[Expected] = (), look_in: Callable[[], None] | None = None
    ) -> tuple[TaggedSpan, ...]:
        """Return the private stretches of a text, sorted, not overlapping.

        Args:
            text: Any string.
            expected: What counts at a lower score than else (`hysteresis`), sorted.
            look_in: Called before each window; may raise to end the work.

        Raises:
            SessionError: the runtime failed.
        """
        pieces, borders = self._subwords.encode(text), Borders(text)
        found: list[TaggedSpan] = []
        for first, scores in self._blocks(pieces, look_in):
            sure = self._sure_stretches(text, pieces, first, scores)
            for stretch in with_expected(sure, self._expected(expected, pieces, first, scores)):
                if (span := self._span(borders, pieces, first, scores, stretch)) is None:
                    continue
                if found and span.start < found[-1].end:  # two stretches that tidying drew into one word
                    span = replace(found.pop(), end=span.end)
                found.append(span)
        return tuple(found)

    def _sure_stretches(self, text: str, pieces: Pieces, offset: int, scores: Scores) -> list[Stretch]:
        """Return the stretches that reach their thresholds, names over what is weakly part of them."""
        types = self._scheme.types
        found = [
            stretch
            for stretch in best_stretches(scores.labels, outside_bias=self._thresholds.outside_bias)
            if stretch.score >= self._thresholds.of(types[stretch.type_number])
        ]
        if not any(stretch.type_number == self._name for stretch in found):
            return found
        probabilities = type_probabilities(scores.labels, self._name)
        likely, single = np.zeros(len(probabilities), bool), np.zeros(len(probabilities), bool)
        for piece in np.flatnonzero(probabilities >= min(LEAST_GROWTH, LEAST_GROWTH_PLAIN)).tolist():
            start, end = int(pieces.starts[offset + piece]), int(pieces.ends[offset + piece])
            single[piece] = end - start == 1 and text[start] >= _EAST
            plain = single[piece] or _is_plain(text, start, end)
            likely[piece] = probabilities[piece] >= (LEAST_GROWTH_PLAIN if plain else LEAST_GROWTH)
        return grown(found, likely, self._name, single)

    def _expected(self, expected: Sequence[Expected], pieces: Pieces, offset: int, scores: Scores) -> Iterator[Stretch]:
        """Yield what is expected and likely enough, of the pieces of one block."""
        if not expected:
            return
        until = offset + len(scores.labels)
        firsts = np.searchsorted(pieces.ends[offset:until], [one.start for one in expected], side="right")
        lasts = np.searchsorted(pieces.starts[offset:until], [one.end for one in expected], side="left") - 1
        for one, first, last in zip(expected, firsts.tolist(), lasts.tolist(), strict=True):
            if first > last or one.entity_type not in self._scheme.types:
                continue
            number = self._scheme.types.index(one.entity_type)
            likely = float(type_probabilities(scores.labels[first : last + 1], number).mean())
            if likely >= one.least:
                yield Stretch(first, last, number, likely)

    def _blocks(self, pieces: Pieces, look_in: Callable[[], None] | None) -> Iterator[tuple[int, Scores]]:
        """Yield the scores of successive stretches and the piece that each begins with.

        They are cut where a piece is most surely outside, so that a border divides nothing private.
        """
        first, held = 0, list[Scores]()
        for scores in self._windows(pieces, look_in):
            held.append(scores)
            if sum(len(part.labels) for part in held) >= _BLOCK:
                block = _joined(held, self._scheme.size)
                cut = _BLOCK // 2 + int(block.labels[_BLOCK // 2 :, 0].argmax())
                yield first, Scores(labels=block.labels[:cut], levels=block.levels[:cut])
                first, held = first + cut, [Scores(labels=block.labels[cut:], levels=block.levels[cut:])]
        yield first, _joined(held, self._scheme.size)

    def _windows(self, pieces: Pieces, look_in: Callable[[], None] | None = None) -> Iterator[Scores]:
        """Run the model over one window after the other; together the scores are those of all pieces."""
        for window in windows(len(pieces.ids), size=self._window, overlap=self._overlap):
            if look_in is not None:
                look_in()
            ids = np.empty((1, window.end - window.start + 2), dtype=np.int64)
            ids[0, 0], ids[0, -1] = self._subwords.begin, self._subwords.end
            ids[0, 1:-1] = pieces.ids[window.start : window.end]
            answers = self._session.run(_OUTPUTS, {"ids": ids, "mask": np.ones_like(ids)})
            if answers[0].shape[2] != self._scheme.size:
                raise ArtefactError(LABELS, "does not fit the outputs of the model")
            kept = slice(1 + window.keep_start - window.start, 1 + window.keep_end - window.start)
            yield Scores(labels=log_softmax(answers[0][0, kept]), levels=answers[1][0, kept])

    def _span(
        self, borders: Borders, pieces: Pieces, offset: int, scores: Scores, stretch: Stretch
    ) -> TaggedSpan | None:
        entity_type = self._scheme.types[stretch.type_number]
        first, last = offset + stretch.first, offset + stretch.last
        start, end = borders.tidy(int(pieces.starts[first]), int(pieces.ends[last]), entity_type)
        if start >= end:
            return None
        correction = scores.levels[stretch.first : stretch.last + 1].mean(axis=0)
        level = LEVELS[int((np.array(self._scheme.level_prior(entity_type)) + correction).argmax())]
        return TaggedSpan(start=start, end=end, entity_type=entity_type, level=level, score=stretch.score)


def _is_plain(text: str, start: int, end: int) -> bool:
    """Say whether a piece is in small letters, or in capitals throughout with its neighbours."""
    around = text[max(0, start - 1) : end + 1]
    return text[start : start + 1].islower() or (text[start:end].isupper() and sum(map(str.isupper, around)) > 1)


def _joined(parts: list[Scores], labels: int) -> Scores:
    if len(parts) == 1:
        return parts[0]
    empty = Scores(labels=np.zeros((0, labels), np.float32), levels=np.zeros((0, len(LEVELS)), np.float32))
    parts = parts or [empty]
    return Scores(
        labels=np.concatenate([part.labels for part in parts]), levels=np.concatenate([part.levels for part in parts])
    )
