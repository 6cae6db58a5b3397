"""Memories that the cloud half holds though they are not to be there: forgotten ones, unknown ones, withdrawn ones.

An honest cloud half has them only if its data were put back to an older copy, or if this profile was. They are deleted
there again. What was forgotten stays forbidden; the others may be sent again some day. On the writer's thread.
"""

from dataclasses import dataclass

from keepmum_shared.ids import MemoryId

from keepmum_edge.daemon.forget.tombstones import Tombstones
from keepmum_edge.daemon.store import OutboxStore
from keepmum_edge.memory.store import MemoryStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Discord:
    """How much of what the cloud half holds is not as it was left, in numbers of memories.

    Attributes:
        forgotten: It holds them again, though it had confirmed their deletion.
        unknown: It holds them, and they are not to be there: nobody here knows them, or they stay here only.
        lost: It had stored them, and has them no more.
        outdated: It says what they said before.
    """

    forgotten: int = 0
    unknown: int = 0
    lost: int = 0
    outdated: int = 0

    def __bool__(self) -> bool:
        """Whether there is any."""
        return any((self.forgotten, self.unknown, self.lost, self.outdated))

    def __add__(self, more: "Discord") -> "Discord":
        """Return both together."""
        return Discord(
            forgotten=self.forgotten + more.forgotten,
            unknown=self.unknown + more.unknown,
            lost=self.lost + more.lost,
            outdated=self.outdated + more.outdated,
        )


class Strays:
    """Looks at ids that the cloud half says it holds."""

    def __init__(self, *, records: MemoryStore, outbox: OutboxStore, tombstones: Tombstones) -> None:
        self._records = records
        self._outbox = outbox
        self._tombstones = tombstones

    def is_stray(self, memory: MemoryId) -> bool:
        """Say whether the cloud is not to hold a memory."""
        if self._tombstones.holds(memory):
            return True
        record = self._records.get(memory)
        return record is None or record.shared_at is None

    def take_back(self, memory: MemoryId, since: int) -> Discord:
        """Queue the deletion of a stray; inside a transaction.

        Args:
            memory: The stray.
            since: Mark of the tombstones at a time when no deletion waited. What was forgotten later may still be there
                in good faith, and so may what waits now.

        Returns: what is to be told of it.
        """
        forgotten = self._tombstones.holds(memory)
        in_good_faith = self._outbox.holds(memory) or (forgotten and not self._tombstones.holds(memory, since))
        self._outbox.add((memory,), forget=forgotten)
        if in_good_faith:
            return Discord()
        return Discord(forgotten=1) if forgotten else Discord(unknown=1)
