"""Normalised wording, and when two texts say the same (pure). The owner's language and person stay as they are."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

_FILLER_EN: Final = re.compile(
    r"^(?:(?:oh|ok|okay|well|so|hey|hi|hello|btw|by the way|fyi|just|also|and|but|actually|anyway|you know|honestly"
    r"|to be honest|for your information|i mean|i think|i guess|please note(?: that)?|as you know|thanks|yes|no"
    r"|correction|to be clear)\b[\s,:.!-]*)+",
    re.IGNORECASE,
)
_FILLER_ZH: Final = re.compile(
    r"^(?:(?:哦|嗯|那个|对了|顺便说一下|顺便|其实|另外|还有|而且?|但是?|不过|可是|所以|说实话|你好|您好|好的?|是的)"
    r"[，,、。！ ]*)+"
)
_WORDS: Final = re.compile(r"<[A-Z][A-Z_]*_\d+>|[^\W_]+(?:'[^\W_]+)?")
_STOP: Final = frozenset(
    """
    a an the i im i'm ive my me mine is are am was be been do does did don't dont not no any anymore more now to of in
    on at for with and or but that this it its it's have has had used longer really very just so too stopped stop quit
    gave given up still would will can you your he his she her they their we our
    """.split()
)
_ZH_STOP: Final = frozenset("我你他她的了是在有不再也都很最已经现在已以前一个和就会要去吃喝用住")


def normalised(clause: str) -> str:
    """Return a clause as a record words it: no filler before it, no mark behind it, blanks made one."""
    text = " ".join(clause.split())
    while True:
        shorter = _FILLER_ZH.sub("", _FILLER_EN.sub("", text))
        if shorter == text:
            break
        text = shorter
    text = text.strip(" \t,.;:!，。；：！、-")
    return text[:1].upper() + text[1:]


def same_key(text: str) -> str:
    """Return what is equal for texts that differ in case, width, marks or blanks only."""
    return "".join(_WORDS.findall(unicodedata.normalize("NFKC", text).casefold().replace("'", "")))


def content_words(text: str) -> frozenset[str]:
    """Return the words of a text that carry its matter: stems of Latin words, pairs of ideographs, placeholders."""
    words: set[str] = set()
    for found in _WORDS.findall(text):
        if found.startswith("<"):
            words.add(found)
            continue
        for run in re.findall(r"[\u3400-\u9fff]+|[^\u3400-\u9fff]+", found):
            if "\u3400" <= run[0] <= "\u9fff":
                kept = "".join(character if character not in _ZH_STOP else " " for character in run)
                for part in kept.split():
                    words.update(part[i : i + 2] for i in range(max(1, len(part) - 1)))
            elif run.casefold() not in _STOP:
                words.add(_stem(run.casefold()))
    return frozenset(words)


def covers(text: str, words: Iterable[str]) -> bool:
    """Say whether a text holds all these content words, and there is at least one."""
    wanted = frozenset(words)
    return bool(wanted) and wanted <= content_words(text)


def _stem(word: str) -> str:
    for ending in ("ing", "ies", "es", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending).removesuffix("e")
    return word.removesuffix("e") if len(word) > 3 else word
