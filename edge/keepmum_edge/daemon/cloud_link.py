"""The client of the paired cloud half, made when it is first needed and again after a new pairing."""

import asyncio
from collections.abc import Callable
from typing import Final, Literal

from keepmum_edge.daemon.cloud_client import CloudClient
from keepmum_edge.daemon.cloud_http import Patience
from keepmum_edge.daemon.store import Pairing
from keepmum_edge.errors import CloudError, NotPairedError
from keepmum_edge.views.sampling import ByteSource

CloudStanding = Literal["reachable", "not_reachable", "not_paired"]
_PATIENCE_S: Final = 2.0
_HOLDS_S: Final = 2.0
"""For so long an answer about the cloud half is given again, whoever asks how often."""


class CloudLink:
    """Holds one client at a time. Use it inside one event loop.

    Args:
        pairing: The stored pairing, or None.
        now: Unix seconds.
        nonces: Random bytes for signed requests.
    """

    def __init__(
        self, pairing: Pairing | None, patience: Patience, now: Callable[[], float], nonces: ByteSource
    ) -> None:
        self._pairing = pairing
        self._patience = patience
        self._now = now
        self._nonces = nonces
        self._client: CloudClient | None = None
        self._looking = asyncio.Lock()
        self._looked: tuple[float, CloudStanding] | None = None

    @property
    def patience(self) -> Patience:
        """How long the client waits."""
        return self._patience

    def client(self) -> CloudClient:
        """Return the client.

        Raises:
            NotPairedError: there is no cloud half yet.
        """
        if self._pairing is None:
            raise NotPairedError
        if self._client is None:
            self._client = CloudClient(self._pairing, self._patience, self._now, self._nonces)
        return self._client

    async def standing(self) -> CloudStanding:
        """Say whether the cloud half answers this device; never raises, and never waits long."""
        async with self._looking:
            now = asyncio.get_running_loop().time()
            if self._looked is None or now - self._looked[0] >= _HOLDS_S:
                found = await self._look()
                self._looked = asyncio.get_running_loop().time(), found
            return self._looked[1]

    async def _look(self) -> CloudStanding:
        try:
            async with asyncio.timeout(_PATIENCE_S):
                await self.client().device(once=True)
        except NotPairedError:
            return "not_paired"
        except (CloudError, TimeoutError):
            return "not_reachable"
        return "reachable"

    async def replace(self, pairing: Pairing) -> None:
        """Turn to another cloud half; turns under way there break off."""
        await self.close()
        self._pairing = pairing

    async def close(self) -> None:
        """Close the connections."""
        client, self._client, self._looked = self._client, None, None
        if client is not None:
            await client.close()
