"""Values that a label in front of them explains: `passport no. X`, `"dob": "X"`, `护照号码：X`.

A label is a lower-case literal; between it and the value may stand a few words of a fixed list and marks, nothing else.
That keeps "duplicate license text has 8827364" apart from "driver licence 8827364".
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CONTEXT, Finding
from keepmum_edge.spans.normalise import Reading

GAP: Final = (
    r"\.?(?:['’]s)?[\"'`\])*_]{0,3}[ \t]{0,4}"
    r"(?:\([^()\n]{0,24}\)[ \t]{0,4})?"
    r"(?:(?:card|account|numbers?|no\.?|nr\.?|nº|n°|num\.?|id|code|值|号码|號碼|号|號|码|卡号|编号)[ \t.]{0,3})?"
    r"(?:\([^()\n]{0,24}\)[ \t]{0,4})?"
    r"(?:(?:is|was|are|=|:|->|=>|#|\||-|是|为|為|lautet|est|es|é|è|ist|:=)[ \t]{0,4}){0,3}"
    r"(?:still|now|actually|currently)?[ \t\"'`*#\[(]{0,4}"
)
"""Between a label and its value, on the reading in lower case."""


def label(words: str, gap: str = GAP) -> re.Pattern[str]:
    """Compile a pattern that ends where the value begins. ASCII words end at a letter's edge."""
    longest = sorted(words.split("|"), key=len, reverse=True)
    ascii_words = "|".join(re.escape(w) for w in longest if w.isascii())
    others = "|".join(re.escape(w) for w in longest if not w.isascii())
    parts = [rf"(?<![a-z])(?:{ascii_words})(?![a-z])"] if ascii_words else []
    parts += [f"(?:{others})"] if others else []
    return re.compile(f"(?:{'|'.join(parts)}){gap}")


class Labelled:
    """One kind of labelled value.

    Args:
        entity_type: What the value is.
        source: Name of the rule.
        words: Labels, lower case, separated by `|`.
        value: Matched where the label ends, on the folded text; its first group, or all of it, is the value.
        accept: Says whether the matched value is one.
    """

    def __init__(
        self,
        entity_type: EntityType,
        source: str,
        words: str,
        value: str,
        *,
        accept: Callable[[str], bool] = lambda value: True,
        certainty: int = CONTEXT,
        gap: str = GAP,
    ) -> None:
        self._type, self._source, self._words, self._accept = entity_type, source, tuple(words.split("|")), accept
        self._label, self._value, self._certainty = label(words, gap), re.compile(value), certainty

    def find(self, reading: Reading) -> Iterator[Finding]:
        """Yield every labelled value."""
        lower = reading.lower
        if not any(map(lower.__contains__, self._words)):
            return
        for found in self._label.finditer(lower):
            value = self._value.match(reading.text, found.end())
            if value is None:
                continue
            group = 1 if value.re.groups else 0
            if value.end(group) > value.start(group) and self._accept(value[group]):
                yield Finding(value.start(group), value.end(group), self._type, self._certainty, self._source)


def near(reading: Reading, words: re.Pattern[str], start: int, end: int, *, before: int = 40, after: int = 0) -> bool:
    """Whether a context word stands within `before` characters in front of a stretch or `after` behind it."""
    if words.search(reading.lower, max(0, start - before), start):
        return True
    return bool(after and words.search(reading.lower, end, end + after))
