"""Finding records that hold a piece of text, also the middle of a word or of a number. SQL only.

Who asks is part of the query itself, so a record that may not be found is never scored: a record's score is how much of
the query it holds. Pieces of three letters and more are found by the trigram index, pairs of Chinese characters and
two-letter words by reading the scope's texts. Finding by meaning and whole words is `memory.record_index`.
"""

import re
from collections import Counter
from typing import Final

from keepmum_edge.database import Database
from keepmum_edge.memory.admitted import Admitted
from keepmum_edge.memory.record import MemoryRecord
from keepmum_edge.memory.store import MemoryStore

_IDEOGRAPHS: Final = re.compile(r"[㐀-䶿一-鿿豈-﫿\U00020000-\U000323af]+")
_WORD: Final = re.compile(r"\w\w+")
_MAX_TERMS: Final = 64
_TRIGRAM: Final = 3


class RecordSearch:
    """Search by words."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._records = MemoryStore(db)

    def search(self, query: str, admitted: Admitted, limit: int = 10) -> tuple[MemoryRecord, ...]:
        """Return the admitted records that hold words of the query: most of it first, then newest."""
        scores: Counter[int] = Counter()
        for term in search_terms(query):
            for row in self._holding(term, admitted):
                scores[row] += len(term)
        best = sorted(scores, key=lambda row: (-scores[row], -row))[:limit]
        return tuple(self._records.select("row = ?", row)[0] for row in best)

    def _holding(self, term: str, admitted: Admitted) -> tuple[int, ...]:
        condition, values = admitted.condition
        if len(term) >= _TRIGRAM:
            words = "row IN (SELECT rowid FROM memory_words WHERE memory_words MATCH ?)"
            wanted = '"' + term.replace('"', '""') + '"'
        else:
            words, wanted = "text LIKE ? ESCAPE '\\'", f"%{_escaped(term)}%"
        rows = self._db.rows(f"SELECT row FROM memory WHERE {condition} AND {words}", *values, wanted)  # noqa: S608
        return tuple(int(row[0]) for row in rows)


def search_terms(query: str) -> tuple[str, ...]:
    """Return what of a query is looked for: words of two letters and more, and every pair of Chinese characters."""
    terms: dict[str, None] = {}
    for run in _IDEOGRAPHS.findall(query):
        terms.update((run[i : i + 2], None) for i in range(max(1, len(run) - 1)))
    terms.update((word, None) for word in _WORD.findall(_IDEOGRAPHS.sub(" ", query)))
    return tuple(terms)[:_MAX_TERMS]


def _escaped(term: str) -> str:
    return term.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
