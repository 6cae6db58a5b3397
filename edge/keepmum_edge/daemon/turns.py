"""The shell around one turn: which turn it is, its departure, the answer, and what is kept of it.

The answer is stored before its closing events leave (design section 3). A turn that fails keeps its bindings (their
tokens may have left) and its trace, and nothing else: no message, no answer, no memory.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Iterator
from typing import Final, Protocol

from keepmum_shared.errors import KeepmumError
from keepmum_shared.ids import MemoryId
from keepmum_shared.messages import (
    ContentDelta,
    Done,
    Finished,
    MemoryUsed,
    Started,
    ToolCallDelta,
    TurnEvent,
    TurnFailed,
    TurnRequest,
    Usage,
)
from keepmum_shared.placeholder import Placeholder

from keepmum_edge.daemon.answer import RestoringAnswer, StoredAnswer, replay
from keepmum_edge.daemon.asking import Asking
from keepmum_edge.daemon.block.blocks import Blocks
from keepmum_edge.daemon.chat import (
    SELF,
    Answer,
    AnswerEvent,
    Attempt,
    ChatRequest,
    Context,
    KeptMemory,
    MemoriesKept,
    MemoriesUsed,
    ViewsReleased,
)
from keepmum_edge.daemon.cloud_client import CloudClient
from keepmum_edge.daemon.conversation import Conversations
from keepmum_edge.daemon.departing import Departing, Turn
from keepmum_edge.daemon.forget.tombstones import Tombstones
from keepmum_edge.daemon.memory_writing import Written
from keepmum_edge.daemon.readers import Readers
from keepmum_edge.daemon.turn_log import KnownTurn, TurnLog
from keepmum_edge.daemon.turn_memory import Gleaned, TurnMemory
from keepmum_edge.daemon.turns_under_way import TurnsUnderWay
from keepmum_edge.daemon.views.turn_views import TurnViews
from keepmum_edge.daemon.visibility import Visibility
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.errors import (
    CloudBrokeOffError,
    CloudRefusedError,
    CloudUnreachableError,
    UnavailableError,
)
from keepmum_edge.memory.draft import Draft
from keepmum_edge.memory.record import CloudState, Kind

_CHECKPOINT_EVERY: Final = 12
"""Turns; a turn writes about 50 pages, and at 1000 a COMMIT would have to do it."""
_PIECES: Final = (ContentDelta, ToolCallDelta, Finished, Usage)


class MemoryIndex(Protocol):
    """What the turn asks of the owner's records; `daemon.memories` answers it."""

    def admitted(self, ids: tuple[MemoryId, ...], scope: str) -> tuple[tuple[MemoryId, ...], dict[Placeholder, str]]:
        """Return which of the ids are shared records of that scope, and the values of their placeholders."""
        ...


