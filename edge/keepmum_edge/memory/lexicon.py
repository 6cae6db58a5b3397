"""Words by which a text may imply a protected attribute or a category that needs consent, English and Chinese.

The words are data (`lexicons/`). A cue is looked for in text without regard to case, width or blanks; one of Latin
letters is a whole word, or the beginning of one if it ends in `*`; a blank in it stands for any blank, hyphen or slash.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from keepmum_shared.placeholder import EXACT

LANGUAGES: Final = ("en", "zh")
_APOSTROPHES: Final = str.maketrans({"\u2019": "'", "\u02bc": "'", "\u2018": "'"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """Compiled cues.

    Attributes:
        attributes: Cues of each protected attribute, by its id in the policy.
        categories: Cues of each category of GDPR Article 9, and of finances.
        hints: Words that make a sentence fall between classes.
    """

    attributes: Mapping[str, re.Pattern[str]]
    categories: Mapping[str, re.Pattern[str]]
    hints: re.Pattern[str]


def fold(text: str) -> str:
    """Return a text as cues are looked for in it; placeholders are no words."""
    folded = unicodedata.normalize("NFKC", EXACT.sub(" ", text)).translate(_APOSTROPHES).casefold()
    return re.sub(r"[\s_]+", " ", folded)


def compile_cues(cues: Iterable[str]) -> re.Pattern[str]:
    """Return one pattern for many cues, to be used on folded text.

    Raises:
        ValueError: there is none, or one is empty.
    """
    patterns = [_pattern(cue) for cue in cues]
    if not patterns or not all(patterns):
        raise ValueError("a cue is empty")
    return re.compile("|".join(patterns))


@cache
def shipped_lexicon() -> Lexicon:
    """Return the words of this distribution, both languages together."""
    read = [tomllib.loads(lexicon_bytes(language).decode("utf-8")) for language in LANGUAGES]
    return Lexicon(
        attributes=_tables(read, "attributes"),
        categories=_tables(read, "categories"),
        hints=_tables(read, "hints")["any"],
    )


def lexicon_bytes(language: str) -> bytes:
    """Return the file of one language as it is."""
    return files(__package__ or "keepmum_edge.memory").joinpath("lexicons", f"{language}.toml").read_bytes()


def _tables(read: Iterable[Mapping[str, Mapping[str, list[str]]]], table: str) -> dict[str, re.Pattern[str]]:
    cues: dict[str, list[str]] = {}
    for language in read:
        for name, words in language[table].items():
            cues.setdefault(name, []).extend(words)
    return {name: compile_cues(words) for name, words in cues.items()}


def _pattern(cue: str) -> str:
    stem = fold(cue.removesuffix("*")).strip()
    words = r"[\s\-/]*".join(map(re.escape, stem.split()))
    if not words or not stem.isascii():
        return words
    return rf"(?<![a-z0-9]){words}" + (r"[a-z]*" if cue.endswith("*") else r"(?![a-z0-9])")
