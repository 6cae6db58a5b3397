"""A name that one place of a text gave away is found again in it: in any case, turned round, and by its parts."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from keepmum_shared.taxonomy import EntityType, default_level

from keepmum_edge.spans.patterns.name_forms import NO_NAME
from keepmum_edge.spans.span import PrivateSpan

_MIN_PART: Final = 4
"""Letters; shorter parts are too often other words."""
_TOKEN: Final = re.compile(r"[^\W_]+(?:['’-][^\W\d_]{2,})*")
_BETWEEN: Final = re.compile(r",?[ \t\u00a0]{1,3}|[ \t]?\r?\n|\. ?|[-_]")
_CERTAINTY: Final = 65
_MAX_NAMES: Final = 256
"""Distinct names of one text that are looked for; the more there are, the less a text is about people."""


def find_names_again(text: str, names: Iterable[str]) -> tuple[PrivateSpan, ...]:
    """Return spans for other places of these names; they may overlap each other and what is found already."""
    known = sorted({name for name in names if len(name) >= 2})[:_MAX_NAMES]
    latin = [name for name in known if name[0] < "\u2e80"]
    spans = list(_latin(text, latin)) if latin else []
    for name in known:
        if name not in latin:
            spans += [_span(text, found.start(), found.end()) for found in re.finditer(re.escape(name), text)]
    return tuple(spans)


def _latin(text: str, names: list[str]) -> Iterator[PrivateSpan]:
    whole: dict[str, list[tuple[str, ...]]] = {}
    parts: set[str] = set()
    for name in names:
        words = tuple(word[0].lower() for word in _TOKEN.finditer(name))
        if len(words) > 1:
            for form in {words, (words[-1], *words[:-1])}:
                whole.setdefault(form[0], []).append(form)
        parts.update(word for word in words if len(word) >= _MIN_PART and word not in NO_NAME)
    tokens = [(found.start(), found.end(), found[0]) for found in _TOKEN.finditer(text)]
    for i, (start, end, word) in enumerate(tokens):
        low = word.lower()
        low = low.removesuffix("'s").removesuffix("’s")
        for form in whole.get(low, ()):
            if len(tokens) >= i + len(form) and _follows(text, tokens[i : i + len(form)], form):
                yield _span(text, start, tokens[i + len(form) - 1][1])
        if low in parts and word[0].isupper():
            yield _span(text, start, start + len(low) if len(low) < len(word) else end)


def _follows(text: str, tokens: list[tuple[int, int, str]], form: tuple[str, ...]) -> bool:
    if any(token[2].lower() != word for token, word in zip(tokens, form, strict=True)):
        return False
    return all(_BETWEEN.fullmatch(text, a[1], b[0]) for a, b in pairwise(tokens))


def _span(text: str, start: int, end: int) -> PrivateSpan:
    return PrivateSpan(
        start=start,
        end=end,
        entity_type=EntityType.NAME,
        level=default_level(EntityType.NAME),
        source="name-recurrence",
        certainty=_CERTAINTY,
        surface=text[start:end],
    )
