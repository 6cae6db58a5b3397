"""HTML: is the text inside an attribute that loads or leads somewhere, or inside a CSS address?

Which `<x` begins a tag depends on the renderer (is it in code, in a comment, in the value of another attribute?), so
every one of them may: all readings are followed side by side, and one that says "address" is enough. There are few,
because readings that cannot be told apart any more are one. Attributes are read as in the HTML standard, 13.2.5.
"""

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from keepmum_edge.vault.scheme import LONGEST, is_harmless

_BLANK: Final = " \t\n\r\f"
# fmt: off
_LOADING: Final = frozenset({
    "src", "href", "srcset", "imagesrcset", "action", "formaction", "poster", "background", "data", "cite", "ping",
    "xlink:href", "longdesc", "lowsrc", "dynsrc", "code", "codebase", "archive", "profile", "manifest", "icon",
    "content", "usemap", "classid", "style", "srcdoc", "values", "from", "to",
})
# fmt: on
_LONGEST_NAME: Final = max(map(len, _LOADING))
_CSS_TAIL: Final = 10
_BEFORE_STRING: Final = frozenset(_BLANK + "\"'")


class _At(Enum):
    TAG_NAME = auto()
    BEFORE_NAME = auto()
    NAME = auto()
    AFTER_NAME = auto()
    BEFORE_VALUE = auto()
    DOUBLE = auto()
    SINGLE = auto()
    BARE = auto()


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to read the text: a tag is open, `name` is its last attribute, `value` the beginning of its value.

    `name` is "" for every attribute that loads nothing.
    """

    at: _At
    name: str = ""
    value: str = ""

    @property
    def is_address(self) -> bool:
        if not self.name or self.at not in (_At.BEFORE_VALUE, _At.DOUBLE, _At.SINGLE, _At.BARE):
            return False
        return is_harmless(self.value) is not True


_TAG: Final = _Reading(_At.TAG_NAME)
_INSIDE: Final = _Reading(_At.BEFORE_NAME)


class TagTracker:
    """Follows a text piece by piece (see `address`): single marks and blanks, and stretches of anything else."""

    def __init__(self) -> None:
        self._readings: frozenset[_Reading] = frozenset()
        self._after_angle = False

    @property
    def inside(self) -> bool:
        """Whether the text ends inside an address."""
        return any(reading.is_address for reading in self._readings)

    def feed(self, piece: str) -> None:
        """Take the next piece."""
        if not self._readings and not self._after_angle:
            self._after_angle = piece == "<"
            return
        if self._readings:
            after = {_step(reading, piece) for reading in self._readings}
            self._readings = frozenset(reading for reading in after if reading is not None)
        if self._after_angle and piece[0].isascii() and piece[0].isalpha():
            self._readings |= {_TAG}
        self._after_angle = piece == "<"


def _step(reading: _Reading, piece: str) -> _Reading | None:
    """Read one piece further; None: the tag has ended, or was none."""
    at = reading.at
    blank = piece in _BLANK
    if at is _At.DOUBLE or at is _At.SINGLE:
        return _INSIDE if piece == ('"' if at is _At.DOUBLE else "'") else _longer(reading, piece)
    if piece == ">":
        return None
    if at is _At.TAG_NAME:
        return _INSIDE if blank or piece == "/" else None if piece in "<=\"'" else reading
    if at is _At.BARE:
        return _INSIDE if blank else _longer(reading, piece)
    if at is _At.BEFORE_VALUE:
        if blank:
            return reading
        quoted = {'"': _At.DOUBLE, "'": _At.SINGLE}.get(piece)
        return replace(reading, at=quoted) if quoted else _longer(replace(reading, at=_At.BARE), piece)
    if piece == "=" and at in (_At.NAME, _At.AFTER_NAME):
        return _Reading(_At.BEFORE_VALUE, reading.name if _loads(reading.name) else "")
    if piece == "/":
        return _INSIDE
    if blank:
        return replace(reading, at=_At.AFTER_NAME) if at is _At.NAME else reading
    name = reading.name if at is _At.NAME else ""
    return _Reading(_At.NAME, (name + piece.lower())[: _LONGEST_NAME + 1])


def _longer(reading: _Reading, piece: str) -> _Reading:
    if not reading.name or len(reading.value) > LONGEST or is_harmless(reading.value) is not None:
        return reading
    return replace(reading, value=(reading.value + piece).lstrip(_BLANK)[:LONGEST])


def _loads(name: str) -> bool:
    return name in _LOADING or name.startswith("on")


class CssTracker:
    """Follows a text piece by piece: is it inside `url(...)`, `image-set(...)` or the string of an `@import`?"""

    def __init__(self) -> None:
        self._closers: set[str] = set()
        self._begun = False

    @property
    def inside(self) -> bool:
        """Whether the text ends inside an address."""
        return bool(self._closers)

    def feed(self, piece: str, tail: str) -> None:
        """Take the next piece; `tail`: the characters before it, at least ten."""
        if self._closers:
            self._go_on(piece)
        if piece == "(" and tail[-_CSS_TAIL:].lower().endswith(("url", "image-set")):
            self._closers.add(")")
            self._begun = False
        elif piece in _BEFORE_STRING and tail[-_CSS_TAIL:].lower().endswith("@import"):
            self._closers |= {";"} if piece in _BLANK else {";", piece}
            self._begun = False

    def _go_on(self, piece: str) -> None:
        if piece in self._closers:
            self._closers.discard(piece)
        elif piece in ('"', "'") and (not self._begun or ")" in self._closers):
            self._closers.add(piece)
        elif piece == "\n" and self._begun:
            self._closers.clear()  # neither a CSS string nor an unquoted address goes over a line
        self._begun = self._begun or not piece.isspace()
