"""Comparing what the cloud half holds with what it was told: once a process and pairing, and when it was restarted.

A cloud half may have been put back to an older copy of its data. What it then holds though it was forgotten, or is not
known here, is deleted there again; what it lost, or says as it was before a correction, goes there again with the next
turns. Only ids and digests come; nothing is read here but records that the cloud holds or may hold, so nothing that is
sent depends on others. All of it goes on beside requests.
"""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from typing import Final

from keepmum_shared import codec
from keepmum_shared.errors import WireError
from keepmum_shared.held import held_digest
from keepmum_shared.ids import DeviceId, MemoryId

from keepmum_edge.daemon.cloud_client import CloudClient
from keepmum_edge.daemon.forget.strays import Discord, Strays
from keepmum_edge.daemon.forget.tombstones import Tombstones
from keepmum_edge.daemon.store import ScopeStore, SettingStore
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.errors import CloudBrokeOffError, CloudError, CloudRefusedError
from keepmum_edge.memory.record import CloudState
from keepmum_edge.memory.store import MemoryStore

_MOST_HELD: Final = 500_000
"""Memories of one device; a list that is longer is not believed."""
_PAGE: Final = 500
_NO_SUCH_ROUTE: Final = 404
_SETTING: Final = "cloud_discord"
_SETTING_DEVICE: Final = "cloud_compared_as"
_TOLD_FOR_S: Final = 7 * 86_400
SET_BACK: Final = "Whoever runs the cloud half should delete such copies of its data: they hold what you forgot."


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """What was last noticed, and when (Unix seconds)."""

    at: int
    discord: Discord

    def __str__(self) -> str:
        """What it means, in words."""
        found = self.discord
        said = (
            (found.forgotten, "held {} again that you had forgotten (deleted there again)"),
            (found.unknown, "held {} that are not to be there (deleted there)"),
            (found.lost, "had lost {} (sent again with your next messages)"),
            (found.outdated, "held an earlier text of {} (sent again with your next messages)"),
        )
        what = [words.format(f"{count} memor{'y' if count == 1 else 'ies'}") for count, words in said if count]
        is_older = found.forgotten or found.unknown or found.outdated
        why = "was set back to an older copy of its data: it " if is_older else ""
        return f"the cloud half {why}{', '.join(what)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Before:
    """What was known before the cloud was asked.

    Attributes:
        mark: Of the tombstones, from before the last deletion that waited was confirmed.
        shared: What the cloud holds or may hold.
        stored: Of it, what it has stored, and in which state.
    """

    mark: int
    shared: frozenset[MemoryId]
    stored: Mapping[MemoryId, str]


