"""When the views of a request may leave: at a fixed time after it arrived, or at a later multiple of it.

The same on success, fallback and error, so that how long a draw took, which may depend on what a slot holds, does not
show. A request that missed its time is counted by the caller.
"""

from typing import Final

STEP_NS: Final = 50_000_000


def release_time(arrived_ns: int, ready_ns: int, step_ns: int = STEP_NS) -> int:
    """Return the first multiple of the step after arrival that is not before `ready_ns`; nanoseconds of one clock.

    Raises:
        ValueError: ready before it arrived, or the step is not above zero.
    """
    if ready_ns < arrived_ns or step_ns < 1:
        raise ValueError("ready comes after arrival, and the step is above zero")
    steps = max(1, -((arrived_ns - ready_ns) // step_ns))
    return arrived_ns + steps * step_ns


def missed(arrived_ns: int, ready_ns: int, step_ns: int = STEP_NS) -> int:
    """Return by how many steps a request was late; 0 if it was in time."""
    return (release_time(arrived_ns, ready_ns, step_ns) - arrived_ns) // step_ns - 1
