"""Code fences (CommonMark 0.31, section 4.5): inside them only the exact form of a token is restored.

Only whole lines open and close a fence, so the state at a token depends on the lines before its own. A fence may stand
in a list or a quotation; one that a quotation holds ends with it.
"""

import re
from typing import Final

_OPENING: Final = re.compile(
    r"(?P<margin>(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])(?=[ \t>`~]))*[ \t]*)(?P<fence>`{3,}|~{3,})(?P<info>.*)\Z", re.DOTALL
)
_CLOSING: Final = re.compile(r"(?P<margin>[ \t>]*)(?P<fence>`{3,}|~{3,})[ \t]*\Z")
_QUOTED: Final = re.compile(r"[ \t]*>")
_MAX_LINE: Final = 4096
"""Characters of a line that are kept; a fence line is shorter."""
_INDENT: Final = 3
"""Blanks by which a closing fence may be further in than its opening one."""


class FenceTracker:
    """Follows a text as it grows."""

    def __init__(self) -> None:
        self._line = ""
        self._fence = ""
        self._margin = ""

    @property
    def inside(self) -> bool:
        """Whether what comes next is inside a fence."""
        return bool(self._fence) and not self._leaves_quotation(self._line)

    def feed(self, text: str) -> None:
        """Take the next piece of the text."""
        if "\n" not in text:
            if len(self._line) < _MAX_LINE:
                self._line += text
            return
        first, *middle, last = text.split("\n")
        self._end_line(self._line + first)
        for line in middle:
            self._end_line(line)
        self._line = last[:_MAX_LINE]

    def _end_line(self, line: str) -> None:
        line = line[:_MAX_LINE].rstrip("\r")
        if self._fence and self._leaves_quotation(line):
            self._fence = ""
        if "```" not in line and "~~~" not in line:
            return
        if self._fence:
            self._close(line)
        else:
            self._open(line)

    def _leaves_quotation(self, line: str) -> bool:
        return ">" in self._margin and _QUOTED.match(line) is None

    def _open(self, line: str) -> None:
        found = _OPENING.match(line)
        if found is not None and (found["fence"][0] == "~" or "`" not in found["info"]):
            self._fence, self._margin = found["fence"], found["margin"]

    def _close(self, line: str) -> None:
        found = _CLOSING.match(line)
        if found is None or len(found["margin"]) > len(self._margin) + _INDENT:
            return
        fence = found["fence"]
        if fence[0] == self._fence[0] and len(fence) >= len(self._fence):
            self._fence = ""
