"""Words by which a text may imply a protected attribute or a category that needs consent, English and Chinese.

The words are data (`lexicons/`). A cue is looked for in folded text: without regard to case, width, hyphens or blanks.
One of Latin letters is one or more whole words, the last of which may be open at its end (`*`); any other is found
wherever it stands. One pass over a text finds the labels of all cues in it.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from keepmum_shared.placeholder import EXACT

LANGUAGES: Final = ("en", "zh")
ATTRIBUTE: Final = "attributes/"
CATEGORY: Final = "categories/"
HINT: Final = "hints/any"
"""Labels: ATTRIBUTE and an id of the policy, CATEGORY and a `classify.Category`, or HINT."""

_APOSTROPHES: Final = str.maketrans({"\u2019": "'", "\u02bc": "'", "\u2018": "'"})
_WORD: Final = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_STEM: Final = 3
"""Letters by which open words are looked up; an open word is at least as long."""


class Cues:
    """Cues with their labels, to be looked for all at once.

    Raises:
        ValueError: a cue is empty, or its open word is too short.
    """

    def __init__(self, cues: Iterable[tuple[str, str]]) -> None:
        self._closed: dict[str, list[tuple[tuple[str, ...], bool, str]]] = {}
        self._open: dict[str, list[tuple[str, str]]] = {}
        self._anywhere: dict[str, list[tuple[str, str]]] = {}
        for cue, label in cues:
            self._add(cue, label)

    def labels(self, folded: str) -> frozenset[str]:
        """Return the labels of all cues in a folded text."""
        found = {label for first in set(folded) for cue, label in self._anywhere.get(first, ()) if cue in folded}
        words = _words(folded)
        for at, word in enumerate(words):
            for rest, is_open, label in self._closed.get(word, ()):
                if _follows(words, at + 1, rest, is_open=is_open):
                    found.add(label)
            found.update(label for stem, label in self._open.get(word[:_STEM], ()) if word.startswith(stem))
        return frozenset(found)

    def _add(self, cue: str, label: str) -> None:
        is_open, stem = cue.endswith("*"), fold(cue.removesuffix("*")).strip()
        if not stem.isascii():
            self._anywhere.setdefault(stem[0], []).append((stem, label))
            return
        words = _words(stem)
        if not words or (is_open and len(words[-1]) < (_STEM if len(words) == 1 else 1)):
            raise ValueError("a cue is empty or too short")
        if len(words) == 1 and is_open:
            self._open.setdefault(words[0][:_STEM], []).append((words[0], label))
        else:
            self._closed.setdefault(words[0], []).append((tuple(words[1:]), is_open, label))


def fold(text: str) -> str:
    """Return a text as cues are looked for in it; placeholders are no words."""
    folded = unicodedata.normalize("NFKC", EXACT.sub(" ", text)).translate(_APOSTROPHES).casefold()
    return re.sub(r"[\s_]+", " ", folded)


@cache
def shipped_words() -> tuple[tuple[str, str], ...]:
    """Return every cue of this distribution with its label."""
    read: list[Mapping[str, Mapping[str, list[str]]]] = [
        tomllib.loads(lexicon_bytes(language).decode("utf-8")) for language in LANGUAGES
    ]
    return tuple(
        (cue, f"{table}/{name}")
        for each in read
        for table, names in each.items()
        for name in names
        for cue in names[name]
    )


def lexicon_bytes(language: str) -> bytes:
    """Return the file of one language as it is."""
    return files(__package__ or "keepmum_edge.memory").joinpath("lexicons", f"{language}.toml").read_bytes()


def _words(folded: str) -> list[str]:
    return [word.removesuffix("'s") for word in _WORD.findall(folded)]


def _follows(words: list[str], at: int, rest: tuple[str, ...], *, is_open: bool) -> bool:
    found = words[at : at + len(rest)]
    if len(found) < len(rest) or tuple(found[:-1]) != rest[:-1]:
        return False
    return not rest or (found[-1].startswith(rest[-1]) if is_open else found[-1] == rest[-1])
