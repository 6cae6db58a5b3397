"""The door of the local endpoint: who may ask at all. An ASGI middleware in front of every route.

Host    must name this machine by loopback, with our port: a page that rebinds its name to 127.0.0.1 is refused.
Origin  absent (programs) or our own: a page in the owner's browser is refused.
Headers ours, and those that name a turn, come once: which of two modes or audiences was meant is not guessed.
Token   `Authorization: Bearer TOKEN`, compared in constant time; only the probes need none.
Errors  whatever escapes a route becomes an answer and one log line with its class and place, never its words.
Log     one line a request: method, route name, status, milliseconds. No path, header or body at any level.
"""

import hmac
import logging
import time
from collections.abc import Sequence
from typing import Final

from keepmum_shared.errors import KeepmumError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from keepmum_edge.errors import ForbiddenOriginError, InvalidRequestError, UnauthorisedError
from keepmum_edge.interfaces.openai.errors import INTERNAL, HttpError, http_error
from keepmum_edge.interfaces.unforeseen import log_unforeseen

PROBES: Final = frozenset({"/healthz", "/readyz"})

_NAMES_TURN: Final = frozenset({b"idempotency-key", b"x-stainless-retry-count"})

_log = logging.getLogger("keepmum.http")


class Gate:
    """Lets a request through to the app, or answers it with an error."""

    def __init__(self, app: ASGIApp, *, token: str, port: int) -> None:
        if not token:
            raise ValueError("an empty token would let everyone in")
        self._app = app
        self._token = token.encode()
        self._hosts = loopback_hosts(port)
        self._origins = frozenset(f"http://{host}" for host in self._hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection scope; websockets are not spoken here."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        status = 0

        async def note_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            self._admit(scope)
            await self._app(scope, receive, note_status)
        except KeepmumError as error:
            await answer_error(http_error(error), status, note_status)
        except Exception as error:  # noqa: BLE001 - the process's entry point for requests; its words may hold user text
            log_unforeseen(error)
            await answer_error(INTERNAL, status, note_status)
        finally:
            elapsed = (time.perf_counter() - start) * 1000
            _log.info("%s %s %d %.1f ms", scope["method"][:8], _route_name(scope), status, elapsed)

    def _admit(self, scope: Scope) -> None:
        """Check Host, Origin, our headers and token, in this order.

        Raises:
            ForbiddenOriginError, UnauthorisedError: the request may come from elsewhere, or has no valid token.
            InvalidRequestError: a header that says what the request is came twice.
        """
        if one_header(scope, b"host") not in self._hosts:
            raise ForbiddenOriginError("the Host header must be this machine's loopback address and port", param="Host")
        if has_header(scope, b"origin") and one_header(scope, b"origin") not in self._origins:
            raise ForbiddenOriginError("requests from web pages are refused", param="Origin")
        if scope["path"] in PROBES:
            return
        _require_single(scope)
        scheme, _, token = one_header(scope, b"authorization").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(token.strip().encode(), self._token):
            raise UnauthorisedError("no valid local token; `keepmum token` prints it, send it as the API key")


def _require_single(scope: Scope) -> None:
    seen: set[bytes] = set()
    for name, _ in scope["headers"]:
        if name in seen and (name.startswith(b"x-keepmum-") or name in _NAMES_TURN):
            raise InvalidRequestError("a header came twice", param=name.decode("latin-1"))
        seen.add(name)


def loopback_hosts(port: int) -> frozenset[str]:
    """Return every form of the Host header that names this endpoint."""
    names = ("127.0.0.1", "localhost", "[::1]")
    return frozenset({f"{name}:{port}" for name in names} | (set(names) if port == 80 else set()))


def has_header(scope: Scope, name: bytes) -> bool:
    """Say whether the request carries the header at all."""
    return any(key == name for key, _ in scope["headers"])


def one_header(scope: Scope, name: bytes) -> str:
    """Return the header's value in lower case where case does not matter; "" if it is absent or came twice."""
    values: Sequence[bytes] = [value for key, value in scope["headers"] if key == name]
    if len(values) != 1:
        return ""
    text = values[0].decode("latin-1")
    return text if name == b"authorization" else text.lower()


async def answer_error(error: HttpError, status: int, send: Send) -> None:
    """Send an error as the whole response, unless one has begun already."""
    if status:
        return
    body = error.body
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(name.encode(), value.encode()) for name, value in error.headers.items()]
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _route_name(scope: Scope) -> str:
    return getattr(scope.get("endpoint"), "__name__", "-")
