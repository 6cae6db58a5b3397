"""From the bytes of tokens to text that may be sent (pure): whole characters, nothing of a stop string."""

import codecs
from collections.abc import Sequence


def held_length(text: str, markers: Sequence[str]) -> int:
    """Return how many characters at the end of `text` could be the beginning of one of the markers."""
    longest = max((len(marker) for marker in markers), default=0)
    for length in range(min(longest - 1, len(text)), 0, -1):
        if any(marker.startswith(text[-length:]) for marker in markers):
            return length
    return 0


class TextStream:
    """Decodes the tokens of one choice.

    Attributes:
        stopped: Whether a stop string has come; nothing more is given out then.
    """

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = [stop for stop in stops if stop]
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._held = ""
        self.stopped = False

    def feed(self, token: bytes) -> str:
        """Return the text that is certain after this token, possibly none."""
        if self.stopped:
            return ""
        self._held += self._decoder.decode(token)
        ends = [at for stop in self._stops if (at := self._held.find(stop)) >= 0]
        if ends:
            self.stopped = True
            text, self._held = self._held[: min(ends)], ""
            return text
        keep = held_length(self._held, self._stops)
        text, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        return text

    def close(self) -> str:
        """Return what was held back; half a character at the very end becomes U+FFFD."""
        return "" if self.stopped else self._held + self._decoder.decode(b"", final=True)
