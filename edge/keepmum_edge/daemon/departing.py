"""A turn on its way out: masked, noted, its views released, and sent at its fixed time, or refused at the same time.

Order (design section 3): find spans; in one transaction bind the placeholders and note the turn and its trace; COMMIT;
compare with the cloud's copy of the ledger; have the cloud confirm deletions that wait; release the views; wait for the
departure. What was bound stays bound, for its tokens may have left.
"""

import contextlib
import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from keepmum_shared.errors import KeepmumError
from keepmum_shared.ids import MemoryId, ScopeKey, TurnId
from keepmum_shared.messages import MemoryWrite, TurnRequest

from keepmum_edge.daemon.asking import Deliverer
from keepmum_edge.daemon.block.blocks import Blocks
from keepmum_edge.daemon.block.making import Question, question_of
from keepmum_edge.daemon.chat import SELF, ChatRequest, Context
from keepmum_edge.daemon.cloud_client import CloudClient
from keepmum_edge.daemon.conversation import Conversation, Conversations
from keepmum_edge.daemon.departures import Departures
from keepmum_edge.daemon.forget.tombstones import Tombstones
from keepmum_edge.daemon.identity import Digester, History
from keepmum_edge.daemon.own_values import OwnValues
from keepmum_edge.daemon.readers import Extract, Readers
from keepmum_edge.daemon.trace import TraceRecord
from keepmum_edge.daemon.turn import MaskedChat, Masker, find_spans, texts_of_owner, texts_to_read
from keepmum_edge.daemon.turn_log import KnownTurn, TurnLog
from keepmum_edge.daemon.turn_memory import TurnMemory
from keepmum_edge.daemon.views.turn_views import TurnRelease, TurnViews
from keepmum_edge.daemon.visibility import Visibility
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.errors import UnavailableError
from keepmum_edge.spans.extractor import TextKind
from keepmum_edge.spans.recurrence import Known
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.vault.pseudonymise import MaskSettings
from keepmum_edge.vault.store import VaultStore
from keepmum_edge.views.released import ExplainedView


class ScopeKeys(Protocol):
    """Under which key the cloud keeps a scope; `daemon.memories` answers it."""

    def scope_key(self, scope: str) -> ScopeKey:
        """Return the key of a scope, made on first use; inside the caller's transaction."""
        ...


@dataclass(slots=True, kw_only=True)
class Turn:
    """A turn under way."""

    known: KnownTurn
    history: History
    context: Context
    conversation: Conversation
    masked: MaskedChat
    visibility: Visibility
    created: int
    scope: ScopeKey | None
    """Under which key the cloud's memory is read and written; None: it is not."""
    writes: tuple[MemoryWrite, ...]
    newest: str | None = field(repr=False)
    """The owner's newest message in placeholder text, if that is what this request brought."""
    question: Question | None
    """What a person asks, in clear; no longer than the turn lasts."""
    forgotten_before: int = 0
    """Mark of the tombstones: what was forgotten at it, the cloud had confirmed before the turn left."""
    drawn: tuple[ExplainedView, ...] = ()
    """Views that leave with it for the first time."""
    has_left: bool = False
    model: str = ""
    memories: tuple[MemoryId, ...] = ()
    answered: bool = False
    failure: str | None = None

    @property
    def id(self) -> TurnId:
        """Its id."""
        return self.known.turn


