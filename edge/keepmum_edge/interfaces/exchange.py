"""One HTTP exchange: a bounded strict JSON body in, work that stops when the client goes, an event stream out."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Mapping
from contextlib import aclosing, suppress
from typing import Any, TypeVar

from keepmum_shared.codec import MAX_BODY, parse_json
from keepmum_shared.errors import TooLargeError
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

T = TypeVar("T")


class ClientGoneError(Exception):
    """The client closed the connection; there is no one to answer."""


async def read_json(request: Request) -> Any:
    """Read the body as strict JSON.

    Raises:
        TooLargeError: over MAX_BODY bytes, judged before they are all held.
        MalformedError: not UTF-8, not JSON, a doubled key, a lone surrogate.
    """
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > MAX_BODY:
        raise TooLargeError("", MAX_BODY)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            raise TooLargeError("", MAX_BODY)
    return parse_json(bytes(body))


async def until_gone(receive: Receive, work: Coroutine[Any, Any, T]) -> T:
    """Await `work`, cancelling it when the client disconnects. The body must have been read.

    Raises:
        ClientGoneError: the client disconnected first.
    """
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_disconnect(receive))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise ClientGoneError
    finally:
        await _cancel(task, gone)


async def _disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _cancel(*tasks: "asyncio.Future[Any]") -> None:
    """Cancel what still runs, wait until its clean-up is through, and look at what it raised so that nothing warns."""
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    for task in tasks:
        if not task.cancelled():
            task.exception()


class EventStream(Response):
    """A `text/event-stream` that closes its source whenever the exchange ends, also when the client goes."""

    media_type = "text/event-stream"

    def __init__(
        self, lines: AsyncGenerator[bytes, None], *, source: AsyncGenerator[Any, None], headers: Mapping[str, str]
    ) -> None:
        """Stream `lines`, which are made from `source`; `source` is closed even if no line was ever asked for."""
        self.status_code = 200
        self.background = None
        self._lines = lines
        self._source = source
        self.init_headers({**headers, "cache-control": "no-store", "x-accel-buffering": "no"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream to its end or to the client's."""
        async with aclosing(self._source), aclosing(self._lines):
            with suppress(ClientGoneError):
                await until_gone(receive, self._send_all(send))

    async def _send_all(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async for line in self._lines:
            await send({"type": "http.response.body", "body": line, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
