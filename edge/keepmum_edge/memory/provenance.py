"""What was made from what: the graph of stored items and the questions that forgetting asks of it (pure).

item     anything stored that tells something: a record, a turn, a copy at the cloud
source   an item that another was made from
made     of all its sources: it tells something of each, so it goes when one of them goes
borne    out by its sources: each alone supports it, so it goes when the last of them goes, and else loses that one

Deletion follows `personalisation`: the closure of an item is everything downstream of it, and an item is kept only if
its support leads back to something that stays. So a circle of items that support nothing but each other goes with the
item that it hung from, and no walk here can run round one.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

ItemId = NewType("ItemId", str)
"""The id of a record (`mem_`), a turn (`turn_`) or any other item; unique over all stores."""


class Support(StrEnum):
    """How an item depends on its sources."""

    MADE = "made"
    BORNE = "borne"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An item and its sources; one without sources stands by itself."""

    id: ItemId
    sources: frozenset[ItemId] = frozenset()
    support: Support = Support.MADE


@dataclass(frozen=True, slots=True)
class Provenance:
    """The items of one profile.

    A source that is no item here (a document that was never kept) stands by itself.
    """

    items: Mapping[ItemId, Item] = field(repr=False)

    @staticmethod
    def of(items: Iterable[Item]) -> "Provenance":
        """Make the graph of these items."""
        return Provenance({item.id: item for item in items})

    def descendants(self, roots: Iterable[ItemId]) -> frozenset[ItemId]:
        """Return everything downstream of the roots, without them."""
        below = self._children()
        asked = frozenset(roots)
        seen = set(asked)
        waiting = deque(asked)
        while waiting:
            for child in below.get(waiting.popleft(), ()):
                if child not in seen:
                    seen.add(child)
                    waiting.append(child)
        return frozenset(seen - asked)

    def closure(self, asked: Iterable[ItemId]) -> frozenset[ItemId]:
        """Return what goes when these go, with them: the asked, and what nothing that stays supports any more."""
        roots = frozenset(asked)
        doubtful = self.descendants(roots)
        below = self._children()
        gone = roots | doubtful
        saved: set[ItemId] = set()
        waiting = deque(sorted(doubtful))
        while waiting:  # least fixed point: an item is saved by what is known to stay, never by hope
            each = waiting.popleft()
            if each in saved:
                continue
            item = self.items[each]
            lost = {source for source in item.sources if source in gone and source not in saved}
            if not lost or (item.support is Support.BORNE and lost < item.sources):
                saved.add(each)
                waiting.extend(child for child in below.get(each, ()) if child in doubtful)
        return roots | (doubtful - saved)

    def parents_first(self, chosen: Iterable[ItemId]) -> tuple[ItemId, ...]:
        """Return the chosen so that every source among them comes before what was made from it.

        Items of a circle have no such order: they come last, sorted, so that none waits for ever.
        """
        members = frozenset(chosen)
        left = {each: set(self._sources(each) & members) for each in members}
        ordered: list[ItemId] = []
        ready = deque(sorted(each for each, sources in left.items() if not sources))
        below = self._children()
        while ready:
            each = ready.popleft()
            ordered.append(each)
            for child in sorted(below.get(each, ())):
                if child in left and each in left[child]:
                    left[child].discard(each)
                    if not left[child]:
                        ready.append(child)
        return (*ordered, *sorted(left.keys() - set(ordered)))

    def closes_circle(self, item: Item) -> bool:
        """Say whether an item would be its own source, near or far, if it were stored as it is."""
        return item.id in item.sources or bool(item.sources & self.descendants((item.id,)))

    def _sources(self, item: ItemId) -> frozenset[ItemId]:
        found = self.items.get(item)
        return frozenset() if found is None else found.sources

    def _children(self) -> Mapping[ItemId, list[ItemId]]:
        below: dict[ItemId, list[ItemId]] = {}
        for item in self.items.values():
            for source in item.sources:
                below.setdefault(source, []).append(item.id)
        return below
