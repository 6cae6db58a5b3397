"""The terms of a text: what lexical search compares (pure).

Placeholders are whole terms. Words are folded (NFKC, case) and lightly stemmed; English function words are left out.
Chinese, Japanese and Korean runs give single characters and bigrams to the index; a query takes the bigrams of a run,
and the character only where the run is one character long, so that a word of two characters is found and found
precisely.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from keepmum_shared import placeholder

_CJK: Final = "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U000323af"
_TOKEN: Final = re.compile(rf"(?P<cjk>[{_CJK}]+)|(?P<word>(?:(?![{_CJK}])[^\W_])+(?:'(?:(?![{_CJK}])[^\W_])+)*)")
_VOWEL: Final = re.compile("[aeiouy]")
MAX_TERM: Final = 64
"""A longer word is cut to this many characters: no one looks for the rest."""

_FUNCTION_WORDS: Final = """
a about again all also am an and any are as at be because been but by can could did do does doing done for from had has
have having he her hers him his how i if in into is it its just me my mine no nor not of off on or our ours out over own
please s she should so some such t than that the their theirs them then there these they this those through to too under
until up us very was we were what when where which while who whom why will with would you your yours
i'm i've i'd i'll it's don't doesn't didn't isn't aren't wasn't weren't can't couldn't won't wouldn't let's that's
what's you're they're we're he's she's there's
"""
STOP_WORDS: Final = frozenset(_FUNCTION_WORDS.split())


def index_terms(text: str) -> list[str]:
    """Return every term under which the text can be found, with repetitions, in order."""
    return list(_terms(text, for_query=False))


def query_terms(text: str) -> list[str]:
    """Return the different terms to look for, in order of first occurrence."""
    return list(dict.fromkeys(_terms(text, for_query=True)))


def _terms(text: str, *, for_query: bool) -> Iterator[str]:
    end = 0
    for start, stop, token in placeholder.scan(text):
        yield from _plain_terms(text[end:start], for_query=for_query)
        yield str(token)
        end = stop
    yield from _plain_terms(text[end:], for_query=for_query)


def _plain_terms(text: str, *, for_query: bool) -> Iterator[str]:
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")
    for found in _TOKEN.finditer(folded):
        if run := found["cjk"]:
            if not for_query or len(run) == 1:
                yield from run
            yield from (run[i : i + 2] for i in range(len(run) - 1))
        elif found["word"] not in STOP_WORDS:
            yield stem(found["word"].split("'")[0])[:MAX_TERM]


def stem(word: str) -> str:
    """Bring the common English endings of a folded word together; other words stay as they are.

    Light on purpose: it joins `walks, walked, walking` and leaves `news, bus, thing` alone. The result is a key, no
    word.
    """
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    word = _strip_plural(word)
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= 3 and _VOWEL.search(root):
            word = root[:-1] if root[-1] == root[-2] and root[-1] not in "lsz" else root
            break
    if word.endswith("e") and len(word) >= 4:
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > 3 and word[-2] not in "aeiou" else word


def _strip_plural(word: str) -> str:
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "news")):
        return word[:-1]
    return word