class Turns:
    """Answers chat requests.

    Args:
        memory_writer: The same thread for work that gives way to requests before their departure.
        readers: Other threads than those that make requests ready.
        checkpoint: Moves the database's log into its file; run between turns, so that no turn has to wait for it.
        when_ended: Told after every turn, when nothing more of it is to be sent or stored.
        cloud: Returns the client of the paired cloud half, or raises NotPairedError.
    """

    def __init__(
        self,
        *,
        writer: Writer,
        memory_writer: Writer,
        transaction: Callable[[], contextlib.AbstractContextManager[object]],
        checkpoint: Callable[[], None],
        when_ended: Callable[[], None],
        departing: Departing,
        asking: Asking,
        under_way: TurnsUnderWay,
        conversations: Conversations,
        log: TurnLog,
        memory: MemoryIndex,
        tombstones: Tombstones,
        turn_memory: TurnMemory,
        blocks: Blocks,
        readers: Readers,
        views: TurnViews,
        cloud: Callable[[], CloudClient],
    ) -> None:
        self._writer = writer
        self._memory_writer = memory_writer
        self._transaction = transaction
        self._checkpoint = checkpoint
        self._when_ended = when_ended
        self._ended = 0
        self._departing = departing
        self._asking = asking
        self._under_way = under_way
        self._conversations = conversations
        self._log = log
        self._memory = memory
        self._tombstones = tombstones
        self._turn_memory = turn_memory
        self._blocks = blocks
        self._readers = readers
        self._views = views
        self._cloud = cloud

    async def answer(self, chat: ChatRequest, context: Context, attempt: Attempt) -> Answer:
        """Begin an answer, or give a stored one again.

        Raises:
            KeepmumError: before anything of the answer was given; nothing was sent unmasked.
        """
        arrived = self._departing.arrived()
        cloud = self._cloud()
        with self._departing.coming():
            given, chat = chat, await self._blocks.unframed(chat)
        known, ended = await self._under_way.identify(chat, context, attempt)
        if known.answer is not None:
            return await self._replay(known, known.answer, context)
        try:
            turn, request = await self._departing.depart(known, given, chat, context, cloud, arrived)
            events = self._events(turn, cloud, request, ended)
            first = [event async for event in _until_visible(events)]
            rest = _chained(first, events)
            await anext(rest)  # begun, so that closing it unread ends the turn too
        except BaseException:
            self._end(known, ended)
            raise
        return Answer(
            turn=turn.id,
            conversation=turn.conversation.id,
            model=turn.model,
            created=turn.created,
            replayed=False,
            events=rest,
        )

    async def _events(
        self, turn: Turn, cloud: CloudClient, request: TurnRequest, ended: asyncio.Event
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Yield the client's events; whatever happens, the turn is noted as answered or failed."""
        answer = RestoringAnswer(turn.visibility)
        turn.has_left = True
        try:
            async with contextlib.aclosing(self._asking.events(cloud, request, turn.forgotten_before)) as events:
                async for event in events:
                    if isinstance(event, _PIECES):
                        for out in answer.feed(event):
                            yield out
                    else:
                        async for out in self._take(turn, answer, event):
                            yield out
            if not turn.answered:
                raise CloudBrokeOffError("the cloud half ended the answer in the middle; try again")
        except KeepmumError as error:
            turn.failure = error.cloud_code if isinstance(error, CloudRefusedError) else error.code
            if not turn.answered:
                for held in answer.abandon():
                    yield held
            raise
        finally:
            try:
                with contextlib.suppress(UnavailableError):
                    await self._confirm(turn, stored=False)
                if not turn.answered:
                    await self._writer.run(lambda: self._fail(turn))
            finally:
                self._end(turn.known, ended)
        async for out in self._closing(turn, answer):
            yield out

    async def _closing(self, turn: Turn, answer: RestoringAnswer) -> AsyncGenerator[AnswerEvent, None]:
        """Yield the end. The turn is over and its connection closed: nothing sent can depend on what is looked up."""
        if turn.question is not None and turn.failure is None and answer.is_one_text:
            async for block in self._blocks.below(turn.question, turn.context.block):
                yield block
        for out in answer.closing():
            yield out

    async def _take(self, turn: Turn, answer: RestoringAnswer, event: TurnEvent) -> AsyncGenerator[AnswerEvent, None]:
        """Take an event that is no piece of the answer."""
        if isinstance(event, Started):
            turn.model = event.model
            await self._confirm(turn, stored=True)
        elif isinstance(event, MemoryUsed):
            async for used in self._admit(turn, event):
                yield used
        elif isinstance(event, TurnFailed):
            raise CloudRefusedError(event.message, cloud_code=event.code, status=502, retryable=event.retryable)
        elif isinstance(event, Done):
            stored = answer.stored(model=turn.model, created=turn.created, memories=turn.memories)
            gleaned = await self._glean(turn)
            await self._writer.run(lambda: self._keep(turn, answer, stored))
            written = await self._remember(turn, gleaned)
            if written.kept or written.closed or written.asked:
                yield _kept(written)
            if turn.drawn:
                yield ViewsReleased(views=turn.drawn)

    async def _glean(self, turn: Turn) -> Gleaned:
        """Read the owner's message for what is worth remembering; nothing for any other kind of request."""
        if turn.newest is None:
            return Gleaned()
        message, vault = turn.newest, turn.visibility.vault
        hold = self._departing.holding()
        return await self._readers.run(len(message), lambda _: self._turn_memory.glean(message, vault, hold))

    async def _confirm(self, turn: Turn, *, stored: bool) -> None:
        """Note what became of the turn's batch, once."""
        writes, turn.writes = turn.writes, ()
        if not writes:
            return

        def confirm() -> None:
            with self._transaction():
                self._turn_memory.confirm(writes, stored=stored)

        await self._writer.run(confirm)

    async def _admit(self, turn: Turn, event: MemoryUsed) -> AsyncGenerator[AnswerEvent, None]:
        """Let values of recalled memories be restored, as far as this edge's own index admits them."""
        if turn.context.audience != SELF or turn.context.mode != "normal":
            return
        scope = turn.context.scope
        turn.memories, values = await self._writer.run(lambda: self._memory.admitted(event.memories, scope))
        turn.visibility.memories = values
        if turn.memories:
            yield MemoriesUsed(memories=turn.memories)

    def _keep(self, turn: Turn, answer: RestoringAnswer, stored: StoredAnswer) -> None:
        """Store what was said, unless it was forgotten while it was said: then the client has it and nobody else."""
        if self._tombstones.covers(turn.id, stored.memories):
            turn.failure, turn.answered = "forgotten", True
            with self._transaction():
                self._log.forgotten(turn.id)
            return
        produced = [choice.message for choice in stored.choices]
        with self._transaction():
            said = self._conversations.extend(
                turn.conversation,
                turn.history,
                turn.masked.chat.messages,
                list(zip(answer.shown(), produced, strict=True)),
            )
            self._log.answered(turn.id, stored)
            self._turn_memory.note_used(turn.memories)
            self._note_sent(turn)
        turn.conversation.note(said)
        turn.answered = True

    async def _remember(self, turn: Turn, gleaned: Gleaned) -> Written:
        """Keep what was gleaned, in slices between which requests come, unless the turn is forgotten meanwhile."""
        written, place = Written(), (turn.id, turn.conversation.id, turn.context.scope)

        def keep(part: Draft | Gleaned) -> None:
            nonlocal written
            if self._tombstones.covers(turn.id, turn.memories):
                return
            memory = self._turn_memory
            written += memory.observe(part, *place) if isinstance(part, Gleaned) else memory.keep(part, *place)

        if turn.newest is not None:
            parts: tuple[Draft | Gleaned, ...] = (*gleaned.drafts, gleaned)
            await self._memory_writer.run_each(parts, keep, self._transaction)
        return written

    def _fail(self, turn: Turn) -> None:
        """Note the failure; if that cannot be stored either, the next start does it."""
        with contextlib.suppress(UnavailableError), self._transaction():
            self._log.failed(turn.id, turn.failure or "cancelled")
            self._note_sent(turn)

    def _note_sent(self, turn: Turn) -> None:
        """Note what the owner's own words touched: that left, whatever came back, unless no cloud was there."""
        left = turn.has_left and turn.failure != CloudUnreachableError.code
        if turn.newest is not None and left and not self._tombstones.covers(turn.id, ()):
            self._views.note_sent(turn.id, turn.newest)

    def _end(self, known: KnownTurn, ended: asyncio.Event) -> None:
        self._under_way.end(known, ended)
        self._ended += 1
        if self._ended % _CHECKPOINT_EVERY == 0:
            self._writer.run_later(self._checkpoint)
        self._when_ended()

    async def _replay(self, known: KnownTurn, stored: StoredAnswer, context: Context) -> Answer:
        def rights() -> Visibility:
            assert known.conversation is not None
            vault = self._conversations.vault_of(known.conversation)
            memories = self._memory.admitted(stored.memories, context.scope)[1] if stored.memories else {}
            return Visibility(vault=vault, carried=stored.placeholders, memories=memories)

        assert known.conversation is not None
        visibility = await self._writer.run(rights)
        return Answer(
            turn=known.turn,
            conversation=known.conversation,
            model=stored.model,
            created=stored.created,
            replayed=True,
            events=_replayed(replay(stored, visibility)),
        )


async def _until_visible(events: AsyncGenerator[AnswerEvent, None]) -> AsyncGenerator[AnswerEvent, None]:
    """Yield events up to and with the first that a client sees, so that an early failure is a plain error."""
    async for event in events:
        yield event
        if not isinstance(event, MemoriesUsed | MemoriesKept | ViewsReleased):
            return


async def _chained(
    first: list[AnswerEvent], rest: AsyncGenerator[AnswerEvent, None]
) -> AsyncGenerator[AnswerEvent, None]:
    """Yield one event that is thrown away, then all."""
    async with contextlib.aclosing(rest):
        yield Usage(prompt_tokens=0, completion_tokens=0)
        for event in first:
            yield event
        async for event in rest:
            yield event


async def _replayed(events: Iterator[AnswerEvent]) -> AsyncGenerator[AnswerEvent, None]:
    for event in events:
        yield event


def _kept(written: Written) -> MemoriesKept:
    here = (CloudState.LOCAL_ONLY, CloudState.KEPT)
    return MemoriesKept(
        kept=tuple(
            KeptMemory(
                id=record.id,
                text=record.text,
                here_only=record.cloud in here,
                inferred=record.confidence if record.kind is Kind.INFERRED else None,
            )
            for record in written.kept
        ),
        closed=written.closed,
        asked={asked.id: asked.category for asked in written.asked},
    )
