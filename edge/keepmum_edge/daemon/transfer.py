"""Taking memories along: all of them as one document, and the memories of such a document into this profile.

A document is checked as a whole, and every memory of it read and judged, before the first is written. Our own records
come in by `daemon.arrivals`: what is here or was forgotten here is left as it is, so importing twice changes nothing.
Memories of another program are told one by one, as if their owner had told them then. Secrets are refused. Nothing is
sent by this: what may go to the cloud waits as what is told does, and our own records wait for a word.
"""

from collections.abc import Sequence

from keepmum_edge.daemon.arrivals import Added, Arrivals
from keepmum_edge.daemon.memory_commands import Telling
from keepmum_edge.daemon.memory_keeping import MemoryKeeping, Prepared
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.errors import InvalidRequestError, RefusedMemoryError
from keepmum_edge.memory.record import CloudState
from keepmum_edge.memory.record_fields import DamagedRecordError
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.memory.transfer import Foreign, read, written


class Transfer:
    """Export and import of one profile."""

    def __init__(self, *, writer: Writer, records: MemoryStore, keeping: MemoryKeeping, arrivals: Arrivals) -> None:
        self._writer = writer
        self._records = records
        self._keeping = keeping
        self._arrivals = arrivals

    async def export(self) -> str:
        """Return every record in one document, in clear."""
        return written(reversed(await self._writer.run(self._records.list)))

    async def take_in(self, document: str) -> Added:
        """Add the memories of a document.

        Raises:
            InvalidRequestError: it is of no known form, or something in it is not as it should be; nothing was added.
        """
        try:
            found = read(document)
        except DamagedRecordError as error:
            raise InvalidRequestError(f"nothing came in, this is no good export: {error}", param="document") from None
        if found.foreign:
            return await self._tell(found.foreign)
        return await self._arrivals.add(found.records, vouched=False)

    async def _tell(self, memories: Sequence[Foreign]) -> Added:
        prepared: list[Prepared] = []
        refused = 0
        for memory in memories:
            try:
                prepared.append(await self._keeping.prepare(Telling(text=memory.text, at=memory.at)))
            except RefusedMemoryError:
                refused += 1
        kept = [await self._keeping.keep(each) for each in prepared]
        new = [record for each in kept for record in each.kept]
        return Added(
            records=len(new),
            there=sum(len(each.known) for each in kept),
            refused=refused,
            queued=tuple(record.id for record in new if record.cloud is CloudState.QUEUED),
        )