class Comparing:
    """Compares, and keeps what was found.

    Args:
        writer: For work beside requests.
        cloud: Returns the client of the paired cloud half, or raises NotPairedError.
        device: As whom this computer is paired; on the writer's thread.
        deliver: Takes deletions that wait to the cloud; says whether none waits any more.
        now: Unix seconds.
    """

    def __init__(
        self,
        *,
        writer: Writer,
        transaction: Callable[[], contextlib.AbstractContextManager[object]],
        records: MemoryStore,
        scopes: ScopeStore,
        tombstones: Tombstones,
        strays: Strays,
        settings: SettingStore,
        cloud: Callable[[], CloudClient],
        device: Callable[[], DeviceId | None],
        deliver: Callable[[], Coroutine[None, None, bool]],
        now: Callable[[], float],
    ) -> None:
        self._writer = writer
        self._transaction = transaction
        self._records = records
        self._scopes = scopes
        self._tombstones = tombstones
        self._strays = strays
        self._settings = settings
        self._cloud = cloud
        self._device = device
        self._deliver = deliver
        self._now = now
        self._one_at_a_time = asyncio.Lock()
        self._compared: tuple[CloudClient, str | None] | None = None
        self.is_too_old = False
        """Whether the cloud half cannot say what it holds."""

    async def compare(self) -> bool:
        """Compare unless it has been done; return whether it has. A cloud that cannot be reached is no error."""
        async with self._one_at_a_time:
            try:
                cloud = self._cloud()
                if self._compared == (cloud, cloud.instance):
                    return True
                mark = self._tombstones.mark()
                if not await self._deliver():  # what was forgotten at the mark is confirmed now
                    return False
                self.is_too_old = False
                await self._compare(cloud, mark)
            except CloudRefusedError as error:
                if error.status != _NO_SUCH_ROUTE:
                    return False
                self.is_too_old = True
            except CloudError:
                return False
            self._compared = (cloud, cloud.instance)
        await self._deliver()
        return True

    def note(self, found: Discord) -> None:
        """Keep what was found, with what was found shortly before; inside a transaction."""
        known = self._noticed()
        discord = found if known is None else known.discord + found
        noticed = Noticed(at=int(self._now()), discord=discord)
        self._settings.put(_SETTING, codec.encode(noticed).decode())

    async def noticed(self) -> Noticed | None:
        """Return what was noticed within the last days, for the owner."""
        return await self._writer.run(self._noticed)

    def _noticed(self) -> Noticed | None:
        stored = self._settings.get(_SETTING)
        if stored is None:
            return None
        try:
            noticed = codec.decode(Noticed, stored)
        except WireError:
            return None
        return noticed if noticed.at >= self._now() - _TOLD_FOR_S else None

    async def _compare(self, cloud: CloudClient, mark: int) -> None:
        before = await self._before(mark)
        held = await _held(cloud)
        found = Discord()

        def look(memory: MemoryId) -> None:
            nonlocal found
            found += self._look(memory, held.get(memory), before)

        astray = {memory for memory in held if memory not in before.shared}
        wrong = {memory for memory, digest in before.stored.items() if held.get(memory) != digest}
        await self._writer.run_each(sorted(astray | wrong), look, self._transaction)
        await self._writer.run(lambda: self._keep(found))

    def _keep(self, found: Discord) -> None:
        """Keep what was found. A cloud half that has just been paired lost nothing: it never had anything."""
        device = self._device() or ""
        is_new = self._settings.get(_SETTING_DEVICE) != device
        told = replace(found, lost=0, outdated=0) if is_new else found
        if is_new or told:
            with self._transaction():
                self._settings.put(_SETTING_DEVICE, device)
                if told:
                    self.note(told)

    async def _before(self, mark: int) -> _Before:
        """Return what is known; digests are made in slices."""
        shared: list[MemoryId] = []
        row = 0
        while page := await self._writer.run(lambda: self._records.shared_behind(row, _PAGE)):  # noqa: B023 - awaited
            shared += (memory for _, memory in page)
            row = page[-1][0]
        stored: dict[MemoryId, str] = {}

        def note(memory: MemoryId) -> None:
            if (digest := self._digest(memory)) is not None:
                stored[memory] = digest

        await self._writer.run_each(shared, note, contextlib.nullcontext)
        return _Before(mark=mark, shared=frozenset(shared), stored=stored)

    def _digest(self, memory: MemoryId) -> str | None:
        """Return how the cloud should hold a memory; None if it need not hold it, or in another state."""
        record = self._records.get(memory)
        if record is None or record.cloud is not CloudState.SHARED or record.placeholder_text is None:
            return None
        key = self._scopes.find(record.scope)
        return None if key is None else held_digest(key, record.placeholder_text, record.valid_from, record.valid_to)

    def _look(self, memory: MemoryId, held: str | None, before: _Before) -> Discord:
        """Put one memory right, unless it has changed since before; inside a transaction."""
        if memory not in before.shared:
            return self._strays.take_back(memory, before.mark) if self._strays.is_stray(memory) else Discord()
        if self._digest(memory) != before.stored[memory]:
            return Discord()
        record = self._records.get(memory)
        assert record is not None, "it has a digest"
        self._records.put(replace(record, cloud=CloudState.SENT))
        return Discord(lost=1) if held is None else Discord(outdated=1)


async def _held(cloud: CloudClient) -> dict[MemoryId, str]:
    """Return what the cloud half holds: ids with digests. Raises CloudError."""
    held: dict[MemoryId, str] = {}
    after = 0
    while len(held) <= _MOST_HELD:
        page = await cloud.held_memories(after)
        held |= {memory.id: memory.digest for memory in page.memories}
        if page.next is None:
            return held
        if page.next <= after:
            break
        after = page.next
    raise CloudBrokeOffError("the cloud half's list of what it holds has no end")
