"""The words by which the forgotten is known, as few as will do (pure)."""

import json
from collections.abc import Iterable
from typing import Final

LEAST_BYTES: Final = 12
"""A shorter text of a record stands in other texts by chance, and is no sign that they tell the record."""


def irredundant(needles: Iterable[str]) -> tuple[str, ...]:
    """Return the needles that have to be looked for: where a longer one stands, a shorter one within it does too."""
    kept: list[str] = []
    for needle in sorted(set(needles), key=lambda each: (len(each), each)):
        if needle and not any(each in needle for each in kept):
            kept.append(needle)
    return tuple(kept)


def telling(texts: Iterable[str]) -> tuple[str, ...]:
    """Return those texts, as they stand inside JSON, that tell something by standing somewhere."""
    return irredundant(in_json(text) for text in texts if len(text.encode()) >= LEAST_BYTES)


def in_json(text: str) -> str:
    """Return a text as it stands inside a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
