"""The outermost layer: an id for each request, one log line, counts, and the last resort for what no one expected."""

import secrets
import time
from collections import Counter

from keepmum_shared.held import INSTANCE
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from keepmum_cloud.answers import error_response
from keepmum_cloud.errors import CloudError
from keepmum_cloud.logs import LOGGER

REQUEST_ID = "x-request-id"


class Journal:
    """Wraps the application. Writes route, status, milliseconds and ids; never a body, a query or a header.

    Attributes:
        running: Requests that are being answered now.
    """

    def __init__(self, app: ASGIApp, counts: Counter[tuple[str, str]]) -> None:
        self._app = app
        self._counts = counts
        self.running = 0
        self._instance = secrets.token_urlsafe(12)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = secrets.token_hex(8)
        began = time.monotonic()
        status = 0
        self.running += 1

        async def send_noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                own = ((REQUEST_ID, request_id), (INSTANCE, self._instance))
                message["headers"] = [*message.get("headers", ()), *((a.encode(), b.encode()) for a, b in own)]
            await send(message)

        try:
            await self._app(scope, receive, send_noting)
        except Exception as error:  # noqa: BLE001  # the process's entry for requests: its words may hold their text
            LOGGER.error("request %s failed: %s", request_id, type(error).__name__)
            if not status:
                failure = CloudError(f"the server failed; its log names request {request_id}")
                await error_response(failure)(scope, receive, send_noting)
        finally:
            self.running -= 1
            route = getattr(scope.get("route"), "path", "-")
            self._counts[(route, str(status))] += 1
            milliseconds = round((time.monotonic() - began) * 1000)
            device = scope.get("state", {}).get("device", "-")
            LOGGER.info("request %s %s status=%d ms=%d device=%s", request_id, route, status, milliseconds, device)
