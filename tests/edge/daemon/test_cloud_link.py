"""Whether the cloud half is there, as a probe is told; that it is unreachable is tested with real halves."""

import asyncio
from typing import Any

from keepmum_edge.daemon.cloud_http import Patience
from keepmum_edge.daemon.cloud_link import CloudLink
from keepmum_edge.errors import CloudTimeoutError


class Link(CloudLink):
    """A link to a cloud half that answers by script."""

    def __init__(self, *answers: Any) -> None:
        super().__init__(None, Patience(), lambda: 1_800_000_000.0, bytes)
        self.answers = list(answers)
        self.asked = 0

    def client(self) -> Any:
        return self

    async def device(self, *, once: bool = False) -> None:
        self.asked += 1
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        await asyncio.sleep(answer)

    async def close(self) -> None:
        self._looked = None


def test_without_a_pairing_nothing_is_asked() -> None:
    async def work() -> None:
        assert await CloudLink(None, Patience(), lambda: 0.0, bytes).standing() == "not_paired"

    asyncio.run(work())


def test_a_cloud_that_answers_is_asked_once_however_many_probes_there_are() -> None:
    async def work() -> None:
        link = Link(0.0)
        assert set(await asyncio.gather(*(link.standing() for _ in range(20)))) == {"reachable"}
        assert link.asked == 1

    asyncio.run(work())


def test_a_probe_waits_neither_for_a_silent_cloud_nor_raises() -> None:
    async def work() -> None:
        link = Link(CloudTimeoutError("too slow"), 3600.0)
        assert await link.standing() == "not_reachable"
        await link.close()
        assert await link.standing() == "not_reachable"
        assert link.asked == 2

    asyncio.run(work())
