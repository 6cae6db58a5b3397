"""Figures of a set from the counts of its texts (pure). Shares and scores in per cent, times in milliseconds.

leak, uncovered, typed  shares of private spans: not wholly masked (letters and digits; any character), rightly typed
precision, recall, f1   of stretches that share at least half of both; `f1_exact`: of the same offsets
paper_precision ...     by the metric of MemPrivacy, where every private label of the set has a type
negatives_masked        share of texts without anything private that got a mask that counts as false
overmask                share of texts with a letter or digit masked outside private and neutral stretches
false_per_1k            masked characters outside private and neutral stretches, per 1,000 characters
p50_ms, p95_ms          time of one call, one after the other
Where a set does not mark everything private, only what concerns its private spans is given; None: not defined.
"""

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from keepmum_shared.taxonomy import EntityType, Level

from keepmum_models.evaluation.bootstrap import intervals
from keepmum_models.evaluation.marked import MarkedText, at_level, of_type
from keepmum_models.evaluation.masks import Mask
from keepmum_models.evaluation.scoring import Counts, score
from keepmum_models.evaluation.sets import EvaluationSet

Figure = Callable[[Counts], float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an extractor found in one text, and the milliseconds that it took."""

    masks: tuple[Mask, ...]
    milliseconds: float


def percent(part: float, whole: float) -> float | None:
    """Return a share in per cent, None of nothing."""
    return 100 * part / whole if whole else None


def f1(right: float, found: float, private: float) -> float | None:
    """Return the harmonic mean of right / found and right / private in per cent, None where nothing is private."""
    return percent(2 * right, found + private) if private else None


_OF_PRIVATE: Final[Mapping[str, Figure]] = {
    "leak": lambda c: percent(c.leaked, c.private),
    "uncovered": lambda c: percent(c.uncovered, c.private),
    "recall": lambda c: percent(c.paired, c.private),
}
_OF_TYPED: Final[Mapping[str, Figure]] = {
    "typed": lambda c: percent(c.typed, c.private),
    "paper_recall": lambda c: percent(c.paper_score, c.private),
}
_OF_COMPLETE: Final[Mapping[str, Figure]] = {
    "precision": lambda c: percent(c.paired, c.masks) if c.private else None,
    "f1": lambda c: f1(c.paired, c.masks, c.private),
    "f1_exact": lambda c: f1(c.exact, c.masks, c.private),
    "overmask": lambda c: percent(c.overmasked, c.texts),
    "false_per_1k": lambda c: 1000 * c.false_characters / c.characters if c.characters else None,
}
_OF_BOTH: Final[Mapping[str, Figure]] = {
    "paper_precision": lambda c: percent(c.paper_score, c.masks) if c.private else None,
    "paper_f1": lambda c: f1(c.paper_score, c.masks, c.private),
}
_NEGATIVES: Final[Mapping[str, Figure]] = {"negatives_masked": lambda c: percent(c.negatives_masked, c.negatives)}
WITH_INTERVAL: Final = ("leak", "f1", "f1_exact", "paper_f1", "negatives_masked", "overmask", "false_per_1k")
ALL: Final = (*_OF_PRIVATE, *_OF_TYPED, *_OF_COMPLETE, *_OF_BOTH, *_NEGATIVES)


def summary(spec: EvaluationSet, texts: Sequence[MarkedText], answers: Sequence[Answer]) -> dict[str, Any]:
    """Return everything there is to say of one set and extractor, ready for JSON.

    Under "levels": gold spans, leak and recall of each level that the set's gold has.

    Args:
        spec: How the set is scored.
        texts: At least one.
        answers: One per text, in the same order.
    """
    counts = [score(spec, text, answer.masks) for text, answer in zip(texts, answers, strict=True)]
    times = _times([answer.milliseconds for answer in answers])
    return summary_of_counts(spec, counts) | times | {"levels": _levels(spec, texts, answers)}


def summary_by_language(spec: EvaluationSet, texts: Sequence[MarkedText], answers: Sequence[Answer]) -> dict[str, Any]:
    """Return the summary and, where there are several languages, that of each under "languages"."""
    row = summary(spec, texts, answers)
    languages = sorted({text.language for text in texts})
    if len(languages) > 1:
        row["languages"] = {}
        for language in languages:
            here = [number for number, text in enumerate(texts) if text.language == language]
            row["languages"][language] = summary(spec, [texts[i] for i in here], [answers[i] for i in here])
    return row


def summary_of_counts(spec: EvaluationSet, counts: Sequence[Counts]) -> dict[str, Any]:
    """Return the figures that counts give, with intervals."""
    total = _sum(counts)
    defined: dict[str, Figure] = {**_OF_PRIVATE, **_NEGATIVES}
    defined |= _OF_TYPED if spec.typed else {}
    defined |= _OF_COMPLETE if spec.complete else {}
    defined |= _OF_BOTH if spec.typed and spec.complete else {}
    row: dict[str, Any] = {name: int(getattr(total, name)) for name in ("texts", "private", "negatives")}
    row |= {name: _rounded(name, defined[name](total)) if name in defined else None for name in ALL}
    found = intervals(counts, {name: defined[name] for name in WITH_INTERVAL if row[name] is not None})
    row["intervals"] = {name: [_rounded(name, end) for end in ends] for name, ends in found.items()}
    return row


def _levels(spec: EvaluationSet, texts: Sequence[MarkedText], answers: Sequence[Answer]) -> dict[str, Any]:
    levels: dict[str, Any] = {}
    for level in (Level.PL2, Level.PL3, Level.PL4):
        pairs = [(at_level(text, level), answer) for text, answer in zip(texts, answers, strict=True)]
        counts = [score(spec, text, answer.masks) for text, answer in pairs if text.private]
        if counts:
            total = _sum(counts)
            figures = {**_OF_PRIVATE, **(_OF_TYPED if spec.typed else {})}
            levels[level.name] = {"private": int(total.private)} | {
                name: _rounded(name, figure(total)) for name, figure in figures.items()
            }
    return levels


def masked_by_type(
    spec: EvaluationSet, texts: Sequence[MarkedText], answers: Sequence[Answer], types: Iterable[EntityType]
) -> dict[EntityType, tuple[int, int]]:
    """Return of each type that the gold has how many private spans there are, and how many of them did not leak."""
    found: dict[EntityType, tuple[int, int]] = {}
    for entity_type in types:
        pairs = [(of_type(text, entity_type), answer) for text, answer in zip(texts, answers, strict=True)]
        total = _sum([score(spec, text, answer.masks) for text, answer in pairs if text.private])
        if total.private:
            found[entity_type] = int(total.private), int(total.private - total.leaked)
    return found


def _sum(counts: Sequence[Counts]) -> Counts:
    return Counts(**{f.name: sum(getattr(one, f.name) for one in counts) for f in fields(Counts)})


def _times(milliseconds: Sequence[float]) -> dict[str, float]:
    if len(milliseconds) < 2:
        return {"p50_ms": round(milliseconds[0], 3), "p95_ms": round(milliseconds[0], 3)}
    cuts = statistics.quantiles(milliseconds, n=20, method="inclusive")
    return {"p50_ms": round(cuts[9], 3), "p95_ms": round(cuts[18], 3)}


def _rounded(name: str, value: float | None) -> float | None:
    return None if value is None else round(value, 2 if name == "false_per_1k" else 1)
