"""Taking in records that were made elsewhere, or earlier: those of a backup and those of an export.

They come in as they are. What is here already stays as it is, and what was forgotten does not come back.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from keepmum_edge.daemon.writer import Writer
from keepmum_edge.memory.record import MemoryRecord
from keepmum_edge.memory.store import MemoryStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What became of memories that came from elsewhere.

    Attributes:
        records: New here.
        there: Were here already.
        forgotten: Not taken: forgotten since, here or where they come from.
        refused: Not taken: they hold a secret.
    """

    records: int = 0
    there: int = 0
    forgotten: int = 0
    refused: int = 0


class Intake:
    """Adds records to one profile.

    Args:
        position: Gives a record a position of its slot.
        is_forgotten: Says whether an id was forgotten.
    """

    def __init__(
        self,
        *,
        writer: Writer,
        transaction: Callable[[], AbstractContextManager[object]],
        records: MemoryStore,
        position: Callable[[MemoryRecord], MemoryRecord],
        is_forgotten: Callable[[str], bool],
    ) -> None:
        self._writer = writer
        self._transaction = transaction
        self._records = records
        self._position = position
        self._is_forgotten = is_forgotten

    async def add(self, records: Sequence[MemoryRecord]) -> Added:
        """Add those that are neither here nor forgotten, in slices between which other requests come."""
        new = forgotten = 0

        def take(record: MemoryRecord) -> None:
            nonlocal new, forgotten
            if self._is_forgotten(record.id):
                forgotten += 1
            elif self._records.get(record.id) is None:
                new += self._take(record)

        await self._writer.run_each(records, take, self._transaction)
        return Added(records=new, there=len(records) - new - forgotten, forgotten=forgotten)

    def _take(self, record: MemoryRecord) -> bool:
        """Add a record, and return whether it is new here."""
        unplaced = replace(record, has_position=False)
        is_new = self._records.add(unplaced).id == record.id
        if is_new and record.has_position:
            self._position(unplaced)
        return is_new
