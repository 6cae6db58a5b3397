"""The lines that blocks have shown, as keyed digests: found in a text even where no frame is left around them (pure).

A line begins with its day, so a digest is looked for only where eight digits stand. Whole lines are found: of a part
without its day and its token nobody can say whether the owner has typed it. No text is kept, and a digest names no
record, so one that outlives its record tells nothing of it, but still keeps the line from being sent.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from keepmum_edge.daemon.block.canonical import canonical, canonical_text
from keepmum_edge.daemon.block.frame import without

_DAY: Final = re.compile(r"(?=[0-9]{8})")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownLine:
    """One line: the digest of its canonical text (32 bytes), and how many characters that has."""

    digest: bytes
    length: int


class ShownLines:
    """All lines that were ever shown.

    Args:
        digest: Makes the keyed digest of a canonical text.
        lines: Those of earlier runs.
    """

    def __init__(self, digest: Callable[[str], bytes], lines: Iterable[ShownLine] = ()) -> None:
        self._digest = digest
        self._by_length: dict[int, frozenset[bytes]] = {}
        for line in lines:
            self.add(line)

    def line(self, content: str) -> ShownLine:
        """Return what is kept of a line with this content."""
        plain = canonical_text(content)
        return ShownLine(digest=self._digest(plain), length=len(plain))

    def add(self, line: ShownLine) -> None:
        """Take in a line that is about to be shown, once it is stored."""
        self._by_length[line.length] = self._by_length.get(line.length, frozenset()) | {line.digest}

    def knows(self, line: ShownLine) -> bool:
        """Say whether it was shown before."""
        return line.digest in self._by_length.get(line.length, ())

    def without(self, text: str) -> str:
        """Return a text without any of the lines; the text itself if it holds none."""
        if not self._by_length or not any(self._regions(canonical_text(text))):
            return text
        mapped = canonical(text)
        return without(text, mapped.starts, mapped.ends, self._regions(mapped.text))

    def _regions(self, plain: str) -> Iterator[tuple[int, int]]:
        for found in _DAY.finditer(plain):
            start = found.start()
            for length, digests in self._by_length.items():
                if start + length <= len(plain) and self._digest(plain[start : start + length]) in digests:
                    yield start, start + length
