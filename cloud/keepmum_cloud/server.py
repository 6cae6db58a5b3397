"""The server process: the parts put together, TLS, signals, and who may run in a data folder."""

import asyncio
import datetime
import fcntl
import json
import os
import random
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TextIO

import uvicorn
from keepmum_inference.embedding import load_embedder
from keepmum_shared.signing import PairingUri

from keepmum_cloud.app import Cloud, create_app
from keepmum_cloud.certificate import ServerIdentity, server_identity, sign_statement, tls_context
from keepmum_cloud.config import CloudConfig
from keepmum_cloud.database import Database
from keepmum_cloud.errors import AlreadyRunningError, ConfigError, ModelError, StoreError
from keepmum_cloud.journal import Journal
from keepmum_cloud.logs import LOGGER
from keepmum_cloud.memory.embedding_work import EmbeddingWork
from keepmum_cloud.memory.operations import Memories
from keepmum_cloud.pairing import Devices
from keepmum_cloud.respond.llama_backend import LlamaResponder
from keepmum_cloud.respond.llama_model import LlamaSettings
from keepmum_cloud.respond.openai_backend import OpenAiResponder, OpenAiServer
from keepmum_cloud.respond.responder import Responder

LISTENING_FILE: Final = "listening.json"
_LOCK_FILE: Final = "server.lock"
_MAX_KEY_FILE: Final = 4096


def make_responder(config: CloudConfig) -> Responder:
    """Build the configured backend.

    Raises:
        ConfigError: the key file cannot be read.
    """
    if config.responder == "llama":
        return LlamaResponder(
            LlamaSettings(path=config.model_path, context_tokens=config.context_tokens, threads=config.threads)
        )
    assert config.base_url is not None
    assert config.model is not None
    server = OpenAiServer(
        base_url=config.base_url,
        model=config.model,
        api_key=_read_api_key(config.api_key_file),
        connect_s=config.connect_timeout_s,
        read_s=config.read_timeout_s,
    )
    return OpenAiResponder(server, created=int(time.time()), jitter=random.random)


def _read_api_key(file: Path | None) -> str | None:
    if file is None:
        return None
    try:
        with file.open(encoding="ascii") as opened:
            key = opened.read(_MAX_KEY_FILE).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cloud.api_key_file {file} cannot be read ({type(error).__name__})") from None
    if not key or not key.isprintable() or " " in key:
        raise ConfigError(f"cloud.api_key_file {file} must hold the key and nothing else")
    return key


def pairing_uri(config: CloudConfig, database: Database, *, port: int, now: int) -> PairingUri:
    """Make an invitation in the store and return its URI."""
    identity = server_identity(config.data, _names(config), _utc(now))
    secret = Devices(database).invite(now=now, life_s=config.pairing_life_s)
    return PairingUri(host=public_host(config), port=port, secret=secret, fingerprint=identity.fingerprint)


def public_host(config: CloudConfig) -> str:
    """Return the name under which edges reach this server."""
    if config.host not in ("", "0.0.0.0", "::"):  # noqa: S104  # compared with, not bound
        return config.host
    return config.names[0] if config.names else socket.gethostname()


def _names(config: CloudConfig) -> tuple[str, ...]:
    return (config.host, public_host(config), *config.names)


def _utc(now: int) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(now, datetime.UTC)


