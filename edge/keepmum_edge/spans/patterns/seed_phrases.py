"""Seed phrases of wallets: BIP-39 words in a row whose checksum holds, numbered or not, on one line or many."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from keepmum_shared.taxonomy import EntityType
from mnemonic import Mnemonic

from keepmum_edge.spans.finding import CHECKED, CONTEXT, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns.labelled import near

_LENGTHS: Final = (24, 21, 18, 15, 12)
_LANGUAGES: Final = ("english", "spanish", "french", "italian", "portuguese", "czech")
_WORD: Final = re.compile(r"[^\W\d_]+")
_NUMBERED: Final = re.compile(r"[ #]{1,2}[0-9]")
_BETWEEN: Final = re.compile(
    r"[\s,、;|/>\-\"'\[\]`*]*(?:(?:word|第)?[ #(]{0,3}[0-9]{1,2}(?:st|nd|rd|th)?(?:个?单?词)?[.):\]=、]?[\s\"'|]*)?"
)
_COUNTING: Final = frozenset({"st", "nd", "rd", "th", "第", "个词", "个单词", "词", "单词"})
"""What may stand beside the number of a word, and is no word of the phrase."""
_NUMBER_BEFORE: Final = re.compile(r"(?<![0-9])([0-9]{1,2})[.):\]=]? ?\Z")
_HANZI: Final = re.compile(
    r"[\u4e00-\u9fff](?:[\s,、]{1,3}(?:[0-9]{1,2}[.):]? ?)?[\u4e00-\u9fff](?![\u4e00-\u9fff])){11,40}"
)
_HANZI_SOLID: Final = re.compile(r"[\u4e00-\u9fff]{12,24}(?![\u4e00-\u9fff])")
_CONTEXT: Final = re.compile(
    r"seed|mnemonic|recovery|phrase|wallet|backup words|bip-?39|助记词|助記詞|恢复词|种子|私钥|钱包"
)


class _Word(NamedTuple):
    start: int
    end: int
    place: int


@lru_cache(maxsize=8)
def _places(language: str) -> dict[str, int]:
    words = Mnemonic(language).wordlist
    return {word: place for place, word in enumerate(words)}


def _checksum_holds(indices: Sequence[int]) -> bool:
    bits = len(indices) * 11
    number = 0
    for index in indices:
        number = number << 11 | index
    check_bits = bits // 33
    entropy = (number >> check_bits).to_bytes((bits - check_bits) // 8, "big")
    expected = hashlib.sha256(entropy).digest()[0] >> (8 - check_bits)
    return number & ((1 << check_bits) - 1) == expected


def find_seed_phrases(reading: Reading) -> Iterator[Finding]:
    """Runs that hold a valid phrase. All valid windows of a run are one stretch: a chance one may hide the real one."""
    lower = reading.lower
    words = [(m.start(), m.end(), m[0]) for m in _WORD.finditer(lower) if len(m[0]) <= 12] if len(lower) >= 40 else []
    if reading.has_digit:
        words = [word for word in words if not _is_counting(lower, word)]
    if len(words) >= 12:
        for language in _LANGUAGES if not lower.isascii() or _CONTEXT.search(lower) else _LANGUAGES[:1]:
            for run in _runs(lower, words, _places(language)):
                yield from _phrase(reading, run)
    if not lower.isascii():
        yield from _chinese(reading)


def _is_counting(lower: str, word: tuple[int, int, str]) -> bool:
    """Whether it numbers the words of a list: `2nd`, `word 3`, `第4个词`."""
    return word[2] in _COUNTING or (word[2] == "word" and _NUMBERED.match(lower, word[1]) is not None)


def _runs(lower: str, words: list[tuple[int, int, str]], places: dict[str, int]) -> Iterator[list[_Word]]:
    run: list[_Word] = []
    for start, end, word in words:
        index = places.get(word)
        if index is None or not _is_joined(lower, run, start):
            if len(run) >= 12:
                yield run
            run = []
        if index is not None:
            run.append(_Word(start, end, index))
    if len(run) >= 12:
        yield run


def _is_joined(lower: str, run: list[_Word], start: int) -> bool:
    gap = _BETWEEN.match(lower, run[-1].end, start) if run else None
    return gap is not None and gap.end() == start


def _phrase(reading: Reading, run: list[_Word]) -> Iterator[Finding]:
    if len(run) > 48 and len({word.place for word in run}) < 6:
        return  # one word over and over
    inside = [False] * len(run)
    for length in _LENGTHS:
        for first in range(len(run) - length + 1):
            if _checksum_holds([w.place for w in run[first : first + length]]):
                inside[first : first + length] = [True] * length
    if any(inside):
        first, last = inside.index(True), len(run) - 1 - inside[::-1].index(True)
        yield Finding(run[first].start, run[last].end, EntityType.SEED_PHRASE, CHECKED, "seed-phrase")
    elif _is_numbered(reading.text, run) or near(reading, _CONTEXT, run[0].start, run[-1].end, before=80, after=40):
        # A typing error spoils the checksum, not the danger.
        yield Finding(run[0].start, run[-1].end, EntityType.SEED_PHRASE, CONTEXT, "seed-phrase-context")


def _is_numbered(text: str, run: list[_Word]) -> bool:
    """Whether the words are a list of 12 or 24, each behind its number: nothing else is counted so in such words."""
    if len(run) not in (12, 24):
        return False
    numbers = [_NUMBER_BEFORE.search(text, max(0, word.start - 6), word.start) for word in run]
    return all(found is not None and int(found[1]) == i for i, found in enumerate(numbers, 1))


def _chinese(reading: Reading) -> Iterator[Finding]:
    text = reading.text
    said = _CONTEXT.search(reading.lower) is not None
    for pattern in (_HANZI, _HANZI_SOLID) if said else (_HANZI,):
        for found in pattern.finditer(text):
            for language in ("chinese_simplified", "chinese_traditional"):
                places = _places(language)
                run = [
                    _Word(found.start() + i, found.start() + i + 1, places[c])
                    for i, c in enumerate(found[0])
                    if c in places
                ]
                hanzi = sum("\u4e00" <= c <= "\u9fff" for c in found[0])
                if len(run) == hanzi:
                    yield from _phrase(reading, run)
