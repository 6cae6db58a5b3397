"""Names of public people pass where nothing ties them to anybody private (design section 4; pure).

A name that is on the list and stands untied becomes a span of PL1: not private, so never masked by default, yet still
known to be a name, so that a conversation in which somebody private has it masks it (`daemon.turn.find_spans`), and so
that an owner who sets a level for NAME masks all names. If one occurrence in a text is tied, none passes. The surname
alone passes in a text in which the full name does. Nothing but the level of NAME spans of PL2 is ever changed, and a
name that is masked after all is masked as the list has it, never in half.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Final

from keepmum_shared.taxonomy import EntityType, Level

from keepmum_edge.spans.merge import merge
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.spans.ties import Ties

SHIPPED: Final = Path(__file__).with_name("public_figures.txt")
SOURCE: Final = "public-figure"

_EAST: Final = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD: Final = re.compile(rf"[^\W_{_EAST}]+(?:(?!['’][sS](?![^\W_]))['’-][^\W_{_EAST}]+)*")
_BETWEEN: Final = re.compile(r"\.?[ \u00a0]|\.")
_DOTS: Final = str.maketrans("•・‧", "···")
_NEAR: Final = 40
"""Characters around a found name in which the listed one must lie; no listed name is longer."""
_HONORIFIC: Final = re.compile(r"(?:sir|lord|lady|dame|king|queen|president|pope|emperor|saint|st\.?) ", re.IGNORECASE)


class BadListError(ValueError):
    """A line of a list of public figures is not one. Holds its number only.

    Attributes:
        line: Counted from 1.
    """

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line} is not `Name`, `Name | other spelling`, `- Name` or `# comment`")
        self.line = line


@dataclass(frozen=True, slots=True)
class Figures:
    """What a list says: people to add, each with all spellings, and names to remove."""

    added: tuple[tuple[str, ...], ...]
    removed: tuple[str, ...] = ()


def parse(text: str) -> Figures:
    """Read a list: one person a line, spellings between `|`; `#` begins a comment, `-` a name to remove.

    Raises:
        BadListError: a line is neither.
    """
    added: list[tuple[str, ...]] = []
    removed: list[str] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip().removeprefix("\ufeff")
        if not line or line.startswith("#"):
            continue
        names = tuple(name.strip() for name in line.removeprefix("-").split("|"))
        if not all(name and any(map(str.isalpha, name)) and len(name) <= _NEAR for name in names):
            raise BadListError(number)
        if line.startswith("-"):
            removed += names
        else:
            added.append(names)
    return Figures(tuple(added), tuple(removed))


def shipped_figures() -> Figures:
    """Read the list that comes with Keepmum."""
    return parse(SHIPPED.read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a listed name stands, and whose it is."""

    start: int
    end: int
    figure: int


