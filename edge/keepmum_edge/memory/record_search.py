"""Finding records by their words on this computer. SQL only.

Scope, application, audience, validity and trust are part of the query itself, so a record that may not be found is
never scored and sways no rank: a record's score is how much of the query it holds. Words of three letters and more are
found by the trigram index, pairs of Chinese characters and two-letter words by reading the scope's texts.
"""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from keepmum_edge.database import Database
from keepmum_edge.memory.record import MemoryRecord
from keepmum_edge.memory.store import MemoryStore, within
from keepmum_edge.memory.trust import TRUST_MIN

_IDEOGRAPHS: Final = re.compile(r"[㐀-䶿一-鿿豈-﫿\U00020000-\U000323af]+")
_WORD: Final = re.compile(r"\w\w+")
_MAX_TERMS: Final = 64
_TRIGRAM: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """Which records may be found at all.

    Attributes:
        scope: The one scope that is looked into; None: all (the owner's own look at everything).
        now: Unix seconds.
        application: Who asks; None: the owner's own tools, which see what any application may.
        audience: Label of the other who asks; None: the owner.
        trust_min: Least trust, 0..100.
        closed: Whether records are wanted too that held once and do not any more.
    """

    scope: str | None
    now: int
    application: str | None = None
    audience: str | None = None
    trust_min: int = TRUST_MIN
    closed: bool = False

    def __post_init__(self) -> None:
        if self.audience is not None and (not self.audience or " " in self.audience):
            raise ValueError("an audience is one label")

    @property
    def condition(self) -> tuple[str, tuple[object, ...]]:
        """The SQL condition and its parameters."""
        scope, values = within(self.scope)
        parts, parameters = [scope, "trust >= ?"], [*values, self.trust_min]
        if self.application is not None:
            parts.append("(application IS NULL OR application = ?)")
            parameters.append(self.application)
        if self.audience is not None:
            parts.append("instr(' ' || audiences || ' ', ' ' || ? || ' ') > 0")
            parameters.append(self.audience)
        if not self.closed:
            parts.append("coalesce(valid_from, ?) <= ? AND coalesce(valid_to, ? + 1) > ?")
            parameters += [self.now] * 4
        return " AND ".join(parts), tuple(parameters)


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
