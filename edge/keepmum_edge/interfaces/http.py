"""The local HTTP endpoint: every route over one daemon, behind one gate.

| routes                          | for                                   | token |
|---------------------------------|---------------------------------------|-------|
| /v1/chat/completions, /v1/models | OpenAI-compatible clients             | yes   |
| /keepmum/v1/...                 | the command line, on the owner's behalf | yes   |
| /healthz, /readyz               | supervisors                           | no    |
"""

from collections.abc import Callable

from keepmum_shared.errors import KeepmumError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from keepmum_edge.interfaces.gate import Gate
from keepmum_edge.interfaces.openai.errors import INTERNAL, UNIFORM, HttpError, http_error, routing_error
from keepmum_edge.interfaces.openai.routes import openai_routes
from keepmum_edge.interfaces.owner import owner_routes
from keepmum_edge.interfaces.service import EdgeService
from keepmum_edge.interfaces.setting import from_owner


def create_app(service: EdgeService, *, token: str, port: int, stop: Callable[[], None]) -> ASGIApp:
    """Build the endpoint; nothing is read from the environment here.

    Serve it with the access log off (uvicorn's holds paths): the gate writes one line a request.

    Args:
        service: The daemon.
        token: What clients send as their API key; not empty.
        port: Where it listens, as it appears in Host headers.
        stop: Asks the process to shut down; must return at once.
    """

    async def healthz(_: Request) -> Response:
        """The process is alive; nothing else is looked at."""
        return JSONResponse({"status": "ok"})

    async def readyz(_: Request) -> Response:
        """This half could mask a turn now; the body says whether the cloud half, which answers it, is there too."""
        ready = service.ready()
        body = {"status": "ready" if ready else "not_ready", "cloud": await service.cloud_standing()}
        return JSONResponse(body, status_code=200 if ready else 503)

    probes = [Route("/healthz", healthz, methods=["GET"]), Route("/readyz", readyz, methods=["GET"])]
    app = Starlette(
        routes=[*openai_routes(service), *owner_routes(service, stop), *probes],
        exception_handlers={KeepmumError: _on_keepmum_error, HTTPException: _on_routing_error, Exception: _on_other},
    )
    app.router.redirect_slashes = False
    return Gate(app, token=token, port=port)


def _response(error: HttpError) -> Response:
    return Response(error.body, status_code=error.status, headers=error.headers, media_type="application/json")


async def _on_keepmum_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, KeepmumError)
    return _response(http_error(error, owner=from_owner(request.headers)))


async def _on_routing_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _response(routing_error(error.status_code, error.headers or {}))


async def _on_other(request: Request, _: Exception) -> Response:
    """Answer an error that no one foresaw; the gate logs it."""
    return _response(INTERNAL if from_owner(request.headers) else UNIFORM)