class PublicFigures:
    """The list in force."""

    def __init__(self, figures: Iterable[Sequence[str]], *, removed: Iterable[str] = ()) -> None:
        """Index people by every spelling; a removed name passes under none of its spellings."""
        self._words: dict[tuple[str, ...], int] = {}
        self._first: dict[str, set[int]] = {}
        self._east: dict[str, int] = {}
        self._east_lengths: dict[str, set[int]] = {}
        """First character of an eastern name -> how long such names are."""
        gone = {_key(name) for name in removed}
        for number, names in enumerate(figures):
            keys = [_key(name) for name in names]
            if gone.isdisjoint(keys):
                for key in keys:
                    self._add(key, number)
        self._longest_east = max(map(len, self._east), default=0)

    def __len__(self) -> int:
        """Return how many names are listed."""
        return len(self._words) + len(self._east)

    def lists(self, name: str) -> bool:
        """Say whether a name is on the list."""
        place = self._find(name, 0, len(name))
        return place is not None and (place.start, place.end) == (0, len(name))

    def let_pass(self, text: str, spans: Sequence[PrivateSpan]) -> tuple[PrivateSpan, ...]:
        """Lower the level of public names to PL1 where nothing in the text ties them to anybody private.

        Args:
            text: The text.
            spans: What was found in it, sorted by `start`, not overlapping.
        """
        places = {
            span: place
            for span in spans
            if _is_plain_name(span) and (place := self._find(text, span.start, span.end)) is not None
        }
        if not places:
            return tuple(spans)
        ties = Ties(text, spans)
        tied = {p.figure for p in places.values() if ties.tied(p.start, p.end)}
        surnames = self._surnames(text, places.values())
        parts = {
            span: surnames[key]
            for span in spans
            if _is_plain_name(span) and span not in places and (key := span.surface.casefold()) in surnames
        }
        tied |= {figure for span, figure in parts.items() if ties.tied(span.start, span.end)}
        whose = {**{span: place.figure for span, place in places.items()}, **parts}
        passing = {span for span, figure in whose.items() if figure not in tied}
        whole = [
            replace(span, start=place.start, end=place.end, surface=text[place.start : place.end])
            for span, place in places.items()
            if span not in passing and (place.start < span.start or place.end > span.end)
        ]
        lowered = (replace(s, level=Level.PL1, source=SOURCE) if s in passing else s for s in spans)
        return merge(text, lowered, whole) if whole else tuple(lowered)

    def _add(self, key: tuple[str, ...] | str, figure: int) -> None:
        if isinstance(key, str):
            self._east[key] = figure
            self._east_lengths.setdefault(key[0], set()).add(len(key))
        else:
            self._words[key] = figure
            self._first.setdefault(key[0], set()).add(len(key))

    def _find(self, text: str, start: int, end: int) -> _Place | None:
        """Return the longest listed name that holds all of a stretch but an honorific before it."""
        found = [*self._latin(text, start, end), *self._chinese(text, start, end)]
        return max(found, key=lambda place: place.end - place.start, default=None)

    def _latin(self, text: str, start: int, end: int) -> Iterable[_Place]:
        first, last = max(0, start - _NEAR), end + _NEAR
        words = [(first + w.start(), first + w.end(), _fold(w[0])) for w in _WORD.finditer(text[first:last])]
        words = [word for word in words if word[1] < last or word[1] == len(text)]
        honoured = _HONORIFIC.match(text, start, end)
        begin = start if honoured is None else honoured.end()
        for i, (at, _, word) in enumerate(words):
            if at > begin:
                break
            for length in self._first.get(word, ()):
                run = words[i : i + length]
                figure = self._words.get(tuple(w[2] for w in run))
                if figure is None or run[-1][1] < end or (length == 1 and not text[at].isupper()):
                    continue
                if all(_BETWEEN.fullmatch(text, a[1], b[0]) for a, b in pairwise(run)):
                    yield _Place(at, run[-1][1], figure)

    def _chinese(self, text: str, start: int, end: int) -> Iterable[_Place]:
        for at in range(max(0, end - self._longest_east), start + 1):
            for length in self._east_lengths.get(_fold(text[at])[:1], ()):
                to = at + length
                if end <= to <= len(text):
                    figure = self._east.get(_fold(text[at:to]).translate(_DOTS))
                    if figure is not None:
                        yield _Place(at, to, figure)

    def _surnames(self, text: str, places: Iterable[_Place]) -> dict[str, int]:
        """Return the last words of the full names at these places."""
        names = {text[p.start : p.end]: p.figure for p in places}
        return {
            words[-1].casefold(): figure
            for name, figure in names.items()
            if len(words := _WORD.findall(name)) > 1 and words[-1][0].isupper()
        }


NOBODY: Final = PublicFigures(())
"""A list that lets no name pass."""


def _is_plain_name(span: PrivateSpan) -> bool:
    return span.entity_type is EntityType.NAME and span.level is Level.PL2


def _key(name: str) -> tuple[str, ...] | str:
    """Return a name as it is looked up: Latin word by word, anything else as one string."""
    if re.search(f"[{_EAST}]", name):
        return _fold(name).translate(_DOTS)
    return tuple(_fold(word) for word in _WORD.findall(name))


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
