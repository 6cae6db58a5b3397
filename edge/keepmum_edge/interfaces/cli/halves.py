"""Both halves on this computer: what runs already is used, what does not is started, and the two are paired.

The local cloud half keeps its port from one start to the next, since the daemon knows it by that address; the port is
kept in the cloud half's folder.
"""

import dataclasses
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, TypeVar

from keepmum_edge.config import EdgeConfig
from keepmum_edge.config.private_files import ensure_folder, read_private, replace_private
from keepmum_edge.errors import ConfigError, EdgeError, NotPairedError
from keepmum_edge.interfaces.cli.children import Child
from keepmum_edge.interfaces.cli.client import DaemonClient
from keepmum_edge.interfaces.cli.cloud import CLOUD_PACKAGE, require_cloud_half
from keepmum_edge.interfaces.cli.exit_codes import DaemonAnswerError
from keepmum_edge.interfaces.cli.first_use import create_key_if_new, require_key
from keepmum_edge.interfaces.cli.key import ask, keyholder_of
from keepmum_edge.interfaces.cli.profile import running_daemon, settings
from keepmum_edge.interfaces.cli.terminal import note

T = TypeVar("T")

_EDGE_PORT: Final = 8765
_CLOUD_PORT: Final = 8766
_EDGE_WAIT_S: Final = 60.0
_CLOUD_WAIT_S: Final = 300.0
"""The response model may be large and the disk slow."""
_POLL_S: Final = 0.1
_DEVICE_NAME: Final = "this computer"


class NotReadyInTimeError(EdgeError):
    """A half runs but does not become ready."""

    code = "not_ready_in_time"


@contextmanager
def both_halves(config: EdgeConfig) -> Iterator[DaemonClient]:
    """Give a daemon that can answer; what had to be started ends with the block.

    Raises:
        ChildEndedError: a half ended before it was ready, with its last log line.
        EdgeError: it did not become ready in time, or cannot be paired.
    """
    config.paths.prepare()
    with ExitStack() as stack:
        client = running_daemon(config)
        if client is None:
            note("Starting the edge daemon ...")
            client = _start_edge(config, stack)
        stack.enter_context(client)
        _connect_cloud(config, client, stack)
        yield client


@contextmanager
def edge_daemon(*, make_profile: bool = False) -> Iterator[DaemonClient]:
    """Give this profile's daemon, for commands that need no cloud half; one that had to be started ends with the block.

    Args:
        make_profile: Make a profile that does not exist yet, and show its recovery key.

    Raises:
        EdgeError: there is no profile or it cannot be made, or the daemon does not start.
    """
    config = settings()
    with ExitStack() as stack:
        running = running_daemon(config)
        if running is None:
            if make_profile:
                config = create_key_if_new(config)
            require_key(config)
            running = _start_edge(dataclasses.replace(config, port=0), stack)
        yield stack.enter_context(running)


def _start_edge(config: EdgeConfig, stack: ExitStack) -> DaemonClient:
    port = config.port if config.port != _EDGE_PORT or _is_free(config.port) else 0
    arguments = [sys.executable, "-m", "keepmum_edge", "serve", "--exit-with-parent", "--port", str(port)]
    log = config.paths.state_dir / "up-edge.log"
    child = stack.enter_context(Child("the edge daemon", arguments, log=log, environ=_edge_environ(config)))
    client = _wait(child, _EDGE_WAIT_S, lambda: running_daemon(config))
    child.watch()
    return client


def _edge_environ(config: EdgeConfig) -> Mapping[str, str]:
    """Return the daemon's environment; a passphrase that only a person knows is asked for here, once."""
    if config.passphrase_file is not None or keyholder_of(config).protection() != "passphrase":
        return os.environ
    passphrase = config.passphrase or ask("unlock")
    return os.environ if passphrase is None else {**os.environ, "KEEPMUM_PASSPHRASE": passphrase}


def _connect_cloud(config: EdgeConfig, client: DaemonClient, stack: ExitStack) -> None:
    """Make sure that the daemon reaches a cloud half: the one it is paired with, else one of this computer."""
    port_file = config.paths.cloud_dir / "port"
    problem = _cloud_problem(client)
    if problem is None:
        return
    if problem.answer_code == NotPairedError.code:
        port = _choose_port(port_file)
        child = _start_cloud(config, stack, port, pair=True)
        line = _wait(child, _CLOUD_WAIT_S, lambda: child.json_line("pairing_uri", wait_s=_POLL_S))
        client.post("/pair", {"uri": line["pairing_uri"], "name": _DEVICE_NAME})
    elif problem.answer_code == "cloud_unreachable" and port_file.exists():
        port = _kept_port(port_file)
        child = _start_cloud(config, stack, port, pair=False)
    else:  # a cloud half elsewhere, which is not ours to start
        raise problem
    _wait(child, _CLOUD_WAIT_S, lambda: client if _cloud_problem(client) is None and client.ready() else None)
    child.watch(_cloud_command(config, port))


def _cloud_problem(client: DaemonClient) -> DaemonAnswerError | None:
    try:
        client.models()
    except DaemonAnswerError as error:
        return error
    return None


def _start_cloud(config: EdgeConfig, stack: ExitStack, port: int, *, pair: bool) -> Child:
    require_cloud_half()
    arguments = [*_cloud_command(config, port), *(["--pair"] if pair else [])]
    log = config.paths.state_dir / "up-cloud.log"
    note("Starting the cloud half and its response model ...")
    return stack.enter_context(Child("the cloud half", arguments, log=log, environ=cloud_environ(os.environ)))


def _cloud_command(config: EdgeConfig, port: int) -> list[str]:
    command = [sys.executable, "-m", CLOUD_PACKAGE, "serve", "--host", "127.0.0.1", "--port", str(port)]
    return [*command, "--data", str(config.paths.cloud_dir), "--exit-with-parent"]


def cloud_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for a cloud half on this computer: without what opens this side's database."""
    return {name: value for name, value in environ.items() if not name.startswith("KEEPMUM_PASSPHRASE")}


def _choose_port(port_file: Path) -> int:
    """Choose a port for a new local cloud half and keep it."""
    port = _CLOUD_PORT if _is_free(_CLOUD_PORT) else _free_port()
    ensure_folder(port_file.parent)
    replace_private(port_file, str(port).encode())
    return port


def _kept_port(port_file: Path) -> int:
    """Return the port that the daemon knows the local cloud half by.

    Raises:
        ConfigError: the file is damaged, or another program has taken the port.
    """
    content = read_private(port_file)
    if not content.isdigit() or not 0 < int(content) < 65_536:
        raise ConfigError(f"cloud half: {port_file} does not hold a port; write the port into it that was paired")
    if not _is_free(int(content)):
        raise ConfigError(f"cloud half: another program has taken its port {int(content)}; stop that program")
    return int(content)


def _wait(child: Child, limit_s: float, attempt: Callable[[], T | None]) -> T:
    """Try until there is a result, saying so every five seconds.

    Raises:
        ChildEndedError: the child ended.
        NotReadyInTimeError: there is no result in `limit_s` seconds.
    """
    deadline = time.monotonic() + limit_s
    next_word = time.monotonic() + 5
    while time.monotonic() < deadline:
        result = attempt()
        if result is not None:
            return result
        child.require_alive()
        if time.monotonic() > next_word:
            note(f"  still starting {child.name}, {deadline - time.monotonic():.0f} s left ...")
            next_word += 5
        time.sleep(_POLL_S)
    raise NotReadyInTimeError(f"{child.name} was not ready in {limit_s:.0f} seconds. Its log: {child.log}")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
