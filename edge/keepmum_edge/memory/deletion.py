"""What a deletion removes, trims and makes anew (pure).

removed   the closure of what was asked for
trimmed   items that stay because something else bears them out; they lose the removed from their sources
rebuilt   removed items that were made from several: those with a source that stays, or that is itself made anew, are
          made again, parents first, and only from those (`personalisation`, deleting a memory, phase 2)

The plan holds ids only. What is made anew gets another id: the old one stays forbidden, on both halves.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from keepmum_edge.memory.provenance import ItemId, Provenance, Support


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuild:
    """An item to be made again, and the sources that are left for it: items that stay, or that come earlier here."""

    item: ItemId
    sources: frozenset[ItemId]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What one deletion does.

    Attributes:
        asked: What was asked for and is there.
        removed: The closure, parents first; the asked are among them.
        trimmed: Item -> the sources that it loses.
        rebuilt: In the order in which they are to be made.
    """

    asked: frozenset[ItemId]
    removed: tuple[ItemId, ...]
    trimmed: dict[ItemId, frozenset[ItemId]]
    rebuilt: tuple[Rebuild, ...]

    @property
    def digest(self) -> str:
        """What tells this plan from another, so that the owner's yes is to what was shown."""
        parts = [*sorted(self.removed), "|", *sorted(self.trimmed), "|", *sorted(each.item for each in self.rebuilt)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def plan(provenance: Provenance, asked: Iterable[ItemId], *, along: Iterable[ItemId] = ()) -> Plan:
    """Return what deleting these items does; `along` goes too, without having been asked for."""
    wanted = frozenset(asked)
    roots = wanted | frozenset(along)
    closure = provenance.closure(roots)
    removed = provenance.parents_first(closure)
    trimmed = {
        each: lost
        for each in provenance.descendants(closure)
        if each not in closure and (lost := provenance.items[each].sources & closure)
    }
    again: dict[ItemId, frozenset[ItemId]] = {}
    for each in removed:
        item = provenance.items.get(each)
        if item is None or each in roots or item.support is not Support.MADE:
            continue
        left = frozenset(source for source in item.sources if source not in closure or source in again)
        if left:
            again[each] = left
    return Plan(
        asked=wanted,
        removed=removed,
        trimmed=trimmed,
        rebuilt=tuple(Rebuild(item=each, sources=sources) for each, sources in again.items()),
    )
