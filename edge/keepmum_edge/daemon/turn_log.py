"""Which turns there were, their answers for a retry, and their traces; on the writer's thread.

Normal turns are stored. Incognito ones are kept in memory for the same uses and are gone with the process.
"""

import dataclasses
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from keepmum_shared import codec
from keepmum_shared.ids import ConversationId, TurnId

from keepmum_edge.daemon.answer import StoredAnswer
from keepmum_edge.daemon.chat import ChatRequest
from keepmum_edge.daemon.trace import TakenAlong, TraceRecord
from keepmum_edge.daemon.turn_store import StoredTurn, TraceStore, TurnStore
from keepmum_edge.daemon.turn_store import Trace as StoredTrace
from keepmum_edge.errors import NotFoundError
from keepmum_edge.views.released import Released

_MAX_VOLATILE: Final = 256
"""Incognito turns remembered by this process."""
_EXPIRE_EVERY_S: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownTurn:
    """A turn as far as it is known.

    Attributes:
        request_digest, key_digest: Of the request and of the client's idempotency key.
        conversation, answer: None unless it was answered.
    """

    turn: TurnId
    request_digest: bytes
    key_digest: bytes | None
    incognito: bool
    conversation: ConversationId | None = None
    answer: StoredAnswer | None = field(default=None, repr=False)

    @property
    def name(self) -> bytes:
        """What tells it from others while it is under way."""
        return self.key_digest or self.request_digest


@dataclass(frozen=True, slots=True, kw_only=True)
class _Meta:
    """What is noted with a trace besides its texts."""

    failure: str | None = None
    views: tuple[Released, ...] = ()
    batch: tuple[TakenAlong, ...] = ()


@dataclass(slots=True)
class _Volatile:
    known: KnownTurn
    trace: TraceRecord


