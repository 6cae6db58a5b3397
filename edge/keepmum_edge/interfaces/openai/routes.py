"""`/v1/chat/completions` and `/v1/models`: requests in, the daemon's answer out as JSON or as a stream."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

from keepmum_shared.errors import KeepmumError
from keepmum_shared.messages import ModelInfo
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from keepmum_edge.daemon.chat import Answer
from keepmum_edge.errors import NotFoundError
from keepmum_edge.interfaces.exchange import ClientGoneError, EventStream, read_json, until_gone
from keepmum_edge.interfaces.openai.errors import INTERNAL, UNIFORM, http_error
from keepmum_edge.interfaces.openai.render import DONE, ChunkRenderer, CompletionBuilder, Json, sse, sse_error
from keepmum_edge.interfaces.openai.schema import Completion, read_completion
from keepmum_edge.interfaces.service import EdgeService
from keepmum_edge.interfaces.setting import from_owner, read_attempt, read_context
from keepmum_edge.interfaces.unforeseen import log_unforeseen

TURN: Final = "x-keepmum-turn"
CONVERSATION: Final = "x-keepmum-conversation"
CLIENT_CLOSED: Final = 499
ANY_MODEL: Final = "keepmum"
"""A name for clients that insist on one; the answer says which model wrote it."""


def openai_routes(service: EdgeService) -> list[Route]:
    """Return the OpenAI-compatible routes over one daemon."""

    async def chat_completions(request: Request) -> Response:
        """POST: one chat completion, streamed if asked for."""
        owner = from_owner(request.headers)
        wanted = read_completion(await read_json(request))
        context, attempt = read_context(request.headers), read_attempt(request.headers)

        async def complete() -> Response:
            answer = await service.answer(wanted.chat, context, attempt)
            return await _complete(answer, wanted, owner=owner)

        try:
            if not wanted.stream:
                return await until_gone(request.receive, complete())
            answer = await until_gone(request.receive, service.answer(wanted.chat, context, attempt))
            lines = _stream(answer, wanted, owner=owner)
            return EventStream(lines, source=answer.events, headers=_headers(answer, owner=owner))
        except ClientGoneError:
            return Response(status_code=CLIENT_CLOSED)

    async def all_models() -> list[ModelInfo]:
        """Return every response model, and after them the name that stands for whichever answers."""
        found = list(await service.models())
        return [*found, *(ModelInfo(id=ANY_MODEL, created=model.created) for model in found[:1])]

    async def models(_: Request) -> Response:
        """GET: every name that `model` may have."""
        return JSONResponse({"object": "list", "data": [_model(model) for model in await all_models()]})

    async def model(request: Request) -> Response:
        """GET: one of them."""
        wanted = request.path_params["model"]
        for known in await all_models():
            if known.id == wanted:
                return JSONResponse(_model(known))
        raise NotFoundError("no such model; GET /v1/models lists them", param="model")

    return [
        Route("/v1/chat/completions", chat_completions, methods=["POST"]),
        Route("/v1/models", models, methods=["GET"]),
        Route("/v1/models/{model:path}", model, methods=["GET"]),
    ]


async def _complete(answer: Answer, wanted: Completion, *, owner: bool) -> Response:
    """Collect the whole answer; the daemon's errors pass through."""
    builder = CompletionBuilder(answer, choices=wanted.chat.sampling.n, owner=owner)
    async with aclosing(answer.events) as events:
        async for event in events:
            builder.add(event)
    return JSONResponse(builder.build(), headers=_headers(answer, owner=owner))


async def _stream(answer: Answer, wanted: Completion, *, owner: bool) -> AsyncGenerator[bytes, None]:
    """Yield the lines of a stream; an error after the start is its last line, and then there is no [DONE]."""
    choices, usage = wanted.chat.sampling.n, wanted.include_usage
    renderer = ChunkRenderer(answer, choices=choices, include_usage=usage, owner=owner)
    try:
        async for event in answer.events:
            for chunk in renderer.render(event):
                yield sse(chunk)
        renderer.close()
    except KeepmumError as error:
        yield sse_error(http_error(error, owner=owner).fields)
        return
    except Exception as error:  # noqa: BLE001 - the status has been sent, so the gate can no longer say it
        log_unforeseen(error)
        yield sse_error((INTERNAL if owner else UNIFORM).fields)
        return
    yield DONE


def _headers(answer: Answer, *, owner: bool) -> dict[str, str]:
    return {TURN: answer.turn, CONVERSATION: answer.conversation} if owner else {}


def _model(model: ModelInfo) -> Json:
    return {"id": model.id, "object": "model", "created": model.created, "owned_by": model.owned_by}
