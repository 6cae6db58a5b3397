"""The only way to the cloud: signed requests over TLS that trusts one certificate, the paired one.

Retries happen only before the first byte of an answer; the turn id makes them the same turn. Every failure becomes a
CloudError in words; foreign errors are wrapped here and lose their text, which could quote a request.
"""

import asyncio
import contextlib
import dataclasses
import secrets
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from keepmum_shared import codec, signing
from keepmum_shared.errors import WireError
from keepmum_shared.held import INSTANCE
from keepmum_shared.ids import MemoryId
from keepmum_shared.messages import (
    AddMemories,
    DeleteMemories,
    DeletionStatement,
    DeviceResponse,
    Done,
    ErrorResponse,
    HistoryOfMemory,
    MemoriesDeleted,
    MemoriesExport,
    MemoriesFound,
    MemoriesHeld,
    MemoriesStored,
    MemoriesUpdated,
    MemoryHistory,
    ModelsResponse,
    SealResponse,
    SearchMemories,
    SignedSeal,
    TurnEvent,
    TurnEventEnvelope,
    TurnFailed,
    TurnRequest,
    UpdateMemories,
)
from keepmum_shared.sse import EventTooLongError, SseParser

from keepmum_edge.daemon.cloud_certificate import certificate_of, fingerprint_of, is_signed_by
from keepmum_edge.daemon.cloud_http import Patience, pinned_client, plain_words, whole_body
from keepmum_edge.daemon.store import Pairing
from keepmum_edge.errors import (
    CloudBrokeOffError,
    CloudError,
    CloudRefusedError,
    CloudTimeoutError,
    CloudUnreachableError,
)
from keepmum_edge.views.sampling import ByteSource

T = TypeVar("T")

_END_WAIT_S: Final = 0.5
_NONCE_BYTES: Final = 16


