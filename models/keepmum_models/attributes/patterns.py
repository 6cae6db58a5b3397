"""Patterns of sentences: `[a|b]` is one of its parts, `[|a]` may be left out; files of tables of languages of patterns.

A table is named after the attribute that its sentences imply. Tables of `nothing*.toml` imply none, whatever their
name, which says what their sentences are or what they stand near to.
"""

import itertools
import math
import random
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

SENTENCES: Final = Path(__file__).with_name("sentences")
_CHOICE: Final = re.compile(r"\[([^]]*)\]")
_TRIES: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One pattern.

    Attributes:
        attribute: What its sentences imply; None: nothing.
        language: `en` or `zh`.
        number: Place in its list.
        text: The pattern.
    """

    attribute: str | None
    language: str
    number: int
    text: str = field(repr=False)

    @property
    def id(self) -> str:
        """Names it across runs."""
        return f"{self.attribute}/{self.language}/{self.number}/{self.text}"


def read_patterns(path: Path, *, implies: bool = True) -> Iterator[Pattern]:
    """Yield the patterns of a file; `implies`: whether a table's name is what they imply."""
    for table, languages in tomllib.loads(path.read_text(encoding="utf-8")).items():
        for language, patterns in languages.items():
            for number, text in enumerate(patterns):
                yield Pattern(attribute=table if implies else None, language=language, number=number, text=text)


def training_patterns() -> Iterator[Pattern]:
    """Yield all patterns to learn from."""
    for path in sorted(SENTENCES.glob("*.toml")):
        yield from read_patterns(path, implies=not path.name.startswith("nothing"))


def expansions(pattern: str) -> list[str]:
    """Return all that a pattern can say."""
    return ["".join(chosen) for chosen in itertools.product(*_parts(pattern))]


def drawn(pattern: str, most: int, chance: random.Random) -> list[str]:
    """Return at most so many different sentences of a pattern, drawn without listing all."""
    parts = _parts(pattern)
    wanted = min(most, math.prod(map(len, parts)))
    found: dict[str, None] = {}
    for _ in range(_TRIES * wanted):
        if len(found) < wanted:
            found["".join(map(chance.choice, parts))] = None
    return list(found)


def _parts(pattern: str) -> list[list[str]]:
    pieces = _CHOICE.split(pattern)  # plain and choice in turn
    return [piece.split("|") if place % 2 else [piece] for place, piece in enumerate(pieces)]
