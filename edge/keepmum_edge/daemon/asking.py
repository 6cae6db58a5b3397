"""Asking the cloud half for the answer of one turn, and again if it recalled what is not to be there.

The cloud says which memories it recalled before the first piece of the answer. If one of them was forgotten or is not
known here, its data were put back to an older copy: nothing of that answer is read, the memory is deleted there again,
and the same turn is asked once more. So what was forgotten comes back neither to the client nor into a trace.
"""

import contextlib
from collections.abc import AsyncGenerator, Callable
from typing import Final, Protocol

from keepmum_shared.ids import MemoryId
from keepmum_shared.messages import MemoryUsed, TurnEvent, TurnRequest

from keepmum_edge.daemon.answer_order import AnswerOrder
from keepmum_edge.daemon.cloud_client import CloudClient
from keepmum_edge.daemon.forget.strays import Discord, Strays
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.errors import CloudBrokeOffError

_TRIES: Final = 2


class Deliverer(Protocol):
    """Takes deletions to the cloud; `daemon.forget.delivery` does it."""

    async def before_turn(self, cloud: CloudClient) -> None:
        """Send what waits. Raises CloudError if it is not confirmed."""
        ...


class Asking:
    """Asks for answers.

    Args:
        noticed: Told what the cloud half recalled though it should not hold it; inside a transaction.
    """

    def __init__(
        self,
        *,
        writer: Writer,
        transaction: Callable[[], contextlib.AbstractContextManager[object]],
        strays: Strays,
        delivery: Deliverer,
        noticed: Callable[[Discord], None],
    ) -> None:
        self._writer = writer
        self._transaction = transaction
        self._strays = strays
        self._delivery = delivery
        self._noticed = noticed

    async def events(self, cloud: CloudClient, request: TurnRequest, since: int) -> AsyncGenerator[TurnEvent, None]:
        """Yield the events of the answer; its beginning may come twice, and nothing behind that does.

        Args:
            cloud: Of whom to ask.
            request: The turn.
            since: Mark of the tombstones when the last deletion before the turn had been confirmed.

        Raises:
            CloudError: as `CloudClient.turn`; or it recalls again what it has just deleted.
        """
        for _ in range(_TRIES):
            order = AnswerOrder(request.sampling.n)
            async with contextlib.aclosing(cloud.turn(request)) as events:
                async for event in events:
                    order.check(event)
                    if isinstance(event, MemoryUsed) and request.memory_read:
                        used = event.memories
                        if await self._writer.run(lambda: self._take_back(used, since)):  # noqa: B023 - awaited here
                            break
                    yield event
                else:
                    return
            await self._delivery.before_turn(cloud)
        raise CloudBrokeOffError(
            "the cloud half goes on recalling what it was told to delete, so its answer was not read; have whoever "
            "runs it look at its data"
        )

    def _take_back(self, memories: tuple[MemoryId, ...], since: int) -> bool:
        """Queue the deletion of every stray among memories; return whether there is one."""
        strays = [memory for memory in memories if self._strays.is_stray(memory)]
        if strays:
            with self._transaction():
                found = sum((self._strays.take_back(memory, since) for memory in strays), Discord())
                if found:
                    self._noticed(found)
        return bool(strays)
