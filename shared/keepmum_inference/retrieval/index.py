"""The records of one scope in memory, ready to be searched: what filtering and ranking read, as arrays.

Rows are in the order of adding. Within a session, records are neighbours by time of creation, then by row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from keepmum_inference.retrieval.eligible import Asking, Standing
from keepmum_inference.retrieval.postings import Postings

FOREVER: Final = 2**62
_FIRST_ROOM: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One record, to be added.

    Attributes:
        key: The caller's number for it, higher than that of every record before.
        length: How many terms it has, repetitions counted.
        terms: Frequencies of its terms.
    """

    key: int
    standing: Standing
    length: int
    terms: Mapping[str, int] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The rows sorted by session, and within a session by time.

    Attributes:
        order: Row at each place.
        place: Place of each row.
        session: Number of the session at each place, 0, 1, 2 and so on without gaps.
        starts: Where each session starts.
        follows: Whether a place and the one before it are of one session.
    """

    order: NDArray[np.int64]
    place: NDArray[np.int64]
    session: NDArray[np.int64]
    starts: NDArray[np.int64]
    follows: NDArray[np.bool_]


class ScopeIndex:
    """Records of one scope. Not safe for several threads at once."""

    def __init__(self, *, dimension: int, complete: bool = True) -> None:
        """Make an empty index.

        Args:
            dimension: Length of the vectors.
            complete: As `Postings` takes it.
        """
        self.postings = Postings(complete=complete)
        self.size = 0
        self._sessions: dict[str, int] = {}
        self._audiences: list[frozenset[str]] = []
        self._applications: list[str | None] = []
        self._columns = np.zeros((_FIRST_ROOM, len(_COLUMNS)), dtype=np.int64)
        self._vectors = np.zeros((_FIRST_ROOM, dimension), dtype=np.float32)
        self._has_vector = np.zeros(_FIRST_ROOM, dtype=np.bool_)
        self._layout: Layout | None = None

    @property
    def bytes(self) -> int:
        """Memory that the arrays take, about."""
        arrays = self._columns.nbytes + self._vectors.nbytes + self._has_vector.nbytes
        return int(arrays + self.postings.bytes)

    def add(self, entries: Sequence[Entry]) -> None:
        """Add records, in order of their keys."""
        self._make_room(self.size + len(entries))
        for entry in entries:
            row = self.size
            self._audiences.append(frozenset())
            self._applications.append(None)
            self._stand(row, entry.key, entry.length, entry.standing)
            self.postings.add(row, entry.terms)
            self.size += 1
        self._layout = None

    def change(self, key: int, standing: Standing) -> None:
        """Give a record that is here another standing; its words stay."""
        row = int(np.searchsorted(self.column("key"), key))
        self._stand(row, key, int(self.column("length")[row]), standing)
        self._layout = None

    def _stand(self, row: int, key: int, length: int, standing: Standing) -> None:
        alone = f"\0{key}"  # no session is called so
        session = self._sessions.setdefault(standing.session or alone, len(self._sessions))
        valid_to = FOREVER if standing.valid_to is None else standing.valid_to
        self._columns[row] = (
            *(key, session, length, standing.created_at),
            *(standing.valid_from, valid_to, standing.importance, standing.trust),
        )
        self._audiences[row] = standing.audiences
        self._applications[row] = standing.application

    def rows_of(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of keys, all of which are here."""
        rows: NDArray[np.int64] = np.searchsorted(self.column("key"), keys)
        return rows

    def place_vectors(self, keys: NDArray[np.int64], vectors: NDArray[np.float32]) -> None:
        """Take in unit vectors of records that are here; shape (keys, dimension)."""
        rows = self.rows_of(keys)
        self._vectors[rows] = vectors
        self._has_vector[rows] = True

    def column(self, name: str) -> NDArray[np.int64]:
        """Return one of key, session, length, created_at, valid_from, valid_to, importance, trust, by row."""
        column: NDArray[np.int64] = self._columns[: self.size, _COLUMNS.index(name)]
        return column

    @property
    def vectors(self) -> NDArray[np.float32]:
        """Vectors by row, zero where there is none yet."""
        return self._vectors[: self.size]

    @property
    def has_vector(self) -> NDArray[np.bool_]:
        """Whether there is a vector, by row."""
        return self._has_vector[: self.size]

    def eligible(self, asking: Asking) -> NDArray[np.bool_]:
        """Return which rows may be found."""
        allowed = (self.column("trust") >= asking.trust_min) & (self.column("valid_from") <= asking.now)
        if not asking.closed:
            allowed &= asking.now < self.column("valid_to")
        if asking.application is not None:
            mine = (None, asking.application)
            allowed &= np.fromiter((each in mine for each in self._applications), np.bool_, self.size)
        if asking.audience is not None:
            allowed &= np.fromiter((asking.audience in labels for labels in self._audiences), np.bool_, self.size)
        result: NDArray[np.bool_] = allowed
        return result

    def layout(self) -> Layout:
        """Return the order of sessions; kept until a record is added."""
        if self._layout is None:
            order = np.lexsort((self.column("created_at"), self.column("session")))
            numbers = self.column("session")[order]
            follows = np.zeros(self.size, dtype=np.bool_)
            follows[1:] = numbers[1:] == numbers[:-1]
            session = np.cumsum(~follows) - 1  # a session that all its records left leaves no gap
            place = np.empty_like(order)
            place[order] = np.arange(self.size)
            starts = np.flatnonzero(~follows)
            self._layout = Layout(order=order, place=place, session=session, starts=starts, follows=follows)
        return self._layout

    def _make_room(self, wanted: int) -> None:
        room = len(self._columns)
        if wanted <= room:
            return
        more = max(wanted, 2 * room) - room
        self._columns = np.concatenate((self._columns, np.zeros((more, len(_COLUMNS)), dtype=np.int64)))
        grown = np.zeros((more, self._vectors.shape[1]), dtype=np.float32)
        self._vectors = np.concatenate((self._vectors, grown))
        self._has_vector = np.concatenate((self._has_vector, np.zeros(more, dtype=np.bool_)))


_COLUMNS: Final = ("key", "session", "length", "created_at", "valid_from", "valid_to", "importance", "trust")
