"""Sentences that imply a protected attribute, drawn from the patterns of `attribute_sentences.toml`.

Around a sentence stand words that say nothing, and now and then somebody's name. What a pattern can make is listed and
drawn from, each sentence once, so that counts are not of repetitions.
"""

import itertools
import random
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).with_suffix(".toml")
_CHOICE: Final = re.compile(r"\[([^]]*)\]")
_AROUND: Final = {
    "en": ("{}.", "By the way: {}.", "{}, what do you think?", "Hi, {}. Please keep that in mind.", "{} {name} knows."),
    "zh": ("{}。", "顺便说一下，{}。", "{}，你怎么看？", "你好，{}，请记住。", "{}，{name}也知道。"),
}
_NAMES: Final = {"en": ("Ida Marek", "Tomas Lindqvist"), "zh": ("王晓梅", "李建国")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence; `pattern` numbers the pattern inside attribute and language, `is_held_back` as the file says."""

    attribute: str
    language: str
    pattern: int
    text: str = field(repr=False)

    @property
    def is_held_back(self) -> bool:
        """Whether it is counted and not read."""
        return self.pattern % 2 == 1


def sentences(each: int, *, seed: int = 0) -> Iterator[Sentence]:
    """Yield at most `each` different sentences of every pattern."""
    for attribute, languages in tomllib.loads(_FILE.read_text(encoding="utf-8")).items():
        for language, patterns in languages.items():
            for number, pattern in enumerate(patterns):
                rng = random.Random(f"{seed}:{attribute}:{language}:{number}")
                texts = [
                    around.format(said, name=rng.choice(_NAMES[language]))
                    for said in expansions(pattern)
                    for around in _AROUND[language]
                ]
                for text in rng.sample(texts, min(each, len(texts))):
                    yield Sentence(attribute=attribute, language=language, pattern=number, text=text)


def expansions(pattern: str) -> list[str]:
    """Return all that a pattern can say."""
    pieces = _CHOICE.split(pattern)  # plain and choice in turn
    parts = [piece.split("|") if place % 2 else [piece] for place, piece in enumerate(pieces)]
    return ["".join(chosen) for chosen in itertools.product(*parts)]
