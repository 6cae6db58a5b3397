"""The answer of a turn as server-sent events (an ASGI response).

The status waits for the first piece of the answer, so that what fails before it is an HTTP error; but not longer than
FIRST_PIECE_WAIT_S: then the stream begins, comments keep it alive, and a failure is its last event. A client that goes
away cancels the model's work at once, also before the first piece.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final

from keepmum_shared.codec import encode
from keepmum_shared.errors import KeepmumError
from keepmum_shared.messages import Done, TurnEvent, TurnEventEnvelope, TurnFailed
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from keepmum_cloud.answers import error_response
from keepmum_cloud.errors import ModelBrokeOffError
from keepmum_cloud.limits import TurnSlots
from keepmum_cloud.logs import LOGGER
from keepmum_cloud.respond.responder import AnswerPiece
from keepmum_cloud.turns import PreparedTurn

FIRST_PIECE_WAIT_S: Final = 5.0
KEEP_ALIVE_S: Final = 10.0
_KEEP_ALIVE: Final = b": the model is at work\n\n"


class _End:
    """The pieces have ended without an error."""


class _ClientGone(Exception):  # no error: it ends the response
    """The client has closed the connection."""


class AnswerStream(Response):
    """Streams one turn; holds its slot until the model has stopped."""

    def __init__(
        self,
        turn: PreparedTurn,
        pieces: AsyncIterator[AnswerPiece],
        slots: TurnSlots,
        *,
        first_piece_wait_s: float = FIRST_PIECE_WAIT_S,
        keep_alive_s: float = KEEP_ALIVE_S,
    ) -> None:
        super().__init__(media_type="text/event-stream", headers={"cache-control": "no-store"})
        del self.headers["content-length"]
        self._turn = turn
        self._pieces = pieces
        self._slots = slots
        self._first_piece_wait_s = first_piece_wait_s
        self._keep_alive_s = keep_alive_s
        self._queue: asyncio.Queue[AnswerPiece | KeepmumError | _End] = asyncio.Queue()
        self.outcome = "cancelled"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer; raises BusyError before anything is sent if no slot is free."""
        with self._slots.one():
            gone = asyncio.create_task(_until_disconnect(receive))
            pump = asyncio.create_task(self._pump())
            try:
                await self._stream(gone, scope, receive, send)
            except (_ClientGone, OSError):  # OSError is how a server says that sending failed
                self.outcome = "cancelled"
            finally:
                gone.cancel()
                pump.cancel()
                _, failure = await asyncio.gather(gone, pump, return_exceptions=True)
                if isinstance(failure, Exception):
                    LOGGER.error("turn failed: %s", type(failure).__name__)

    async def _pump(self) -> None:
        """Move pieces into the queue. Cancelling it closes the responder's iterator, which stops the model."""
        end: KeepmumError | _End = ModelBrokeOffError("the model failed; try again")
        try:
            async for piece in self._pieces:
                self._queue.put_nowait(piece)
            end = _End()
        except KeepmumError as error:
            end = error
        finally:
            self._queue.put_nowait(end)
            await self._pieces.aclose()  # type: ignore[attr-defined]  # responders are async generators

    async def _stream(self, gone: asyncio.Task[None], scope: Scope, receive: Receive, send: Send) -> None:
        first = await self._next(gone, self._first_piece_wait_s)
        if isinstance(first, KeepmumError):
            self.outcome = first.code
            await error_response(first)(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        for event in self._turn.opening:
            await send(_chunk(_data(event)))
        item: AnswerPiece | KeepmumError | _End | None = first
        while not isinstance(item, _End | KeepmumError):
            await send(_chunk(_KEEP_ALIVE if item is None else _data(item)))
            item = await self._next(gone, self._keep_alive_s)
        await send(_chunk(_data(self._last(item)), more=False))

    def _last(self, end: KeepmumError | _End) -> TurnEvent:
        if isinstance(end, KeepmumError):
            self.outcome = end.code
            return TurnFailed(code=end.code, message=str(end), retryable=end.retryable)
        self.outcome = "done"
        return Done()

    async def _next(self, gone: asyncio.Task[None], wait_s: float) -> AnswerPiece | KeepmumError | _End | None:
        """Return the next item, or None if there was none in time."""
        if not self._queue.empty():
            return self._queue.get_nowait()
        getter = asyncio.create_task(self._queue.get())
        try:
            await asyncio.wait({getter, gone}, timeout=wait_s, return_when=asyncio.FIRST_COMPLETED)
            if getter.done():
                return getter.result()
        finally:
            getter.cancel()
        if gone.done():
            raise _ClientGone
        return None


async def _until_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _data(event: TurnEvent) -> bytes:
    return b"data: " + encode(TurnEventEnvelope(item=event)) + b"\n\n"


def _chunk(body: bytes, *, more: bool = True) -> dict[str, Any]:
    return {"type": "http.response.body", "body": body, "more_body": more}
