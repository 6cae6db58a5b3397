"""The daemon as every interface sees it: turns, memories, traces, pairing, checks.

A profile that cannot be used (no key, a damaged database, an altered span model) gives a service all the same: it says
which part is not usable and what to do, and sends nothing.
"""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from keepmum_shared.ids import DeviceId, MemoryId, TurnId
from keepmum_shared.messages import ModelInfo

from keepmum_edge.config import EdgeConfig
from keepmum_edge.daemon import doctor, pairing
from keepmum_edge.daemon.arrivals import Added
from keepmum_edge.daemon.backup import Backups
from keepmum_edge.daemon.chat import Answer, Attempt, ChatRequest, Context
from keepmum_edge.daemon.cloud_link import CloudLink, CloudStanding
from keepmum_edge.daemon.conversation import Conversations
from keepmum_edge.daemon.departures import Departures
from keepmum_edge.daemon.forget.comparing import SET_BACK, Comparing
from keepmum_edge.daemon.forget.forgetting import Forgetting, Preview
from keepmum_edge.daemon.forget.request import ForgetRequest
from keepmum_edge.daemon.forget.store import SignedReceipt
from keepmum_edge.daemon.memories import Memories
from keepmum_edge.daemon.memory_commands import Edit, Telling, Why
from keepmum_edge.daemon.memory_keeping import MemoryKeeping
from keepmum_edge.daemon.memory_writing import Waiting, Written
from keepmum_edge.daemon.readers import Readers
from keepmum_edge.daemon.retrieval.parts import SHIPPED, RetrievalParts
from keepmum_edge.daemon.store import PairingStore
from keepmum_edge.daemon.trace import Trace, TraceRecord, carried_in, look_at, sent_memory
from keepmum_edge.daemon.transfer import Transfer
from keepmum_edge.daemon.turn_log import TurnLog
from keepmum_edge.daemon.turns import Turns
from keepmum_edge.daemon.views.checks import check_views
from keepmum_edge.daemon.views.composing import Views
from keepmum_edge.daemon.views.overview import Budget
from keepmum_edge.daemon.visibility import Visibility
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.database import Database
from keepmum_edge.errors import CloudError, ExtractorUnavailableError, UnavailableError
from keepmum_edge.keys import Keyholder
from keepmum_edge.memory.asked_store import AskedNote
from keepmum_edge.memory.consent import Asked
from keepmum_edge.memory.record import MemoryRecord
from keepmum_edge.spans.extractor import SpanExtractor

