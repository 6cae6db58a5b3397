"""The terms of a text: what lexical search compares (pure).

Placeholders are whole terms. Words are folded (NFKC, case) and stemmed (Snowball); English function words are left out.
Chinese, Japanese and Korean runs give single characters and bigrams to the index; a query takes the bigrams of a run,
and the character only where the run is one character long, so that a word of two characters is found and found
precisely.
"""

import re
import threading
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

import snowballstemmer
from keepmum_shared import placeholder

_CJK: Final = "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U000323af"
_TOKEN: Final = re.compile(rf"(?P<cjk>[{_CJK}]+)|(?P<word>(?:(?![{_CJK}])[^\W_])+(?:'(?:(?![{_CJK}])[^\W_])+)*)")
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


def index_terms(text: str, stems: dict[str, str] | None = None) -> list[str]:
    """Return every term under which the text can be found, with repetitions, in order.

    Args:
        stems: Words and their stems as far as they are known; those of the text are added. A stem costs more than
            everything else here, so who reads many texts gives the same ones to each, and lets go of them when one of
            the texts is to be forgotten.
    """
    return list(_terms(text, {} if stems is None else stems, for_query=False))


def query_terms(text: str) -> list[str]:
    """Return the different terms to look for, in order of first occurrence."""
    return list(dict.fromkeys(_terms(text, {}, for_query=True)))


def _terms(text: str, stems: dict[str, str], *, for_query: bool) -> Iterator[str]:
    end = 0
    for start, stop, token in placeholder.scan(text):
        yield from _plain_terms(text[end:start], stems, for_query=for_query)
        yield str(token)
        end = stop
    yield from _plain_terms(text[end:], stems, for_query=for_query)


def _plain_terms(text: str, stems: dict[str, str], *, for_query: bool) -> Iterator[str]:
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")
    for found in _TOKEN.finditer(folded):
        if run := found["cjk"]:
            if not for_query or len(run) == 1:
                yield from run
            yield from (run[i : i + 2] for i in range(len(run) - 1))
        elif (word := found["word"]) not in STOP_WORDS:
            if word not in stems:
                stems[word] = stem(word.split("'")[0][:MAX_TERM])
            yield stems[word]


def record_terms(text: str, created_at: int, stems: dict[str, str] | None = None) -> list[str]:
    """Return the terms under which a record can be found: those of its text and of its day; `stems` as above."""
    return index_terms(text, stems) + date_terms(created_at)


def is_placeholder(term: str) -> bool:
    """Say whether a term is a placeholder: no word begins like one."""
    return term.startswith("<")


def date_terms(time: int) -> list[str]:
    """Return year, English month and day of a Unix time (UTC), as a query would name them; none after the year 9999."""
    if not 0 <= time <= _LAST_TIME:
        return []
    day = datetime.fromtimestamp(time, UTC)
    return [str(day.year), _MONTHS[day.month - 1], str(day.day)]


def stem(word: str) -> str:
    """Bring the endings of a folded English word together; other words stay as they are. A key, no word."""
    return _stemmer().stemWord(word)[:MAX_TERM] if word.isascii() and word.isalpha() else word[:MAX_TERM]


_LAST_TIME: Final = 253_402_300_799
_threads: Final = threading.local()


def _stemmer() -> Any:
    """One for each thread: it has state. None remembers words, since forgetting must reach everything."""
    if not hasattr(_threads, "stemmer"):
        _threads.stemmer = snowballstemmer.stemmer("english")
    return _threads.stemmer


_MONTHS: Final = tuple(
    stem(month)
    for month in (
        *("january", "february", "march", "april", "may", "june"),
        *("july", "august", "september", "october", "november", "december"),
    )
)
