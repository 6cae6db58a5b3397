"""Texts to learn from, and what the shipped sentence embedding knows of each of their pieces.

Sentences of the patterns, in words that say nothing; plain facts with words that nobody knows; and texts of the public
`train` files that no cue of the product takes for private. The last two imply nothing.
"""

import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from keepmum_edge.memory.implied import unnumbered
from keepmum_inference.embedding import Encoder
from numpy.typing import NDArray

from keepmum_models.attributes.patterns import drawn, training_patterns
from keepmum_models.attributes.plain import plain_facts
from keepmum_models.examples import read_train_sets

OF_A_PATTERN: Final = 2
"""Sentences of a pattern."""
OF_PLAIN_FACTS: Final = 2500
OF_A_SET: Final = 600
"""Texts of a public set."""
FOLDS: Final = 5
PATTERNS_SOURCE: Final = "patterns"
PLAIN: Final = "plain facts"
_LONGEST: Final = 300
_AROUND: Final = {
    "en": (
        "By the way, {}.",
        "{}, what do you think?",
        "Hi! {}. Please keep that in mind.",
        "{}",
        "{}!",
        "Thanks. {}.",
    ),
    "zh": ("顺便说一下，{}。", "{}，你怎么看？", "你好，{}，请记住。", "{}", "{}！", "谢谢。{}。"),
}
_PLAIN: Final = {"en": "{}.", "zh": "{}。"}
_CLOSED: Final = ("?", "？", "!", "！")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One text.

    Attributes:
        attribute: What it implies; None: nothing.
        source: PATTERNS_SOURCE, PLAIN, or the name of a public set.
        fold: 0..FOLDS-1; all sentences of a pattern are of one.
    """

    attribute: str | None
    source: str
    fold: int
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class States:
    """States of many texts, one after the other.

    Attributes:
        rows: (pieces of all texts, hidden), float16.
        starts: Where the states of each text begin; one more at the end.
    """

    rows: NDArray[np.float16] = field(repr=False)
    starts: NDArray[np.int64] = field(repr=False)

    def of(self, text: int) -> NDArray[np.float32]:
        """Return the states of one text (pieces, hidden)."""
        return self.rows[self.starts[text] : self.starts[text + 1]].astype(np.float32)

    def lengths(self) -> NDArray[np.int64]:
        """Return the pieces of each text."""
        return np.diff(self.starts)


def examples(data: Path, is_private: Callable[[str], bool], *, seed: int = 0) -> Iterator[Example]:
    """Yield all there is to learn from.

    Args:
        data: Folder of public sets; those that it lacks are passed over.
        is_private: Says whether a text of a public set may imply something and so teaches nothing.
        seed: Of what is drawn.
    """
    for pattern in training_patterns():
        chance = random.Random(f"{seed}:{pattern.id}")  # noqa: S311 - no secret
        for said in drawn(pattern.text, OF_A_PATTERN, chance):
            around = chance.choice(_AROUND[pattern.language]) if chance.random() < 0.5 else _PLAIN[pattern.language]
            text = said if said.endswith(_CLOSED) else around.format(said)
            yield Example(attribute=pattern.attribute, source=PATTERNS_SOURCE, fold=_fold(pattern.id), text=text)
    for text in plain_facts(OF_PLAIN_FACTS, seed=seed):
        yield Example(attribute=None, source=PLAIN, fold=_fold(text), text=text)
    by_set: dict[str, list[str]] = {}
    for each in read_train_sets(data):
        if not each.is_dev and len(each.text) <= _LONGEST:
            by_set.setdefault(each.source, []).append(each.text)
    for source, texts in by_set.items():
        chance = random.Random(f"{seed}:{source}")  # noqa: S311 - no secret
        for text in chance.sample(texts, min(OF_A_SET, len(texts))):
            if not is_private(text):
                yield Example(attribute=None, source=source, fold=_fold(text), text=text)


def states_of(encoder: Encoder, texts: list[str], report: Callable[[str], None]) -> States:
    """Return what the embedding knows of these texts; some 4 ms each."""
    found: list[NDArray[np.float16]] = []
    for number, text in enumerate(texts):
        found.append(encoder.states(unnumbered(text)).astype(np.float16))
        if number % 2000 == 0:
            report(f"states of {number} of {len(texts)} texts")
    starts = np.concatenate(([0], np.cumsum([len(each) for each in found])))
    return States(rows=np.concatenate(found), starts=starts)


def _fold(name: str) -> int:
    return hashlib.sha256(name.encode()).digest()[0] % FOLDS
