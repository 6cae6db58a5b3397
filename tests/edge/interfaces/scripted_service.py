"""A daemon that answers by script, for tests of what lies in front of it: the interfaces."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from typing import Any

from keepmum_edge.daemon.chat import Answer, AnswerEvent, Attempt, ChatRequest, Context
from keepmum_edge.daemon.doctor import Check
from keepmum_edge.daemon.forget.forgetting import Preview
from keepmum_edge.daemon.forget.receipt import Receipt, StoreResult
from keepmum_edge.daemon.forget.request import ForgetRequest
from keepmum_edge.daemon.forget.store import SignedReceipt
from keepmum_edge.daemon.memory_commands import Edit, Telling, Why
from keepmum_edge.daemon.memory_writing import Written
from keepmum_edge.daemon.trace import SentMemory, Trace
from keepmum_edge.daemon.views.overview import Budget, ClockAhead
from keepmum_edge.errors import IdempotencyConflictError, NotFoundError, RefusedMemoryError
from keepmum_edge.memory.asked_store import AskedNote
from keepmum_edge.memory.record import CloudState, MemoryRecord
from keepmum_edge.views.account import Account
from keepmum_edge.views.periods import Calendar
from keepmum_edge.views.policy import MechanismName, ReleasePolicy
from keepmum_edge.views.store import Adopted
from keepmum_shared.errors import KeepmumError
from keepmum_shared.ids import DeviceId, new_conversation_id, new_device_id, new_memory_id, new_turn_id
from keepmum_shared.messages import ChatMessage, ContentDelta, Finished, ModelInfo, Usage
from keepmum_shared.view import shipped_policy

PLAIN: tuple[AnswerEvent, ...] = (
    ContentDelta(text="Hel"),
    ContentDelta(text="lo"),
    Finished(reason="stop"),
    Usage(prompt_tokens=3, completion_tokens=2),
)
MEMORY = new_memory_id()
"""Went along with every turn that is looked at."""
Step = AnswerEvent | BaseException | float
"""An event to yield, an error to raise, or seconds to wait."""


@dataclass
class ScriptedService:
    """Plays `script`; notes what it was asked. `refusals` are raised, one a request, before the first event."""

    script: tuple[Step, ...] = PLAIN
    refusals: list[BaseException] = field(default_factory=list)
    asked: list[tuple[ChatRequest, Context, Attempt]] = field(default_factory=list)
    closed: int = 0
    is_ready: bool = True
    standing: str = "reachable"
    stopped: bool = False
    kept: dict[str, Any] = field(default_factory=dict)
    paired: list[tuple[str, str]] = field(default_factory=list)
    found: tuple[Check, ...] = (Check(name="key", status="ok", detail="in the keyring"),)
    cloud: Any = "confirmed"
    receipt_given: Any = None
    notice: str | None = None
    sentences: bool = False
    """A text makes a record of each sentence."""
    by_meaning: bool = False
    """A search finds everything."""
    failure: str | None = None
    """Of every turn that is looked at."""
    clock: ClockAhead | None = None
    """Until it is confirmed."""
    sent: dict[str, int] = field(default_factory=dict)
    """Messages that touch an attribute."""

    async def answer(self, chat: ChatRequest, context: Context, attempt: Attempt) -> Answer:
        self.asked.append((chat, context, attempt))
        if self.refusals:
            raise self.refusals.pop(0)
        return Answer(
            turn=new_turn_id(),
            conversation=new_conversation_id(),
            model="scripted-1",
            created=1_800_000_000,
            replayed=False,
            events=self._events(),
        )

    async def _events(self) -> AsyncGenerator[AnswerEvent, None]:
        try:
            for step in self.script:
                if isinstance(step, BaseException):
                    raise step
                if isinstance(step, float):
                    await asyncio.sleep(step)
                else:
                    yield step
        finally:
            self.closed += 1

    async def models(self) -> tuple[ModelInfo, ...]:
        if self.refusals:
            raise self.refusals.pop(0)
        return (ModelInfo(id="scripted-1", created=1), ModelInfo(id="org/other", created=2))

    async def remember(self, telling: Telling) -> Written:
        if telling.text.startswith("secret"):
            raise RefusedMemoryError("the text holds a secret (PASSWORD); it was not kept")
        texts = telling.text.split(". ") if self.sentences else [telling.text]
        records = tuple(
            MemoryRecord(
                id=new_memory_id(),
                text=text,
                scope=telling.reach.scope,
                created_at=1,
                channel=telling.channel,
                cloud=CloudState.KEPT if telling.here_only else CloudState.QUEUED,
            )
            for text in texts
        )
        self.kept |= {record.id: record for record in records}
        return Written(kept=records)

    async def memory(self, memory: str) -> Any:
        return self._record(memory)

    async def edit_memory(self, memory: str, edit: Edit) -> Any:
        held = self._record(memory)
        if edit.revision not in (None, held.revision):
            raise IdempotencyConflictError("this memory has changed since it was shown; look at it again")
        self.kept[memory] = replace(held, text=edit.text or held.text, revision=held.revision + 1)
        return self.kept[memory]

    async def confirm_memory(self, memory: str) -> Any:
        self.kept[memory] = replace(self._record(memory), trust=100)
        return self.kept[memory]

    async def why(self, turn: str | None) -> Why:
        del turn
        return Why(used=(), kept=tuple(self.kept.values()))

    async def pending(self) -> tuple[tuple[Any, ...], tuple[AskedNote, ...]]:
        return (), (AskedNote(id=new_memory_id(), category="health", asked_at=1),)

    async def answer_pending(self, memory: str, *, keep: bool) -> Any:
        return self._record(memory) if keep else None

    def _record(self, memory: str) -> Any:
        if memory not in self.kept:
            raise NotFoundError("no such memory", param="memory")
        return self.kept[memory]

    async def preview_share(self, memory: str) -> str:
        return f"masked {len(self._record(memory).text)}"

    async def share(self, memory: str, shown_text: str) -> Any:
        if shown_text != await self.preview_share(memory):
            raise IdempotencyConflictError("the text is no longer what was shown; look at it again")
        self.kept[memory] = replace(self._record(memory), placeholder_text=shown_text, shared_at=2)
        return self.kept[memory]

    async def memories(self, scope: str | None) -> tuple[Any, ...]:
        return tuple(record for record in self.kept.values() if scope in (None, record.scope))

    async def search_memories(self, query: str, scope: str | None, limit: int) -> tuple[Any, ...]:
        found = (record for record in await self.memories(scope) if self.by_meaning or query in record.text)
        return tuple(found)[:limit]

    async def preview_forget(self, request: ForgetRequest) -> Preview:
        asked = tuple(self._record(memory) for memory in request.ids) or tuple(self.kept.values())
        return Preview(
            digest="digest", asked=asked, derived=(), rebuilt=(), trimmed=(), turns=1, conversations=1, messages=2,
            values={}, at_cloud=len(asked), erases_cloud=request.everything,
        )  # fmt: skip

    async def forget(self, request: ForgetRequest, *, digest: str | None = None) -> SignedReceipt:
        asked = (await self.preview_forget(request)).asked
        if digest not in (None, "digest"):
            raise IdempotencyConflictError("what would be forgotten has changed; look at it again")
        receipt = Receipt(
            id="forget_" + "0" * 20, at=1, how=request.how, records=tuple(record.id for record in asked),
            stores=(StoreResult(store="records", removed=len(asked)),), cloud=self.cloud, rows_left=0, texts_left=0,
        )  # fmt: skip
        self.receipt_given = SignedReceipt(receipt, "signature")
        return self.receipt_given

    async def receipt(self, receipt: str) -> SignedReceipt:
        return self.receipt_given

    async def cloud_notice(self) -> str | None:
        return self.notice

    async def receipts(self, limit: int) -> tuple[SignedReceipt, ...]:
        return (self.receipt_given,)[:limit]

    async def traces(self, limit: int) -> tuple[Trace, ...]:
        return (await self.trace(None),)[:limit]

    async def trace(self, turn: str | None) -> Trace:
        return Trace(
            turn=turn or new_turn_id(), conversation=new_conversation_id(), at=1_800_000_000, typed="I am Ines",
            sent="I am <NAME_1>", received="Hello <NAME_1>", shown="Hello Ines", model="scripted-1",
            memories_used=(), counts={"NAME": 1}, failure=self.failure,
            memories_sent=(SentMemory(id=MEMORY, text="Tea of Ines", sent="Tea of <NAME_1>", state="as sent"),),
            messages=(ChatMessage(role="user", content="I am <NAME_1>"),),
        )  # fmt: skip

    async def export_memories(self) -> str:
        return "{}\n"

    async def budget(self) -> Budget:
        policy = shipped_policy()
        adopted = Adopted(
            from_period=0,
            policy=policy,
            release=ReleasePolicy.STICKY,
            mechanism=MechanismName.KRR,
            file="",
            listed=True,
        )  # fmt: skip
        shown = tuple(
            Account(
                attribute=each.id, label=each.label, spent=0, cap=each.cap, lifetime=0, lifetime_cap=each.lifetime_cap,
                sent=self.sent.get(each.id, 0), views=(),
            )
            for each in policy.layout.attributes.values()
        )  # fmt: skip
        return Budget(
            in_force=adopted, calendar=Calendar(first_date=1, last_seen=1, period=0), until=2, clock=self.clock,
            accounts=shown, silenced=(), notices=(),
        )  # fmt: skip

    async def confirm_clock(self) -> None:
        self.clock = None

    async def pair(self, uri: str, name: str) -> DeviceId:
        self.paired.append((uri, name))
        return new_device_id()

    async def checks(self) -> tuple[Check, ...]:
        return self.found

    async def cloud_standing(self) -> Any:
        return self.standing

    def ready(self) -> bool:
        return self.is_ready

    def stop(self) -> None:
        self.stopped = True


def refusal_of(kind: type[KeepmumError]) -> KeepmumError:
    """Make an error of a class that takes a message."""
    return kind("the part is not usable")