_PASSING: Final = frozenset({"busy", "rate_limited"})
"""Refusals that pass in a moment. What the model server refused, the cloud half has tried again itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedDeletion:
    """A deletion that the cloud half stated, and the fingerprint of the key that signed it."""

    statement: DeletionStatement
    signature: str
    fingerprint: str

    @property
    def gone(self) -> frozenset[MemoryId]:
        """Under which ids nothing is held."""
        return frozenset(self.statement.gone)


class CloudClient:
    """Talks to one paired cloud half. Create and use it inside one event loop.

    Args:
        clock: Unix seconds, for signatures.
        nonces: Random bytes, for the same.
    """

    def __init__(
        self, pairing: Pairing, patience: Patience, clock: Callable[[], float], nonces: ByteSource = secrets.token_bytes
    ) -> None:
        self._pairing = pairing
        self._patience = patience
        self._clock = clock
        self._nonces = nonces
        self._key = Ed25519PrivateKey.from_private_bytes(pairing.private_key)
        self._http = pinned_client(pairing.host, pairing.port, pairing.certificate_pem, patience)
        self.instance: str | None = None
        """What the cloud half drew when it started, as of its last answer; None: not known."""

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def _trust_renewed_certificate(self) -> bool:
        """Trust a new certificate for the paired key, which a server makes when the old one nears its end."""
        pinned = fingerprint_of(ssl.PEM_cert_to_DER_cert(self._pairing.certificate_pem))
        where = self._pairing.host, self._pairing.port
        try:
            certificate = await certificate_of(*where, pinned, self._patience.connect)
        except CloudError:
            return False
        if certificate == self._pairing.certificate_pem:
            return False
        await self._http.aclose()
        self._pairing = dataclasses.replace(self._pairing, certificate_pem=certificate)
        self._http = pinned_client(*where, certificate, self._patience)
        return True

    async def turn(self, request: TurnRequest) -> AsyncGenerator[TurnEvent, None]:
        """Send one turn and yield its events up to and with the last one; what comes behind that is not read.

        Closing the iterator closes the connection, which cancels the turn at the cloud.

        Raises:
            CloudError: unreachable, too slow, refused, or broken off before the last event.
        """
        body = codec.encode(request)
        async with contextlib.AsyncExitStack() as stack:
            response = await self._open("POST", "/v1/turns", body, stack)
            parser = SseParser()
            try:
                chunks = self._pieces(response)
                async for chunk in chunks:
                    for payload in parser.feed(chunk):
                        event = codec.decode(TurnEventEnvelope, payload).item
                        yield event
                        if isinstance(event, Done | TurnFailed):
                            await _end(chunks)
                            return
                for payload in parser.close():
                    yield codec.decode(TurnEventEnvelope, payload).item
            except (httpx.TimeoutException, TimeoutError):
                raise CloudTimeoutError("the cloud half went silent in the middle of an answer; try again") from None
            except httpx.HTTPError:
                raise CloudBrokeOffError("the connection to the cloud half broke in the middle of an answer") from None
            except (WireError, EventTooLongError):
                raise CloudBrokeOffError("the cloud half sent an event that this version cannot read") from None

    async def _pieces(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        """Yield what comes. Raises TimeoutError when nothing does."""
        pieces = response.aiter_raw()
        while True:
            async with asyncio.timeout(self._patience.silence):
                piece = await anext(pieces, None)
            if piece is None:
                return
            yield piece

    async def models(self) -> ModelsResponse:
        """Ask which models answer."""
        return await self._call("GET", "/v1/models", b"", ModelsResponse)

    async def device(self, *, once: bool = False) -> DeviceResponse:
        """Ask what the cloud knows of this device; a cheap test of the whole path. `once`: without trying again."""
        return await self._call("GET", "/v1/device", b"", DeviceResponse, once=once)

    async def seal(self) -> SignedSeal | None:
        """Ask for the newest seal of this device's ledger.

        Raises:
            CloudBrokeOffError: it is not signed by this device.
        """
        seal = (await self._call("GET", "/v1/seal", b"", SealResponse)).seal
        if seal is not None and self.sign_seal(counter=seal.counter, total=seal.total) != seal:
            raise CloudBrokeOffError("the cloud half gave a ledger seal that this computer never signed")
        return seal

    def sign_seal(self, *, counter: int, total: int) -> SignedSeal:
        """Return a seal as it travels; Ed25519 gives one signature for one text, so an unchanged seal is the same."""
        signed = signing.seal_bytes(device=self._pairing.device, counter=counter, total=total)
        return SignedSeal(counter=counter, total=total, signature=signing.to_base64url(self._key.sign(signed)))

    async def add_memories(self, request: AddMemories) -> MemoriesStored:
        """Store memories."""
        return await self._call("POST", "/v1/memories", codec.encode(request), MemoriesStored)

    async def search_memories(self, request: SearchMemories) -> MemoriesFound:
        """Search one scope."""
        return await self._call("POST", "/v1/memories/search", codec.encode(request), MemoriesFound)

    async def update_memories(self, request: UpdateMemories) -> MemoriesUpdated:
        """Change memories that are there."""
        return await self._call("POST", "/v1/memories/update", codec.encode(request), MemoriesUpdated)

    async def memory_history(self, request: HistoryOfMemory) -> MemoryHistory:
        """Ask what a memory said before."""
        return await self._call("POST", "/v1/memories/history", codec.encode(request), MemoryHistory)

    async def export_memories(self, after: int = 0) -> MemoriesExport:
        """Ask for a page of all that the cloud holds of this device."""
        path = f"/v1/memories/export?after={after}" if after else "/v1/memories/export"
        return await self._call("GET", path, b"", MemoriesExport)

    async def held_memories(self, after: int = 0) -> MemoriesHeld:
        """Ask for a page of which memories the cloud holds of this device, and in which state."""
        path = f"/v1/memories/held?after={after}" if after else "/v1/memories/held"
        return await self._call("GET", path, b"", MemoriesHeld)

    async def delete_memories(self, request: DeleteMemories) -> StatedDeletion:
        """Delete memories by id; return what the cloud has signed about it.

        Raises:
            CloudBrokeOffError: its statement is not about this, or not signed by the paired server's key.
        """
        answer = await self._call("POST", "/v1/memories/delete", codec.encode(request), MemoriesDeleted)
        statement = answer.statement
        about = (statement.device, statement.forget, statement.everything)
        fits = about == (self._pairing.device, request.forget, request.everything)
        certificate = ssl.PEM_cert_to_DER_cert(self._pairing.certificate_pem)
        if not fits or not is_signed_by(certificate, statement, answer.signature):
            raise CloudBrokeOffError("the cloud half's statement about the deletion does not hold; it is asked again")
        return StatedDeletion(statement=statement, signature=answer.signature, fingerprint=fingerprint_of(certificate))

    async def _call(self, method: str, path: str, body: bytes, kind: type[T], *, once: bool = False) -> T:
        async with contextlib.AsyncExitStack() as stack:
            response = await self._open(method, path, body, stack, once=once)
            try:
                return codec.decode(kind, await whole_body(response))
            except httpx.TimeoutException:
                raise CloudTimeoutError("the cloud half did not answer in time; try again") from None
            except httpx.HTTPError:
                raise CloudBrokeOffError("the connection to the cloud half broke; try again") from None
            except WireError:
                raise CloudBrokeOffError("the cloud half sent an answer that this version cannot read") from None

    async def _open(
        self, method: str, path: str, body: bytes, stack: contextlib.AsyncExitStack, *, once: bool = False
    ) -> httpx.Response:
        """Send a request, again where that is safe, and return the response once its status is known to be 200."""
        waits = iter(() if once else self._patience.waits())
        while True:
            try:
                request = self._http.build_request(
                    method, path, content=body, headers=self._headers(method, path, body)
                )
                async with asyncio.timeout(self._patience.first):
                    response = await self._http.send(request, stream=True)
            except httpx.ConnectTimeout:
                error: CloudError = CloudTimeoutError(
                    f"the cloud half at {self._where} does not answer; is it running?"
                )
            except (httpx.TimeoutException, TimeoutError):  # the request may be at work there, so it is not sent again
                raise CloudTimeoutError("the cloud half did not begin to answer in time; try again") from None
            except (httpx.HTTPError, ssl.SSLError):
                if await self._trust_renewed_certificate():  # true once for each certificate
                    continue
                error = CloudUnreachableError(
                    f"no trusted connection to the cloud half at {self._where}; start it (`keepmum cloud serve`), "
                    "or pair again if it was set up anew (`keepmum pair`)"
                )
            else:
                stack.push_async_callback(response.aclose)
                self.instance = response.headers.get(INSTANCE)
                if response.status_code == httpx.codes.OK:
                    return response
                error = await self._refusal(response)
                if not (isinstance(error, CloudRefusedError) and error.cloud_code in _PASSING):
                    raise error
            if (wait := next(waits, None)) is None:
                raise error
            await asyncio.sleep(wait)

    @property
    def _where(self) -> str:
        return f"{self._pairing.host}:{self._pairing.port}"

    def _headers(self, method: str, path: str, body: bytes) -> dict[str, str]:
        time, nonce = int(self._clock()), signing.to_base64url(self._nonces(_NONCE_BYTES))
        signed = signing.signed_bytes(
            method=method, target=path, body=body, time=time, nonce=nonce, device=self._pairing.device
        )
        return {
            "content-type": "application/json",
            signing.HEADER_DEVICE: self._pairing.device,
            signing.HEADER_TIME: str(time),
            signing.HEADER_NONCE: nonce,
            signing.HEADER_SIGNATURE: signing.to_base64url(self._key.sign(signed)),
        }

    async def _refusal(self, response: httpx.Response) -> CloudError:
        """Read the cloud's error; its words hold no text of the request (`messages.ErrorBody`)."""
        try:
            error = codec.decode(ErrorResponse, await whole_body(response)).error
        except (WireError, httpx.HTTPError):
            return CloudRefusedError(
                f"the cloud half answered with status {response.status_code}",
                cloud_code="unknown",
                status=response.status_code,
                retryable=response.status_code >= httpx.codes.INTERNAL_SERVER_ERROR,
            )
        message = plain_words(error.message)
        if error.time is not None:
            ahead = round(self._clock()) - error.time
            message = (
                f"this computer's clock and the cloud half's differ by {abs(ahead)} seconds "
                f"(this one is {'ahead' if ahead > 0 else 'behind'}); set the clock and try again"
            )
        return CloudRefusedError(message, cloud_code=error.code, status=response.status_code, retryable=error.retryable)


async def _end(chunks: AsyncIterator[bytes]) -> None:
    """Let a stream end after its last event, so that its connection can be used again; but not for long."""
    with contextlib.suppress(TimeoutError, httpx.HTTPError):
        async with asyncio.timeout(_END_WAIT_S):
            await anext(chunks, b"")
