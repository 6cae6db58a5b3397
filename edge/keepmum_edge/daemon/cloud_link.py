"""The client of the paired cloud half, made when it is first needed and again after a new pairing."""

from collections.abc import Callable

from keepmum_edge.daemon.cloud_client import CloudClient
from keepmum_edge.daemon.cloud_http import Patience
from keepmum_edge.daemon.store import Pairing
from keepmum_edge.errors import NotPairedError
from keepmum_edge.views.sampling import ByteSource


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

    async def replace(self, pairing: Pairing) -> None:
        """Turn to another cloud half; turns under way there break off."""
        await self.close()
        self._pairing = pairing

    async def close(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()