def listening_port(config: CloudConfig) -> int | None:
    """Return the port of the server that runs in the data folder, or None if none does."""
    try:
        return int(json.loads((config.data / LISTENING_FILE).read_text(encoding="utf-8"))["port"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold the data folder; a lock that a killed server left is free again by itself.

    Raises:
        AlreadyRunningError: another server holds it.
        StoreError: the folder cannot be used.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(folder / _LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StoreError(f"the data folder {folder} cannot be used ({type(error).__name__})") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise AlreadyRunningError(folder) from None
    finally:
        os.close(descriptor)


def run(
    config: CloudConfig,
    *,
    announce: Callable[[int, Database], None],
    exit_with_parent: TextIO | None,
    application: Callable[[Cloud], Journal] = create_app,
) -> None:
    """Serve until SIGTERM, SIGINT, or the end of `exit_with_parent`; returns after the grace period.

    Args:
        config: The settings.
        announce: Called with the port and the open store once connections are taken.
        exit_with_parent: A pipe that the parent process holds open; None to run on without it.
        application: Puts routes around the parts.

    Raises:
        AlreadyRunningError, StoreError, ConfigError: it cannot start.
    """
    with only_one(config.data):
        database = Database(config.data)
        listening = config.data / LISTENING_FILE
        try:
            memories = Memories(database)
            embedding = EmbeddingWork(
                database, memories, load=lambda: load_embedder(config.embedding_path), clock=time.time
            )
            identity = server_identity(config.data, _names(config), _utc(int(time.time())))
            cloud = Cloud(
                config=config,
                database=database,
                memories=memories,
                embedding=embedding,
                responder=make_responder(config),
                sign=lambda statement: sign_statement(identity, statement),
            )

            def started(port: int) -> None:
                listening.write_text(json.dumps({"port": port, "pid": os.getpid()}), encoding="utf-8")
                LOGGER.info("listening port=%d pid=%d", port, os.getpid())
                announce(port, database)

            with _bound(config) as listener:
                asyncio.run(_serve(cloud, application(cloud), identity, listener, started, exit_with_parent))
        finally:
            listening.unlink(missing_ok=True)
            database.close()


@contextmanager
def _bound(config: CloudConfig) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((config.host, config.port))
        except OSError as error:
            raise ConfigError(
                f"cannot listen on {config.host} port {config.port} ({error.strerror}); choose another"
            ) from None
        yield listener
    finally:
        listener.close()


async def _serve(
    cloud: Cloud,
    app: Journal,
    identity: ServerIdentity,
    listener: socket.socket,
    started: Callable[[int], None],
    parent: TextIO | None,
) -> None:
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            ssl_context_factory=lambda _config, _default: tls_context(identity),
            access_log=False,
            log_config=None,
            lifespan="off",
            server_header=False,
            date_header=False,
            proxy_headers=False,
            ws="none",
            timeout_keep_alive=75,  # longer than clients keep an idle connection, so that none is closed under them
            timeout_graceful_shutdown=cloud.config.shutdown_grace_s,
        )
    )
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: None)  # uvicorn raises them again when it is done; then they end nothing
    if parent is not None:
        threading.Thread(target=_stop_at_end, args=(server, parent), daemon=True, name="parent").start()
    warm_up = asyncio.create_task(_warm_up(cloud.responder))
    cloud.embedding.start()
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.01)
    if server.started:
        started(int(listener.getsockname()[1]))
    while not serving.done():
        await asyncio.wait({serving}, timeout=0.1)
        # what is left then are idle connections, whose clients need not close them while we wait
        server.force_exit = server.should_exit and not app.running
    await serving
    warm_up.cancel()
    await asyncio.gather(warm_up, return_exceptions=True)
    await asyncio.to_thread(cloud.embedding.stop)
    await cloud.responder.aclose()
    LOGGER.info("stopped")


async def _warm_up(responder: Responder) -> None:
    """Load the model at start, so that the first turn need not wait; a failure is logged and told by /readyz."""
    try:
        await responder.check()
    except ModelError as error:
        LOGGER.error("model: %s", error)


def _stop_at_end(server: uvicorn.Server, parent: TextIO) -> None:
    while os.read(parent.fileno(), 4096):  # not `parent.read`: it holds a lock that ends a process that ends meanwhile
        pass
    server.should_exit = True


def parent_pipe() -> TextIO:
    """Return standard input, which a parent holds open for as long as it lives."""
    return sys.stdin
