"""The two halves as child processes of `keepmum up`: started, watched, and ended together.

Each has a session of its own, so that Ctrl-C at the prompt does not reach it. Its stdin is held open: when that ends,
it knows that this process is gone. What it writes to stderr goes to a log file of the owner's; its stdout is read for
JSON lines only.
"""

import json
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from keepmum_edge.config.private_files import private_opener
from keepmum_edge.errors import EdgeError
from keepmum_edge.interfaces.cli.terminal import RED, note

_GRACE_S: Final = 15
_TAIL: Final = 4096


class ChildEndedError(EdgeError):
    """One of the two halves ended while it was needed."""

    code = "child_ended"


class Child:
    """One running child process. Use as a context manager: it is ended when the block is left."""

    def __init__(self, name: str, arguments: Sequence[str], *, log: Path, environ: Mapping[str, str]) -> None:
        """Start it.

        Args:
            name: How it is called when it fails.
            arguments: The command; never a secret or user text, since other users can list processes.
            log: Where its stderr goes; 0600, begun afresh.
            environ: Its environment.
        """
        self.name = name
        self.log = log
        self._watched = False
        self._lines: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        descriptor = private_opener(str(log), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and packages
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=descriptor,
                env=dict(environ),
                start_new_session=True,
            )
        finally:
            os.close(descriptor)
        threading.Thread(target=self._read, name=f"{name}-stdout", daemon=True).start()

    @property
    def status(self) -> int | None:
        """Its exit status, negative for a signal; None while it runs."""
        return self._process.poll()

    def require_alive(self) -> None:
        """Check that it still runs.

        Raises:
            ChildEndedError: with its status and the last line of its log.
        """
        status = self.status
        if status is not None:
            raise ChildEndedError(f"{self.name} ended{self._end_in_words(status)}")

    def json_line(self, key: str, *, wait_s: float) -> dict[str, Any] | None:
        """Return the next JSON line of its stdout that has the key; None if none comes within `wait_s`."""
        deadline = time.monotonic() + wait_s
        with suppress(queue.Empty):
            while key not in (line := self._lines.get(timeout=max(0.0, deadline - time.monotonic()))):
                pass
            return line
        return None

    def watch(self) -> None:
        """From now on tell the person at once if it ends without being asked to."""
        self._watched = True

    def stop(self) -> None:
        """Ask it to end, and make it after 15 seconds."""
        self._watched = False
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(_GRACE_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        assert self._process.stdin is not None
        self._process.stdin.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _read(self) -> None:
        """Collect JSON lines until the child ends, and say so then if it is watched."""
        assert self._process.stdout is not None
        with self._process.stdout as stdout:
            for raw in stdout:
                try:
                    line = json.loads(raw)
                except ValueError:
                    continue
                if isinstance(line, dict):
                    self._lines.put(line)
        status = self._process.wait()
        if self._watched:
            note(f"keepmum: {self.name} ended{self._end_in_words(status)}", RED)

    def _end_in_words(self, status: int) -> str:
        how = f" by signal {-status}" if status < 0 else f" with status {status}"
        last = self._last_line()
        return f"{how}. Its last log line: {last}" if last else f"{how}. Its log: {self.log}"

    def _last_line(self) -> str:
        with self.log.open("rb") as log:
            log.seek(max(0, self.log.stat().st_size - _TAIL))
            lines = log.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""
