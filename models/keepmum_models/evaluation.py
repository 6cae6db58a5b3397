"""Measuring an extractor: does private text leave, and what is masked for nothing?

leak        share of private spans with any letter or digit left (secrets: any character that is no blank)
f1          one-to-one, greedy from the largest common part, which must be at least half of both spans
negatives   share of texts without anything private that got a mask that counts as false
overmask    share of texts with a letter or digit masked outside private and neutral spans
false_per_1k  masked characters outside private and neutral spans, per 1,000 characters
p50_ms, p95_ms  time of one call, one after the other
A mask that touches nothing private counts as false unless it lies mostly in neutral text or is of a type that the set
does not cover.
"""

import hashlib
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from keepmum_edge.spans.extractor import SpanExtractor
from keepmum_edge.spans.span import PrivateSpan

from keepmum_models.evaluation_sets import EvaluationSet, is_neutral
from keepmum_models.matching import f_beta, overlap


@dataclass(slots=True, kw_only=True)
class Tally:
    """Sums over texts."""

    texts: int = 0
    characters: int = 0
    private: int = 0
    leaked: int = 0
    masks: int = 0
    paired: int = 0
    negatives: int = 0
    negatives_masked: int = 0
    overmasked: int = 0
    false_characters: int = 0
    milliseconds: list[float] = field(default_factory=list)

    def summary(self) -> dict[str, float | int | None]:
        """Return the figures, shares in per cent; None where there is nothing to divide by."""
        cuts = statistics.quantiles(self.milliseconds, n=20) if len(self.milliseconds) > 1 else [0.0] * 19
        return {
            "texts": self.texts,
            "private": self.private,
            "f1": round(100 * f_beta(self.paired, self.masks, self.private, 1.0), 1) if self.private else None,
            "leak": _percent(self.leaked, self.private),
            "negatives": self.negatives,
            "negatives_masked": _percent(self.negatives_masked, self.negatives),
            "overmask": _percent(self.overmasked, self.texts),
            "false_per_1k": round(1000 * self.false_characters / max(self.characters, 1), 2),
            "p50_ms": round(cuts[9], 2),
            "p95_ms": round(cuts[18], 2),
        }


def evaluate(extractor: SpanExtractor, spec: EvaluationSet, records: Sequence[dict[str, Any]], *, most: int) -> Tally:
    """Score one set; `most` texts at most, chosen by a hash of their ids, 0: all."""
    tally = Tally()
    ranked = sorted(records, key=lambda r: hashlib.sha256(b"evaluate|" + str(r["id"]).encode()).digest())
    for record in ranked[:most] if most else ranked:
        began = time.perf_counter()
        masks = extractor.extract(record["text"])
        tally.milliseconds.append((time.perf_counter() - began) * 1000)
        add(tally, spec, record, masks)
    return tally


def add(tally: Tally, spec: EvaluationSet, record: dict[str, Any], masks: Sequence[PrivateSpan]) -> None:
    """Add one text and what was found in it."""
    text = record["text"]
    private = [(s["start"], s["end"]) for s in record["spans"] if spec.is_private(s["label"])]
    neutral = [(s["start"], s["end"]) for s in record["spans"] if is_neutral(spec, s["label"])]
    masked, inside, free = _cover(text, [(m.start, m.end) for m in masks]), _cover(text, private), _cover(text, neutral)
    tally.texts += 1
    tally.characters += len(text)
    for start, end in private:
        told = [i for i in range(start, end) if not text[i].isspace() and (spec.secret or text[i].isalnum())]
        told = told or [i for i in range(start, end) if not text[i].isspace()]
        tally.private += 1
        tally.leaked += any(not masked[i] for i in told)
    counted: list[tuple[int, int]] = []
    for mask in masks:
        touches = any(inside[mask.start : mask.end])
        foreign = spec.covers is not None and mask.entity_type not in spec.covers
        excused = foreign or 2 * sum(free[mask.start : mask.end]) >= mask.end - mask.start
        if touches or not excused:
            counted.append((mask.start, mask.end))
        if not foreign:
            tally.false_characters += sum(
                not text[i].isspace() and not inside[i] and not free[i] for i in range(mask.start, mask.end)
            )
    tally.masks += len(counted)
    tally.paired += _pairs(private, counted)
    if not private and spec.complete:
        tally.negatives += 1
        tally.negatives_masked += bool(counted)
    tally.overmasked += any(text[i].isalnum() and masked[i] and not inside[i] and not free[i] for i in range(len(text)))


def _cover(text: str, spans: Sequence[tuple[int, int]]) -> bytearray:
    covered = bytearray(len(text))
    for start, end in spans:
        covered[start:end] = b"\x01" * (end - start)
    return covered


def _pairs(private: Sequence[tuple[int, int]], masks: Sequence[tuple[int, int]]) -> int:
    candidates = sorted(
        (-common, i, j)
        for i, (start, end) in enumerate(private)
        for j, (left, right) in enumerate(masks)
        if 2 * (common := overlap(start, end, left, right)) >= max(end - start, right - left)
    )
    taken_private: set[int] = set()
    taken_masks: set[int] = set()
    for _, i, j in candidates:
        if i not in taken_private and j not in taken_masks:
            taken_private.add(i)
            taken_masks.add(j)
    return len(taken_private)


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None
