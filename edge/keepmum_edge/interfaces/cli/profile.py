"""The profile that a command works on: its settings, and the running daemon if there is one."""

import os
from typing import TYPE_CHECKING

from keepmum_edge.config import EdgeConfig, load
from keepmum_edge.interfaces.cli.exit_codes import DaemonNotRunningError

if TYPE_CHECKING:
    from keepmum_edge.interfaces.cli.client import DaemonClient


def settings(**flags: object) -> EdgeConfig:
    """Read the settings; flags that are None count as not given.

    Raises:
        ConfigError: naming the key or flag.
    """
    return load(os.environ, flags)


def running_daemon(config: EdgeConfig) -> "DaemonClient | None":
    """Return a client of this profile's daemon, or None if none runs or it does not listen yet.

    Raises:
        EdgeError: the lock or token file is not usable.
    """
    from keepmum_edge.config.private_files import read_private
    from keepmum_edge.database import find_holder
    from keepmum_edge.interfaces.cli.client import DaemonClient

    holder = find_holder(config.paths.lock_file)
    if holder is None or holder.address is None:
        return None
    try:
        token = read_private(config.paths.token_file).decode("ascii").strip()
    except (OSError, UnicodeDecodeError):
        raise DaemonNotRunningError("the token file cannot be read") from None
    return DaemonClient(holder.address, token)


def daemon(config: EdgeConfig | None = None) -> "DaemonClient":
    """Return a client of the running daemon.

    Raises:
        DaemonNotRunningError: none runs.
    """
    client = running_daemon(config or settings())
    if client is None:
        raise DaemonNotRunningError
    return client
