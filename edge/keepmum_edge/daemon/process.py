"""The daemon process: one a profile, on one address, until it is told to stop."""

import asyncio
import contextlib
import logging
import os
import resource
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Final, Protocol

import uvicorn

from keepmum_edge.config import EdgeConfig
from keepmum_edge.config.private_files import read_private, replace_private
from keepmum_edge.daemon.allocator import give_large_blocks_back
from keepmum_edge.daemon.app import PRODUCTION, LoadExtractor, open_service
from keepmum_edge.daemon.chance import Chance
from keepmum_edge.daemon.logs import set_up_logs
from keepmum_edge.daemon.retrieval.model import LoadEmbedder
from keepmum_edge.daemon.retrieval.parts import SHIPPED
from keepmum_edge.daemon.service import Service
from keepmum_edge.database import ProfileLock
from keepmum_edge.errors import ConfigError

_GRACE_S: Final = 10
"""Seconds that running streams get when the daemon is told to stop."""

_SWITCH_S: Final = 0.0005
"""After so long a thread that computes lets others go on: ten times sooner than usual, since each wait of a request for
the disk or a socket ends with such a wait, and how many of them another thread makes long must not show."""

LOGGER: Final = logging.getLogger("keepmum.edge")


class CreateApp(Protocol):
    """Builds the HTTP side around a service; interfaces provide it, since the daemon does not know them."""

    def __call__(self, service: Any, *, token: str, port: int, stop: Callable[[], None]) -> Any:
        """Return an ASGI application."""
        ...


def run(
    config: EdgeConfig,
    create_app: CreateApp,
    *,
    load_extractor: LoadExtractor | None = None,
    load_embedder: LoadEmbedder = SHIPPED,
    now: Callable[[], float] = time.time,
    chance: Chance = PRODUCTION,
    announce: Callable[[str], None] = lambda _: None,
) -> None:
    """Run the daemon until it is told to stop (SIGTERM, SIGINT, the owner's API).

    Args:
        config: The settings.
        create_app: Makes the HTTP side.
        load_extractor: Loads what finds private spans; the shipped extractor by default.
        load_embedder: Loads what finds memories by meaning, when it is first needed.
        now: Unix seconds.
        chance: Draws, nonces and ids.
        announce: Told the address, once it listens.

    Raises:
        AlreadyRunningError: another daemon has this profile; the message says where it listens.
        ConfigError: the port is taken.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core dump would hold keys and texts
    give_large_blocks_back()
    sys.setswitchinterval(_SWITCH_S)
    set_up_logs(sys.stderr)
    config.paths.prepare()
    with ProfileLock.acquire(config.paths.lock_file) as lock, _listening(config) as listener:
        host, port = listener.getsockname()[:2]
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        service = open_service(
            config, load_extractor=load_extractor, load_embedder=load_embedder, now=now, chance=chance
        )
        token = _token(config)

        def listening() -> None:
            lock.announce(address)
            announce(address)

        asyncio.run(_serve(service, create_app, token, listener, listening))


async def _serve(
    service: Service, create_app: CreateApp, token: str, listener: socket.socket, announce: Callable[[], None]
) -> None:
    port = listener.getsockname()[1]
    server: _Server | None = None

    def stop() -> None:
        assert server is not None
        server.should_exit = True

    app = create_app(service, token=token, port=port, stop=stop)
    settings = uvicorn.Config(
        app, access_log=False, log_config=None, lifespan="off", timeout_graceful_shutdown=_GRACE_S, server_header=False
    )
    server = _Server(settings, announce)
    await service.start()
    LOGGER.info("listening on port %d, pid %d", port, os.getpid())
    try:
        await server.serve(sockets=[listener])
    finally:
        await service.close()
        LOGGER.info("stopped")


class _Server(uvicorn.Server):
    """Says when it listens, and ends with status 0 when it is told to stop."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._announce()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        yield


@contextlib.contextmanager
def _listening(config: EdgeConfig) -> Iterator[socket.socket]:
    host = "127.0.0.1" if config.host == "localhost" else config.host
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    with listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, config.port))
        except OSError:
            raise ConfigError(f"port {config.port} is taken by another program; choose one with --port") from None
        listener.listen(128)
        yield listener


def _token(config: EdgeConfig) -> str:
    """Return the local access token, made on first use."""
    try:
        token = read_private(config.paths.token_file).decode("ascii").strip()
    except FileNotFoundError:
        token = ""
    if not token:
        token = "keepmum-" + secrets.token_urlsafe(32)
        replace_private(config.paths.token_file, token.encode("ascii"))
    return token
