"""The inverted index of memories, one for each space. SQL only; never opens, commits or closes."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from keepmum_inference.retrieval.terms import record_terms
from numpy.typing import NDArray

_FACT: Final = "terms"
_RULE: Final = "2"
"""Of making terms; another value makes those of every memory anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedTerm:
    """A term that occurs in a space, and in how many memories."""

    no: int
    term: str = field(repr=False)
    memories: int


class TermStore:
    """The rows of `terms` and `postings`."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def add(self, space: int, memory: int, terms: Mapping[str, int]) -> None:
        """Index a memory."""
        for term, frequency in sorted(terms.items()):
            (no,) = self._db.execute(
                "INSERT INTO terms (space, term, memories) VALUES (?, ?, 1) "
                "ON CONFLICT (space, term) DO UPDATE SET memories = memories + 1 RETURNING no",
                (space, term),
            ).fetchone()
            self._db.execute("INSERT INTO postings VALUES (?, ?, ?)", (no, memory, frequency))

    def remove(self, memory: int) -> None:
        """Take a memory out, and the terms that no other memory of its space holds."""
        terms = self._db.execute("SELECT term FROM postings WHERE memory = ?", (memory,)).fetchall()
        self._db.execute("DELETE FROM postings WHERE memory = ?", (memory,))
        self._db.executemany("UPDATE terms SET memories = memories - 1 WHERE no = ?", terms)
        self._db.executemany("DELETE FROM terms WHERE no = ? AND memories = 0", terms)

    def find(self, space: int, terms: Iterable[str]) -> list[IndexedTerm]:
        """Return those of the terms that occur in the space, the rarest first."""
        found = []
        for term in terms:
            row = self._db.execute(
                "SELECT no, memories FROM terms WHERE space = ? AND term = ?", (space, term)
            ).fetchone()
            if row is not None:
                found.append(IndexedTerm(no=row[0], term=term, memories=row[1]))
        return sorted(found, key=lambda each: each.memories)

    def postings(self, term: IndexedTerm) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the memories that hold a term, ascending, and how often each does."""
        rows = self._db.execute(
            "SELECT memory, frequency FROM postings WHERE term = ? ORDER BY memory", (term.no,)
        ).fetchall()
        table = np.array(rows, dtype=np.int64).reshape(-1, 2)
        return table[:, 0], table[:, 1].astype(np.float32)

    def terms(self, memory: int) -> dict[str, int]:
        """Return the terms of a memory with their frequencies."""
        return dict(
            self._db.execute(
                "SELECT terms.term, frequency FROM postings JOIN terms ON terms.no = postings.term WHERE memory = ?",
                (memory,),
            ).fetchall()
        )

    def bring_up_to_date(self) -> int:
        """Index every memory anew if the terms were made by another rule; return how many were."""
        made = self._db.execute("SELECT value FROM facts WHERE name = ?", (_FACT,)).fetchone()
        if made == (_RULE,):
            return 0
        self._db.execute("DELETE FROM postings")
        self._db.execute("DELETE FROM terms")
        memories = self._db.execute("SELECT no, space, text, created_at FROM memories").fetchall()
        for no, space, text, created_at in memories:
            terms = Counter(record_terms(text, created_at))
            self._db.execute("UPDATE memories SET length = ? WHERE no = ?", (terms.total(), no))
            self.add(space, no, terms)
        self._db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (_FACT, _RULE))
        return len(memories)
