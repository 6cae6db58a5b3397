"""The only way to the cloud: signed requests over TLS that trusts one certificate, the paired one.

Retries happen only before the first byte of an answer; the turn id makes them the same turn. Every failure becomes a
CloudError in words; foreign errors are wrapped here and lose their text, which could quote a request.
"""

import asyncio
import contextlib
import dataclasses
import hashlib
import re
import secrets
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import httpx
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from keepmum_shared import codec, signing
from keepmum_shared.errors import TooLargeError, WireError
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
    MemoriesStored,
    MemoriesUpdated,
    MemoryHistory,
    ModelsResponse,
    PairRequest,
    PairResponse,
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

from keepmum_edge.daemon.store import Pairing
from keepmum_edge.errors import (
    CloudBrokeOffError,
    CloudError,
    CloudRefusedError,
    CloudTimeoutError,
    CloudUnreachableError,
    PairingError,
)
from keepmum_edge.views.sampling import ByteSource

T = TypeVar("T")

_BACK_OFF_S: Final = 0.2
_BACK_OFF_FACTOR: Final = 5
_MAX_BACK_OFF_S: Final = 5.0
_END_WAIT_S: Final = 0.5
_LONGEST_MESSAGE: Final = 500
_NONCE_BYTES: Final = 16
_NOT_PLAIN: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long to wait for the cloud, in seconds, and how often to try again.

    Attributes:
        connect: For a connection.
        first: For an answer to begin.
        silence: Between two pieces of an answer.
        retries: At most so many times a request that failed before its answer began is sent again.
    """

    connect: float = 5.0
    first: float = 120.0
    silence: float = 60.0
    retries: int = 2

    def waits(self) -> tuple[float, ...]:
        """Return the waits before each further try."""
        return tuple(min(_MAX_BACK_OFF_S, _BACK_OFF_S * _BACK_OFF_FACTOR**tried) for tried in range(self.retries))


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
        self._http = _http_client(pairing.host, pairing.port, pairing.certificate_pem, patience)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def _trust_renewed_certificate(self) -> bool:
        """Trust a new certificate for the paired key, which a server makes when the old one nears its end."""
        pinned = fingerprint_of(ssl.PEM_cert_to_DER_cert(self._pairing.certificate_pem))
        where = self._pairing.host, self._pairing.port
        try:
            certificate = await _certificate_of(*where, pinned, self._patience.connect)
        except CloudError:
            return False
        if certificate == self._pairing.certificate_pem:
            return False
        await self._http.aclose()
        self._pairing = dataclasses.replace(self._pairing, certificate_pem=certificate)
        self._http = _http_client(*where, certificate, self._patience)
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

    async def device(self) -> DeviceResponse:
        """Ask what the cloud knows of this device; a cheap test of the whole path."""
        return await self._call("GET", "/v1/device", b"", DeviceResponse)

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

    async def delete_memories(self, request: DeleteMemories) -> StatedDeletion:
        """Delete memories by id; return what the cloud has signed about it.

        Raises:
            CloudBrokeOffError: its statement is not about this, or not signed by the paired server's key.
        """
        answer = await self._call("POST", "/v1/memories/delete", codec.encode(request), MemoriesDeleted)
        statement = answer.statement
        fits = statement.device == self._pairing.device and statement.forget == request.forget
        certificate = ssl.PEM_cert_to_DER_cert(self._pairing.certificate_pem)
        if not fits or not is_signed_by(certificate, statement, answer.signature):
            raise CloudBrokeOffError("the cloud half's statement about the deletion does not hold; it is asked again")
        return StatedDeletion(statement=statement, signature=answer.signature, fingerprint=fingerprint_of(certificate))

    async def _call(self, method: str, path: str, body: bytes, kind: type[T]) -> T:
        async with contextlib.AsyncExitStack() as stack:
            response = await self._open(method, path, body, stack)
            try:
                return codec.decode(kind, await _body(response))
            except httpx.TimeoutException:
                raise CloudTimeoutError("the cloud half did not answer in time; try again") from None
            except httpx.HTTPError:
                raise CloudBrokeOffError("the connection to the cloud half broke; try again") from None
            except WireError:
                raise CloudBrokeOffError("the cloud half sent an answer that this version cannot read") from None

    async def _open(self, method: str, path: str, body: bytes, stack: contextlib.AsyncExitStack) -> httpx.Response:
        """Send a request, again where that is safe, and return the response once its status is known to be 200."""
        waits = iter(self._patience.waits())
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
            error = codec.decode(ErrorResponse, await _body(response)).error
        except (WireError, httpx.HTTPError):
            return CloudRefusedError(
                f"the cloud half answered with status {response.status_code}",
                cloud_code="unknown",
                status=response.status_code,
                retryable=response.status_code >= httpx.codes.INTERNAL_SERVER_ERROR,
            )
        message = _plain(error.message)
        if error.time is not None:
            ahead = round(self._clock()) - error.time
            message = (
                f"this computer's clock and the cloud half's differ by {abs(ahead)} seconds "
                f"(this one is {'ahead' if ahead > 0 else 'behind'}); set the clock and try again"
            )
        return CloudRefusedError(message, cloud_code=error.code, status=response.status_code, retryable=error.retryable)


async def pair(uri: str, *, name: str, patience: Patience, paired_at: int) -> Pairing:
    """Register this edge at the server that a one-time URI names.

    The server's certificate is compared with the URI's fingerprint before the secret is sent.

    Raises:
        PairingError: the URI is malformed, used or expired, or another server answers.
        CloudError: no connection.
    """
    try:
        target = signing.PairingUri.parse(uri)
    except ValueError:
        raise PairingError("that is no pairing URI; ask the cloud half for a new one (`keepmum-cloud pair`)") from None
    certificate = await _certificate_of(target.host, target.port, target.fingerprint, patience.connect)
    key = Ed25519PrivateKey.generate()
    request = PairRequest(
        secret=target.secret, public_key=signing.to_base64url(key.public_key().public_bytes_raw()), name=name
    )
    async with _http_client(target.host, target.port, certificate, patience) as http:
        try:
            async with http.stream("POST", "/v1/pair", content=codec.encode(request)) as response:
                body = await _body(response)
        except (httpx.HTTPError, TooLargeError):
            raise CloudUnreachableError(
                f"the cloud half at {target.host}:{target.port} broke off while pairing"
            ) from None
    if response.status_code != httpx.codes.OK:
        raise PairingError(_pairing_refusal(response.status_code, body))
    try:
        device = codec.decode(PairResponse, body).device
    except WireError:
        raise PairingError(f"what answers at {target.host}:{target.port} is no cloud half of this version") from None
    return Pairing(
        device=device,
        host=target.host,
        port=target.port,
        certificate_pem=certificate,
        private_key=key.private_bytes_raw(),
        paired_at=paired_at,
    )


def _pairing_refusal(status: int, body: bytes) -> str:
    try:
        return _plain(codec.decode(ErrorResponse, body).error.message)
    except WireError:
        return f"the cloud half refused to pair (status {status})"


async def _body(response: httpx.Response) -> bytes:
    """Read a whole body, as it came: what is compressed could grow without end, and nobody asked for it.

    Raises:
        TooLargeError: over MAX_BODY bytes, judged before they are all held.
    """
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > codec.MAX_BODY:
            raise TooLargeError("", codec.MAX_BODY)
    return bytes(body)


async def _end(chunks: AsyncIterator[bytes]) -> None:
    """Let a stream end after its last event, so that its connection can be used again; but not for long."""
    with contextlib.suppress(TimeoutError, httpx.HTTPError):
        async with asyncio.timeout(_END_WAIT_S):
            await anext(chunks, b"")


def _plain(message: str) -> str:
    """Return words of the cloud half as one short line that cannot rewrite a terminal."""
    return _NOT_PLAIN.sub(" ", message)[:_LONGEST_MESSAGE]


async def _certificate_of(host: str, port: int, fingerprint: str, timeout: float) -> str:
    """Fetch the server's certificate and return it as PEM if its key has the fingerprint."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # nothing is sent on this connection; the fingerprint is checked below
    try:
        async with asyncio.timeout(timeout):
            _, writer = await asyncio.open_connection(host, port, ssl=context)
            tls: ssl.SSLObject = writer.get_extra_info("ssl_object")
            der = tls.getpeercert(binary_form=True)
            writer.close()
    except (OSError, TimeoutError):
        raise CloudUnreachableError(f"nothing answers at {host}:{port}; is the cloud half running?") from None
    if der is None or fingerprint_of(der) != fingerprint:
        raise PairingError(f"the server at {host}:{port} is not the one that this pairing is with; nothing was sent")
    return ssl.DER_cert_to_PEM_cert(der)


