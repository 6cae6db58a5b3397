"""In which records a term occurs, and how often.

Terms may be learnt as they are asked for, so that a store that has them on disk reads only those of a query; a term
that was learnt is kept up to date when records are added.
"""

from array import array
from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]
Frequencies = NDArray[np.float32]


class Postings:
    """Terms of the records of one scope; records are named by row, 0, 1, 2 and so on.

    Attributes:
        bytes: Memory that the rows take, about.

    Args:
        complete: Whether every term comes with the records; else those of a query are to be learnt before it is asked.
    """

    def __init__(self, *, complete: bool) -> None:
        self._complete = complete
        self.bytes = 0
        self._terms: dict[str, tuple[Rows, Frequencies]] = {}
        self._fresh: dict[str, array[int]] = {}
        """By term, row and frequency in turn."""

    def unknown(self, terms: Iterable[str]) -> list[str]:
        """Return those of the terms that have to be learnt first."""
        return [] if self._complete else [term for term in terms if term not in self._terms]

    def learn(self, term: str, rows: Rows, frequencies: Frequencies) -> None:
        """Take in all records of a term, each once."""
        self._terms[term] = rows, frequencies
        self.bytes += rows.nbytes + frequencies.nbytes

    def add(self, row: int, terms: Mapping[str, int]) -> None:
        """Note the terms of a new record."""
        for term, frequency in terms.items():
            if self._complete or term in self._terms:
                self._fresh.setdefault(term, array("q")).extend((row, frequency))
                self.bytes += _POSTING_BYTES

    def of(self, term: str) -> tuple[Rows, Frequencies]:
        """Return rows and frequencies of a term; empty where it does not occur."""
        rows, frequencies = self._terms.get(term, _NOWHERE)
        fresh = self._fresh.pop(term, None)
        if fresh is not None:
            pairs = np.array(fresh, dtype=np.int64).reshape(-1, 2)
            rows = np.concatenate((rows, pairs[:, 0]))
            frequencies = np.concatenate((frequencies, pairs[:, 1].astype(np.float32)))
            self._terms[term] = rows, frequencies
        return rows, frequencies


_POSTING_BYTES: Final = 12
_NOWHERE: Final = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
