"""Records that come from elsewhere, a backup or an export, into this profile: as they are, and only what is not here.

What was forgotten here does not come back. A record that held a position of its slot asks for one anew: what the slot
holds now decides.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from keepmum_edge.daemon.writer import Writer
from keepmum_edge.memory.record import MemoryRecord
from keepmum_edge.memory.store import MemoryStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What became of records that came from elsewhere.

    Attributes:
        records: New here.
        there: Were here already.
        forgotten: Not taken: forgotten since.
        refused: Not taken: they hold a secret.
    """

    records: int = 0
    there: int = 0
    forgotten: int = 0
    refused: int = 0


class Arrivals:
    """Takes records into one profile, in slices between which other requests come.

    Args:
        is_forgotten: Says whether an id was forgotten.
        position: Gives a record a position of its slot, as it is now.
    """

    def __init__(
        self,
        *,
        writer: Writer,
        transaction: Callable[[], AbstractContextManager[object]],
        records: MemoryStore,
        is_forgotten: Callable[[str], bool],
        position: Callable[[MemoryRecord], MemoryRecord],
    ) -> None:
        self._writer = writer
        self._transaction = transaction
        self._records = records
        self._is_forgotten = is_forgotten
        self._position = position

    async def add(self, records: Sequence[MemoryRecord]) -> Added:
        """Add the records that are neither here nor forgotten."""
        new = there = forgotten = 0

        def take(record: MemoryRecord) -> None:
            nonlocal new, there, forgotten
            if self._is_forgotten(record.id):
                forgotten += 1
            elif self._records.get(record.id) is None and self._is_new(record):
                new += 1
            else:
                there += 1

        await self._writer.run_each(records, take, self._transaction)
        return Added(records=new, there=there, forgotten=forgotten)

    def _is_new(self, record: MemoryRecord) -> bool:
        """Add a record; return whether it was, and not one with the same words was here."""
        unplaced = replace(record, has_position=False)
        added = self._records.add(unplaced).id == record.id
        if added and record.has_position:
            self._position(unplaced)
        return added
