import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import openai
import pytest
import uvicorn
from edge.interfaces.scripted_service import ScriptedService
from keepmum_edge.interfaces.http import create_app

TOKEN = "local-" + "t" * 32


@dataclass
class Endpoint:
    """A running endpoint and clients of it."""

    service: Any
    port: int
    opened: list[Any] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, **settings: Any) -> openai.OpenAI:
        return self._keep(openai.OpenAI(**{"base_url": f"{self.url}/v1", "api_key": TOKEN, **settings}))

    def http(self, **headers: str) -> httpx.Client:
        headers = {"Authorization": f"Bearer {TOKEN}", **headers}
        return self._keep(httpx.Client(base_url=self.url, headers=headers, timeout=10))

    def _keep(self, client: Any) -> Any:
        self.opened.append(client)
        return client


@pytest.fixture
def serve() -> Iterator[Callable[..., Endpoint]]:
    """Start a real server per call, and stop them all."""
    running: list[tuple[uvicorn.Server, threading.Thread]] = []
    endpoints: list[Endpoint] = []

    def start(service: Any = None) -> Endpoint:
        service = service or ScriptedService()
        config = uvicorn.Config(None, host="127.0.0.1", port=0, log_config=None, access_log=False, lifespan="off")  # type: ignore[arg-type]
        listener = config.bind_socket()
        port = listener.getsockname()[1]
        config.app = create_app(service, token=TOKEN, port=port, stop=service.stop)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        deadline = time.monotonic() + 10
        while not server.started and time.monotonic() < deadline:
            time.sleep(0.01)
        assert server.started
        running.append((server, thread))
        endpoints.append(Endpoint(service, port))
        return endpoints[-1]

    yield start
    for endpoint in endpoints:
        for client in endpoint.opened:
            client.close()
    for server, thread in running:
        server.should_exit = True
        thread.join(10)
