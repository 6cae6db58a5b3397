"""What stays of a text whatever clients do to it on its way round: its letters and digits (pure).

Quoting, other line ends, wrapping at another column, Markdown, and escaping for HTML, JSON or a URL, once or more than
once, change blanks and signs only. Escapes are undone until there are none; tags and everything that is no letter or
digit is left out; compatibility forms, case and accents do not count. The stream of what is left is the canonical text.
"""

import html
import json
import re
import sys
import unicodedata
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

_CUT: Final = r"(?:\r?\n)?"
"""Where a hard wrap may have cut an escape."""


def _cut(*parts: str) -> str:
    return _CUT.join(parts)


_HEX: Final = "[0-9a-fA-F]"
_UNIT: Final = _cut(r"\\", "u", _HEX, _HEX, _HEX, _HEX)
_PAIR: Final = _cut(
    *(r"\\", "u", "[dD]", "[89abAB]", _HEX, _HEX),
    *(r"\\", "u", "[dD]", "[c-fC-F]", _HEX, _HEX),
)
_SHORT: Final = _cut(r"\\", r"[\"\\/bfnrt]")
_BYTE: Final = _cut("%", _HEX, _HEX)
_MARKED: Final = re.compile(
    rf"(?P<json>{_PAIR}|{_UNIT}|{_SHORT})"
    rf"|(?P<html>&{_CUT}(?:\#(?:{_CUT}[0-9]){{1,7}}|\#{_CUT}[xX](?:{_CUT}{_HEX}){{1,6}}"
    rf"|[a-zA-Z](?:{_CUT}[a-zA-Z0-9]){{1,30}}){_CUT};)"
    rf"|(?P<url>{_BYTE}(?:{_CUT}{_BYTE})*)"
    r"|(?P<tag></?[a-zA-Z][a-zA-Z0-9-]{0,20}(?:[ \t][^<>\r\n]{0,300})?/?>)"
)
_NUMBERED: Final = re.compile("&#(?:[xX](?P<hex>[0-9a-fA-F]+)|(?P<decimal>[0-9]+));")
_SIGNS: Final = re.compile(r"[\\&%<]")
_NO_LETTER: Final = re.compile(r"[\W_]+")
_ROUNDS: Final = 8
"""A text that was escaped more often is left as it is by then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Canonical:
    """A canonical text; character i stands for `original[starts[i]:ends[i]]`."""

    text: str = field(repr=False)
    starts: Sequence[int] = field(repr=False)
    ends: Sequence[int] = field(repr=False)


def canonical_text(text: str) -> str:
    """Return the canonical text alone; much faster than `canonical`."""
    for _ in range(_ROUNDS):
        if _SIGNS.search(text) is None or (plain := _MARKED.sub(_plain, text)) == text:
            break
        text = plain
    if not text.isascii():
        text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return _NO_LETTER.sub("", text.casefold())


def canonical(text: str) -> Canonical:
    """Return the canonical text with where each of its characters stands."""
    starts: Sequence[int] = range(len(text))
    ends: Sequence[int] = range(1, len(text) + 1)
    for _ in range(_ROUNDS):
        if _SIGNS.search(text) is None:
            break
        plain, plain_starts, plain_ends = _undo(text, starts, ends)
        if plain == text:
            break
        text, starts, ends = plain, plain_starts, plain_ends
    folded: list[str] = []
    kept_starts, kept_ends = array("Q"), array("Q")
    for char, start, end in zip(text, starts, ends, strict=True):
        for letter in _fold(char):
            folded.append(letter)
            kept_starts.append(start)
            kept_ends.append(end)
    return Canonical(text="".join(folded), starts=kept_starts, ends=kept_ends)


def _undo(text: str, starts: Sequence[int], ends: Sequence[int]) -> tuple[str, Sequence[int], Sequence[int]]:
    """Undo the escapes of one round; what comes of one stands where all of it stood."""
    pieces: list[str] = []
    new_starts, new_ends = array("Q"), array("Q")
    position = 0
    for found in _MARKED.finditer(text):
        first, last = found.span()
        plain = _plain(found)
        pieces += (text[position:first], plain)
        new_starts.extend(starts[position:first])
        new_ends.extend(ends[position:first])
        new_starts.extend([starts[first]] * len(plain))
        new_ends.extend([ends[last - 1]] * len(plain))
        position = last
    pieces.append(text[position:])
    new_starts.extend(starts[position:])
    new_ends.extend(ends[position:])
    return "".join(pieces), new_starts, new_ends


def _plain(found: "re.Match[str]") -> str:
    """Return what an escape or a tag stands for; what stands for nothing stays."""
    kind = found.lastgroup
    assert kind is not None
    whole = found[0] if kind == "tag" else found[0].replace("\n", "").replace("\r", "")
    return _PLAIN[kind](whole)


def _from_json(escape: str) -> str:
    return str(json.loads(f'"{escape}"'))


def _from_html(escape: str) -> str:
    number = _NUMBERED.fullmatch(escape)
    if number is None:
        return html.unescape(escape)
    code = int(number["hex"], 16) if number["hex"] else int(number["decimal"])
    return chr(code) if code <= sys.maxunicode else escape  # `html.unescape` reads some numbers as another code page's


def _from_url(escape: str) -> str:
    plain = unquote(escape, errors="replace")
    return escape if "\ufffd" in plain else plain


_PLAIN: Final[dict[str, Callable[[str], str]]] = {
    "json": _from_json,
    "html": _from_html,
    "url": _from_url,
    "tag": lambda _: " ",
}


@lru_cache(maxsize=4096)
def _fold(char: str) -> str:
    """Return the letters and digits of one character in every form that is equal to it."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold()).casefold()
    return _NO_LETTER.sub("", plain)
