"""PINs and one-time codes that are spelled out: `my pin is four two seven one`, `PIN码：四 二 七 一`.

Four digits or more in a row, or two larger numbers, behind a word for such codes and a word that gives it. Chinese
numerals that stand together are digits for all rules (`normalise`); here are those with marks between.
"""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import FORMED, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns.codes import OTP_WORD, PIN_WORD

_DIGIT: Final = "zero|oh|nought|one|two|three|four|five|six|seven|eight|nine"
_LARGER: Final = (
    "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
    r"|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
    r"(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?"
)
_ONE: Final = rf"(?:(?:double|triple)[ -])?(?:{_LARGER}|{_DIGIT})(?![a-z])"
_GAP: Final = r"(?:,? ?- ?|,? )"
_RUN: Final = rf"(?P<code>(?<![a-z]){_ONE}(?:{_GAP}{_ONE}){{1,11}})"
_SAID: Final = (
    r"(?:(?:['’]s|is|was|are|it['’]?s|=|:|->|be|to|reads?|says?|set to|changed to|now|still|just) {0,2}){1,4}[\"'“(]?"
)
_OF_WHAT: Final = r"(?: (?:for|of|to|on|at) (?:[a-z'’-]{1,14} ){0,3}[a-z'’-]{2,14}?)?"
_SPELLED: Final = re.compile(
    rf"(?P<word>{PIN_WORD}|{OTP_WORD}|(?<![a-z])(?:code|combination|combo)(?= (?:for|of|to|on) (?:the|my|our|his|her)))"
    rf"{_OF_WHAT} ?{_SAID}{_RUN}",
    re.IGNORECASE,
)
_HANZI: Final = "[〇零一二三四五六七八九幺两]"
_SPACED_HANZI: Final = re.compile(
    rf"(?P<word>{PIN_WORD}|{OTP_WORD})(?:就?是|为|：|:| ){{1,3}}(?P<code>{_HANZI}(?:[ 、,，-]{{1,2}}{_HANZI}){{3,7}})"
    rf"(?!{_HANZI})",
    re.IGNORECASE,
)
_LARGE: Final = re.compile(rf"(?<![a-z])(?:{_LARGER}|double|triple)(?![a-z])")
_WORD: Final = re.compile("[a-z]+")
_COUNTED: Final = re.compile(r" (?:digits?|characters?|letters?|numbers?|times|tries|attempts|minutes|years?|days?)")
_ONE_TIME: Final = re.compile(OTP_WORD, re.IGNORECASE)
_HINTS: Final = ("pin", "puk", "code", "comb", "otp", "keypad", "码", "密", "门禁", "口令")
_NUMERAL: Final = re.compile(rf"(?:{_DIGIT}|teen|twelve|twenty|ty)[ ,-]|{_HANZI}[ 、,，-]")


def find_spoken_codes(reading: Reading) -> Iterator[Finding]:
    """Codes in words."""
    lower = reading.lower
    if not any(map(lower.__contains__, _HINTS)) or _NUMERAL.search(lower) is None:
        return
    for pattern in (_SPELLED, _SPACED_HANZI):
        for found in pattern.finditer(lower):
            if pattern is _SPELLED and (not _is_code(found["code"]) or _COUNTED.match(lower, found.end())):
                continue
            kind = EntityType.OTP if _ONE_TIME.fullmatch(found["word"]) else EntityType.PIN
            yield Finding(*found.span("code"), kind, FORMED, "spoken-code")


def _is_code(code: str) -> bool:
    larger = len(_LARGE.findall(code))
    return larger >= 2 or (larger and len(_WORD.findall(code)) >= 3) or len(_WORD.findall(code)) >= 4
