"""Which values that the owner told in other conversations stand in a new text (pure).

The extractor that found "Clara Berg" once may miss her in "weather in Bath for Clara Berg?". So what identifies
somebody by itself is looked for whole: letters and digits alone, folded, whatever marks divide them, names also turned
round.

Not here  Where exactly it stands and in which spellings: `Recurrences` and `Namesakes`, which take what is found.
          What may mean something else in another conversation: a single Latin name, two Chinese characters, a town, a
          firm, a date, a short number, an illness. What one conversation took for a name and does not look like one:
          a mistake would be repeated for ever. What its form gives away anywhere: e-mail addresses, wallets.
          Secrets (PL4), of which the profile has none.

Time is linear in the text and does not grow with the number of values. One thread may change what others read.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from keepmum_shared.placeholder import Placeholder
from keepmum_shared.taxonomy import EntityType, default_level

from keepmum_edge.spans.listed_names import shipped_names
from keepmum_edge.spans.name_index import DOUBLE, NO_PART, SURNAMES
from keepmum_edge.spans.normalise import read
from keepmum_edge.spans.ordinary_words import is_ordinary
from keepmum_edge.spans.recurrence import Known

_NUMBERED: Final = frozenset(
    {
        EntityType.PHONE,
        EntityType.NATIONAL_ID,
        EntityType.PASSPORT,
        EntityType.DRIVER_LICENSE,
        EntityType.TAX_ID,
        EntityType.BANK_ACCOUNT,
        EntityType.BANK_CARD,
        EntityType.DEVICE_ID,
        EntityType.VEHICLE_PLATE,
        EntityType.ACCOUNT_ID,
    }
)
LOOKED_FOR: Final = _NUMBERED | {EntityType.NAME, EntityType.USERNAME, EntityType.ADDRESS}
"""Types of which some values are."""

_TOKEN: Final = re.compile(r"[0-9A-Za-z]+|[^\W_]")
_WORD: Final = re.compile(r"[^\W_]+")
_EAST: Final = re.compile("[\u3400-\u9fff]")
_HAN: Final = re.compile("[\u3400-\u9fff]{1,16}")
_HEAD: Final = 3
"""Letters and digits by which a value is looked up first; no value has fewer."""
_MOST: Final = 64
"""Letters and digits of the longest value."""
_MOST_WORDS: Final = 8
_AHEAD: Final = NO_PART | {"hello", "hi", "hey", "dear"}
"""Words, lower case, that may stand before a name and are no part of it."""
_DATE: Final = re.compile(r"(?:19|20)[0-9]{6}\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileValue:
    """A value of the profile; `entity_type` is the type under which it was found, also where a coarser one is sent."""

    placeholder: Placeholder
    entity_type: EntityType
    surface: str = field(repr=False)


class ProfileValues:
    """The values of one profile that identify somebody wherever they stand."""

    def __init__(self) -> None:
        self._values: dict[str, tuple[ProfileValue, ...]] = {}
        """What is looked for -> whose it is. A tuple is replaced, never changed; so are the dictionaries below."""
        self._lengths: dict[str, dict[int, int]] = {}
        """Head of a key -> how long such keys are -> how many are."""

    def add(self, value: ProfileValue) -> None:
        """Take in a value that is not held; one that could mean anything is left out."""
        for key in _keys(value.entity_type, value.surface):
            same = self._values.get(key)
            self._values[key] = (value,) if same is None else (*same, value)
            if same is None:
                self._count(key, 1)

    def forget(self, placeholders: Collection[Placeholder]) -> None:
        """Let go of values; those that are not held are passed over. Time grows with the number of values."""
        gone = frozenset(placeholders)
        touched = [key for key, values in self._values.items() if any(v.placeholder in gone for v in values)]
        for key in touched:
            left = tuple(value for value in self._values[key] if value.placeholder not in gone)
            if left:
                self._values[key] = left
            else:
                del self._values[key]
                self._count(key, -1)

    def standing_in(self, text: str) -> set[Known]:
        """Return the values that stand in a text, no number or Latin word cut."""
        if not self._values:
            return set()
        reading = read(text)
        tokens = _TOKEN.findall(reading.lower)
        joined = "".join(tokens)
        starts: list[tuple[int, dict[int, int]]] = []
        ends: set[int] = set()
        place = 0
        for token in tokens:
            if (lengths := self._lengths.get(joined[place : place + _HEAD])) is not None:
                starts.append((place, lengths))
            place += len(token)
            ends.add(place)
        found: set[ProfileValue] = set()
        for start, lengths in starts:
            for length in lengths:
                if start + length in ends:
                    found.update(self._values.get(joined[start : start + length], ()))
        return {
            (value.surface, value.entity_type, default_level(value.entity_type))
            for value in found
            if _is_meant(value, reading.text)
        }

    def _count(self, key: str, more: int) -> None:
        head, length = key[:_HEAD], len(key)
        counts = dict(self._lengths.get(head, {}))
        counts[length] = counts.get(length, 0) + more
        if not counts[length]:
            del counts[length]
        if counts:
            self._lengths[head] = counts
        else:
            del self._lengths[head]


def _keys(entity_type: EntityType, surface: str) -> tuple[str, ...]:
    """Return what a value is looked for as; nothing where it could mean anything."""
    if entity_type not in LOOKED_FOR:
        return ()
    if entity_type is EntityType.NAME:
        return _han_keys(surface) if _HAN.fullmatch(surface) else _name_keys(surface)
    low = surface.lower() if surface.isascii() else read(surface).lower
    tokens = _TOKEN.findall(low)
    key = "".join(tokens)
    return (key,) if _HEAD <= len(key) <= _MOST and _identifies(entity_type, low, tokens, key) else ()


def _han_keys(name: str) -> tuple[str, ...]:
    """Return a Chinese name whose first character, or first two, are a surname."""
    return (name,) if len(name) >= _HEAD and (name[0] in SURNAMES or name[:2] in DOUBLE) else ()


def _name_keys(surface: str) -> tuple[str, ...]:
    """Return a name as it is written and, if it is Latin, with its last word first."""
    text = surface if surface.isascii() else read(surface).text
    words = _WORD.findall(text)
    while words and words[0].lower() in _AHEAD:
        del words[0]
    lows = [word.lower() for word in words]
    key = "".join(lows)
    if not _HEAD <= len(key) <= _MOST or not key.isalpha():
        return ()
    if _EAST.search(key):
        return (key,) if len(words) > 1 else ()
    if len(words) > _MOST_WORDS or sum(len(word) >= 2 for word in words) < 2 or "," in text:
        return ()
    if any(low in _AHEAD for low in lows[:-1]) or not _is_written_as_name(words):
        return ()
    return key, lows[-1] + key[: -len(lows[-1])]


def _is_written_as_name(words: list[str]) -> bool:
    """Whether two words have capitals, or all are known names where nobody wrote capitals."""
    if sum(not word[0].islower() for word in words) >= 2:
        return True
    return all(word.lower() in shipped_names() for word in words)


def _identifies(entity_type: EntityType, low: str, tokens: list[str], key: str) -> bool:
    """Whether a value that is no name means the same in every conversation."""
    digits = sum(map(str.isdigit, key))
    if entity_type is EntityType.USERNAME:
        return len(key) >= 6 and not key.isdigit() and (digits > 0 or any(mark in low for mark in "._-"))
    if entity_type is EntityType.ADDRESS:
        return 0 < digits < len(key) and len(key) >= 6 and len(tokens) >= 3
    return digits >= 4 and len(key) >= (7 if key.isdigit() else 6) and not _DATE.match(key)


def _is_meant(value: ProfileValue, text: str) -> bool:
    """Whether a name of everyday words (`ordinary_words`) stands there as one does: "Rose Parker", no parked rose."""
    if value.entity_type is not EntityType.NAME or not all(map(is_ordinary, _WORD.findall(value.surface.lower()))):
        return True
    return read(value.surface).text in text
