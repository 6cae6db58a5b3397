"""The routes of `keepmum_shared.messages`, and /healthz, /readyz, /metrics.

A signed route reads, in this order: the headers, the device, its rate limit, the body up to its limit, the signature,
the clock, the nonce; and only then parses the body.
"""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from keepmum_shared.codec import MAX_BODY, decode
from keepmum_shared.errors import KeepmumError, MalformedError, TooLargeError
from keepmum_shared.messages import (
    AddMemories,
    DeleteMemories,
    DeletionStatement,
    DeviceResponse,
    HistoryOfMemory,
    MemoriesDeleted,
    MemoriesFound,
    ModelsResponse,
    PairRequest,
    PairResponse,
    SealResponse,
    SearchMemories,
    TurnRequest,
    UpdateMemories,
)
from keepmum_shared.view import shipped_policies
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from keepmum_cloud.answer_stream import AnswerStream
from keepmum_cloud.answers import error_response, json_response
from keepmum_cloud.auth import Gate, read_credentials
from keepmum_cloud.config import CloudConfig
from keepmum_cloud.database import Database
from keepmum_cloud.errors import ModelError, RouteError, StoreError
from keepmum_cloud.journal import Journal
from keepmum_cloud.limits import RateLimit, TurnSlots
from keepmum_cloud.logs import LOGGER
from keepmum_cloud.memory.embedding_work import EmbeddingState, EmbeddingWork
from keepmum_cloud.memory.operations import Memories
from keepmum_cloud.pairing import Device, Devices
from keepmum_cloud.respond.responder import Responder
from keepmum_cloud.seals import Seals
from keepmum_cloud.turns import Turns

_MAX_PAIR_BODY: Final = 4096
_PAIR_TRIES_PER_S: Final = 0.5
_PAIR_BURST: Final = 20
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1"})

SignedHandler = Callable[[Device, bytes], Awaitable[Response]]
"""Takes who asks and what: the body, or the query of a GET."""


@dataclass(frozen=True, kw_only=True)
class Cloud:
    """The parts of one server; `create_app` puts routes around them.

    Attributes:
        sign: Signs a statement by the server's key.
        clock: Unix time in seconds.
    """

    config: CloudConfig
    database: Database
    memories: Memories
    embedding: EmbeddingWork
    responder: Responder
    sign: Callable[[DeletionStatement], str]
    clock: Callable[[], float] = time.time
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)


def create_app(cloud: Cloud) -> Journal:
    """Build the application; nothing is read from the environment here."""
    routes = _Routes(cloud)
    signed = routes.signed
    app = Starlette(
        routes=[
            Route("/v1/pair", routes.pair, methods=["POST"]),
            Route("/v1/device", signed(routes.device), methods=["GET"]),
            Route("/v1/seal", signed(routes.seal), methods=["GET"]),
            Route("/v1/turns", signed(routes.turn), methods=["POST"]),
            Route("/v1/memories", signed(routes.add), methods=["POST"]),
            Route("/v1/memories/search", signed(routes.search), methods=["POST"]),
            Route("/v1/memories/delete", signed(routes.delete), methods=["POST"]),
            Route("/v1/memories/update", signed(routes.update), methods=["POST"]),
            Route("/v1/memories/history", signed(routes.history), methods=["POST"]),
            Route("/v1/memories/export", signed(routes.export), methods=["GET"]),
            Route("/v1/memories/held", signed(routes.held), methods=["GET"]),
            Route("/v1/models", signed(routes.models), methods=["GET"]),
            Route("/healthz", routes.healthz),
            Route("/readyz", routes.readyz),
            Route("/metrics", routes.metrics),
        ],
        exception_handlers={KeepmumError: _on_error, HTTPException: _on_http_error, ClientDisconnect: _on_disconnect},
    )
    app.router.redirect_slashes = False
    return Journal(app, cloud.counts)


async def _on_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, KeepmumError)
    return error_response(error)


async def _on_http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return error_response(RouteError("no such route, or not by this method"), status=error.status_code)


