"""Taking deletions to the cloud: by id only, in batches, until the cloud has signed that nothing is held under them.

What waits is durable, so a crash at any point sends it again; the cloud takes the same deletion twice. An answer that
states less than was asked confirms no more than it states; one whose signature does not hold confirms nothing.
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
from keepmum_edge.daemon.store import OutboxStore
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.errors import CloudError

_BATCH: Final = 1000
STRANDED: Final = (
    "this computer was paired with another cloud half before the one that holds it had confirmed; ask its operator to "
    "erase this device (`keepmum-cloud devices revoke --erase`)"
)


class Delivery:
    """Empties the outbox.

    Args:
        cloud: Returns the client of the paired cloud half, or raises NotPairedError.
    """

    def __init__(
        self,
        *,
        writer: Writer,
        transaction: Callable[[], contextlib.AbstractContextManager[object]],
        outbox: OutboxStore,
        receipts: ReceiptStore,
        signer: ReceiptSigner,
        cloud: Callable[[], CloudClient],
    ) -> None:
        self._writer = writer
        self._transaction = transaction
        self._outbox = outbox
        self._receipts = receipts
        self._signer = signer
        self._cloud = cloud
        self._one_at_a_time = asyncio.Lock()

    async def deliver(self) -> bool:
        """Send what waits; return whether nothing waits any more. A cloud that cannot be reached is no error."""
        async with self._one_at_a_time:
            for forget in (True, False):
                while waiting := await self._writer.run(lambda f=forget: self._outbox.waiting(_BATCH, forget=f)):  # type: ignore[misc]
                    if not await self._send(waiting, forget=forget):
                        return False
        return True

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

    async def _send(self, memories: tuple[MemoryId, ...], *, forget: bool) -> bool:
        """Send one batch; return whether all of it was confirmed."""
        try:
            stated = await self._cloud().delete_memories(DeleteMemories(memories=memories, forget=forget))
        except CloudError:
            return False
        confirmed = tuple(memory for memory in memories if memory in stated.gone)
        await self._writer.run(lambda: self._confirm(confirmed, stated))
        return len(confirmed) == len(memories)

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
