"""When requests leave this computer: at fixed ticks, the first a step after they arrived or a later one.

How long a request took to make ready, which may depend on what memory holds, so does not show. Memory work gives way:
it waits while a request is before its departure or on its way to the socket (`quiet`; on threads of its own `hold`,
between the steps of what it reads), and then holds the database's thread for a few milliseconds at a time
(`daemon.writer`).
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Final, Self

from keepmum_edge.views.deadline import STEP_NS, missed, release_time

_NS: Final = 1_000_000_000
PATIENCE_S: Final = 0.25
"""Requests that come without a pause cannot hold memory work up for longer; what it costs them is counted (`late`)."""
_SENDING_S: Final = 0.015
"""How long memory work gives way after a departure, while the request is signed and written or its refusal told, and
between a look at what a request is and its being made ready."""


class Departures:
    """The requests before their departure, and how many were late. Use it inside one event loop, `hold` excepted.

    Args:
        clock_ns: Nanoseconds of a clock that only goes forward.
        step_ns: From tick to tick, and from an arrival to its departure at least.
        patience_s: For how long memory work gives way, in seconds.
    """

    def __init__(self, clock_ns: Callable[[], int], step_ns: int = STEP_NS, *, patience_s: float = PATIENCE_S) -> None:
        self._clock_ns = clock_ns
        self._step_ns = step_ns
        self._patience_s = patience_s
        self._before = 0
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._quiet_for_threads = threading.Event()
        self._quiet_for_threads.set()
        self.departed = 0
        """Requests that have left since the start, refused ones among them."""
        self.late = 0
        """Those of them that were not ready at their first tick."""

    def now(self) -> int:
        """Return the time, to be noted when a request arrives."""
        return self._clock_ns()

    def of(self, arrived_ns: int) -> "Departure":
        """Return the departure of a request that arrived then; the block before it makes the request ready."""
        return Departure(self, arrived_ns)

    async def quiet(self) -> None:
        """Wait until no request is before its departure, for a limited time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._patience_s):
                while self._before:
                    await self._quiet.wait()

    def hold(self) -> None:
        """Wait as `quiet` does; from any thread but the event loop's."""
        self._quiet_for_threads.wait(self._patience_s)

    def holding(self) -> Callable[[], None]:
        """Return a `hold` for one reading that somebody waits for: its waits together are no longer than one."""
        left_s = self._patience_s

        def hold() -> None:
            nonlocal left_s
            if left_s > 0:
                began = self._clock_ns()
                self._quiet_for_threads.wait(left_s)
                left_s -= (self._clock_ns() - began) / _NS

        return hold

    @contextlib.contextmanager
    def coming(self) -> Iterator[None]:
        """Count a request as before its departure while the block looks at what it is, and until it is made ready."""
        self.begin()
        try:
            yield
        finally:
            asyncio.get_running_loop().call_later(_SENDING_S, self.end)

    def begin(self) -> None:
        """Count a request as before its departure."""
        self._before += 1
        self._quiet.clear()
        self._quiet_for_threads.clear()

    def end(self) -> None:
        """Count it no more."""
        self._before -= 1
        if not self._before:
            self._quiet.set()
            self._quiet_for_threads.set()

    async def wait(self, arrived_ns: int) -> None:
        """Wait for the departure of a request that is ready now."""
        ready = self._clock_ns()
        due = release_time(arrived_ns, ready, self._step_ns)
        self.departed += 1
        self.late += missed(arrived_ns, ready, self._step_ns) > 0
        while (left := due - self._clock_ns()) > 0:
            await asyncio.sleep(left / _NS)


class Departure:
    """Makes one request leave, or its error be told, at its time. A request whose client has gone away does not wait.

    async with departures.of(arrived):
        ...  # make the request ready
    ...      # send it
    """

    def __init__(self, departures: Departures, arrived_ns: int) -> None:
        self._departures = departures
        self._arrived_ns = arrived_ns

    async def __aenter__(self) -> Self:
        self._departures.begin()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        left = False
        try:
            if kind is None or issubclass(kind, Exception):
                await self._departures.wait(self._arrived_ns)
                left = True
        finally:
            if left:
                asyncio.get_running_loop().call_later(_SENDING_S, self._departures.end)
            else:
                self._departures.end()