class Departing:
    """Makes turns ready and lets them leave.

    Args:
        now: Unix seconds.
    """

    def __init__(
        self,
        *,
        writer: Writer,
        transaction: Callable[[], contextlib.AbstractContextManager[object]],
        conversations: Conversations,
        vaults: VaultStore,
        own_values: OwnValues,
        log: TurnLog,
        scopes: ScopeKeys,
        tombstones: Tombstones,
        turn_memory: TurnMemory,
        blocks: Blocks,
        readers: Readers,
        digester: Digester,
        settings: MaskSettings,
        memory_allowed: bool,
        views: TurnViews,
        delivery: Deliverer,
        departures: Departures,
        now: Callable[[], float],
    ) -> None:
        self._writer = writer
        self._transaction = transaction
        self._conversations = conversations
        self._vaults = vaults
        self._own_values = own_values
        self._log = log
        self._scopes = scopes
        self._tombstones = tombstones
        self._turn_memory = turn_memory
        self._blocks = blocks
        self._readers = readers
        self._digester = digester
        self._settings = settings
        self._memory_allowed = memory_allowed
        self._views = views
        self._delivery = delivery
        self._departures = departures
        self._now = now

    def arrived(self) -> int:
        """Return the time of an arrival, from which the departure is counted."""
        return self._departures.now()

    def coming(self) -> contextlib.AbstractContextManager[None]:
        """Let memory work give way while the block looks at what a request is."""
        return self._departures.coming()

    def holding(self) -> Callable[[], None]:
        """Return what an answer's work on memory calls between its steps, to give way to other requests."""
        return self._departures.holding()

    async def depart(
        self,
        known: KnownTurn,
        given: ChatRequest,
        unframed: ChatRequest,
        context: Context,
        cloud: CloudClient,
        arrived: int,
    ) -> tuple[Turn, TurnRequest]:
        """Make a turn ready and wait for its departure; one that does not come so far is noted as failed.

        Args:
            known: Which turn it is.
            given, unframed: The request as it came, and without the framed blocks of this computer.
            context: In what setting.
            cloud: To which it goes.
            arrived: When it came.

        Raises:
            KeepmumError: it may not leave; nothing was sent.
        """
        turn: Turn | None = None
        try:
            async with self._departures.of(arrived):
                turn = prepared = await self._prepare(known, given, unframed, context)
                await self._views.meet(cloud)
                turn.forgotten_before = self._tombstones.mark()
                await self._delivery.before_turn(cloud)
                request = await self._writer.run(lambda: self._release(prepared, cloud))
        except BaseException as error:
            if turn is not None:
                failure = error.code if isinstance(error, KeepmumError) else "cancelled"
                await self._writer.run(lambda: self._stayed(prepared, failure))
            raise
        return turn, request

    async def _prepare(self, known: KnownTurn, given: ChatRequest, unframed: ChatRequest, context: Context) -> Turn:
        """Mask the request and make its bindings durable; nothing has been sent when this returns."""
        history, conversation, unread, secrets = await self._writer.run(lambda: self._resolve(unframed, context))
        vault, messages = conversation.vault, dict(conversation.known)
        chat = await self._blocks.without_lines(unframed, history.messages, messages)
        question = question_of(given, chat, context)
        new = (m for m, digest in zip(chat.messages, history.messages, strict=True) if digest not in messages)
        added = ((text, TextKind.PROSE) for text in unread)
        own = (*texts_of_owner(chat, messages, history.messages, context), *unread)

        def read(extract: Extract) -> dict[str, tuple[PrivateSpan, ...]]:
            texts = (*texts_to_read(chat, messages, history.messages, vault), *added)
            found = find_spans(texts, extract, vault, lambda: self._own_values.standing_in(own, secrets))
            for text in unread:
                self._turn_memory.foresee(text, found[text])
            return found

        length = sum(len(message.content or "") for message in new) + sum(map(len, unread))
        spans = await self._readers.run(length, read)
        return await self._writer.run(lambda: self._bind(known, chat, question, history, context, conversation, spans))

    def _resolve(
        self, chat: ChatRequest, context: Context
    ) -> tuple[History, Conversation, tuple[str, ...], tuple[Known, ...]]:
        history = self._digester.history(chat.messages, context.scope)
        conversation = self._conversations.resolve(history, context)
        self._own_values.refresh()
        unread = self._turn_memory.unnumbered(context.scope) if self._shares(context) else ()
        return history, conversation, unread, self._conversations.secrets(of_incognito=False)

    def _bind(
        self,
        known: KnownTurn,
        chat: ChatRequest,
        question: str | None,
        history: History,
        context: Context,
        conversation: Conversation,
        spans: dict[str, tuple[PrivateSpan, ...]],
    ) -> Turn:
        vault = conversation.vault.copy()
        masker = Masker(
            context=context,
            vault=vault,
            profile=self._vaults,
            settings=self._settings,
            spans_of=lambda text: spans[text] if text in spans else self._readers.extract(text),
        )
        created = int(self._now())
        with self._transaction():
            self._log.expire(self._views.believed_time())
            self._conversations.store(conversation)
            masked = masker.mask(chat, conversation.known, history.messages)
            if not conversation.is_incognito:
                self._vaults.save(conversation.id, vault.unsaved(), vault.next_numbers)
            kept = dataclasses.replace(
                masked.chat, messages=self._tombstones.redacted(masked.chat.messages, history.chains)
            )
            writes = self._turn_memory.batch(context.scope, masker.spans_of) if self._shares(context) else ()
            taken = self._turn_memory.taken_along(writes)
            trace = TraceRecord(turn=known.turn, conversation=conversation.id, at=created, sent=kept, batch=taken)
            self._log.begin(known, trace)
            scope = self._scopes.scope_key(context.scope) if self._shares(context) else None
        vault.mark_saved()
        conversation.vault = vault
        conversation.is_stored = True
        return Turn(
            known=known,
            history=history,
            context=context,
            conversation=conversation,
            masked=masked,
            visibility=Visibility(vault=vault, carried=masked.carried),
            created=created,
            scope=scope,
            writes=writes,
            newest=_newest(masked.chat, context),
            question=None if question is None else Question(question, known.turn, conversation.id, context),
        )

    def _release(self, turn: Turn, cloud: CloudClient) -> TurnRequest:
        """Release the turn's views, note them, and return what is sent."""
        release = self._views.release(turn.id, turn.masked.chat, turn.context, cloud)
        if release.views:
            with self._transaction():
                self._log.carries(turn.id, release.views)
        turn.drawn = release.first
        return _request(turn, release)

    def _stayed(self, turn: Turn, failure: str) -> None:
        """Note that a turn did not leave; if that cannot be stored either, the next start does it."""
        with contextlib.suppress(UnavailableError), self._transaction():
            self._log.failed(turn.id, failure)

    def _shares(self, context: Context) -> bool:
        """Say whether the turn may read and write the cloud's memory."""
        return context.audience == SELF and context.mode == "normal" and self._memory_allowed


def _request(turn: Turn, release: TurnRelease) -> TurnRequest:
    chat = turn.masked.chat
    return TurnRequest(
        turn=turn.id,
        policy=release.policy,
        messages=chat.messages,
        sampling=chat.sampling,
        tools=chat.tools,
        tool_choice=chat.tool_choice,
        parallel_tool_calls=chat.parallel_tool_calls,
        response_format=chat.response_format,
        scope=turn.scope,
        memory_read=turn.scope is not None,
        views=tuple(map(str, release.views)),
        seal=release.seal,
        writes=turn.writes,
    )


def _newest(chat: ChatRequest, context: Context) -> str | None:
    """Return the owner's newest message in placeholder text, or None: only that is ever a source of memories."""
    newest = chat.messages[-1]
    return newest.content if newest.role == "user" and context.audience == SELF and context.mode == "normal" else None
