import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from edge.interfaces.conftest import TOKEN, Endpoint
from keepmum_edge.config.paths import locate
from keepmum_edge.config.private_files import replace_private
from keepmum_edge.database import ProfileLock


@dataclass
class Command:
    """Runs `keepmum` as a process of its own, with a profile of its own."""

    home: Path

    def environ(self, **more: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("KEEPMUM_")}
        kept["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        return {**kept, "KEEPMUM_HOME": str(self.home), "COLUMNS": "100", **more}

    def __call__(self, *arguments: str, stdin: bytes = b"", **environ: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "keepmum_edge", *arguments]
        return subprocess.run(command, input=stdin, capture_output=True, env=self.environ(**environ), timeout=60)


@pytest.fixture
def keepmum(tmp_path: Path) -> Command:
    return Command(tmp_path / "home")


@pytest.fixture
def keepmum_with_daemon(keepmum: Command, serve: Callable[..., Endpoint]) -> Any:
    """Start a daemon for the profile: the real endpoint, lock file and token, over a scripted service."""
    locks = []

    def start(service: Any = None) -> Command:
        endpoint = serve(service)
        paths = locate({"KEEPMUM_HOME": str(keepmum.home)})
        paths.prepare()
        replace_private(paths.token_file, TOKEN.encode())
        lock = ProfileLock.acquire(paths.lock_file)
        lock.announce(endpoint.url)
        locks.append(lock)
        return keepmum

    yield start
    for lock in locks:
        lock.release()
