"""Sentences that imply a protected attribute, or nothing, drawn from patterns (`keepmum_models.attributes.patterns`).

attribute_sentences.toml             written with the cues; every second pattern, from the second on, is held back
attribute_sentences_held_back.toml   written by somebody who saw neither cues nor what the model learnt from; all are
                                     held back; those of the table `none` imply nothing

What is held back is counted, and nobody reads which of them were missed. Around a sentence stand words that say
nothing, and now and then somebody's name. Each sentence comes once, so that counts are not of repetitions.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from keepmum_models.attributes.patterns import drawn, read_patterns

NOTHING: Final = "none"
_OURS: Final = Path(__file__).with_suffix(".toml")
_STRANGERS: Final = Path(__file__).with_name("attribute_sentences_held_back.toml")
_AROUND: Final = {
    "en": (
        "{}.",
        "By the way: {}.",
        "{}, what do you think?",
        "Hi, {}. Please keep that in mind.",
        "{} {name} knows.",
    ),
    "zh": ("{}。", "顺便说一下，{}。", "{}，你怎么看？", "你好，{}，请记住。", "{}，{name}也知道。"),
}
_AS_IT_IS: Final = ("?", "？", "!", "！")
_NAMES: Final = {"en": ("Ida Marek", "Tomas Lindqvist"), "zh": ("王晓梅", "李建国")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence.

    Attributes:
        attribute: What it implies; NOTHING if nothing.
        pattern: The pattern's place inside file, attribute and language.
        is_held_back: Whether it is counted and not read.
    """

    attribute: str
    language: str
    pattern: int
    is_held_back: bool
    text: str = field(repr=False)


def sentences(each: int, *, seed: int = 0) -> Iterator[Sentence]:
    """Yield at most `each` different sentences of every pattern."""
    for path in (_OURS, _STRANGERS):
        for pattern in read_patterns(path):
            chance = random.Random(f"{seed}:{path.name}:{pattern.id}")
            around, names = _AROUND[pattern.language], _NAMES[pattern.language]
            is_held_back = path is _STRANGERS or pattern.number % 2 == 1
            texts: dict[str, None] = {}
            said = drawn(pattern.text, each, chance)
            for number in range(each):
                frame = "{}" if pattern.text.endswith(_AS_IT_IS) else chance.choice(around)
                texts[frame.format(said[number % len(said)], name=chance.choice(names))] = None
            for text in texts:
                yield Sentence(
                    attribute=pattern.attribute or NOTHING,
                    language=pattern.language,
                    pattern=pattern.number,
                    is_held_back=is_held_back,
                    text=text,
                )
