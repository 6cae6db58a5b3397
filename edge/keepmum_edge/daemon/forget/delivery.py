"""Taking deletions to the cloud: by id only, in batches, until the cloud has signed that nothing is held under them.

What waits is durable, so a crash at any point sends it again; the cloud takes the same deletion twice. An answer that
states less than was asked confirms no more than it states; one whose signature does not hold confirms nothing.

No turn overtakes a deletion: what waits goes first, and a turn stays here if that cannot be done (`before_turn`). Only
ids that the cloud holds or may hold ever wait, so a turn that waits for them tells nothing of other records.
"""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from keepmum_shared.ids import MemoryId
from keepmum_shared.messages import DeleteMemories

from keepmum_edge.daemon.cloud_client import CloudClient, StatedDeletion
from keepmum_edge.daemon.forget.receipt import ReceiptSigner, SignedStatement
from keepmum_edge.daemon.forget.store import ReceiptStore, SignedReceipt
from keepmum_edge.daemon.store import EVERYTHING, OutboxStore
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.errors import CloudBrokeOffError, CloudError, CloudRefusedError

_BATCH: Final = 1000
_BAD_REQUEST: Final = 400
_TOO_OLD: Final = (
    "the cloud half is too old to erase all that it holds of this computer, as was asked for; update it and start it "
    "again (nothing is sent to it before)"
)
STRANDED: Final = (
    "this computer was paired with another cloud half before the one that holds it had confirmed; ask its operator to "
    "erase this device (`keepmum-cloud devices revoke --erase`)"
)


class Delivery:
    """Empties the outbox.

    Args:
        writer: For work beside requests.
        turn_writer: The same thread, for the deletions that a turn waits for.
        cloud: Returns the client of the paired cloud half, or raises NotPairedError.
    """

    def __init__(
        self,
        *,
        writer: Writer,
        turn_writer: Writer,
        transaction: Callable[[], contextlib.AbstractContextManager[object]],
        outbox: OutboxStore,
        receipts: ReceiptStore,
        signer: ReceiptSigner,
        cloud: Callable[[], CloudClient],
    ) -> None:
        self._writer = writer
        self._turn_writer = turn_writer
        self._transaction = transaction
        self._outbox = outbox
        self._receipts = receipts
        self._signer = signer
        self._cloud = cloud
        self._one_at_a_time = asyncio.Lock()

    async def deliver(self) -> bool:
        """Send what waits; return whether nothing waits any more. A cloud that cannot be reached is no error."""
        async with self._one_at_a_time:
            try:
                await self._send_all(self._cloud, self._writer)
            except CloudError:
                return False
        return True

    async def before_turn(self, cloud: CloudClient) -> None:
        """Send what waits before a turn leaves.

        Raises:
            CloudError: the cloud has not confirmed all of it; the turn must not leave.
        """
        if await self._turn_writer.run(self._outbox.is_empty):
            return
        async with self._one_at_a_time:
            await self._send_all(lambda: cloud, self._turn_writer)

    def strand(self) -> None:
        """Give up on what waits, since the cloud half it waits for is about to be replaced; inside a transaction.

        The other cloud half knows nothing of it, so its word must not confirm it: such receipts stay pending for good.
        """
        while waiting := self._outbox.waiting(_BATCH):
            self._outbox.remove(waiting)
            for name in self._receipts.waiting_for(waiting):
                found = self._receipts.get(name)
                if found is not None and STRANDED not in found.receipt.notes:
                    receipt = replace(found.receipt, notes=(*found.receipt.notes, STRANDED))
                    self._receipts.put(SignedReceipt(*self._signer.sign(receipt)))

    async def _send_all(self, cloud: Callable[[], CloudClient], writer: Writer) -> None:
        """Send all that waits. Raises CloudError if not all of it was confirmed."""
        for forget in (True, False):
            while waiting := await writer.run(lambda f=forget: self._outbox.waiting(_BATCH, forget=f)):  # type: ignore[misc]
                ids = tuple(memory for memory in waiting if memory != EVERYTHING)
                await self._send(
                    cloud(), writer, DeleteMemories(memories=ids, forget=forget, everything=None if ids else True)
                )

    async def _send(self, cloud: CloudClient, writer: Writer, request: DeleteMemories) -> None:
        """Send one request. Raises CloudError if not all of it was confirmed."""
        try:
            stated = await cloud.delete_memories(request)
        except CloudRefusedError as error:
            if request.everything and error.status == _BAD_REQUEST:
                raise CloudRefusedError(_TOO_OLD, cloud_code=error.cloud_code, status=error.status) from None
            raise
        asked = (EVERYTHING,) if request.everything else request.memories
        gone = {EVERYTHING} if stated.statement.everything else stated.gone
        confirmed = tuple(memory for memory in asked if memory in gone)
        await writer.run(lambda: self._confirm(confirmed, stated))
        if len(confirmed) < len(asked):
            raise CloudBrokeOffError("the cloud half did not confirm a deletion; nothing is sent to it before it does")

    def _confirm(self, memories: tuple[MemoryId, ...], stated: StatedDeletion) -> None:
        with self._transaction():
            self._outbox.remove(memories)
            for name, ids in self._receipts.waiting_for(memories).items():
                found = self._receipts.get(name)
                is_complete = self._receipts.confirm(name, ids)
                if found is None:
                    continue
                statement = SignedStatement(
                    statement=stated.statement, signature=stated.signature, fingerprint=stated.fingerprint
                )
                receipt = replace(
                    found.receipt,
                    statements=(*found.receipt.statements, statement),
                    cloud="confirmed" if is_complete else "pending",
                )
                self._receipts.put(SignedReceipt(*self._signer.sign(receipt)))
