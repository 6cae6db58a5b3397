"""Code fences (CommonMark 0.31, section 4.5): inside them only the exact form of a token is restored.

Only whole lines open and close a fence, so the state at a token depends on the lines before its own.
"""

import re
from typing import Final

_FENCE: Final = re.compile(
    r"(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])(?=[ \t>`~]))*[ \t]*(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)\Z"
)
_MAX_LINE: Final = 4096
"""Characters of a line that are kept; a fence line is shorter."""


class FenceTracker:
    """Follows a text as it grows."""

    def __init__(self) -> None:
        self._line = ""
        self._fence = ""

    @property
    def inside(self) -> bool:
        """Whether the line that grows now is inside a fence."""
        return bool(self._fence)

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
        if "```" not in line and "~~~" not in line:
            return
        found = _FENCE.match(line[:_MAX_LINE].rstrip("\r"))
        if found is None:
            return
        fence, info = found["fence"], found["info"]
        if self._fence:
            if fence[0] == self._fence[0] and len(fence) >= len(self._fence) and not info.strip():
                self._fence = ""
        elif fence[0] == "~" or "`" not in info:
            self._fence = fence
