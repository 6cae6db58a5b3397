"""Token buckets and the count of running turns (pure: the clock arrives with each call)."""

from collections.abc import Iterator
from contextlib import contextmanager

from keepmum_cloud.errors import BusyError, RateLimitedError

_MAX_BUCKETS = 10_000


class RateLimit:
    """One token bucket for each key. Safe only inside one thread."""

    def __init__(self, *, per_second: float, burst: int) -> None:
        self._per_second = per_second
        self._burst = burst
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, key: str, now: float) -> None:
        """Take one token; `now` is a monotonic time in seconds.

        Raises:
            RateLimitedError: the bucket is empty.
        """
        tokens, since = self._buckets.pop(key, (float(self._burst), now))
        tokens = min(float(self._burst), tokens + (now - since) * self._per_second)
        enough = tokens >= 1
        self._buckets[key] = (tokens - 1 if enough else tokens, now)
        if len(self._buckets) > _MAX_BUCKETS:
            del self._buckets[next(iter(self._buckets))]  # the one that was not used for the longest time
        if not enough:
            wait = max(1, round((1 - tokens) / self._per_second))
            raise RateLimitedError(f"too many requests; wait {wait} s", retry_after_s=wait)


class TurnSlots:
    """How many turns run. Safe only inside one event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.running = 0

    @contextmanager
    def one(self) -> Iterator[None]:
        """Hold a slot.

        Raises:
            BusyError: all are taken.
        """
        if self.running >= self._most:
            raise BusyError(f"{self._most} answers are being written now; try again", retry_after_s=2)
        self.running += 1
        try:
            yield
        finally:
            self.running -= 1
