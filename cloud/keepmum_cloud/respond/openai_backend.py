"""Any OpenAI-compatible server (vLLM, llama.cpp, a provider) as the response model, over httpx.

Before the first piece of an answer, 429, 5xx and broken connections are tried again; after it nothing is, since the
text may already be shown. The key goes into one header and nowhere else; what the server says in an error is never
passed on, because servers like to quote the request.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
from keepmum_shared.codec import canonical_json
from keepmum_shared.messages import ChatMessage, ModelInfo
from keepmum_shared.sse import EventTooLongError, SseParser

from keepmum_cloud.errors import (
    ContextLengthError,
    ModelBrokeOffError,
    ModelError,
    ModelRefusedError,
    ModelUnavailableError,
    RateLimitedError,
)
from keepmum_cloud.respond.openai_stream import ChunkReader
from keepmum_cloud.respond.prompt import Prompt
from keepmum_cloud.respond.responder import AnswerPiece

_MAX_ERROR_BODY: Final = 64 * 1024
_MAX_WAIT_S: Final = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAiServer:
    """Where the server is and how patient to be.

    Attributes:
        base_url: With `/v1`, as clients of that server are told.
        model: What goes into the request's `model`.
        connect_s, read_s: Seconds until a connection, and between two pieces of an answer.
        tries: At least 1.
        backoff_s: Seconds before the second try; doubled for each one after.
    """

    base_url: str
    model: str
    api_key: str | None = field(default=None, repr=False)
    connect_s: float = 10.0
    read_s: float = 120.0
    tries: int = 3
    backoff_s: float = 0.5


class OpenAiResponder:
    """A `Responder` that asks the server."""

    def __init__(self, server: OpenAiServer, *, created: int, jitter: Callable[[], float]) -> None:
        """`created` is what `models` says; `jitter` draws from [0, 1) and spreads the waits."""
        self._server = server
        self._created = created
        self._jitter = jitter
        headers = {"authorization": f"Bearer {server.api_key}"} if server.api_key else {}
        self._client = httpx.AsyncClient(
            base_url=server.base_url.rstrip("/") + "/",
            headers=headers | {"accept-encoding": "identity", "user-agent": "keepmum-cloud"},
            timeout=httpx.Timeout(server.read_s, connect=server.connect_s),
            trust_env=False,  # a proxy or a key log named in the environment must not see prompts
        )

    def models(self) -> tuple[ModelInfo, ...]:
        """Return the configured model."""
        return (ModelInfo(id=self._server.model, created=self._created),)

    async def check(self) -> None:
        """Ask the server for its models; any answer but a refusal of the key shows that it is there."""
        try:
            response = await self._client.get("models", timeout=self._server.connect_s)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._unreachable(error) from None
        if response.status_code in (401, 403):
            raise ModelUnavailableError("the model server refuses the key; check `api_key_file` in the configuration")
        if response.status_code >= 500:
            raise ModelUnavailableError(f"the model server answers with status {response.status_code}; see its own log")

    async def respond(self, prompt: Prompt) -> AsyncIterator[AnswerPiece]:
        """Stream the answer; see `Responder`."""
        async with AsyncExitStack() as stack:
            response = await self._open(prompt, stack)
            reader = ChunkReader(choices=prompt.sampling.n)
            async for data in self._events(response):
                if data.strip() == "[DONE]":
                    break
                for piece in reader.read(data):
                    yield piece
            for piece in reader.close():
                yield piece

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _open(self, prompt: Prompt, stack: AsyncExitStack) -> httpx.Response:
        body = canonical_json(request_body(self._server.model, prompt)).encode("utf-8")
        wait = self._server.backoff_s
        for attempt in range(1, self._server.tries + 1):
            retry_after = None
            try:
                return await self._try(body, stack)
            except RateLimitedError as error:
                failure: ModelError | RateLimitedError = error
                retry_after = error.retry_after_s
            except ModelUnavailableError as error:
                failure = error
            if attempt == self._server.tries:
                raise failure
            await asyncio.sleep(min(_MAX_WAIT_S, max(wait * (0.5 + self._jitter()), retry_after or 0)))
            wait *= 2
        raise AssertionError  # the loop returns or raises

    async def _try(self, body: bytes, stack: AsyncExitStack) -> httpx.Response:
        try:
            response = await stack.enter_async_context(
                self._client.stream(
                    "POST", "chat/completions", content=body, headers={"content-type": "application/json"}
                )
            )
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._unreachable(error) from None
        if response.status_code != 200:
            raise await _refusal(response)
        return response

    async def _events(self, response: httpx.Response) -> AsyncIterator[str]:
        parser = SseParser()
        try:
            async for chunk in response.aiter_raw():
                for data in parser.feed(chunk):
                    yield data
        except EventTooLongError:
            raise ModelBrokeOffError("the model server sent an event that is too long; the answer was ended") from None
        except httpx.HTTPError as error:
            raise ModelBrokeOffError(
                f"the model server broke off its answer ({type(error).__name__}); try again, or see its own log"
            ) from None
        for data in parser.close():
            yield data

    def _unreachable(self, error: Exception) -> ModelUnavailableError:
        return ModelUnavailableError(
            f"the model server cannot be reached ({type(error).__name__}); check that it runs and that `base_url` in "
            "the configuration is its address"
        )


async def _refusal(response: httpx.Response) -> ModelError | RateLimitedError:
    """Read an error answer for what can be told from its status and code."""
    status = response.status_code
    if status == 429:
        after = response.headers.get("retry-after", "")
        seconds = int(after) if after.isascii() and after.isdigit() else 1
        return RateLimitedError("the model server takes no more requests now", retry_after_s=min(seconds, 3600))
    if status >= 500:
        return ModelUnavailableError(f"the model server answers with status {status}; see its own log")
    try:
        text = b"".join([chunk async for chunk in response.aiter_raw()])[:_MAX_ERROR_BODY]
        code = json.loads(text)["error"]["code"]
    except (httpx.HTTPError, ValueError, KeyError, TypeError, RecursionError):
        code = None
    if code == "context_length_exceeded":
        return ContextLengthError(None, None)
    return ModelRefusedError(status)


def request_body(model: str, prompt: Prompt) -> dict[str, Any]:
    """Return the chat completion request; what was left to the server is left out."""
    sampling = prompt.sampling
    optional = {
        "n": sampling.n if sampling.n != 1 else None,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_tokens": sampling.max_tokens,
        "stop": list(sampling.stop) if sampling.stop else None,
        "seed": sampling.seed,
        "presence_penalty": sampling.presence_penalty,
        "frequency_penalty": sampling.frequency_penalty,
        "logit_bias": sampling.logit_bias,
        "tools": list(prompt.tools) or None,
        "tool_choice": prompt.tool_choice,
        "parallel_tool_calls": prompt.parallel_tool_calls,
        "response_format": prompt.response_format,
    }
    return {
        "model": model,
        "messages": [_plain_message(message) for message in prompt.messages],
        "stream": True,
        "stream_options": {"include_usage": True},
    } | {name: value for name, value in optional.items() if value is not None}


def _plain_message(message: ChatMessage) -> dict[str, Any]:
    plain: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.name is not None:
        plain["name"] = message.name
    if message.tool_calls is not None:
        plain["tool_calls"] = [
            {
                "id": call.id,
                "type": call.type,
                "function": {"name": call.function.name, "arguments": call.function.arguments},
            }
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        plain["tool_call_id"] = message.tool_call_id
    return plain
