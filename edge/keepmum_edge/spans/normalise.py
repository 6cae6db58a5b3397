r"""How rules read a text: folded character by character, with a map from each to its stretch of the text.

Escapes    `\u5bc6`, `&#64;`, and quotes escaped more than once are read as what they stand for: JSON inside a text
           (what a tool answers, say) would otherwise hide the words around a secret. `**Label:**` is read as `Label:`.
Folding    full-width forms, digits of every script, dashes and odd blanks become ASCII; Chinese numerals become digits
           where four or more stand together. A character is only ever replaced by one character.
Look-alike in `lower`, a Cyrillic or Greek letter among Latin ones is the Latin letter it resembles: the word that
           gives a secret away may be written with one. `text` keeps it.
Invisible  zero-width, bidirectional, variation, number and enclosing marks are left out, and an index maps back;
           otherwise a mark inside a secret would hide it from every rule.
Payloads   base64 images, sound, video and fonts are blanked: an accidental hit inside would corrupt them. Only what
           says that it is base64; anything else behind `data:image/png,` is text.
"""

import re
import unicodedata
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20dd-\u20e4\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Every format character (category Cf), the control characters that are no blank, variation selectors, fillers that
look like nothing, and the marks that draw a circle or a key around the character before."""
_ESCAPE: Final = re.compile(
    r"(?<!\\)\\{1,64}u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\{1,64}u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|(?<!\\)\\{1,64}u(?P<code>(?![dD][89a-fA-F])[0-9a-fA-F]{4})"
    r"|&#(?:(?P<decimal>[0-9]{2,6})|[xX](?P<hex>[0-9a-fA-F]{2,5}));"
    r"|(?P<at>&commat;)|(?<!\\)(?:\\\\){1,32}(?=\\[\"'])|\*\*(?=[ \t]{0,4}[:：])|(?<=[:：])\*\*"
)
_CHINESE_DIGITS: Final = str.maketrans("零〇一二三四五六七八九幺壹贰叁肆伍陆柒捌玖", "001234567891123456789")
_CHINESE_RUN: Final = re.compile(
    "[0-9]*[零〇一二三四五六七八九幺壹贰叁肆伍陆柒捌玖][0-9零〇一二三四五六七八九幺壹贰叁肆伍陆柒捌玖]{3,}"
)
_CHINESE_DIGIT: Final = re.compile("[零〇一二三四五六七八九幺壹贰叁肆伍陆柒捌玖]")
_PAYLOAD: Final = re.compile(
    r"data:(?:image|audio|video|font)/[a-z0-9.+-]{1,40}(?:;[a-z0-9=-]{1,40}){0,2};base64,[a-z0-9+/=_-]*"
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_LOOK_ALIKE: Final = re.compile("[\u0370-\u03ff\u0400-\u04ff\u0500-\u052f]")
_LATIN: Final = re.compile("[a-z]")
_RESEMBLED: Final = str.maketrans("асеорхуктнвміјѕԁԛԝһгαεικονρτυχ", "aceopxykthbmijsdqwhraeikovptux")
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
        starts, ends: Where in the original the stretch of each character begins and ends, or None where they are the
            same.
    """

    text: str = field(repr=False)
    lower: str = field(repr=False)
    has_digit: bool
    starts: Sequence[int] | None = field(repr=False)
    ends: Sequence[int] | None = field(repr=False)

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Map a half-open stretch of `text`, not empty, to the original. Marks at its ends stay outside."""
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]


def read(text: str) -> Reading:
    """Fold a text for the rules; any string, also with lone surrogates."""
    folded, starts, ends = text, None, None
    if ("\\" in text or "&" in text or "**" in text) and _ESCAPE.search(text):
        folded, starts, ends = _unescaped(text)
    if _INVISIBLE.search(folded):
        gone = {found.start() for found in _INVISIBLE.finditer(folded)}
        kept = array("Q", (i for i in range(len(folded)) if i not in gone))
        starts = kept if starts is None else array("Q", (starts[i] for i in kept))
        ends = array("Q", (i + 1 for i in kept) if ends is None else (ends[i] for i in kept))
        folded = _INVISIBLE.sub("", folded)
    if not folded.isascii():
        folded = folded.translate(_FOLDING)
        if _CHINESE_DIGIT.search(folded):
            folded = _CHINESE_RUN.sub(lambda run: run[0].translate(_CHINESE_DIGITS), folded)
    lower = _lower(folded)
    if "data:" in lower and "," in lower:
        folded, lower = _blank_payloads(folded, lower)
    has_digit = any(digit in folded for digit in "0123456789")
    return Reading(text=folded, lower=lower, has_digit=has_digit, starts=starts, ends=ends)


def _unescaped(text: str) -> tuple[str, "array[int]", "array[int]"]:
    pieces: list[str] = []
    starts, ends = array("Q"), array("Q")
    place = 0
    for found in _ESCAPE.finditer(text):
        pieces.append(text[place : found.start()])
        starts.extend(range(place, found.start()))
        ends.extend(range(place + 1, found.start() + 1))
        if character := _character(found):
            pieces.append(character)
            starts.append(found.start())
            ends.append(found.end())
        place = found.end()
    pieces.append(text[place:])
    starts.extend(range(place, len(text)))
    ends.extend(range(place + 1, len(text) + 1))
    return "".join(pieces), starts, ends


def _character(escape: re.Match[str]) -> str:
    """Return the one character that an escape stands for; "" for one that is left out."""
    if escape["high"]:
        return chr(0x10000 + ((int(escape["high"], 16) & 0x3FF) << 10) + (int(escape["low"], 16) & 0x3FF))
    if escape["decimal"]:
        return chr(int(escape["decimal"]))
    code = escape["code"] or escape["hex"]
    return chr(int(code, 16)) if code else "@" if escape["at"] else ""


def _lower(text: str) -> str:
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := character.lower()) == 1 else character for character in text)
    return _WORD.sub(_without_look_alikes, lowered) if _LOOK_ALIKE.search(lowered) else lowered


def _without_look_alikes(word: re.Match[str]) -> str:
    mixed = _LATIN.search(word[0]) and _LOOK_ALIKE.search(word[0])
    return word[0].translate(_RESEMBLED) if mixed else word[0]


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
