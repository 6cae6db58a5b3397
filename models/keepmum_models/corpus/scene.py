"""One message being written: in which language, by whom, with which randomness, about which people."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from keepmum_models.corpus.splits import Split

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the cast: every way to write the name, and what e-mail addresses and user names derive from it.

    Attributes:
        full: Complete name, in the order of its language.
        given, family: Its parts.
        latin: Lower-case ASCII words of the name; random letters where it has none.
        female: Which titles fit.
    """

    full: str
    given: str
    family: str
    latin: tuple[str, str]
    female: bool


@dataclass(slots=True)
class Scene:
    """What value makers may use.

    Attributes:
        facts: Stable facts of the user by slot name; filled when first told, kept for the user's other messages.
        cast: People of this message by the mark in the template; "0" is the user.
    """

    language: str
    rng: Random
    split: Split
    facts: dict[str, str] = field(default_factory=dict)
    cast: dict[str, Person] = field(default_factory=dict)

    def pick(self, words: Sequence[_T]) -> _T:
        """Draw one of the words."""
        return self.rng.choice(words)

    def chance(self, probability: float) -> bool:
        """Return True with this probability."""
        return self.rng.random() < probability

    def digits(self, count: int) -> str:
        """Return so many random digits."""
        return f"{self.rng.randrange(10**count):0{count}d}" if count else ""

    def letters(self, count: int, alphabet: str) -> str:
        """Return so many random characters of the alphabet."""
        return "".join(self.rng.choices(alphabet, k=count))

    def masked(self, mask: str) -> str:
        """Fill a mask: # any digit, % a digit from 2 to 9, ? a capital, everything else as it is."""
        out = []
        for mark in mask:
            if mark == "#":
                out.append(str(self.rng.randrange(10)))
            elif mark == "%":
                out.append(str(self.rng.randrange(2, 10)))
            elif mark == "?":
                out.append(chr(65 + self.rng.randrange(26)))
            else:
                out.append(mark)
        return "".join(out)

    def coined(self, syllables: Sequence[str], count: int = 2) -> str:
        """Join so many syllables to a word of this side of the split, none of them twice."""
        while True:
            word = "".join(self.rng.sample(syllables, count))
            if self.split.admits(word):
                return word

    def admitted(self, make: "Maker") -> str:
        """Draw until the value belongs to this side of the split.

        Raises:
            RuntimeError: after 2,000 values none did; the maker has too few.
        """
        for _ in range(2000):
            value = make(self)
            if self.split.admits(value):
                return value
        raise RuntimeError(f"{make.__name__} has too few values for the {self.split.value} users")


Maker = Callable[[Scene], str]
