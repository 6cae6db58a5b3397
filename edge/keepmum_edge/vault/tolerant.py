r"""Which forms of a placeholder are read as the placeholder: models drop brackets, change case, escape and pad.

Forms, with <NAME_1> as the example; `is_exact` is true for the first only:

    <NAME_1>                                         exact
    <name_1>  <ＮＡＭＥ＿１>  <NAME_01>  < NAME_ 1 >   case, full width, zero padding, blanks or one line break inside
    [NAME_1] {NAME_1} 【NAME_1】 «NAME_1» ...          other brackets
    <NAME\_1>  &lt;NAME_1&gt;  \u003cNAME_1\u003e  %3CNAME_1%3E       escaped, HTML, JSON, URL
    NAME_1  <NAME_1  NAME_1>                         brackets dropped: upper case, no blanks, no padding

Not ours: XML-like `<NAME_1/>`, `</NAME_1>`, a bare form glued to a Latin letter, digit or underscore. `[NAME_1](url)`
and `(NAME_1)` keep their brackets.

`match_at` has three answers, so that one piece of code serves whole texts and streams: a match, None (no token can
begin here, whatever follows), or PENDING (the text ends before that is known). It looks only at the text from `at` on
and two characters before it; that is why every cut of a stream gives the same result. Linear: every loop is bounded.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal

from keepmum_shared.placeholder import MAX_NUMBER, TYPE_NAMES, Placeholder
from keepmum_shared.taxonomy import EntityType

Encoding = Literal["plain", "html", "json", "percent"]


class Pending(Enum):
    """The answer that needs more text."""

    PENDING = "pending"


PENDING: Final = Pending.PENDING


@dataclass(frozen=True, slots=True)
class Match:
    """A token in a text: `text[start:end]` is replaced as a whole."""

    start: int
    end: int
    placeholder: Placeholder
    encoding: Encoding
    is_exact: bool


_WIDE: Final = {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_BLANK: Final = " \t\u00a0\u3000"
_ANGLE_OPEN: Final = "<＜"
_OPEN: Final = _ANGLE_OPEN + "[{«‹【《〈［｛〔"
_CLOSE: Final = ">＞]}»›】》〉］｝〕"
_ENCODED_OPEN: Final = re.compile(r"&(?:lt|LT|#0{0,4}60|#[xX]0{0,4}3[cC]);|\\u003[cC]|%3[cC]")
_ENCODED_CLOSE: Final = re.compile(r"&(?:gt|GT|#0{0,4}62|#[xX]0{0,4}3[eE]);|\\u003[eE]|%3[eE]")
_ENCODED_PREFIX: Final = re.compile(
    r"&(?:[lg]t?|[LG]T?|#(?:0{0,4}6?[02]?|[xX]0{0,4}3?[cCeE]?))?\Z|\\(?:u(?:0(?:0(?:3)?)?)?)?\Z|%3?\Z"
)
_ENCODING: Final[dict[str, Encoding]] = {"&": "html", "\\": "json", "%": "percent"}
_MAX_BLANKS: Final = 3
_MAX_DIGITS: Final = 12

_PREFIXES: Final = frozenset(f"{name}_"[:length] for name in TYPE_NAMES for length in range(1, len(name) + 2))
_COMPLETE: Final = frozenset(f"{name}_" for name in TYPE_NAMES)

_WIDE_TYPES: Final = tuple("".join(chr(ord(c) + 0xFEE0) for c in name) for name in TYPE_NAMES)
_BARE_TYPES: Final = "|".join(re.sub("[_＿]", r"(?:\\\\?_|＿)", name) for name in TYPE_NAMES + _WIDE_TYPES)
_START: Final = re.compile(
    rf"[{re.escape(_OPEN)}](?=[A-Za-zＡ-Ｚａ-ｚ\s]|\Z)"
    rf"|{_ENCODED_OPEN.pattern}"
    rf"|(?<![A-Za-z0-9_])(?:{_BARE_TYPES})(?=[_＿\\]|\Z)"
)
_BARE_TAIL: Final = re.compile(r"(?<![A-Za-z0-9_])(?=[A-ZＡ-Ｚ][A-ZＡ-Ｚ_＿\\]{0,40}\Z)")


def find_start(text: str, position: int) -> int:
    """Return the next place at or after `position` where a token may begin, or -1."""
    found = _START.search(text, position)
    return -1 if found is None else found.start()


def held_from(text: str, position: int) -> int:
    """Return from where on the end of an unfinished text may be the beginning of a token; len(text) if nowhere."""
    start = len(text)
    encoded = _ENCODED_PREFIX.search(text, max(position, len(text) - 12))
    if encoded is not None:
        start = encoded.start()
    for bare in _BARE_TAIL.finditer(text, max(position, len(text) - 42)):
        if _fold(text[bare.start() :].replace("\\", "")) in _PREFIXES:
            return min(start, bare.start())
    return start


def match_at(text: str, at: int, *, before: str, final: bool, exact_only: bool = False) -> Match | Pending | None:
    """Read a token that begins at `at`.

    Args:
        before: At least the two characters before `text`, fewer at its beginning.
        final: Whether the text ends here; then the answer is never PENDING.
        exact_only: Accept `<TYPE_n>` alone.
    """
    if exact_only and text[at] != "<":
        return None
    return _Reader(text, before, final).read(at, exact_only=exact_only)


def scan(text: str) -> Iterator[Match]:
    """Yield every token of a whole text, left to right, not overlapping."""
    position = 0
    while (start := find_start(text, position)) >= 0:
        found = match_at(text, start, before="", final=True)
        if isinstance(found, Match):
            yield found
            position = found.end
        else:
            position = start + 1


class _MoreText(Exception):
    """The text ends before a decision; only inside `_Reader`."""


@dataclass(frozen=True, slots=True)
class _Body:
    """`TYPE_n` as it was read; strict: upper case, no blanks, no padding."""

    start: int
    end: int
    placeholder: Placeholder
    strict: bool
    plain: bool
    breaks: int


class _Reader:
    def __init__(self, text: str, before: str, final: bool) -> None:
        self._text = text
        self._before = before
        self._final = final

    def read(self, at: int, *, exact_only: bool) -> Match | Pending | None:
        try:
            return self._exact(at) if exact_only else self._token(at)
        except _MoreText:
            return PENDING

    def _exact(self, at: int) -> Match | None:
        body = self._body(at + 1, "plain")
        if body is None or not (body.strict and body.plain) or self._char(body.end) != ">":
            return None
        return Match(at, body.end + 1, body.placeholder, "plain", True)

    def _token(self, at: int) -> Match | None:
        text = self._text
        encoded = _ENCODED_OPEN.match(text, at)
        if encoded is None and text[at] not in _OPEN:
            return self._bare(at)
        opener = encoded[0] if encoded else text[at]
        encoding: Encoding = _ENCODING.get(opener[0], "plain")
        inside, breaks = self._gap(at + len(opener))
        body = self._body(inside, encoding)
        if body is None or body.breaks + breaks > 1:
            return None
        closing, more = self._gap(body.end)
        end = self._closer(closing) if breaks + body.breaks + more <= 1 else None
        if end is None:
            return self._without_closer(at, opener, body, closing, encoding)
        if opener == "[" and self._char(end) in ("(", "[") and text[end - 1] == "]":
            return Match(body.start, body.end, body.placeholder, "plain", False) if body.strict else None
        exact = opener == "<" and text[end - 1] == ">" and end == body.end + 1 and inside == at + 1
        return Match(at, end, body.placeholder, encoding, exact and body.strict and body.plain)

    def _without_closer(self, at: int, opener: str, body: _Body, after: int, encoding: Encoding) -> Match | None:
        """`<NAME_1` without its closing bracket; other brackets stay and leave a bare form."""
        if not body.strict or self._is_word(body.end):
            return None
        if opener in _ANGLE_OPEN or len(opener) > 1:
            if self._char(after) == "/" or body.start != at + len(opener):
                return None
            return Match(at, body.end, body.placeholder, encoding, False)
        return Match(body.start, body.end, body.placeholder, "plain", False)

    def _bare(self, at: int) -> Match | None:
        previous = self._text[max(0, at - 2) : at]
        previous = (self._before + previous)[-2:]
        if previous[-1:] in ("<", "＜") or previous == "</" or re.match(r"[A-Za-z0-9_]", previous[-1:]):
            return None
        body = self._body(at, "plain")
        if body is None or not body.strict:
            return None
        end = self._closer(body.end, angle_only=True)
        if end is not None:
            encoding = _ENCODING.get(self._text[body.end], "plain")
            return Match(at, end, body.placeholder, encoding, False)
        return None if self._is_word(body.end) else Match(at, body.end, body.placeholder, "plain", False)

    def _body(self, at: int, encoding: Encoding) -> _Body | None:
        """Read `TYPE_n`, letter by letter along the known type names."""
        position, folded = at, ""
        strict, plain, breaks = True, True, 0
        while folded not in _COMPLETE:
            character = self._char(position)
            width = 1
            if not character:
                return None
            if character == "\\" and self._char(position + 1) == "_":
                character, width, plain = "_", 2, False
            elif encoding == "percent" and character == "%" and self._is_percent_underscore(position):
                character, width, plain = "_", 3, False
            elif character in _BLANK or character in "\r\n":
                if not folded.endswith("_") and f"{folded}_" not in _PREFIXES:
                    return None
                after, more = self._gap(position)
                if after == position or not (folded.endswith("_") or self._is_underscore(after)):
                    return None
                position, breaks, strict = after, breaks + more, False
                continue
            if character in _WIDE:
                plain = False
            character = _WIDE.get(character, character)
            strict = strict and not character.islower()
            folded += character.upper()
            if not character.isascii() or folded not in _PREFIXES:
                return None
            position += width
        start_of_number, more = self._gap(position)
        number = self._digits(start_of_number)
        if not number or breaks + more > 1 or not 1 <= int(number) <= MAX_NUMBER:
            return None
        end = start_of_number + len(number)
        plain = plain and self._text[start_of_number:end].isascii()
        strict = strict and start_of_number == position and not number.startswith("0")
        return _Body(at, end, Placeholder(EntityType(folded[:-1]), int(number)), strict, plain, breaks + more)

    def _digits(self, at: int) -> str:
        digits = ""
        while len(digits) <= _MAX_DIGITS:
            character = self._char(at + len(digits))
            character = _WIDE.get(character, character)
            if not (character.isascii() and character.isdigit()):
                return digits
            digits += character
            if int(digits) > MAX_NUMBER:
                break
        return ""

    def _gap(self, at: int) -> tuple[int, int]:
        """Pass over a few blanks and at most one line break; return where it ends and the breaks."""
        position = self._blanks(at)
        line_break = position
        if self._char(line_break) == "\r":
            line_break += 1
        if self._char(line_break) != "\n":
            return position, 0
        return self._blanks(line_break + 1), 1

    def _blanks(self, at: int) -> int:
        position = at
        while position - at < _MAX_BLANKS and (character := self._char(position)) and character in _BLANK:
            position += 1
        return position

    def _closer(self, at: int, *, angle_only: bool = False) -> int | None:
        """Return the end of a closing bracket at `at`, or None."""
        character = self._char(at)
        if character and character in (">＞" if angle_only else _CLOSE):
            return at + 1
        if character in _ENCODING:
            found = _ENCODED_CLOSE.match(self._text, at)
            if found is not None:
                return found.end()
            if not self._final and _ENCODED_PREFIX.match(self._text, at):
                raise _MoreText
        return None

    def _is_underscore(self, at: int) -> bool:
        character = self._char(at)
        return character in ("_", "＿") or (character == "\\" and self._char(at + 1) == "_")

    def _is_percent_underscore(self, at: int) -> bool:
        return self._char(at + 1) == "5" and self._char(at + 2) in ("F", "f")

    def _is_word(self, at: int) -> bool:
        character = self._char(at)
        return character == "_" or (character.isascii() and character.isalnum())

    def _char(self, at: int) -> str:
        """Return the character at `at`; at the end of the text "" if it is final."""
        if at < len(self._text):
            return self._text[at]
        if not self._final:
            raise _MoreText
        return ""


def _fold(text: str) -> str:
    return "".join(_WIDE.get(character, character) for character in text)
