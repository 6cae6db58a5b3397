"""A whole daemon over a real database in this process, and a cloud half that can be stopped and held up."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from keepmum_edge.daemon.app import PRODUCTION, open_service
from keepmum_edge.daemon.chance import Chance
from keepmum_edge.daemon.chat import Answer, Attempt, ChatRequest, Context, FromThisComputer
from keepmum_edge.daemon.cloud_client import StatedDeletion
from keepmum_edge.daemon.forget.request import ForgetRequest
from keepmum_edge.daemon.retrieval.model import LoadEmbedder
from keepmum_edge.daemon.service import Parts, Service
from keepmum_edge.daemon.store import Pairing
from keepmum_edge.database import Database
from keepmum_edge.database.raw_pages import clear_pages
from keepmum_edge.errors import CloudUnreachableError
from keepmum_edge.keys import Keyholder
from keepmum_edge.memory.digest import digest_text, in_order
from keepmum_edge.memory.record import Channel, CloudState, MemoryRecord
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_shared.ids import DeviceId, MemoryId, TurnId, new_memory_id
from keepmum_shared.messages import (
    ChatMessage,
    ContentDelta,
    DeleteMemories,
    DeletionStatement,
    DeviceResponse,
    Done,
    Finished,
    HeldMemory,
    MemoriesHeld,
    MemoriesStored,
    MemoryUsed,
    SignedSeal,
    Started,
    TurnEvent,
    TurnRequest,
)
from keepmum_shared.view import shipped_policies
from profiles import settings
from shipped_embedding import shipped_embedder

DEVICE = DeviceId("dev_" + "a" * 26)
PAIRING = Pairing(device=DEVICE, host="127.0.0.1", port=1, certificate_pem="", private_key=bytes(32), paired_at=1)


@dataclass
class ScriptedCloud:
    """Answers with what it was asked; `held` is what it keeps."""

    held: set[MemoryId] = field(default_factory=set)
    uses: tuple[MemoryId, ...] = ()
    says: str | None = None
    choices: int = 1
    is_down: bool = False
    states_at_most: int = 2**31
    deletions: list[DeleteMemories] = field(default_factory=list)
    turns: list[TurnRequest] = field(default_factory=list)
    instance: str | None = None
    listed: tuple[HeldMemory, ...] = ()
    while_listing: Callable[[], Awaitable[object]] | None = None
    gate: asyncio.Event | None = None
    reached: asyncio.Event = field(default_factory=asyncio.Event)

    async def turn(self, request: TurnRequest) -> AsyncGenerator[TurnEvent, None]:
        self.turns.append(request)
        yield Started(model="scripted")
        if self.uses:
            yield MemoryUsed(memories=self.uses)
        yield ContentDelta(text="You said: ")
        self.reached.set()
        if self.gate is not None:
            await self.gate.wait()
        yield ContentDelta(text=self.says or request.messages[-1].content or "")
        for choice in range(1, self.choices):
            yield ContentDelta(text="Another", choice=choice)
        for choice in range(self.choices):
            yield Finished(reason="stop", choice=choice)
        yield Done()

    async def add_memories(self, request: Any) -> MemoriesStored:
        self.held.update(memory.id for memory in request.memories)
        return MemoriesStored(stored=tuple(memory.id for memory in request.memories))

    async def delete_memories(self, request: DeleteMemories) -> StatedDeletion:
        if self.is_down:
            raise CloudUnreachableError("nobody there")
        self.deletions.append(request)
        gone = request.memories[: self.states_at_most]
        self.held -= set(gone)
        if request.everything:
            self.held.clear()
        statement = DeletionStatement(
            device=DEVICE, gone=gone, forget=request.forget, at=5, everything=request.everything
        )
        return StatedDeletion(statement=statement, signature="c2ln", fingerprint="print")

    async def held_memories(self, after: int = 0) -> MemoriesHeld:
        if self.is_down:
            raise CloudUnreachableError("nobody there")
        if self.while_listing is not None:
            await self.while_listing()
        return MemoriesHeld(memories=self.listed)

    async def seal(self) -> SignedSeal | None:
        return None

    def sign_seal(self, *, counter: int, total: int) -> SignedSeal:
        return SignedSeal(counter=counter, total=total, signature="s" * 86)

    async def device(self, *, once: bool = False) -> DeviceResponse:
        return DeviceResponse(device=DEVICE, name="t", paired_at=1, time=1, policies=tuple(shipped_policies()))

    async def close(self) -> None:
        """Nothing is open."""


@dataclass
class Profile:
    """One daemon and what a user does with it."""

    home: Path
    cloud: ScriptedCloud
    service: Service
    now: float = 1_800_000_000.0

    @property
    def parts(self) -> Parts:
        return self.service._parts

    async def say(
        self, *texts: str, conversation: str = "c1", scope: str = "user", mode: Any = "normal", key: str | None = None
    ) -> tuple[TurnId, str]:
        """Send a history whose odd messages are the assistant's; return the turn and its answer."""
        self.now += 1
        roles = ("user", "assistant")
        messages = tuple(ChatMessage(role=roles[i % 2], content=text) for i, text in enumerate(texts))  # type: ignore[arg-type]
        context = Context(conversation=conversation, scope=scope, mode=mode)
        answer = await self.service.answer(ChatRequest(messages=messages), context, Attempt(idempotency_key=key))
        pieces = [event.text async for event in answer.events if isinstance(event, ContentDelta)]
        return answer.turn, "".join(pieces)

    async def ask(self, *messages: ChatMessage, **how: Any) -> tuple[str, list[FromThisComputer], Answer]:
        """Send messages and return all text of the answer, the blocks apart, and the answer; `how` as in Context."""
        self.now += 1
        answer = await self.service.answer(ChatRequest(messages=messages), Context(**how), Attempt())
        events = [event async for event in answer.events]
        text = "".join(event.text for event in events if isinstance(event, ContentDelta))
        return text, [event for event in events if isinstance(event, FromThisComputer)], answer

    async def record(self, text: str, *sources: str, sent: str | None = None, **fields: Any) -> MemoryRecord:
        """Store a record as the write path does; `sent` is what the cloud holds of it."""
        self.now += 1
        cloud = {} if sent is None else {"cloud": CloudState.SHARED, "placeholder_text": sent, "shared_at": 1}
        made = MemoryRecord(
            id=new_memory_id(), text=text, created_at=int(self.now), sources=frozenset(sources),
            **{"scope": "user", "channel": Channel.CHAT, **cloud, **fields},
        )  # fmt: skip
        if sent is not None:
            self.cloud.held.add(made.id)
        stored: MemoryRecord = await self.write(lambda db: MemoryStore(db).add(made))
        return stored

    async def digest(self, *sources: MemoryRecord, **fields: Any) -> MemoryRecord:
        """Store a digest of records."""
        ordered = in_order(sources)
        sent = digest_text(s.placeholder_text or "" for s in ordered) if all(s.shared_at for s in ordered) else None
        text = digest_text(source.text for source in ordered)
        return await self.record(text, *(s.id for s in sources), sent=sent, channel=Channel.DERIVED, **fields)

    async def write(self, job: Any) -> Any:
        def act() -> Any:
            with self.parts.database.transaction():
                return job(self.parts.database)

        return await self.parts.writer.run(act)

    async def read(self, job: Any) -> Any:
        return await self.parts.writer.run(lambda: job(self.parts.database))

    async def embedded(self) -> None:
        """Give every record its vector, as the work beside requests does in time."""
        while await self.parts.retrieval.work.embed_some():
            pass

    async def forget(self, *ids: str, **how: Any) -> Any:
        done = await self.service.forget(ForgetRequest(ids=ids, **how))
        return done.receipt

    async def texts(self) -> str:
        """Every cell of every table, and every page of the file and its log, in clear."""

        def tables(db: Database) -> str:
            names = [row[0] for row in db.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            return "\n".join(repr(db.rows(f'SELECT * FROM "{name}"')) for name in names)

        cells = await self.read(tables)
        key = Keyholder(settings(self.home), ring=None).unlock().key
        pages = b"".join(clear_pages(settings(self.home).paths.database, key))
        return str(cells) + pages.decode("utf-8", "replace")


@asynccontextmanager
async def profile(
    home: Path,
    cloud: ScriptedCloud | None = None,
    *,
    load_embedder: LoadEmbedder = shipped_embedder,
    now: float = 1_800_000_000.0,
    chance: Chance = PRODUCTION,
) -> AsyncIterator[Profile]:
    """Open the daemon of a profile, made if it is new."""
    config = settings(home)
    keyholder = Keyholder(config, ring=None)
    if not keyholder.exists():
        config.paths.prepare()
        keyholder.create()
    running = Profile(home=home, cloud=cloud or ScriptedCloud(), service=None, now=now)  # type: ignore[arg-type]
    running.service = open_service(
        config, load_extractor=RuleExtractor, load_embedder=load_embedder, now=lambda: running.now, chance=chance
    )
    running.parts.link._pairing = PAIRING
    running.parts.link._client = running.cloud  # type: ignore[assignment]
    try:
        yield running
    finally:
        await running.service.close()
