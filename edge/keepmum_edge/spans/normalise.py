"""How rules read a text: folded one to one, so that an offset in the reading is an offset in the text.

Folding    full-width forms, digits of every script, dashes and odd blanks become ASCII; Chinese numerals become digits
           where four or more stand together. A character is only ever replaced by one character.
Invisible  zero-width, bidirectional and variation marks are left out, and an index maps back; otherwise a mark inside
           a secret would hide it from every rule.
Payloads   base64 images, sound, video and fonts are blanked: an accidental hit inside would corrupt them.
"""

import re
import unicodedata
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20e3"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
_CHINESE_DIGITS: Final = str.maketrans("零〇一二三四五六七八九幺壹贰叁肆伍陆柒捌玖", "001234567891123456789")
_CHINESE_RUN: Final = re.compile(
    "[0-9]*[零〇一二三四五六七八九幺壹贰叁肆伍陆柒捌玖][0-9零〇一二三四五六七八九幺壹贰叁肆伍陆柒捌玖]{3,}"
)
_CHINESE_DIGIT: Final = re.compile("[零〇一二三四五六七八九幺壹贰叁肆伍陆柒捌玖]")
_PAYLOAD: Final = re.compile(
    r"data:(?:image|audio|video|font)/[a-z0-9.+-]{1,40}(?:;[a-z0-9=-]{1,40}){0,3},[a-z0-9+/=_%-]*"
)
_DASHES: Final = frozenset("‐‑‒–—―−﹣－")
_BLANKED: Final = "\n"


class _Folding(dict[int, int]):
    """Code point to folded code point, computed once for each character met."""

    def __missing__(self, code: int) -> int:
        folded = _fold_character(chr(code))
        self[code] = folded
        return folded


def _fold_character(character: str) -> int:
    if character.isascii():
        return ord(character)
    if character in _DASHES:
        return ord("-")
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return ord("0") + digit
    if unicodedata.category(character) == "Zs":
        return ord(" ")
    compatible = unicodedata.normalize("NFKC", character)
    return ord(compatible) if len(compatible) == 1 and compatible.isascii() else ord(character)


_FOLDING: Final = _Folding()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A text as the rules see it.

    Attributes:
        text: Folded, without invisible characters.
        lower: `text` in lower case, character by character, so the same length.
        has_digit: Whether any ASCII digit occurs; rules about numbers need not look otherwise.
        offsets: Offset in the original of each character, or None where they are the same.
    """

    text: str = field(repr=False)
    lower: str = field(repr=False)
    has_digit: bool
    offsets: Sequence[int] | None = field(repr=False)

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Map a half-open stretch of `text`, not empty, to the original. Marks at its ends stay outside."""
        if self.offsets is None:
            return start, end
        return self.offsets[start], self.offsets[end - 1] + 1


def read(text: str) -> Reading:
    """Fold a text for the rules; any string, also with lone surrogates."""
    offsets: Sequence[int] | None = None
    folded = text
    if not text.isascii():
        if _INVISIBLE.search(text):
            gone = {found.start() for found in _INVISIBLE.finditer(text)}
            offsets = array("Q", (i for i in range(len(text)) if i not in gone))
            folded = _INVISIBLE.sub("", text)
        folded = folded.translate(_FOLDING)
        if _CHINESE_DIGIT.search(folded):
            folded = _CHINESE_RUN.sub(lambda run: run[0].translate(_CHINESE_DIGITS), folded)
    lower = _lower(folded)
    if "data:" in lower and "," in lower:
        folded, lower = _blank_payloads(folded, lower)
    return Reading(text=folded, lower=lower, has_digit=any(d in folded for d in "0123456789"), offsets=offsets)


def _lower(text: str) -> str:
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)


def _blank_payloads(text: str, lower: str) -> tuple[str, str]:
    parts: list[str] = []
    lower_parts: list[str] = []
    place = 0
    for found in _PAYLOAD.finditer(lower):
        blank = _BLANKED * (found.end() - found.start())
        parts += [text[place : found.start()], blank]
        lower_parts += [lower[place : found.start()], blank]
        place = found.end()
    return "".join([*parts, text[place:]]), "".join([*lower_parts, lower[place:]])
