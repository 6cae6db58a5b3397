"""How scopes, audiences, applications and conversations may be called (pure).

Letters and digits of any script, `-` and `_`, and single dots between them: a name can be typed, read aloud and put
into a header or a file's name. Two spellings of the same letters are one name (NFC).
"""

import unicodedata
from typing import Final

from keepmum_edge.memory.record import USER_SCOPE

RULE: Final = "must be 1 to 128 letters, digits, hyphens and underscores of any script, with single dots only inside"
_MOST: Final = 128
_SIGNS: Final = frozenset("-_.")


def normalised(name: str) -> str:
    """Return a name as it is kept and compared.

    Raises:
        ValueError: it breaks the rule; never quotes it.
    """
    text = unicodedata.normalize("NFC", name)
    dotted = text.startswith(".") or text.endswith(".") or ".." in text
    if not 0 < len(text) <= _MOST or dotted or _is_mark(text[0]) or not all(map(_may_stand, text)):
        raise ValueError(RULE)
    return text


def scope_named(name: str) -> str:
    """Return the scope of this name; however `user` is written, it is the general one. Raises as `normalised`."""
    text = normalised(name)
    return USER_SCOPE if unicodedata.normalize("NFKC", text).casefold() == USER_SCOPE else text


def _may_stand(character: str) -> bool:
    return character in _SIGNS or character.isalpha() or _is_mark(character) or unicodedata.category(character) == "Nd"


def _is_mark(character: str) -> bool:
    """Say whether it belongs to the letter before, as vowel signs of Indian scripts do."""
    return unicodedata.category(character).startswith("M")
