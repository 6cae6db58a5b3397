"""The one thread that owns the database connection: every read and write of the daemon is a job here, in order.

Jobs are short (a millisecond or less); nothing waits for the network or a model inside one. So two requests can never
interleave inside a transaction, and the event loop never blocks on a disk.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class Writer:
    """Runs jobs one after the other on one thread of its own."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="database")

    async def run(self, job: Callable[[], T]) -> T:
        """Run a job and return what it returns; it runs to its end even if the caller is cancelled."""
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._thread, job))

    def run_later(self, job: Callable[[], object]) -> None:
        """Put a job in the line and do not wait for it. It has to be one whose failure loses nothing."""
        self._thread.submit(job)

    def run_blocking(self, job: Callable[[], T]) -> T:
        """Run a job from a thread that has no event loop (start and stop)."""
        return self._thread.submit(job).result()

    def close(self) -> None:
        """Wait for the jobs that are under way and end the thread."""
        self._thread.shutdown(wait=True)
