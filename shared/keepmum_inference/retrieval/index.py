"""The records of one scope in memory, ready to be searched: what filtering and ranking read, as arrays.

Rows are in the order of adding. Within a session, records are neighbours by time of creation, then by row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from keepmum_inference.retrieval.eligible import Asking, Standing
from keepmum_inference.retrieval.postings import Postings

FOREVER: Final = 2**62
BARE_COLUMNS: Final = ("key", "length", "created_at", "valid_from", "valid_to", "importance", "trust")
_FIRST_ROOM: Final = 64
_Array = TypeVar("_Array", bound=NDArray[Any])


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
class Bare:
    """Many records as columns, to be added without their terms: those are learnt when they are asked for.

    Attributes:
        numbers: What BARE_COLUMNS names, records by ascending key; `valid_to` is FOREVER where nothing ends it. Shape
            (len(BARE_COLUMNS), records).
        sessions: As in `Standing`, one a record.
    """

    numbers: NDArray[np.int64]
    sessions: Sequence[str | None]


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
        self._columns = {name: np.zeros(_FIRST_ROOM, dtype=np.int64) for name in (*BARE_COLUMNS, "session")}
        self._vectors = np.zeros((_FIRST_ROOM, dimension), dtype=np.float32)
        self._has_vector = np.zeros(_FIRST_ROOM, dtype=np.bool_)
        self._layout: Layout | None = None

    @property
    def bytes(self) -> int:
        """Memory that the arrays take, about."""
        columns = sum(column.nbytes for column in self._columns.values())
        return columns + self._vectors.nbytes + self._has_vector.nbytes + self.postings.bytes

    def add(self, entries: Sequence[Entry]) -> None:
        """Add records, in order of their keys."""
        first = self.size
        numbers = [_numbers(entry.key, entry.length, entry.standing) for entry in entries]
        self.add_bare(
            Bare(
                numbers=np.array(numbers, dtype=np.int64).reshape(-1, len(BARE_COLUMNS)).T,
                sessions=[entry.standing.session for entry in entries],
            )
        )
        self._audiences[first:] = [entry.standing.audiences for entry in entries]
        self._applications[first:] = [entry.standing.application for entry in entries]
        for row, entry in enumerate(entries, first):
            self.postings.add(row, entry.terms)

    def add_bare(self, records: Bare) -> None:
        """Add records that are for the owner alone, in order of their keys."""
        first, added = self.size, len(records.sessions)
        if not added:
            return  # the layout stays
        self._make_room(first + added)
        keys = records.numbers[BARE_COLUMNS.index("key")].tolist()
        sessions = list(map(self._session, keys, records.sessions))
        for name, values in zip(self._columns, (*records.numbers, sessions), strict=True):
            self._columns[name][first : first + added] = values
        self._audiences += [frozenset()] * added
        self._applications += [None] * added
        self.size += added
        self._layout = None

    def change(self, key: int, standing: Standing) -> None:
        """Give a record that is here another standing; its words stay."""
        row = int(np.searchsorted(self.column("key"), key))
        numbers = (*_numbers(key, int(self.column("length")[row]), standing), self._session(key, standing.session))
        for column, value in zip(self._columns.values(), numbers, strict=True):
            column[row] = value
        self._audiences[row] = standing.audiences
        self._applications[row] = standing.application
        self._layout = None

    def _session(self, key: int, session: str | None) -> int:
        """Return the number of a record's session; one that has none is alone (no session is called so)."""
        return self._sessions.setdefault(session or f"\0{key}", len(self._sessions))

    @property
    def last_key(self) -> int:
        """Key of the record that was added last, 0 where there is none."""
        return int(self.column("key")[-1]) if self.size else 0

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
        return self._columns[name][: self.size]

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
        room = len(self._has_vector)
        if wanted > room:
            room = max(wanted, 2 * room)
            self._columns = {name: _grown(column, room) for name, column in self._columns.items()}
            self._vectors = _grown(self._vectors, room)
            self._has_vector = _grown(self._has_vector, room)


def _numbers(key: int, length: int, standing: Standing) -> tuple[int, ...]:
    """Return what BARE_COLUMNS names."""
    valid_to = FOREVER if standing.valid_to is None else standing.valid_to
    return (
        *(key, length, standing.created_at, standing.valid_from),
        *(valid_to, standing.importance, standing.trust),
    )


def _grown(array: _Array, rows: int) -> _Array:
    """Copy an array into one of more rows, the new ones zero (and untouched, so that they cost nothing yet)."""
    grown = np.zeros((rows, *array.shape[1:]), dtype=array.dtype)
    grown[: len(array)] = array
    return cast("_Array", grown)
