"""Calibration: how sure the model must be, by level and type, chosen on texts that it was not trained on.

The decoding itself is `keepmum_inference.bioes`. A stretch is right if it shares at least half of itself and half of
a private span; one that lies mostly in neutral text, or is of a type that its set does not cover, counts neither
way. A threshold maximises F-beta, with a beta that grows with the level: a missed secret costs more than a false mask.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from keepmum_inference.artefact import SpanArtefact, Thresholds
from keepmum_inference.bioes import best_stretches
from keepmum_inference.borders import Borders
from keepmum_inference.labels import LabelScheme
from keepmum_inference.subwords import Pieces
from keepmum_inference.tagger import Scores, SpanTagger
from keepmum_shared.taxonomy import EntityType, Level, default_level

from keepmum_models.examples import Example
from keepmum_models.matching import f_beta, overlap

BETAS: Final[Mapping[Level, float]] = {Level.PL2: 2.5, Level.PL3: 2.0, Level.PL4: 2.0}
BIASES: Final = (0.0, -1.0, -2.0)
GRID: Final = tuple(step / 20 for step in range(2, 20))
EVEN: Final = 0.4
AS_GOOD: Final = 0.001
"""Difference of F-beta that means nothing."""

ENOUGH: Final = 60
"""Private spans that a type needs in the calibration texts to have a threshold of its own."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One found stretch: how sure, and whether it is right."""

    entity_type: EntityType
    score: float
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What one way of decoding found; `missed`: private spans that no stretch met, by type."""

    answers: tuple[Answer, ...]
    missed: Mapping[EntityType, int]


def calibrate(artefact: SpanArtefact, examples: Iterable[Example]) -> Thresholds:
    """Return the thresholds that do best on these examples."""
    tagger = SpanTagger(artefact)
    read = []
    for example in examples:
        pieces = tagger.pieces(example.text)
        read.append((example, pieces, tagger.score(pieces)))
    best: tuple[float, Thresholds] | None = None
    for bias in BIASES:
        tally = _tally(read, artefact.scheme, bias)
        thresholds, value = _choose(tally, bias)
        if best is None or value > best[0] + len(BETAS) * AS_GOOD:
            best = value, thresholds
    assert best is not None
    return best[1]


def _tally(read: Sequence[tuple[Example, Pieces, Scores]], scheme: LabelScheme, bias: float) -> Tally:
    answers: list[Answer] = []
    missed: dict[EntityType, int] = defaultdict(int)
    for example, pieces, scores in read:
        meaning = example.meaning
        private = [(s.start, s.end, meaning.private[s.label][0]) for s in example.spans if s.label in meaning.private]
        neutral = [(s.start, s.end) for s in example.spans if s.label in meaning.neutral]
        met: set[int] = set()
        borders = Borders(example.text)
        for stretch in best_stretches(scores.labels, outside_bias=bias):
            kind = scheme.types[stretch.type_number]
            start, end = borders.tidy(int(pieces.starts[stretch.first]), int(pieces.ends[stretch.last]), kind)
            hits = {
                i for i, (s, e, _) in enumerate(private) if 2 * overlap(start, end, s, e) >= max(end - start, e - s)
            }
            met |= hits
            foreign = meaning.covers is not None and kind not in meaning.covers
            touches = any(overlap(start, end, s, e) for s, e, _ in private)
            if hits or not (
                foreign or touches or 2 * sum(overlap(start, end, s, e) for s, e in neutral) >= end - start
            ):
                answers.append(Answer(kind, stretch.score, bool(hits)))
        for i, (_, _, kind) in enumerate(private):
            missed[kind] += i not in met
    return Tally(answers=tuple(answers), missed=missed)


def _choose(tally: Tally, bias: float) -> tuple[Thresholds, float]:
    """Return thresholds and the sum of the levels' F-betas; a level's threshold is for types without their own."""
    by_type: dict[EntityType, float] = {}
    for kind in sorted({a.entity_type for a in tally.answers}):
        here = [a for a in tally.answers if a.entity_type is kind]
        if sum(a.right for a in here) >= ENOUGH:
            by_type[kind], _ = _threshold(here, tally.missed.get(kind, 0), BETAS[default_level(kind)])
    by_level: dict[Level, float] = {Level.PL1: 0.5}
    total = 0.0
    for level, beta in BETAS.items():
        rare = [a for a in tally.answers if default_level(a.entity_type) is level and a.entity_type not in by_type]
        missed = sum(n for t, n in tally.missed.items() if default_level(t) is level and t not in by_type)
        by_level[level], _ = _threshold(rare, missed, beta)
        thresholds = Thresholds(outside_bias=bias, by_level=by_level, by_type=by_type)
        here = [a for a in tally.answers if default_level(a.entity_type) is level]
        kept = [a.right for a in here if a.score >= thresholds.of(a.entity_type)]
        missed = sum(n for t, n in tally.missed.items() if default_level(t) is level)
        total += f_beta(sum(kept), len(kept), missed + sum(a.right for a in here), beta)
    return Thresholds(outside_bias=bias, by_level=by_level, by_type=by_type), total


def _threshold(answers: Sequence[Answer], missed: int, beta: float) -> tuple[float, float]:
    """Return the threshold that is nearest to EVEN among those whose F-beta is as good as the best, and that F-beta.

    Where the texts cannot tell thresholds apart, an extreme one would be chance and fail on texts of another kind.
    """
    private = missed + sum(a.right for a in answers)
    values: dict[float, float] = {}
    for threshold in GRID:
        kept = [a.right for a in answers if a.score >= threshold]
        values[threshold] = f_beta(sum(kept), len(kept), private, beta)
    best = max(values.values())
    as_good = [threshold for threshold, value in values.items() if value >= best - AS_GOOD]
    return min(as_good, key=lambda threshold: abs(threshold - EVEN)), best