_DELIVER_AGAIN_S: Final = 1
_DELIVER_EVERY_S: Final = 60
_LOOK_FOR_POLICY_EVERY_S: Final = 60.0
_RECEIPTS_LOOKED_AT: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The opened parts of one profile."""

    database: Database
    writer: Writer
    conversations: Conversations
    log: TurnLog
    readers: Readers
    turns: Turns
    views: Views
    departures: Departures
    memories: Memories
    forgetting: Forgetting
    comparing: Comparing
    backups: Backups
    transfer: Transfer
    keeping: MemoryKeeping
    retrieval: RetrievalParts
    pairings: PairingStore
    link: CloudLink


class Service:
    """One profile's daemon.

    Args:
        parts: The opened profile, or why it cannot be used.
        keyholder, extractor: For the checks.
        now: Unix seconds.
    """

    def __init__(
        self,
        parts: Parts | UnavailableError,
        *,
        config: EdgeConfig,
        keyholder: Keyholder,
        extractor: SpanExtractor | ExtractorUnavailableError,
        now: Callable[[], float],
    ) -> None:
        self._state = parts
        self._config = config
        self._keyholder = keyholder
        self._extractor = extractor
        self._now = now
        self._beside: set[asyncio.Task[None]] = set()

    def ready(self) -> bool:
        """Say at once, without the database, whether a turn could be masked now."""
        return isinstance(self._state, Parts)

    async def cloud_standing(self) -> CloudStanding | Literal["not_asked"]:
        """Say whether the cloud half answers; not asked where the profile cannot be used."""
        return await self._state.link.standing() if isinstance(self._state, Parts) else "not_asked"

    async def start(self) -> None:
        """Begin the work that goes on beside requests: deletions that wait, records to be judged and embedded."""
        if isinstance(self._state, Parts):
            with contextlib.suppress(UnavailableError):  # a full disk: the next start tries again
                await self._state.forgetting.resume()
            self._begin_beside(self._deliver(self._state))
            self._begin_beside(self._keep_judged(self._state))
            self._begin_beside(self._state.retrieval.work.run())

    async def close(self) -> None:
        """Stop, and leave the database whole in its one file."""
        for task in self._beside:
            task.cancel()
        if not isinstance(self._state, Parts):
            return
        parts = self._state
        await parts.link.close()
        parts.readers.close()
        parts.retrieval.model.close()
        await parts.writer.run(parts.database.checkpoint)
        await parts.writer.run(parts.database.close)
        parts.writer.close()

    async def answer(self, chat: ChatRequest, context: Context, attempt: Attempt) -> Answer:
        """Begin an answer. Raises before the first event, or returns an answer that has begun."""
        return await self._parts.turns.answer(chat, context, attempt)

    async def models(self) -> tuple[ModelInfo, ...]:
        """Return the response models of the cloud half."""
        return (await self._parts.link.client().models()).models

    async def remember(self, telling: Telling) -> Written:
        """Remember a text that was told to Keepmum itself. Raises RefusedMemoryError for a PL4 secret."""
        done = await self._parts.keeping.tell(telling)
        self._parts.retrieval.work.wake()
        return done

    async def preview_share(self, memory: MemoryId) -> str:
        """Return the exact placeholder text that would go to the cloud; allots no number."""
        return await self._parts.keeping.preview_share(memory)

    async def share(self, memory: MemoryId, shown_text: str) -> MemoryRecord:
        """Let a record that the owner has seen as it would be sent go with the next turn in its scope."""
        return await self._parts.keeping.share(memory, shown_text)

    async def memory(self, memory: MemoryId) -> MemoryRecord:
        """Return one record. Raises NotFoundError."""
        return await self._parts.keeping.record(memory)

    async def edit_memory(self, memory: MemoryId, edit: Edit) -> MemoryRecord:
        """Change a record; it is judged again."""
        done = await self._parts.keeping.edit(memory, edit)
        self._parts.retrieval.work.wake()
        return done

    async def confirm_memory(self, memory: MemoryId) -> MemoryRecord:
        """Raise a record to full trust."""
        return await self._parts.keeping.confirm(memory)

    async def why(self, turn: TurnId | None) -> Why:
        """Return what a turn used and what was made of it; the newest turn for None. Raises NotFoundError."""
        trace = await self.trace(turn)
        found = await self._parts.keeping.why(trace.turn, trace.memories_used)
        return replace(found, views=trace.views)

    async def pending(self) -> tuple[tuple[Asked[Waiting], ...], tuple[AskedNote, ...]]:
        """Return what waits for consent, and of what can be answered no more time and category."""
        return await self._parts.keeping.pending()

    async def answer_pending(self, memory: MemoryId, *, keep: bool) -> MemoryRecord | None:
        """Keep what waits for consent, or let it go; nothing is sent either way."""
        done = await self._parts.keeping.answer(memory, keep=keep)
        self._parts.retrieval.work.wake()
        return done

    async def memories(self, scope: str | None) -> tuple[MemoryRecord, ...]:
        """Return the records of one scope, or of all, newest first."""
        return await self._parts.memories.records(scope)

    async def search_memories(self, query: str, scope: str | None, limit: int) -> tuple[MemoryRecord, ...]:
        """Return the records that match best, on this computer alone."""
        return await self._parts.memories.search(query, scope, limit)

    async def preview_forget(self, request: ForgetRequest) -> Preview:
        """Return what would be forgotten; changes nothing."""
        return await self._parts.forgetting.preview(request)

    async def forget(self, request: ForgetRequest, *, digest: str | None = None) -> SignedReceipt:
        """Delete here at once, with all that was derived, and at the cloud as soon as it can be reached."""
        return await self._parts.forgetting.forget(request, digest=digest)

    async def receipt(self, receipt: str) -> SignedReceipt:
        """Return the receipt of a deletion as it is now."""
        return await self._parts.forgetting.receipt(receipt)

    async def cloud_notice(self) -> str | None:
        """Return what is to be told of what the cloud half holds, in words; None: nothing."""
        noticed = await self._parts.comparing.noticed()
        return None if noticed is None else f"{noticed}. {SET_BACK}"

    async def receipts(self, limit: int) -> tuple[SignedReceipt, ...]:
        """Return receipts, newest first."""
        return await self._parts.forgetting.receipts(limit)

    async def backup(self, folder: Path) -> int:
        """Write a backup of the records into a folder of its own; return how many it holds."""
        return await self._parts.backups.make(folder)

    async def restore(self, folder: Path, recovery_key: str) -> Added:
        """Add the records of a backup that are not here; what was forgotten does not come back."""
        restored = await self._parts.backups.restore(folder, recovery_key)
        self._parts.retrieval.work.wake()
        return restored

    async def export_memories(self) -> str:
        """Return every record in one document, in clear."""
        return await self._parts.transfer.export()

    async def import_memories(self, document: str) -> Added:
        """Add the memories of a document of ours, or of another program."""
        added = await self._parts.transfer.take_in(document)
        self._parts.retrieval.work.wake()
        return added

    async def traces(self, limit: int) -> tuple[Trace, ...]:
        """Return the newest turns, newest first."""
        parts = self._parts
        return await parts.writer.run(lambda: tuple(self._shown(parts, record) for record in parts.log.traces(limit)))

    async def trace(self, turn: TurnId | None) -> Trace:
        """Return one turn, the newest for None. Raises NotFoundError."""
        parts = self._parts
        return await parts.writer.run(lambda: self._shown(parts, parts.log.trace(turn)))

    async def budget(self) -> Budget:
        """Return what was spent on each attribute, what was released, and until when."""
        parts = self._parts
        return await parts.writer.run(parts.views.overview.budget)

    async def silence(self, slot: str) -> None:
        """Make a slot's views generic from now on. Raises InvalidRequestError for a slot that is none."""
        parts = self._parts
        await parts.writer.run(lambda: parts.views.overview.silence(slot))

    async def unsilence(self, slot: str) -> None:
        """Take that back."""
        parts = self._parts
        await parts.writer.run(lambda: parts.views.overview.unsilence(slot))

    async def confirm_clock(self) -> None:
        """Believe this computer's clock, which jumped far ahead."""
        parts = self._parts
        await parts.writer.run(parts.views.overview.confirm_clock)

    async def pair(self, uri: str, name: str) -> DeviceId:
        """Register this computer at the cloud half that printed the URI."""
        parts = self._parts
        paired = await pairing.pair(uri, name=name, patience=parts.link.patience, paired_at=int(self._now()))

        def keep() -> None:
            with parts.database.transaction():
                parts.forgetting.strand()
                parts.pairings.put(paired)

        await parts.writer.run(keep)
        await parts.link.replace(paired)
        self._begin_beside(self._compare(parts))
        return paired.device

    async def checks(self) -> tuple[doctor.Check, ...]:
        """Look at every part and say how it is."""
        loop = asyncio.get_running_loop()
        embedder = self._state.retrieval.model.look if isinstance(self._state, Parts) else SHIPPED

        def examine() -> tuple[doctor.Check, ...]:
            return doctor.examine(self._config, self._keyholder, self._extractor, embedder)

        found = await loop.run_in_executor(None, examine)
        cloud = await self._cloud_check()
        held = await self._held_check(answers=cloud.status == "ok")
        return (*found, *await self._view_checks(), cloud, *held, await self._forget_check())

    @property
    def _parts(self) -> Parts:
        if isinstance(self._state, UnavailableError):
            raise type(self._state)(self._state.part, self._state.next_step)
        return self._state

    def _shown(self, parts: Parts, record: TraceRecord) -> Trace:
        vault = parts.conversations.vault_of(record.conversation)
        visibility = Visibility(vault=vault, carried=carried_in(record, vault), show_secrets=False)
        if record.received is not None and record.received.memories:
            visibility.memories = parts.memories.values_of(record.received.memories)
        sent = tuple(sent_memory(taken, parts.memories.get(taken.id)) for taken in record.batch)
        return look_at(record, visibility, parts.views.turns.explained(record.views), sent)

    async def _view_checks(self) -> tuple[doctor.Check, ...]:
        if not isinstance(self._state, Parts):
            return ()
        parts = self._state
        return await parts.writer.run(lambda: tuple(check_views(parts.views.overview, parts.departures)))

    async def _cloud_check(self) -> doctor.Check:
        if not isinstance(self._state, Parts):
            return doctor.Check(name="cloud", status="warn", detail="not asked: the profile is not open")
        try:
            device = await self._state.link.client().device()
            models = (await self._state.link.client().models()).models
        except CloudError as error:
            return doctor.Check(name="cloud", status="fail", detail=str(error), next_step="Start it, or pair again.")
        skew = abs(device.time - int(self._now()))
        detail = f"answers with {', '.join(model.id for model in models) or 'no model'}; clocks differ by {skew} s"
        if not models:
            return doctor.Check(name="cloud", status="fail", detail=detail, next_step="See the cloud half's log.")
        return doctor.Check(name="cloud", status="ok", detail=detail)

    async def _held_check(self, *, answers: bool) -> tuple[doctor.Check, ...]:
        """Compare with a cloud half that answers, and say what was found, now or before."""
        if not isinstance(self._state, Parts):
            return ()
        is_compared = answers and await self._state.comparing.compare()
        if (noticed := await self._state.comparing.noticed()) is not None:
            return (doctor.Check(name="cloud memory", status="warn", detail=str(noticed), next_step=SET_BACK),)
        if self._state.comparing.is_too_old:
            detail = "the cloud half is too old to say what it holds"
            return (doctor.Check(name="cloud memory", status="warn", detail=detail, next_step="Update it."),)
        if not is_compared:
            return ()
        return (doctor.Check(name="cloud memory", status="ok", detail="the cloud half holds what it was told to"),)

    async def _forget_check(self) -> doctor.Check:
        if not isinstance(self._state, Parts):
            return doctor.Check(name="forgetting", status="warn", detail="not looked at: the profile is not open")
        receipts = [found.receipt for found in await self._state.forgetting.receipts(_RECEIPTS_LOOKED_AT)]
        pending = sum(receipt.cloud == "pending" for receipt in receipts)
        doubtful = sum(not receipt.verified for receipt in receipts)
        detail = f"{len(receipts)} deletions; {pending} wait for the cloud, {doubtful} could not be verified"
        if not (pending or doubtful):
            return doctor.Check(name="forgetting", status="ok", detail=detail)
        return doctor.Check(
            name="forgetting", status="warn", detail=detail, next_step="`keepmum receipts` says which and why."
        )

    def _begin_beside(self, work: Coroutine[None, None, None]) -> None:
        """Begin work that goes on beside requests."""
        task = asyncio.create_task(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)

    async def _keep_judged(self, parts: Parts) -> None:
        """Judge what an older version kept, and again whenever another policy comes into force."""
        judged_by: str | None = None
        while True:
            if (judge := parts.keeping.judge_id) != judged_by and await self._judge(parts):
                judged_by = judge
            await asyncio.sleep(_LOOK_FOR_POLICY_EVERY_S)

    async def _judge(self, parts: Parts) -> bool:
        """Judge what is not; delete at the cloud what may not be there. Return whether that could be done."""
        with contextlib.suppress(UnavailableError):  # tried again in a while
            if await parts.keeping.judge_all():
                await parts.forgetting.deliver()
            return True
        return False

    async def _deliver(self, parts: Parts) -> None:
        """Take deletions to the cloud and compare; after a failure soon again, then ever later."""
        again_s = _DELIVER_AGAIN_S
        while True:
            done = False
            with contextlib.suppress(UnavailableError):  # a full disk or a lock passes; what waits is not lost
                done = await parts.forgetting.deliver() and await parts.comparing.compare()
            await asyncio.sleep(_DELIVER_EVERY_S if done else again_s)
            again_s = _DELIVER_AGAIN_S if done else min(2 * again_s, _DELIVER_EVERY_S)

    async def _compare(self, parts: Parts) -> None:
        """Compare with a cloud half that has just been paired."""
        with contextlib.suppress(UnavailableError):
            await parts.comparing.compare()
