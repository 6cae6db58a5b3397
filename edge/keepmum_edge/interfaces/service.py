"""What the interfaces ask of the daemon.

Every text in its answers is private and local: it is shown to the owner and goes into no log and no error. PL4 values
are tokens in traces.
"""

from pathlib import Path
from typing import Literal, Protocol

from keepmum_shared.ids import DeviceId, MemoryId, TurnId
from keepmum_shared.messages import ModelInfo

from keepmum_edge.daemon.arrivals import Added
from keepmum_edge.daemon.chat import Answer, Attempt, ChatRequest, Context
from keepmum_edge.daemon.cloud_link import CloudStanding
from keepmum_edge.daemon.doctor import Check
from keepmum_edge.daemon.forget.forgetting import Preview
from keepmum_edge.daemon.forget.request import ForgetRequest
from keepmum_edge.daemon.forget.store import SignedReceipt
from keepmum_edge.daemon.memory_commands import Edit, Telling, Why
from keepmum_edge.daemon.memory_writing import Waiting, Written
from keepmum_edge.daemon.trace import Trace
from keepmum_edge.daemon.views.overview import Budget
from keepmum_edge.memory.asked_store import AskedNote
from keepmum_edge.memory.consent import Asked
from keepmum_edge.memory.record import MemoryRecord


class EdgeService(Protocol):
    """The daemon, as every interface sees it. Any method may raise a KeepmumError."""

    async def answer(self, chat: ChatRequest, context: Context, attempt: Attempt) -> Answer:
        """Begin an answer. Raises before the first event, or returns an answer that has begun."""
        ...

    async def cloud_standing(self) -> CloudStanding | Literal["not_asked"]:
        """Say whether the cloud half answers; never raises, and never waits long."""
        ...

    async def models(self) -> tuple[ModelInfo, ...]:
        """Return the response models of the cloud half."""
        ...

    async def remember(self, telling: Telling) -> Written:
        """Remember a text that was told to Keepmum itself; nothing is sent at once.

        Raises:
            RefusedMemoryError: the text holds a PL4 secret.
        """
        ...

    async def memory(self, memory: MemoryId) -> MemoryRecord:
        """Return one record. Raises NotFoundError."""
        ...

    async def edit_memory(self, memory: MemoryId, edit: Edit) -> MemoryRecord:
        """Change a record; it is judged again.

        Raises:
            IdempotencyConflictError: it was changed since it was looked at.
        """
        ...

    async def confirm_memory(self, memory: MemoryId) -> MemoryRecord:
        """Raise a record to full trust."""
        ...

    async def why(self, turn: TurnId | None) -> Why:
        """Return the records that a turn used and those made of it; the newest turn for None."""
        ...

    async def pending(self) -> tuple[tuple[Asked[Waiting], ...], tuple[AskedNote, ...]]:
        """Return what waits for consent, and of what can be answered no more time and category."""
        ...

    async def answer_pending(self, memory: MemoryId, *, keep: bool) -> MemoryRecord | None:
        """Keep what waits for consent, or let it go; nothing is sent either way."""
        ...

    async def preview_share(self, memory: MemoryId) -> str:
        """Return the exact placeholder text that would go to the cloud; allots no number."""
        ...

    async def share(self, memory: MemoryId, shown_text: str) -> MemoryRecord:
        """Let a record that the owner has seen as it would be sent go with the next turn in its scope.

        Raises:
            IdempotencyConflictError: `shown_text` is no longer what would be sent.
        """
        ...

    async def memories(self, scope: str | None) -> tuple[MemoryRecord, ...]:
        """Return the records of one scope, or of all, newest first."""
        ...

    async def search_memories(self, query: str, scope: str | None, limit: int) -> tuple[MemoryRecord, ...]:
        """Return the records that match best, on this computer alone."""
        ...

    async def preview_forget(self, request: ForgetRequest) -> Preview:
        """Return what would be forgotten; changes nothing.

        Raises:
            NotFoundError: nothing matches.
        """
        ...

    async def forget(self, request: ForgetRequest, *, digest: str | None = None) -> SignedReceipt:
        """Delete here at once, with all that was derived, and at the cloud as soon as it can be reached.

        Raises:
            NotFoundError: nothing matches.
            IdempotencyConflictError: it is no longer what the preview of that digest showed.
        """
        ...

    async def receipt(self, receipt: str) -> SignedReceipt:
        """Return the receipt of a deletion as it is now. Raises NotFoundError."""
        ...

    async def cloud_notice(self) -> str | None:
        """Return what is to be told of what the cloud half holds, in words; None: nothing."""
        ...

    async def receipts(self, limit: int) -> tuple[SignedReceipt, ...]:
        """Return receipts, newest first."""
        ...

    async def backup(self, folder: Path) -> int:
        """Write a backup of the records into a folder of its own; return how many it holds."""
        ...

    async def restore(self, folder: Path, recovery_key: str) -> Added:
        """Add the records of a backup that are not here; what was forgotten does not come back."""
        ...

    async def export_memories(self) -> str:
        """Return every record in one document, in clear."""
        ...

    async def import_memories(self, document: str) -> Added:
        """Add the memories of a document of ours, or of another program, all or none.

        Raises:
            InvalidRequestError: it is of no known form, or something in it is not as it should be.
        """
        ...

    async def traces(self, limit: int) -> tuple[Trace, ...]:
        """Return the newest turns, newest first."""
        ...

    async def trace(self, turn: TurnId | None) -> Trace:
        """Return one turn, the newest for None.

        Raises:
            NotFoundError: there is none.
        """
        ...

    async def budget(self) -> Budget:
        """Return what was spent on each attribute, what was released, and until when."""
        ...

    async def silence(self, slot: str) -> None:
        """Make a slot's views generic from now on.

        Raises:
            InvalidRequestError: there is no such slot.
        """
        ...

    async def unsilence(self, slot: str) -> None:
        """Take that back."""
        ...

    async def confirm_clock(self) -> None:
        """Believe this computer's clock, which jumped far ahead."""
        ...

    async def pair(self, uri: str, name: str) -> DeviceId:
        """Register this computer at the cloud half that printed the URI."""
        ...

    async def checks(self) -> tuple[Check, ...]:
        """Look at every part and say how it is."""
        ...

    def ready(self) -> bool:
        """Say at once, without the database, whether a turn could be masked now."""
        ...
