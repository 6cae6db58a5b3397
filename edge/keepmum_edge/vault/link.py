"""Markdown and bare addresses: is the text inside the address of a link, of an image or of a reference definition?

The rule errs on the side of not restoring. A bare address ends at white space, or with the quote, backtick or `<` that
it began after. Any destination `](...` counts, whatever its scheme. White space is ASCII: in CommonMark a no-break
space goes on with an address.
"""

import re
from enum import Enum, auto
from typing import Final

from keepmum_edge.vault.scheme import is_harmless

BLANK: Final = " \t\n\r\f\v"
_URL: Final = re.compile(
    r"(?:https?(?::|&colon;|&#0{0,4}58;|&#x0{0,4}3a;)(?:[/\\]|&sol;|&#0{0,4}47;|&#x0{0,4}2f;)|www\.)\Z", re.IGNORECASE
)
_AFTER_QUOTE: Final = frozenset(",;:}])>，；：。、）】》")
"""What may follow the quote that ends an address; anything else goes on with it (`"https://x/?q="value`)."""


class UrlTracker:
    """Bare http(s) addresses, piece by piece."""

    def __init__(self) -> None:
        self._open: set[str] = set()  # what would end each open address; "" for white space only
        self._after_quote = False

    @property
    def inside(self) -> bool:
        """Whether the text ends inside an address."""
        return bool(self._open) or self._after_quote

    def feed(self, piece: str, tail: str, destinations: "DestinationTracker") -> None:
        """Take the next piece.

        Args:
            tail: The 40 characters before it.
            destinations: Those of the same text, which have taken the piece.
        """
        if self._open or self._after_quote:
            self._go_on(piece, tail)
        if piece in "/\\;." and (found := _URL.search(tail + piece)) is not None:
            self._begin(tail[: found.start()], in_destination=destinations.of_link)

    def _go_on(self, piece: str, tail: str) -> None:
        if piece in BLANK:
            self._open.clear()
            self._after_quote = False
            return
        if self._after_quote and piece[0] not in _AFTER_QUOTE:
            self._open.add("")
        self._after_quote = False
        if piece in self._open and not (piece == ">" and tail.endswith("\\")):
            self._open.discard(piece)
            self._after_quote = piece in "\"'"

    def _begin(self, before: str, *, in_destination: bool) -> None:
        """Open an address that follows `before`; a Markdown destination ends by itself and needs nothing here."""
        opener, escaped = before[-1:], before[-2:-1] == "\\"
        if before.endswith("](") and in_destination:
            return
        if opener in ('"', "'") or (opener == "`" and not escaped):
            self._open.add(opener)
        else:
            self._open.add(">" if opener == "<" and not escaped else "")


class DestinationTracker:
    """Destinations of Markdown links and images, `](address)` and `](<address>)`, piece by piece."""

    def __init__(self) -> None:
        self._depth = 0
        self._escaped = False
        self._previous = ""
        self._brackets = 0
        self._closes_text = False  # the last "]" ended a text that "[" began
        self._harmful_from: int | None = None  # parentheses open when the outermost open destination began
        self._undecided: str | None = None  # the beginning of a destination that may yet be harmless
        self._undecided_from = 0
        self._angle: str | None = None  # the beginning of a destination `<...`, or None
        self._after_angle = False
        self._is_link = False
        self._line_is_blank = True

    @property
    def inside(self) -> bool:
        """Whether the text ends inside a destination."""
        if self._angle is not None and is_harmless(self._angle) is not True:
            return True
        return self._undecided is not None or self._harmful_from is not None

    @property
    def of_link(self) -> bool:
        """Whether the open destination belongs to a text in brackets, so that its parenthesis ends it."""
        return self.inside and self._is_link

    def feed(self, piece: str) -> None:
        """Take the next piece."""
        escaped, self._escaped = self._escaped, piece == "\\" and not self._escaped
        if piece in BLANK:
            self._blank(piece)
        else:
            self._line_is_blank = False
            if self._after_angle and piece != ")" and self._harmful_from is None:
                self._harmful_from = self._depth  # `](<a>b` is no destination in CommonMark, but may be one elsewhere
            self._after_angle = False
            if self._angle is not None and is_harmless(self._angle) is None:
                self._angle += piece
            if self._undecided is not None:
                self._decide(piece)
            if not escaped:
                self._mark(piece)
            elif piece == "]":
                self._closes_text = False
            if piece == "(" and self._previous == "]":
                self._undecided, self._undecided_from = "", self._depth
                self._is_link = self._closes_text and self._harmful_from is None
        self._previous = piece

    def _blank(self, piece: str) -> None:
        self._depth = 0
        self._harmful_from = None
        self._after_angle = False
        if self._undecided:
            self._undecided = None
        self._undecided_from = 0
        if piece == "\n":
            self._angle = None
            if self._line_is_blank:
                self._brackets = 0
            self._line_is_blank = True

    def _decide(self, piece: str) -> None:
        assert self._undecided is not None
        if piece == ")" and self._depth <= self._undecided_from:
            return
        if not self._undecided and piece == "<":
            self._undecided, self._angle = None, ""
            return
        self._undecided += piece
        harmless = is_harmless(self._undecided)
        if harmless is None:
            return
        self._undecided = None
        if not harmless and self._harmful_from is None:
            self._harmful_from = self._undecided_from

    def _mark(self, piece: str) -> None:
        if piece == ">":
            self._after_angle = self._angle is not None
            self._angle = None
        elif piece == "[":
            self._brackets += 1
        elif piece == "]":
            self._closes_text = self._brackets > 0
            self._brackets = max(0, self._brackets - 1)
        elif piece == "(":
            self._depth += 1
        elif piece == ")":
            self._depth -= 1
            if self._harmful_from is not None and self._depth < self._harmful_from:
                self._harmful_from = None
            if self._undecided is not None and self._depth < self._undecided_from:
                self._undecided = None


