"""Where a found stretch really begins and ends: no blanks or stray marks, no cut through a Latin word (pure)."""

import unicodedata
from typing import Final

from keepmum_shared.taxonomy import EntityType, Level, default_level

_QUOTES: Final = frozenset("\"'`“”‘’「」『』《》<>")
_OPENING: Final = frozenset("([{（【")
_CLOSING: Final = {")": "(", "]": "[", "}": "{", "）": "（", "】": "【"}


class Borders:
    """The borders of stretches of one text; a long run of letters is measured once, however many begin in it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._run = 0, 0
        """The last run of ASCII letters and digits that a border lay inside, half-open."""

    def tidy(self, start: int, end: int, entity_type: EntityType) -> tuple[int, int]:
        """Return better borders; `start >= end` where nothing is left.

        A secret (PL4) may begin and end with any mark, so only blanks and quotes are taken off it; elsewhere marks go
        too, but a closing bracket stays where its opening one is inside. Then a border inside a run of ASCII letters
        and digits moves out to the end of the run: half a word gives the other half away.
        """
        text = self._text
        secret = default_level(entity_type) is Level.PL4
        while start < end and _is_loose(text, start, end, start, secret=secret):
            start += 1
        while start < end and _is_loose(text, start, end, end - 1, secret=secret):
            end -= 1
        if start >= end:
            return start, end
        return self._moved_out(start)[0], self._moved_out(end)[1]

    def _moved_out(self, border: int) -> tuple[int, int]:
        """Return the run that a border lies inside; the border itself, twice, where it lies in none."""
        text = self._text
        if not (0 < border < len(text) and _is_word(text[border - 1]) and _is_word(text[border])):
            return border, border
        if not self._run[0] < border < self._run[1]:
            start, end = border, border
            while start > 0 and _is_word(text[start - 1]):
                start -= 1
            while end < len(text) and _is_word(text[end]):
                end += 1
            self._run = start, end
        return self._run


def _is_loose(text: str, start: int, end: int, at: int, *, secret: bool) -> bool:
    character = text[at]
    if character.isspace() or character in _QUOTES:
        return True
    if secret or character.isalnum():
        return False
    if at == start and character in "+#@/" + "".join(_OPENING):
        return character in _OPENING and not _closes_inside(text, start, end, character)
    if character in _CLOSING:
        return _CLOSING[character] not in text[start:end]
    return not _is_mark_of_a_letter(character)


def _closes_inside(text: str, start: int, end: int, opening: str) -> bool:
    return any(close in text[start:end] for close, o in _CLOSING.items() if o == opening)


def _is_mark_of_a_letter(character: str) -> bool:
    """Combining marks and vowel signs belong to the letter before them; symbols and punctuation do not."""
    return not character.isascii() and character.isprintable() and not _is_punctuation(character)


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PSZ"


def _is_word(character: str) -> bool:
    return character.isascii() and character.isalnum()
