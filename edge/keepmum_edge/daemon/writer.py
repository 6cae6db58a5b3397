"""The one thread that owns the database connection: every read and write of the daemon is a job here, in order.

Jobs are short (a millisecond or less); nothing waits for the network or a model inside one. So two requests can never
interleave inside a transaction, and the event loop never blocks on a disk. Memory work goes through a writer that gives
way (`giving_way`), and what could be long is cut into slices (`run_each`).
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Final, TypeVar

T = TypeVar("T")

SLICE_S: Final = 0.002
"""After so long a slice takes on nothing more; with what it has begun and the commit it stays below 5 ms (design 6)."""


class Writer:
    """Runs jobs one after the other on one thread of its own."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="database")
        self._way: Callable[[], Awaitable[None]] | None = None

    def giving_way(self, way: Callable[[], Awaitable[None]]) -> "Writer":
        """Return a writer on the same thread whose jobs wait for `way` first; closing either closes both."""
        other = Writer.__new__(Writer)
        other._thread, other._way = self._thread, way  # noqa: SLF001 - of its own class
        return other

    async def run(self, job: Callable[[], T]) -> T:
        """Run a job and return what it returns; it runs to its end even if the caller is cancelled."""
        if self._way is not None:
            await self._way()
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._thread, job))

    async def run_each(
        self, items: Iterable[T], each: Callable[[T], object], within: Callable[[], AbstractContextManager[object]]
    ) -> None:
        """Work through items in slices: jobs of their own, each with as many items in one transaction as fit.

        Args:
            items: What is to be done, in order.
            each: Does one.
            within: Opens a transaction.
        """
        left = deque(items)

        def one_slice() -> None:
            until = time.monotonic() + SLICE_S
            with within():
                each(left.popleft())
                while left and time.monotonic() < until:
                    each(left.popleft())

        while left:
            await self.run(one_slice)

    def run_later(self, job: Callable[[], object]) -> None:
        """Put a job in the line and do not wait for it. It has to be one whose failure loses nothing."""
        self._thread.submit(job)

    def run_blocking(self, job: Callable[[], T]) -> T:
        """Run a job from a thread that has no event loop (start and stop)."""
        return self._thread.submit(job).result()

    def close(self) -> None:
        """Wait for the jobs that are under way and end the thread."""
        self._thread.shutdown(wait=True)
