"""When the views of a request may leave: at a tick, the first that is a whole step after it arrived, or a later one.

Ticks are the multiples of the step on the computer's clock. How long a draw took, which may depend on what a slot
holds, so does not show: not in a request that was ready in time, on success, fallback and error alike. Nor does when
it arrived, but for the tick: what holds up an arrival by half a millisecond, as work on memory may, moves one departure
in a hundred. A request that missed its tick is counted by the caller.
"""

from typing import Final

STEP_NS: Final = 50_000_000


def release_time(arrived_ns: int, ready_ns: int, step_ns: int = STEP_NS) -> int:
    """Return the first tick a step after arrival that is not before `ready_ns`; nanoseconds of one clock.

    Raises:
        ValueError: ready before it arrived, or the step is not above zero.
    """
    if ready_ns < arrived_ns or step_ns < 1:
        raise ValueError("ready comes after arrival, and the step is above zero")
    return _tick(max(arrived_ns + step_ns, ready_ns), step_ns)


def missed(arrived_ns: int, ready_ns: int, step_ns: int = STEP_NS) -> int:
    """Return by how many ticks a request was late; 0 if it was in time."""
    return (release_time(arrived_ns, ready_ns, step_ns) - release_time(arrived_ns, arrived_ns, step_ns)) // step_ns


def _tick(earliest_ns: int, step_ns: int) -> int:
    return -(-earliest_ns // step_ns) * step_ns
