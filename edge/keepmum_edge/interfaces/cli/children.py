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
_LEAST_LIFE_S: Final = 30.0


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
        self._environ = dict(environ)
        self._watched = False
        self._again: Sequence[str] = ()
        self._least_life_s = 0.0
        self._lock = threading.Lock()
        """Held while a process is started or told to end, so that none is started behind that."""
        self._lines: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._process = self._start(arguments, os.O_TRUNC)

    def _start(self, arguments: Sequence[str], how: int) -> subprocess.Popen[bytes]:
        descriptor = private_opener(str(self.log), os.O_WRONLY | os.O_CREAT | how)
        try:
            process = subprocess.Popen(  # noqa: S603 - our own interpreter and packages
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=descriptor,
                env=self._environ,
                start_new_session=True,
            )
        finally:
            os.close(descriptor)
        threading.Thread(target=self._read, args=(process,), name=f"{self.name}-stdout", daemon=True).start()
        return process

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

    def watch(self, again: Sequence[str] = (), *, least_life_s: float = _LEAST_LIFE_S) -> None:
        """From now on tell the person at once if it ends without being asked to.

        Args:
            again: The command by which it is started anew then; not if it is empty.
            least_life_s: One that ended sooner after its start would do so again, and is left.
        """
        self._again, self._least_life_s = again, least_life_s
        self._watched = True

    def stop(self) -> None:
        """Ask it to end, and make it after 15 seconds."""
        with self._lock:
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

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """Collect JSON lines until the child ends, and say so then if it is watched."""
        began = time.monotonic()
        assert process.stdout is not None
        with process.stdout as stdout:
            for raw in stdout:
                try:
                    line = json.loads(raw)
                except ValueError:
                    continue
                if isinstance(line, dict):
                    self._lines.put(line)
        status = process.wait()
        if self._watched:
            note(f"keepmum: {self.name} ended{self._end_in_words(status)}", RED)
            self._start_again(process, lived_s=time.monotonic() - began)

    def _start_again(self, ended: subprocess.Popen[bytes], *, lived_s: float) -> None:
        with self._lock:
            if not self._watched or not self._again:
                return
            if lived_s < self._least_life_s:
                note(f"It ended soon after its start, so it is left. Its log: {self.log}", RED)
                return
            note(f"Starting {self.name} again; until it is ready, nothing is answered.", RED)
            assert ended.stdin is not None
            ended.stdin.close()
            self._process = self._start(self._again, os.O_APPEND)

    def _end_in_words(self, status: int) -> str:
        how = f" by signal {-status}" if status < 0 else f" with status {status}"
        last = self._last_line()
        return f"{how}. Its last log line: {last}" if last else f"{how}. Its log: {self.log}"

    def _last_line(self) -> str:
        with self.log.open("rb") as log:
            log.seek(max(0, self.log.stat().st_size - _TAIL))
            lines = log.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""