class _At(Enum):
    MARGIN = auto()
    LABEL = auto()
    AFTER_LABEL = auto()
    BEFORE_ADDRESS = auto()
    ADDRESS = auto()
    ANGLE = auto()
    ELSEWHERE = auto()


_MARGIN: Final = re.compile(r"[>*+\-.)0-9 \t]*")
_MAX_LABEL: Final = 999


class DefinitionTracker:
    """Reference definitions, `[label]: address` (CommonMark 0.31, section 4.7), piece by piece."""

    def __init__(self) -> None:
        self._at = _At.MARGIN
        self._escaped = False
        self._size = 0
        self._in_margin = True
        self._breaks = 0
        self._address = ""

    @property
    def inside(self) -> bool:
        """Whether the text ends inside the address of a definition."""
        if self._at is _At.BEFORE_ADDRESS:
            return True
        return self._at in (_At.ADDRESS, _At.ANGLE) and is_harmless(self._address) is not True

    def feed(self, piece: str) -> None:
        """Take the next piece."""
        at = self._at
        if at is _At.ELSEWHERE and piece != "\n":
            return
        escaped, self._escaped = self._escaped, piece == "\\" and not self._escaped
        if piece == "\n":
            self._end_line()
        elif at is _At.MARGIN:
            self._at = _At.LABEL if piece == "[" else at if _MARGIN.fullmatch(piece) else _At.ELSEWHERE
            self._size = 0
        elif at is _At.LABEL:
            self._size += len(piece)
            if piece == "[" and self._in_margin:
                self._size = 0  # the line before was no label; this one may begin one
            elif (piece == "[" and not escaped) or self._size > _MAX_LABEL:
                self._at = _At.ELSEWHERE
            elif piece == "]" and not escaped:
                self._at = _At.AFTER_LABEL
        elif at is _At.AFTER_LABEL:
            self._at = _At.BEFORE_ADDRESS if piece == ":" else _At.ELSEWHERE
            self._breaks, self._address = 0, ""
        elif at is not _At.ELSEWHERE:
            self._read_address(piece, escaped=escaped)
        self._in_margin = piece == "\n" or (self._in_margin and _MARGIN.fullmatch(piece) is not None)

    def _end_line(self) -> None:
        self._breaks += 1
        if self._at is _At.LABEL or (self._at is _At.BEFORE_ADDRESS and self._breaks == 1):
            self._size += 1
        else:
            self._at = _At.MARGIN

    def _read_address(self, piece: str, *, escaped: bool) -> None:
        if piece in BLANK:
            if self._at is _At.ADDRESS:
                self._at = _At.ELSEWHERE
        elif piece == ">" and self._at is _At.ANGLE and not escaped:
            self._at = _At.ELSEWHERE
        elif self._at is _At.BEFORE_ADDRESS and piece == "<":
            self._at = _At.ANGLE
        else:
            if self._at is _At.BEFORE_ADDRESS:
                self._at = _At.ADDRESS
            if is_harmless(self._address) is None:
                self._address += piece
