"""`/keepmum/v1/`: what the owner's own tools ask of the daemon, above all the command line. Same token as `/v1`.

| route                                  | body -> answer                                     |
|----------------------------------------|----------------------------------------------------|
| GET  status                            | -> version, ready, process                         |
| memories, pending, traces/TURN/memories | see `interfaces.memory_routes`                 |
| forget, receipts, DELETE memories/ID     | see `interfaces.forgetting`                      |
| budget, policy                           | see `interfaces.view_routes`                    |
| GET  traces[?limit=], traces/TURN, traces/newest | -> traces, one trace                     |
| GET  checks                            | -> checks                                          |
| POST pair                              | uri, name -> device                                |
| POST backup                            | folder -> records: how many it holds               |
| POST restore                           | folder, recovery_key -> what came back             |
| GET  export                            | -> document: every memory, in clear                |
| POST import                            | document -> what came in                           |
| POST shutdown                          | -> (the daemon ends)                               |
"""

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from keepmum_shared import codec
from keepmum_shared.codec import MAX_BODY
from keepmum_shared.ids import TurnId, is_id
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from keepmum_edge.daemon.trace import Trace
from keepmum_edge.errors import InvalidRequestError, NotFoundError
from keepmum_edge.interfaces.exchange import read_json
from keepmum_edge.interfaces.forgetting import forget_routes
from keepmum_edge.interfaces.memory_routes import PREFIX, memory_routes
from keepmum_edge.interfaces.openai.fields import an_object, refuse_unknown, required_text
from keepmum_edge.interfaces.openai.render import view_json
from keepmum_edge.interfaces.service import EdgeService
from keepmum_edge.interfaces.view_routes import view_routes

Json = dict[str, Any]

_MOST_TRACES: Final = 1000


def owner_routes(service: EdgeService, stop: Callable[[], None]) -> list[Route]:
    """Return the owner's routes over one daemon; `stop` asks the process to end."""
    return [
        *memory_routes(service),
        *forget_routes(service, PREFIX),
        *view_routes(service, PREFIX),
        *_trace_routes(service),
        *_daemon_routes(service, stop),
    ]


def _trace_routes(service: EdgeService) -> list[Route]:
    async def traces(request: Request) -> Response:
        limit = request.query_params.get("limit", "20")
        if not limit.isdecimal() or not 1 <= int(limit) <= _MOST_TRACES:
            raise InvalidRequestError(f"limit: must be 1 to {_MOST_TRACES}", param="limit")
        return JSONResponse({"traces": [_trace(trace) for trace in await service.traces(int(limit))]})

    async def trace(request: Request) -> Response:
        wanted = request.path_params["turn"]
        if wanted != "newest" and not is_id(wanted, "turn"):
            raise NotFoundError("no such turn; `keepmum trace --last 20` lists them", param="turn")
        return JSONResponse(_trace(await service.trace(None if wanted == "newest" else TurnId(wanted))))

    return [
        Route(f"{PREFIX}/traces", traces, methods=["GET"]),
        Route(f"{PREFIX}/traces/{{turn}}", trace, methods=["GET"]),
    ]


def _daemon_routes(service: EdgeService, stop: Callable[[], None]) -> list[Route]:
    async def status(_: Request) -> Response:
        return JSONResponse({"ready": service.ready(), "pid": os.getpid()})

    async def checks(_: Request) -> Response:
        found = [
            {"name": check.name, "status": check.status, "detail": check.detail, "next_step": check.next_step}
            for check in await service.checks()
        ]
        return JSONResponse({"checks": found})

    async def pair(request: Request) -> Response:
        body = await _body(request, "uri", "name")
        device = await service.pair(required_text(body, "uri", "", most=2048), required_text(body, "name", "", most=64))
        return JSONResponse({"device": device})

    async def backup(request: Request) -> Response:
        body = await _body(request, "folder")
        return JSONResponse({"records": await service.backup(Path(required_text(body, "folder", "", most=4096)))})

    async def restore(request: Request) -> Response:
        body = await _body(request, "folder", "recovery_key")
        done = await service.restore(
            Path(required_text(body, "folder", "", most=4096)), required_text(body, "recovery_key", "", most=128)
        )
        return JSONResponse({name: count for name, count in asdict(done).items() if name != "queued"})

    async def export(_: Request) -> Response:
        return JSONResponse({"document": await service.export_memories()})

    async def take_in(request: Request) -> Response:
        document = required_text(await _body(request, "document"), "document", "", most=MAX_BODY)
        return JSONResponse(asdict(await service.import_memories(document)))

    async def shutdown(_: Request) -> Response:
        return JSONResponse({"status": "stopping"}, status_code=202, background=BackgroundTask(stop))

    return [
        Route(f"{PREFIX}/status", status, methods=["GET"]),
        Route(f"{PREFIX}/checks", checks, methods=["GET"]),
        Route(f"{PREFIX}/pair", pair, methods=["POST"]),
        Route(f"{PREFIX}/backup", backup, methods=["POST"]),
        Route(f"{PREFIX}/restore", restore, methods=["POST"]),
        Route(f"{PREFIX}/export", export, methods=["GET"]),
        Route(f"{PREFIX}/import", take_in, methods=["POST"]),
        Route(f"{PREFIX}/shutdown", shutdown, methods=["POST"]),
    ]


async def _body(request: Request, *fields: str) -> Json:
    body = an_object(await read_json(request), "")
    refuse_unknown(body, fields, "")
    return dict(body)


def _trace(trace: Trace) -> Json:
    return {
        "turn": trace.turn,
        "conversation": trace.conversation,
        "at": trace.at,
        "typed": trace.typed,
        "sent": trace.sent,
        "received": trace.received,
        "shown": trace.shown,
        "model": trace.model,
        "messages": [json.loads(codec.encode(message)) for message in trace.messages],
        "memories_used": list(trace.memories_used),
        "memories_sent": [asdict(memory) for memory in trace.memories_sent],
        "counts": trace.counts,
        "failure": trace.failure,
        "views": [view_json(view) for view in trace.views],
    }
