"""Counts over one text: what leaked, what was masked for nothing, what was paired with gold (pure).

leaked      private spans with any letter or digit left (secrets, and spans that have neither: any character but blanks)
uncovered   private spans with any character at all left
paired      one-to-one, greedy from the largest common part, which must be at least half of both stretches
exact       the same offsets
typed       private spans of which at least half of what counts is masked under a right type
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from keepmum_shared.taxonomy import EntityType
from numpy.typing import NDArray

from keepmum_models.evaluation.label_cosines import LabelSimilarity, label_cosine
from keepmum_models.evaluation.marked import Gold, MarkedText
from keepmum_models.evaluation.masks import Joined, Mask, Unlisted, join
from keepmum_models.evaluation.paper_metric import matched_score
from keepmum_models.evaluation.sets import EvaluationSet
from keepmum_models.matching import overlap

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Sums over texts; of one text to begin with. Units: texts, spans, characters.

    Attributes:
        masks: Masks that count, which are all but the excused ones.
        paper_score: Sum of the scores of pairs by the metric of the paper; 0 for a set without types.
        negatives: Texts without anything private; `negatives_masked` of them got a mask that counts.
        overmasked: Texts with a letter or digit masked outside private and neutral stretches.
    """

    texts: float = 1
    characters: float = 0
    private: float = 0
    leaked: float = 0
    uncovered: float = 0
    typed: float = 0
    masks: float = 0
    paired: float = 0
    exact: float = 0
    paper_score: float = 0
    negatives: float = 0
    negatives_masked: float = 0
    overmasked: float = 0
    false_characters: float = 0


def score(
    spec: EvaluationSet, marked: MarkedText, masks: Iterable[Mask], *, alike: LabelSimilarity = label_cosine
) -> Counts:
    """Count over one text.

    Args:
        spec: How its set is scored.
        marked: The text and its gold.
        masks: What was found in it, in any order, overlapping or not.
        alike: Similarity of two types, for the metric of the paper.
    """
    text, length = marked.text, len(marked.text)
    masks = tuple(masks)
    telling = np.fromiter((c.isalnum() or unicodedata.category(c)[0] == "M" for c in text), bool, length)
    visible = np.fromiter((not c.isspace() for c in text), bool, length)
    private = _cover(length, ((g.start, g.end) for g in marked.private))
    neutral = _cover(length, marked.neutral)
    masked = _cover(length, ((m.start, m.end) for m in masks))
    joined = join(masks)
    counted = tuple(j for j in joined if _counts(spec, j, private, neutral))
    blamed = _cover(length, ((j.start, j.end) for j in joined if not _is_foreign(spec, j)))
    stray = ~private & ~neutral
    telling_of = [_what_counts(g, telling, visible) for g in marked.private]
    return Counts(
        characters=length,
        private=len(marked.private),
        leaked=sum(bool((what & ~masked).any()) for what in telling_of),
        uncovered=sum(not masked[g.start : g.end].all() for g in marked.private),
        typed=sum(_is_typed(g, what, masks) for g, what in zip(marked.private, telling_of, strict=True)),
        masks=len(counted),
        paired=_pairs(marked.private, counted),
        exact=len({(g.start, g.end) for g in marked.private} & {(j.start, j.end) for j in counted}),
        paper_score=matched_score(text, marked.private, counted, alike) if spec.typed else 0.0,
        negatives=int(marked.is_negative),
        negatives_masked=int(marked.is_negative and bool(counted)),
        overmasked=int((masked & telling & stray).any()),
        false_characters=int((blamed & visible & stray).sum()),
    )


def _cover(length: int, stretches: Iterable[tuple[int, int]]) -> Flags:
    covered = np.zeros(length, bool)
    for start, end in stretches:
        covered[start:end] = True
    return covered


def _is_foreign(spec: EvaluationSet, joined: Joined) -> bool:
    """Whether the set is not labelled for any type of it."""
    return spec.covers is not None and not joined.kinds & (spec.covers | {Unlisted.UNKNOWN})


def _counts(spec: EvaluationSet, joined: Joined, private: Flags, neutral: Flags) -> bool:
    here = slice(joined.start, joined.end)
    excused = _is_foreign(spec, joined) or 2 * int(neutral[here].sum()) >= joined.end - joined.start
    return bool(private[here].any()) or not excused


def _what_counts(gold: Gold, telling: Flags, visible: Flags) -> Flags:
    """Return the characters of a private span whose loss is a leak, as flags over the whole text."""
    here = np.zeros(len(telling), bool)
    here[gold.start : gold.end] = True
    told = here & telling
    return here & visible if gold.is_secret or not told.any() else told


def _is_typed(gold: Gold, what: Flags, masks: Sequence[Mask]) -> bool:
    right = _cover(
        len(what), ((m.start, m.end) for m in masks if isinstance(m.kind, EntityType) and m.kind in gold.types)
    )
    return bool(what.any()) and 2 * int((right & what).sum()) >= int(what.sum())


def _pairs(private: Sequence[Gold], found: Sequence[Joined]) -> int:
    candidates = sorted(
        (-common, i, j)
        for i, gold in enumerate(private)
        for j, mask in enumerate(found)
        if 2 * (common := overlap(gold.start, gold.end, mask.start, mask.end))
        >= max(gold.end - gold.start, mask.end - mask.start)
    )
    used_gold: set[int] = set()
    used_found: set[int] = set()
    for _, i, j in candidates:
        if i not in used_gold and j not in used_found:
            used_gold.add(i)
            used_found.add(j)
    return len(used_gold)
