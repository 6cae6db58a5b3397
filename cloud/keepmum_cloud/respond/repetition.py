"""Endless repetition (pure): a small model that says one thing over and over does not end by itself."""

from collections import deque
from typing import Final

_LONGEST: Final = 128
"""Tokens of the longest stretch whose repetition is seen."""
_LEAST: Final = 192
"""Tokens that must repeat what stood before, so that a list or a verse with a refrain is no loop."""
_TIMES: Final = 3


class RepetitionWatch:
    """Sees, token by token, whether an answer has run into a loop.

    A loop is a stretch of at most 128 tokens that has been repeated, exactly, at least three times over and for at
    least 192 tokens.
    """

    def __init__(self) -> None:
        self._recent: deque[bytes] = deque(maxlen=_LONGEST)
        self._repeated = [0] * (_LONGEST + 1)  # by period: how many of the last tokens equal the one a period before

    def feed(self, token: bytes) -> bool:
        """Take the next token and say whether the answer is in a loop."""
        looping = False
        for period, earlier in enumerate(reversed(self._recent), 1):
            self._repeated[period] = self._repeated[period] + 1 if earlier == token else 0
            looping = looping or self._repeated[period] >= max(_LEAST, _TIMES * period)
        self._recent.append(token)
        return looping