def fingerprint_of(certificate: bytes) -> str:
    """Return SHA-256 of a certificate's SubjectPublicKeyInfo, base64url; `certificate` is DER."""
    public_key = x509.load_der_x509_certificate(certificate).public_key()
    info = public_key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return signing.to_base64url(hashlib.sha256(info).digest())


def is_signed_by(certificate: bytes, statement: DeletionStatement, signature: str) -> bool:
    """Say whether the key of a certificate (DER) signed a statement."""
    key = x509.load_der_x509_certificate(certificate).public_key()
    if not isinstance(key, ec.EllipticCurvePublicKey):
        return False
    try:
        key.verify(signing.from_base64url(signature), signing.statement_bytes(statement), ec.ECDSA(SHA256()))
    except (InvalidSignature, ValueError):
        return False
    return True


def _http_client(host: str, port: int, certificate: str, patience: Patience) -> httpx.AsyncClient:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = False  # the certificate itself is pinned; its names say nothing more
    context.load_verify_locations(cadata=certificate)
    address = f"[{host}]" if ":" in host else host
    return httpx.AsyncClient(
        base_url=f"https://{address}:{port}",
        verify=context,
        trust_env=False,  # no proxy and no SSLKEYLOGFILE from the environment
        timeout=httpx.Timeout(max(patience.first, patience.silence), connect=patience.connect),
        headers={"accept-encoding": "identity"},
    )
