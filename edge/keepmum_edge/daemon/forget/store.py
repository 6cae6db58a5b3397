"""Tombstones, receipts and what they wait for. SQL only; never opens, commits or closes. Ids and digests, no text."""

from collections.abc import Iterable
from dataclasses import dataclass

from keepmum_shared import codec
from keepmum_shared.ids import MemoryId

from keepmum_edge.daemon.forget.receipt import Receipt
from keepmum_edge.database import Database


@dataclass(frozen=True, slots=True)
class SignedReceipt:
    """A receipt and its signature."""

    receipt: Receipt
    signature: str


class TombstoneStore:
    """What was forgotten: ids of records and turns, chain digests of messages."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, ids: Iterable[str], chains: Iterable[bytes], at: int) -> None:
        """Forbid ids and messages for good."""
        self._db.execute_each("INSERT INTO tombstone VALUES (?, ?) ON CONFLICT DO NOTHING", [(i, at) for i in ids])
        self._db.execute_each(
            "INSERT INTO forgotten_message VALUES (?) ON CONFLICT DO NOTHING", [(chain,) for chain in chains]
        )

    def ids(self) -> frozenset[str]:
        """Return every forgotten id."""
        return frozenset(str(row[0]) for row in self._db.rows("SELECT id FROM tombstone"))

    def chains(self) -> frozenset[bytes]:
        """Return the chain digest of every forgotten message."""
        return frozenset(bytes(row[0]) for row in self._db.rows("SELECT chain FROM forgotten_message"))


class ReceiptStore:
    """The receipts of one profile."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def put(self, signed: SignedReceipt) -> None:
        """Store a receipt in the place of its earlier state."""
        self._db.execute(
            "INSERT INTO receipt (id, body_json, signature) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
            " body_json = excluded.body_json, signature = excluded.signature",
            *(signed.receipt.id, codec.encode(signed.receipt).decode(), signed.signature),
        )

    def get(self, receipt: str) -> SignedReceipt | None:
        """Return a receipt, or None."""
        row = self._db.row("SELECT body_json, signature FROM receipt WHERE id = ?", receipt)
        return None if row is None else SignedReceipt(codec.decode(Receipt, row[0]), str(row[1]))

    def recent(self, limit: int) -> tuple[SignedReceipt, ...]:
        """Return receipts, newest first."""
        rows = self._db.rows("SELECT body_json, signature FROM receipt ORDER BY row DESC LIMIT ?", limit)
        return tuple(SignedReceipt(codec.decode(Receipt, body), str(signature)) for body, signature in rows)

    def wait(self, receipt: str, memories: Iterable[MemoryId]) -> None:
        """Note which ids the cloud still has to confirm."""
        self._db.execute_each("INSERT INTO receipt_wait VALUES (?, ?)", [(receipt, memory) for memory in memories])

    def waiting_for(self, memories: Iterable[MemoryId]) -> dict[str, frozenset[MemoryId]]:
        """Return the receipts that wait for any of the ids, with those ids."""
        found: dict[str, set[MemoryId]] = {}
        for memory in memories:
            for row in self._db.rows("SELECT receipt FROM receipt_wait WHERE memory = ?", memory):
                found.setdefault(str(row[0]), set()).add(memory)
        return {receipt: frozenset(ids) for receipt, ids in found.items()}

    def confirm(self, receipt: str, memories: Iterable[MemoryId]) -> bool:
        """Take off what is confirmed; return whether the receipt waits for nothing more."""
        rows = [(receipt, memory) for memory in memories]
        self._db.execute_each("DELETE FROM receipt_wait WHERE receipt = ? AND memory = ?", rows)
        return int(self._db.value("SELECT count(*) FROM receipt_wait WHERE receipt = ?", receipt)) == 0
