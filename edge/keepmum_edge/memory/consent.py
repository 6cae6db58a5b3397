"""What waits for its owner's yes: in memory alone, for a day at most (design section 7; pure).

Facts of a category of GDPR Article 9, or of finances, that were said but not asked to be remembered. Their words are
never written to disk; when a day is over, or the daemon ends, they are gone, and time and category are all that is
known. The answer changes nothing that is sent: such a record is local-only either way.
"""

from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from keepmum_shared.ids import MemoryId

WAITS_S: Final = 24 * 3600
MOST_WAITING: Final = 200
"""Requests; the oldest goes when one more comes."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Generic[T]):
    """One request.

    Attributes:
        id: The id that the record will have.
        asked_at: Unix seconds.
        draft: What will be kept.
    """

    id: MemoryId
    category: str
    asked_at: int
    draft: T = field(repr=False)


class PendingConsents(Generic[T]):
    """The requests of one running daemon. A clock that jumps a day ahead, or back, ends them."""

    def __init__(self) -> None:
        self._waiting: dict[MemoryId, Asked[T]] = {}

    def add(self, asked: Asked[T]) -> None:
        """Let a request wait."""
        self._waiting[asked.id] = asked
        while len(self._waiting) > MOST_WAITING:
            del self._waiting[next(iter(self._waiting))]

    def waiting(self, now: int) -> tuple[Asked[T], ...]:
        """Return what still waits, oldest first, after letting go of what waited too long."""
        self._expire(now)
        return tuple(self._waiting.values())

    def take(self, memory: MemoryId, now: int) -> Asked[T] | None:
        """Take a request out to answer it; None if it does not wait (any more)."""
        self._expire(now)
        return self._waiting.pop(memory, None)

    def _expire(self, now: int) -> None:
        over = [key for key, asked in self._waiting.items() if not 0 <= now - asked.asked_at < WAITS_S]
        for key in over:
            del self._waiting[key]
