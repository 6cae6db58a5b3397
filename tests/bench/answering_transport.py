"""An HTTP transport that answers a turn in this process, in place of the cloud half: no socket, no TLS, no model.

The client above it is the real one, so a turn over it has all of the edge's own work: encoding, signing, the HTTP
client, reading events. What the transport itself takes is noted, so that it can be left out.
"""

import re
import time
from collections.abc import AsyncIterator, Iterator

import httpx
from keepmum_shared import codec
from keepmum_shared.ids import new_device_id
from keepmum_shared.messages import (
    ContentDelta,
    DeviceResponse,
    Done,
    Finished,
    SealResponse,
    Started,
    TurnEvent,
    TurnEventEnvelope,
    Usage,
)
from keepmum_shared.view import shipped_policies

_DEVICE = DeviceResponse(device=new_device_id(), name="bench", paired_at=1, time=1, policies=tuple(shipped_policies()))
_TOKEN = re.compile(rb"<[A-Z][A-Z_]*_[0-9]+>")


class AnsweringTransport(httpx.AsyncBaseTransport):
    """Answers each request with a few words and the placeholders of its newest message.

    Attributes:
        asked_at: When the last request came, `perf_counter` seconds.
        spent_s: Seconds that the transport took over it.
    """

    def __init__(self, pieces: int) -> None:
        self._pieces = pieces
        self.asked_at = 0.0
        self.spent_s = 0.0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Prepare the whole answer, one event a piece; say what a paired cloud says of itself before the first turn."""
        about = {"/v1/seal": SealResponse(), "/v1/device": _DEVICE}.get(request.url.path)
        if about is not None:
            return httpx.Response(200, stream=_Stream([codec.encode(about)]))
        self.asked_at = time.perf_counter()
        tokens = [token.decode() for token in _TOKEN.findall(request.content)[-3:]]
        words = [*("ok " for _ in range(self._pieces - 2 * len(tokens))), *_halves(tokens)]
        events: list[TurnEvent] = [Started(model="scripted"), *(ContentDelta(text=word) for word in words)]
        events += [Finished(reason="stop"), Usage(prompt_tokens=100, completion_tokens=len(words)), Done()]
        stream = [b"data: " + codec.encode(TurnEventEnvelope(item=event)) + b"\n\n" for event in events]
        self.spent_s = time.perf_counter() - self.asked_at
        return httpx.Response(200, stream=_Stream(stream))


class _Stream(httpx.AsyncByteStream):
    def __init__(self, chunks: list[bytes]) -> None:
        self._chunks = chunks

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self._chunks:
            yield chunk


def _halves(tokens: list[str]) -> Iterator[str]:
    """Cut each token in two, as a model writes it."""
    for token in tokens:
        yield from (f" {token[:4]}", token[4:])
