"""What was forgotten, as work that is under way sees it; on the writer's thread.

A turn that began before a deletion may end after it. Whoever is about to store something asks here first, inside the
same transaction: nothing of a forgotten turn, and nothing that used a forgotten record, is stored. A message that a
client sends again from its own history leaves no copy in a trace either.
"""

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Final

from keepmum_shared.ids import TurnId
from keepmum_shared.messages import ChatMessage

from keepmum_edge.daemon.forget.store import TombstoneStore

FORGOTTEN: Final = "[forgotten]"
"""Stands in a trace where a forgotten message stood."""


class Tombstones:
    """The tombstones of one profile, read once and kept."""

    def __init__(self, store: TombstoneStore) -> None:
        self._store = store
        self._ids = dict.fromkeys(store.ids(), 0)
        self._number = 0
        self._chains = set(store.chains())

    def add(self, ids: Iterable[str], chains: Iterable[bytes], at: int) -> None:
        """Forbid ids and messages; inside the caller's transaction.

        They are forbidden in memory even if the transaction fails: then work that runs keeps nothing, which is safe.
        """
        ids, chains = tuple(ids), tuple(chains)
        self._store.add(ids, chains, at)
        self._number += 1
        for each in ids:
            self._ids.setdefault(each, self._number)
        self._chains.update(chains)

    def mark(self) -> int:
        """Return a mark: what is forgotten from now on is not yet forgotten at it."""
        return self._number

    def holds(self, item: str, since: int | None = None) -> bool:
        """Say whether an id was forgotten; with a mark, whether it was at the mark already."""
        number = self._ids.get(item)
        return number is not None and (since is None or number <= since)

    def covers(self, turn: TurnId, used: Iterable[str]) -> bool:
        """Say whether a turn was forgotten while it ran, or used what was."""
        return turn in self._ids or any(each in self._ids for each in used)

    def redacted(self, messages: Sequence[ChatMessage], chains: Sequence[bytes]) -> tuple[ChatMessage, ...]:
        """Return messages for a trace, without the words of those that were forgotten.

        Args:
            messages: Of one request, in their order.
            chains: Of each, the chain digest of the history up to it.
        """
        if not self._chains:
            return tuple(messages)
        return tuple(
            dataclasses.replace(message, content=FORGOTTEN, name=None, tool_calls=None)
            if chain in self._chains
            else message
            for message, chain in zip(messages, chains, strict=True)
        )
