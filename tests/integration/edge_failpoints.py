"""Where a real edge daemon can be made to end as a power cut would: around each step of a draw and of its leaving.

drawn        a view is drawn; nothing of it is anywhere yet
intended     the keyring holds the intent
written      the transaction is complete, and not committed
committed    it is committed
settled      the keyring holds it as settled
leaving      the request is made and its time has come
left         the cloud half has begun to answer it
repaired     at a start that found something cut off: the database is put right, the keyring not yet
"""

import os
import signal
from typing import Any, Final

from keepmum_edge.daemon.departing import Departing
from keepmum_edge.daemon.turns import Turns
from keepmum_edge.daemon.views import composing
from keepmum_shared.messages import Started, TurnEvent

STEPS: Final = ("drawn", "intended", "written", "committed", "settled", "leaving", "left", "repaired")


class Failpoint:
    """Ends the process at a step, when it is reached for the n-th time."""

    def __init__(self, step: str, times: int) -> None:
        assert step in STEPS
        self._step, self._left = step, times

    def reached(self, step: str) -> None:
        """Tell that a step is done."""
        if step == self._step:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def build_in(point: Failpoint) -> None:
    """Build a failpoint into the daemon that this process will run."""
    releaser, depart, take = composing.Releaser, Departing.depart, Turns._take

    def told(*arguments: Any, **named: Any) -> Any:
        return releaser(*arguments, reached=point.reached, **named)

    async def departing(self: Departing, *arguments: Any) -> Any:
        made = await depart(self, *arguments)
        point.reached("leaving")
        return made

    async def taking(self: Turns, turn: Any, answer: Any, event: TurnEvent) -> Any:
        if isinstance(event, Started):
            point.reached("left")
        async for out in take(self, turn, answer, event):
            yield out

    composing.Releaser = told  # type: ignore[assignment, misc]
    Departing.depart = departing  # type: ignore[method-assign]
    Turns._take = taking  # type: ignore[assignment, method-assign]