async def _on_disconnect(_: Request, __: Exception) -> Response:
    return Response(status_code=400)  # no one is there to read it


class _Routes:
    """One method a route; each takes what is needed from the request and hands it to the part that does the work."""

    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud
        self._gate = Gate(cloud.database)
        self._devices = Devices(cloud.database)
        self._memories = cloud.memories
        self._seals = Seals(cloud.database)
        self._turns = Turns(cloud.responder, self._memories, self._seals, max_messages=cloud.config.max_messages)
        self._slots = TurnSlots(cloud.config.max_turns)
        self._rate = RateLimit(per_second=cloud.config.requests_per_second, burst=cloud.config.burst)
        self._pair_rate = RateLimit(per_second=_PAIR_TRIES_PER_S, burst=_PAIR_BURST)

    def _now(self) -> int:
        return int(self._cloud.clock())

    def signed(self, handler: SignedHandler) -> Callable[[Request], Awaitable[Response]]:
        """Return the endpoint that lets only signed, new requests of paired devices reach `handler`."""

        async def endpoint(request: Request) -> Response:
            credentials = read_credentials(request.headers)
            device = await asyncio.to_thread(self._gate.device, credentials)
            self._rate.take(device.id, time.monotonic())
            request.state.device = device.id
            body = await _read_body(request, MAX_BODY)
            await asyncio.to_thread(
                self._gate.admit,
                device,
                credentials,
                method=request.method,
                target=_target(request),
                body=body,
                now=self._now(),
            )
            return await handler(device, body if request.method == "POST" else request.url.query.encode())

        return endpoint

    async def pair(self, request: Request) -> Response:
        """POST /v1/pair."""
        self._pair_rate.take("all", time.monotonic())
        message = decode(PairRequest, await _read_body(request, _MAX_PAIR_BODY))
        device = await asyncio.to_thread(self._devices.pair, message, self._now())
        LOGGER.info("paired device=%s", device)
        return json_response(PairResponse(device=device))

    async def device(self, device: Device, _: bytes) -> Response:
        """GET /v1/device."""
        return json_response(
            DeviceResponse(
                device=device.id,
                name=device.name,
                paired_at=device.paired_at,
                time=self._now(),
                policies=tuple(shipped_policies()),
            )
        )

    async def seal(self, device: Device, _: bytes) -> Response:
        """GET /v1/seal."""
        return json_response(SealResponse(seal=await asyncio.to_thread(self._seals.newest, device.id)))

    async def turn(self, device: Device, body: bytes) -> Response:
        """POST /v1/turns."""
        turn = decode(TurnRequest, body)
        prepared = await self._turns.prepare(device, turn)
        return AnswerStream(prepared, self._turns.answer(prepared), self._slots)

    async def add(self, device: Device, body: bytes) -> Response:
        """POST /v1/memories."""
        message = decode(AddMemories, body)
        return json_response(await asyncio.to_thread(self._memories.add, device.id, message.scope, message.memories))

    async def search(self, device: Device, body: bytes) -> Response:
        """POST /v1/memories/search."""
        message = decode(SearchMemories, body)
        found = await asyncio.to_thread(
            self._memories.search,
            device.id,
            message.scope,
            message.query,
            message.limit,
            trust_min=message.trust_min,
            closed=message.closed,
        )
        return json_response(MemoriesFound(memories=found))

    async def update(self, device: Device, body: bytes) -> Response:
        """POST /v1/memories/update."""
        message = decode(UpdateMemories, body)
        return json_response(
            await asyncio.to_thread(
                self._memories.update, device.id, message.scope, message.memories, keep_history=message.keep_history
            )
        )

    async def history(self, device: Device, body: bytes) -> Response:
        """POST /v1/memories/history."""
        message = decode(HistoryOfMemory, body)
        return json_response(await asyncio.to_thread(self._memories.history, device.id, message.memory))

    async def delete(self, device: Device, body: bytes) -> Response:
        """POST /v1/memories/delete: the statement is signed only once the bytes are gone."""
        message = decode(DeleteMemories, body)
        removed = await asyncio.to_thread(self._memories.delete, device.id, message.memories, forget=message.forget)
        if message.everything:
            await asyncio.to_thread(self._memories.delete_all, device.id)
        statement = DeletionStatement(
            device=device.id,
            gone=removed.gone,
            forget=message.forget,
            at=self._now(),
            everything=message.everything,
        )
        return json_response(
            MemoriesDeleted(
                deleted=removed.deleted,
                absent=removed.absent,
                derived=removed.derived,
                stale=removed.stale,
                statement=statement,
                signature=await asyncio.to_thread(self._cloud.sign, statement),
            )
        )

    async def export(self, device: Device, query: bytes) -> Response:
        """GET /v1/memories/export[?after=ROW]."""
        return json_response(await asyncio.to_thread(self._memories.export, device.id, after=_after(query)))

    async def held(self, device: Device, query: bytes) -> Response:
        """GET /v1/memories/held[?after=ROW]."""
        return json_response(await asyncio.to_thread(self._memories.held, device.id, after=_after(query)))

    async def models(self, _: Device, __: bytes) -> Response:
        """GET /v1/models."""
        await self._turns.model()
        return json_response(ModelsResponse(models=self._cloud.responder.models()))

    async def healthz(self, _: Request) -> Response:
        """GET /healthz: the process answers."""
        return PlainTextResponse("ok\n")

    async def readyz(self, _: Request) -> Response:
        """GET /readyz: turns can be answered. Says which part is not ready, and no more: anyone may ask."""
        try:
            await asyncio.to_thread(self._cloud.database.check)
            await self._cloud.responder.check()
        except (StoreError, ModelError) as error:
            part = "model" if isinstance(error, ModelError) else "store"
            return PlainTextResponse(f"not ready: {part}; the server's log says why\n", 503)
        if self._cloud.embedding.state is EmbeddingState.MISSING:
            return PlainTextResponse("ready; memories are searched by words only; the server's log says why\n")
        return PlainTextResponse("ready\n")

    async def metrics(self, request: Request) -> Response:
        """GET /metrics: counts in the text form of Prometheus, for this machine only."""
        if request.client is None or request.client.host not in _LOOPBACK:
            raise RouteError("no such route, or not by this method")
        lines = ["# TYPE keepmum_requests_total counter"]
        for (route, status), count in sorted(self._cloud.counts.items()):
            lines.append(f'keepmum_requests_total{{route="{route}",status="{status}"}} {count}')
        embeds = self._cloud.embedding.state is EmbeddingState.READY
        gauges = {
            "keepmum_turns_running": self._slots.running,
            "keepmum_embedding_ready": int(embeds),
            "keepmum_embeddings_pending": await asyncio.to_thread(self._memories.pending_embeddings),
        }
        for name, value in gauges.items():
            lines += [f"# TYPE {name} gauge", f"{name} {value}"]
        return PlainTextResponse("\n".join(lines) + "\n")


async def _read_body(request: Request, limit: int) -> bytes:
    """Read the body, but not a byte more than `limit`."""
    declared = request.headers.get("content-length", "0")
    if not (declared.isascii() and declared.isdigit()):
        raise MalformedError("", "content-length must be a number")
    if int(declared) > limit:
        raise TooLargeError("", limit)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise TooLargeError("", limit)
    return bytes(body)


def _after(query: bytes) -> int:
    """Read behind which row a page begins."""
    after = re.fullmatch(rb"(?:after=([0-9]{1,15}))?", query)
    if after is None:
        raise MalformedError("after", "must be a number")
    return int(after[1] or 0)


def _target(request: Request) -> str:
    """Return path and query as they stood in the request line."""
    raw_path = request.scope.get("raw_path") or request.url.path.encode()
    query = request.scope.get("query_string", b"")
    return (raw_path + (b"?" + query if query else b"")).decode("latin-1")