class TurnLog:
    """The turns of one profile.

    Args:
        replay_s: For how long a retry gets the stored answer, seconds.
        trace_days: For how long traces are kept; 0 keeps none.
        now: Unix seconds.
    """

    def __init__(
        self, turns: TurnStore, traces: TraceStore, *, replay_s: int, trace_days: int, now: Callable[[], float]
    ) -> None:
        self._turns = turns
        self._traces = traces
        self._replay_s = replay_s
        self._trace_s = trace_days * 86_400
        self._now = now
        self._volatile: OrderedDict[TurnId, _Volatile] = OrderedDict()
        self._next_expiry = 0.0

    def by_key(self, digest: bytes) -> KnownTurn | None:
        """Return the turn that came with this idempotency key, while it can be replayed."""
        for turn in self._volatile.values():
            if turn.known.key_digest == digest and turn.trace.at >= self._since:
                return turn.known
        stored = self._turns.by_idempotency(digest)
        if stored is None or (stored.answered_at or stored.created_at) < self._since:
            return None
        return _known(stored)

    def by_request(self, digest: bytes) -> KnownTurn | None:
        """Return the newest turn with this request, while it can be replayed."""
        for turn in reversed(self._volatile.values()):
            if turn.known.request_digest == digest and turn.trace.at >= self._since:
                return turn.known
        stored = self._turns.by_request(digest, self._since)
        return None if stored is None else _known(stored)

    def begin(self, known: KnownTurn, trace: TraceRecord) -> None:
        """Note a turn and what is about to be sent; inside the caller's transaction."""
        if known.incognito:
            self._volatile[known.turn] = _Volatile(known, trace)
            while len(self._volatile) > _MAX_VOLATILE:
                self._volatile.popitem(last=False)
            return
        self._turns.begin(
            StoredTurn(
                id=known.turn,
                conversation=trace.conversation,
                request_digest=known.request_digest,
                idempotency_digest=known.key_digest,
                created_at=trace.at,
            )
        )
        if self._trace_s:
            sent = codec.encode(trace.sent).decode()
            self._traces.put(
                StoredTrace(
                    turn=trace.turn,
                    conversation=trace.conversation,
                    created_at=trace.at,
                    sent_json=sent,
                    meta_json=_noted(_Meta(batch=trace.batch)),
                )
            )

    def carries(self, turn: TurnId, views: tuple[Released, ...]) -> None:
        """Note what of views a turn is about to carry; inside the caller's transaction. None of an incognito turn."""
        stored = self._traces.get(turn)
        if stored is not None:
            self._traces.annotate(turn, _noted(dataclasses.replace(_meta(stored), views=views)))

    def answered(self, turn: TurnId, answer: StoredAnswer) -> None:
        """Keep the answer; inside the caller's transaction."""
        volatile = self._volatile.get(turn)
        if volatile is not None:
            conversation = volatile.trace.conversation
            volatile.known = dataclasses.replace(volatile.known, answer=answer, conversation=conversation)
            volatile.trace = dataclasses.replace(volatile.trace, received=answer)
            return
        self._turns.answer(turn, codec.encode(answer).decode(), int(self._now()))

    def failed(self, turn: TurnId, failure: str) -> None:
        """Note how a turn ended without an answer; inside the caller's transaction."""
        volatile = self._volatile.get(turn)
        if volatile is not None:
            volatile.trace = dataclasses.replace(volatile.trace, failure=failure)
            return
        self._turns.fail(turn)
        stored = self._traces.get(turn)
        if stored is not None:
            self._traces.annotate(turn, _noted(dataclasses.replace(_meta(stored), failure=failure)))

    def forget_incognito(self) -> int:
        """Drop the incognito turns that have ended; return how many."""
        ended = [
            turn
            for turn, held in self._volatile.items()
            if held.known.answer is not None or held.trace.failure is not None
        ]
        for turn in ended:
            del self._volatile[turn]
        return len(ended)

    def forgotten(self, turn: TurnId) -> None:
        """Drop what began of a turn that was forgotten while it ran; inside the caller's transaction."""
        self._volatile.pop(turn, None)
        self._turns.fail(turn)
        self._turns.strip(turn)
        self._traces.delete(turn)

    def trace(self, turn: TurnId | None) -> TraceRecord:
        """Return one trace, the newest for None.

        Raises:
            NotFoundError: there is none (any more).
        """
        if turn is None:
            found = self.traces(1)
        else:
            stored = self._traces.get(turn)
            volatile = self._volatile.get(turn)
            found = [volatile.trace] if volatile else [] if stored is None else [_trace(stored)]
        if not found and turn is None:
            raise NotFoundError("there is no turn to show yet; your next message makes one", param="turn")
        if not found:
            raise NotFoundError("there is no such turn (any more); `keepmum trace --last 20` lists them", param="turn")
        return found[0]

    def traces(self, limit: int) -> list[TraceRecord]:
        """Return the newest traces, newest first: in the order in which they came, whatever the clock said."""
        stored = [_trace(stored) for stored in self._traces.recent(limit)]
        volatile = [turn.trace for turn in reversed(self._volatile.values())][:limit]
        now, found = self._now(), list[TraceRecord]()
        while stored or volatile:
            older_stored = volatile and (not stored or volatile[0].at >= stored[0].at or stored[0].at > now)
            found.append((volatile if older_stored else stored).pop(0))
        return found[:limit]

    def expire(self, believed: float) -> None:
        """Drop what is too old; inside the caller's transaction, and at most once a minute.

        Args:
            believed: Unix seconds; behind what the clock says while it is far ahead and nobody has confirmed it.
        """
        if self._now() < self._next_expiry:
            return
        self._next_expiry = self._now() + _EXPIRE_EVERY_S
        at = int(min(believed, self._now()))
        self._traces.take_over(at - self._replay_s)
        self._turns.expire(at - self._replay_s)
        self._traces.expire(at - self._trace_s)

    @property
    def _since(self) -> int:
        return int(self._now()) - self._replay_s


def _known(stored: StoredTurn) -> KnownTurn:
    answer = stored.answer_json
    return KnownTurn(
        turn=stored.id,
        request_digest=stored.request_digest or b"",
        key_digest=stored.idempotency_digest,
        incognito=False,
        conversation=stored.conversation,
        answer=None if answer is None else codec.decode(StoredAnswer, answer),
    )


def _trace(stored: StoredTrace) -> TraceRecord:
    meta = _meta(stored)
    return TraceRecord(
        turn=stored.turn,
        conversation=stored.conversation,
        at=stored.created_at,
        sent=codec.decode(ChatRequest, stored.sent_json),
        received=None if stored.received_json is None else codec.decode(StoredAnswer, stored.received_json),
        failure=meta.failure,
        views=meta.views,
        batch=meta.batch,
    )


def _meta(stored: StoredTrace) -> _Meta:
    return codec.decode(_Meta, stored.meta_json)


def _noted(meta: _Meta) -> str:
    return codec.encode(meta).decode()
