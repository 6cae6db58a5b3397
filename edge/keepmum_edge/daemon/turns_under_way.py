"""Which turn a request is: a new one or a repeated one, which waits for the first to end (design section 3.1)."""

import asyncio
from collections.abc import Callable

from keepmum_shared.ids import TurnId

from keepmum_edge.daemon.chat import Attempt, ChatRequest, Context
from keepmum_edge.daemon.identity import Digester
from keepmum_edge.daemon.turn_log import KnownTurn, TurnLog
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.errors import IdempotencyConflictError


class TurnsUnderWay:
    """The turns that run, by what names them: the idempotency key, else the request.

    Args:
        new_id: Draws the id of a new turn.
    """

    def __init__(self, log: TurnLog, digester: Digester, writer: Writer, *, new_id: Callable[[], TurnId]) -> None:
        self._log = log
        self._digester = digester
        self._writer = writer
        self._new_id = new_id
        self._running: dict[bytes, asyncio.Event] = {}

    async def identify(self, chat: ChatRequest, context: Context, attempt: Attempt) -> tuple[KnownTurn, asyncio.Event]:
        """Say which turn this is, and note it as under way if it has no answer; one under way is waited for.

        Raises:
            IdempotencyConflictError: the key came before with another request.
        """
        digest = self._digester.request(chat, context)
        key = attempt.idempotency_key
        key_digest = None if key is None else self._digester.name("idempotency", f"{context.application}\n{key}")
        repeats = key is not None or attempt.retry_count > 0
        while True:
            known = KnownTurn(
                turn=self._new_id(),
                request_digest=digest,
                key_digest=key_digest,
                incognito=context.mode == "incognito",
            )
            if repeats:
                found = await self._writer.run(lambda: self._look_up(digest, key_digest))
                known = found or known
            running = self._running.get(known.name) if repeats else None
            if running is None:  # from here to the note no other request runs
                ended = asyncio.Event()
                if known.answer is None:
                    self._running[known.name] = ended
                return known, ended
            await running.wait()

    def end(self, known: KnownTurn, ended: asyncio.Event) -> None:
        """Take a turn off, and let those go on that repeat it; `ended` is what `identify` gave."""
        ended.set()
        if self._running.get(known.name) is ended:
            del self._running[known.name]

    def _look_up(self, digest: bytes, key: bytes | None) -> KnownTurn | None:
        if key is None:
            return self._log.by_request(digest)
        known = self._log.by_key(key)
        if known is not None and known.request_digest != digest:
            raise IdempotencyConflictError(
                "this Idempotency-Key came before with another request; use a new key for a new request"
            )
        return known
