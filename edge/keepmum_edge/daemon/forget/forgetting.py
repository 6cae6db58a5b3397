"""The order of a deletion: see what goes, take it away, look whether it is gone, tell the cloud, give a receipt.

Everything on this computer happens in one job of the writer's thread and in one transaction, so that no other work sees
half of it, and a crash leaves either all of it or none. The receipt is stored in that transaction; what the look
afterwards and the cloud add to it comes later, and until then it says so.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from keepmum_shared.ids import ConversationId, MemoryId
from keepmum_shared.placeholder import Placeholder
from keepmum_shared.view import SlotId

from keepmum_edge.daemon.forget.closure import Closure, ClosureFinder
from keepmum_edge.daemon.forget.delivery import Delivery
from keepmum_edge.daemon.forget.receipt import Receipt, ReceiptSigner
from keepmum_edge.daemon.forget.removal import Removal, Removed
from keepmum_edge.daemon.forget.request import ForgetRequest
from keepmum_edge.daemon.forget.store import ReceiptStore, SignedReceipt
from keepmum_edge.daemon.forget.verification import Found, Verification
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.errors import IdempotencyConflictError, NotFoundError, UnavailableError
from keepmum_edge.memory.record import MemoryRecord

_REWRITE_BELOW: Final = 64 * 2**20
"""A database of at most so many bytes is rewritten after every deletion; takes about 10 ms a megabyte."""
INTERRUPTED: Final = "the daemon was interrupted after the deletion; the file was written anew at its next start"
_RECENT: Final = 100


class Stays(Protocol):
    """Says in words what outlives a deletion; `daemon.views.forgotten` does it."""

    def __call__(self, slots: frozenset[SlotId], *, everything: bool) -> tuple[str, ...]:
        """Return the words, for the receipt."""
        ...


class LiveState(Protocol):
    """What is held in memory of conversations."""

    def forget(
        self,
        cut: Iterable[ConversationId],
        chains: frozenset[bytes],
        bindings: Mapping[ConversationId, Iterable[Placeholder]],
        values: Iterable[Placeholder],
    ) -> None:
        """Let go of messages and placeholders; `daemon.conversation` and `daemon.own_values` do it."""
        ...


class Disk(Protocol):
    """What is used of the database besides its stores."""

    def size(self) -> int:
        """Return its bytes."""
        ...

    def checkpoint(self) -> bool:
        """Empty the log; say whether it is empty."""
        ...

    def rewrite(self) -> bool:
        """Write every page anew without what deleted rows left in them, and empty the log; say whether it is empty."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a deletion would do, for the owner's eyes.

    Attributes:
        digest: To be handed back with the yes.
        asked, derived: Records.
        rebuilt, trimmed: Ids of records.
        turns: How many turns lose their traces and answers.
        messages: How many stored messages go.
        values: Placeholders and values that were matched.
        at_cloud: How many ids the cloud is told.
        erases_cloud: It is told to erase all besides that it holds of this computer.
    """

    digest: str
    asked: tuple[MemoryRecord, ...] = field(repr=False)
    derived: tuple[MemoryRecord, ...] = field(repr=False)
    rebuilt: tuple[MemoryId, ...]
    trimmed: tuple[MemoryId, ...]
    turns: int
    conversations: int
    messages: int
    values: dict[Placeholder, str] = field(repr=False)
    at_cloud: int
    erases_cloud: bool


class Forgetting:
    """Deletes, for one profile.

    Args:
        rewrite_key_files: Takes the keys of records out of every key file of a backup; returns those it could not
            reach.
        stays: Says what stays all the same of what was made of records in these slots, and until when.
        now: Unix seconds.
    """

    def __init__(
        self,
        *,
        writer: Writer,
        transaction: Callable[[], AbstractContextManager[object]],
        disk: Disk,
        closures: ClosureFinder,
        removal: Removal,
        live: Sequence[LiveState],
        verification: Verification,
        receipts: ReceiptStore,
        signer: ReceiptSigner,
        delivery: Delivery,
        rewrite_key_files: Callable[[], tuple[str, ...]],
        stays: Stays,
        now: Callable[[], float],
    ) -> None:
        self._writer = writer
        self._transaction = transaction
        self._disk = disk
        self._closures = closures
        self._removal = removal
        self._live = live
        self._verification = verification
        self._receipts = receipts
        self._signer = signer
        self._delivery = delivery
        self._rewrite_key_files = rewrite_key_files
        self._stays = stays
        self._now = now

    async def resume(self) -> None:
        """At start: finish what a crash interrupted between the deletion and the look afterwards.

        What was forgotten is known to nobody by then, so the bytes are not searched, only written anew.
        """
        await self._writer.run(self._resume)

    async def preview(self, request: ForgetRequest) -> Preview:
        """Return what would go; changes nothing.

        Raises:
            NotFoundError: an id is not there, or nothing matches.
        """
        return await self._writer.run(lambda: _preview(self._closures.find(request)))

    async def forget(self, request: ForgetRequest, *, digest: str | None = None) -> SignedReceipt:
        """Delete here at once and at the cloud as soon as it can be reached.

        Args:
            request: What.
            digest: Of the preview that the owner said yes to; None: whatever is there.

        Raises:
            NotFoundError: as `preview`.
            IdempotencyConflictError: what would go has changed since the preview.
        """
        done = await self._writer.run(lambda: self._forget(request, digest))
        if done.receipt.cloud == "never_sent":
            return done
        await self._delivery.deliver()
        return await self.receipt(done.receipt.id)

    async def deliver(self) -> bool:
        """Send what waits for the cloud; return whether nothing waits any more."""
        return await self._delivery.deliver()

    def strand(self) -> None:
        """Note that what waits will not be confirmed: another cloud half is paired. Inside a transaction."""
        self._delivery.strand()

    async def receipt(self, receipt: str) -> SignedReceipt:
        """Return a receipt as it is now. Raises NotFoundError."""
        found = await self._writer.run(lambda: self._receipts.get(receipt))
        if found is None:
            raise NotFoundError("there is no such receipt; `keepmum receipts` lists them", param="receipt")
        return found

    async def receipts(self, limit: int) -> tuple[SignedReceipt, ...]:
        """Return receipts, newest first."""
        return await self._writer.run(lambda: self._receipts.recent(limit))

    def _forget(self, request: ForgetRequest, digest: str | None) -> SignedReceipt:
        closure = self._closures.find(request)
        if digest is not None and digest != closure.digest:
            raise IdempotencyConflictError("what would be forgotten has changed since it was shown; look at it again")
        name = f"forget_{secrets.token_hex(10)}"
        with self._transaction():
            removed = self._removal.remove(closure, int(self._now()))
            slots = frozenset(record.slot for record in closure.records if record.slot is not None)
            notes = self._stays(slots, everything=request.everything)
            begun = self._signed(_receipt(name, int(self._now()), closure, removed, notes))
            self._receipts.put(begun)
            self._receipts.wait(name, closure.awaited)
        for live in self._live:
            live.forget(closure.carriers.cut, closure.carriers.chains, removed.bindings, removed.values)
        try:
            stale = self._rewrite_key_files()
            looked = self._look(closure, replace(begun.receipt, stale_key_files=stale))
            with self._transaction():
                self._receipts.put(looked)
        except UnavailableError:  # a full disk, say: what is deleted stays so, and the next start finishes the rest
            return begun
        return looked

    def _resume(self) -> None:
        for begun in self._receipts.recent(_RECENT):
            if begun.receipt.rows_left is not None:
                continue
            stale = self._rewrite_key_files()
            self._disk.rewrite()
            rows = self._verification.look(ids=begun.receipt.records, chains=(), needles=()).rows
            receipt = replace(
                begun.receipt, rows_left=rows, stale_key_files=stale, notes=(*begun.receipt.notes, INTERRUPTED)
            )
            with self._transaction():
                self._receipts.put(self._signed(receipt))

    def _look(self, closure: Closure, receipt: Receipt) -> SignedReceipt:
        """Erase the bytes and look for them; a database too large to be rewritten each time is, if any were left."""
        is_empty = self._disk.rewrite() if self._disk.size() <= _REWRITE_BELOW else self._disk.checkpoint()
        ids = {*closure.plan.removed, *closure.carriers.turns}

        def look() -> Found:
            return self._verification.look(
                ids=ids, chains=closure.carriers.chains, needles=closure.needles, vectors=closure.vectors
            )

        found = look()
        if found.texts and self._disk.size() > _REWRITE_BELOW:
            is_empty = self._disk.rewrite()
            found = look()
        notes = receipt.notes
        if not is_empty:
            notes = (*notes, "another program reads the database, so its log could not be emptied yet")
        return self._signed(
            replace(
                receipt,
                rows_left=found.rows,
                texts_left=found.texts,
                same_words=found.same_words,
                unlooked=found.unlooked,
                notes=notes,
            )
        )

    def _signed(self, receipt: Receipt) -> SignedReceipt:
        return SignedReceipt(*self._signer.sign(receipt))


def _receipt(name: str, now: int, closure: Closure, removed: Removed, notes: tuple[str, ...]) -> Receipt:
    return Receipt(
        id=name,
        at=now,
        how=closure.request.how,
        records=tuple(record.id for record in closure.records),
        remade=removed.remade,
        trimmed=tuple(MemoryId(item) for item in sorted(closure.plan.trimmed)),
        values=tuple(sorted(map(str, removed.values))),
        values_kept=tuple(sorted(map(str, removed.values_kept))),
        stores=removed.stores,
        cloud="pending" if closure.awaited else "never_sent",
        cloud_ids=closure.at_cloud,
        cloud_everything=True if closure.erases_cloud else None,
        notes=notes,
    )


def _preview(closure: Closure) -> Preview:
    bound = {token: value for tokens in closure.values.bound.values() for token, value in tokens.items()}
    asked = frozenset(map(str, closure.plan.asked))
    return Preview(
        digest=closure.digest,
        asked=tuple(record for record in closure.records if str(record.id) in asked),
        derived=tuple(record for record in closure.records if str(record.id) not in asked),
        rebuilt=tuple(MemoryId(each.item) for each in closure.plan.rebuilt),
        trimmed=tuple(MemoryId(item) for item in sorted(closure.plan.trimmed)),
        turns=len(closure.carriers.turns),
        conversations=len(closure.carriers.cut),
        messages=len(closure.carriers.chains),
        values={**bound, **closure.values.profile},
        at_cloud=len(closure.at_cloud),
        erases_cloud=closure.erases_cloud,
    )
