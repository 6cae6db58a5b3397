"""The metric of MemPrivacy (arXiv 2605.09530, section 5.1) over one text (pure).

A pair of a prediction and a gold span scores the mean of three parts: text (1 if the same; else, unless its type is
strict, F1 of tokens by the longest common contiguous run of them; else 0), level (the same or not) and type (cosine of
the embedded labels). Pairs are made greedily, one to one, from the best. Precision is the sum of scores over
predictions, recall that over gold spans, F1 their harmonic mean.

Where the paper is silent: a pair must have characters in common, since offsets are known here; a token is a run of
letters and digits, and each other character that is no blank, Chinese ones too, is one of its own; strict are the types
whose value is of use only whole, which are those of numbers, addresses on a network and secrets.
"""

import re
from collections.abc import Sequence
from typing import Final

from keepmum_shared.taxonomy import EntityType as T

from keepmum_models.evaluation.label_cosines import LabelSimilarity
from keepmum_models.evaluation.marked import Gold
from keepmum_models.evaluation.masks import Joined, Mask

FREE_TEXT: Final = frozenset({
    T.NAME, T.ADDRESS, T.ORGANIZATION, T.DATE_OF_BIRTH, T.FINANCE, T.HEALTH, T.BIOMETRIC, T.LOCATION_TRACE, T.RELIGION,
    T.ETHNICITY, T.ORIENTATION, T.POLITICS, T.LEGAL_RECORD, T.MINOR, T.PRIVATE_MESSAGE, T.SECURITY_ANSWER,
    T.INTERNAL_ACCESS,
})  # fmt: skip
"""Types of which a part tells something, or that have no sharp border; all others are strict."""

_IDEOGRAPHS: Final = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN: Final = re.compile(rf"[^\W_{_IDEOGRAPHS}]+|\S")


def matched_score(text: str, gold: Sequence[Gold], found: Sequence[Joined], alike: LabelSimilarity) -> float:
    """Return the sum of the scores of all pairs, in [0, min(len(gold), len(found))].

    Args:
        text: The text that both lie in.
        gold: Typed private spans.
        found: Predictions that count; of joined masks the longest one speaks.
        alike: Similarity of two types.
    """
    pairs = sorted(
        (-pair_score(text, one, other.members[0], alike), i, j)
        for i, one in enumerate(gold)
        for j, other in enumerate(found)
        if one.start < other.members[0].end and other.members[0].start < one.end
    )
    total, used_gold, used_found = 0.0, set[int](), set[int]()
    for negative, i, j in pairs:
        if i not in used_gold and j not in used_found:
            used_gold.add(i)
            used_found.add(j)
            total -= negative
    return total


def pair_score(text: str, gold: Gold, mask: Mask, alike: LabelSimilarity) -> float:
    """Return the score of one pair, in [0, 1]: the mean of text, level and type."""
    said, meant = text[mask.start : mask.end], text[gold.start : gold.end]
    level = 1.0 if mask.level in gold.levels else 0.0
    kind = max((alike(mask.kind, t) for t in gold.types), default=0.0) if isinstance(mask.kind, T) else 0.0
    return (text_score(said, meant, strict=gold.types[0] not in FREE_TEXT) + level + kind) / 3


def text_score(said: str, meant: str, *, strict: bool) -> float:
    """Return how well one surface renders another, in [0, 1]."""
    if said == meant:
        return 1.0
    return 0.0 if strict else soft_f1(_TOKEN.findall(said), _TOKEN.findall(meant))


def soft_f1(one: Sequence[str], other: Sequence[str]) -> float:
    """Return F1 of tokens where only the longest common contiguous run counts as right, in [0, 1]."""
    longest, row = 0, [0] * (len(other) + 1)
    for token in one:  # row[j]: length of the common run that ends at this token and at other[j - 1]
        row = [0, *(row[j] + 1 if token == other[j] else 0 for j in range(len(other)))]
        longest = max(longest, *row)
    return 2 * longest / (len(one) + len(other)) if one or other else 0.0
