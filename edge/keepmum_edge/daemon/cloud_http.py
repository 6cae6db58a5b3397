"""HTTP to the cloud half as every request of this edge needs it: one pinned certificate, patience, no compression."""

import re
import ssl
from dataclasses import dataclass
from typing import Final

import httpx
from keepmum_shared import codec
from keepmum_shared.errors import TooLargeError

_BACK_OFF_S: Final = 0.2
_BACK_OFF_FACTOR: Final = 5
_MAX_BACK_OFF_S: Final = 5.0
_LONGEST_MESSAGE: Final = 500
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


def pinned_client(host: str, port: int, certificate: str, patience: Patience) -> httpx.AsyncClient:
    """Return a client that trusts one certificate (PEM), and no proxy or key log from the environment."""
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


async def whole_body(response: httpx.Response) -> bytes:
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


def plain_words(message: str) -> str:
    """Return words of the cloud half as one short line that cannot rewrite a terminal."""
    return _NOT_PLAIN.sub(" ", message)[:_LONGEST_MESSAGE]
