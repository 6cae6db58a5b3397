"""Attributes, slots, and where a local-only record goes: known before any record is.

Gamma of a slot is read from here and from nothing a record says about itself.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NewType, TypeVar

from keepmum_shared.view.budget import PolicyError

AttributeId = NewType("AttributeId", str)
SlotId = NewType("SlotId", str)
_K = TypeVar("_K")
_V = TypeVar("_V")

OTHER: Final = SlotId("other")
"""Listed for every attribute, and never drawn from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """A protected property of a person.

    Attributes:
        label: For people.
        cap: Nano-epsilon that draws of one period may add up to.
        lifetime_cap: The same over all periods; the guarantee is stated for it.
        planned: Charged selections that the policy `preallocated` plans for a period, C_a.
        cues: Words of a message that touch the attribute.
        types: Placeholder types that may touch it.
    """

    id: AttributeId
    label: str
    cap: int
    lifetime_cap: int
    planned: int
    cues: tuple[str, ...]
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A fixed number of padded positions; `attributes` are those that the slot is listed for."""

    id: SlotId
    label: str
    capacity: int
    attributes: frozenset[AttributeId]


class Layout:
    """All slots and attributes, in the order of the policy file, which is the order of processing.

    Raises:
        PolicyError: an id twice, an unknown attribute, an attribute that no slot but `other` is listed for, no `other`
            or one that leaves an attribute out, or a slot without positions.
    """

    def __init__(self, attributes: Iterable[Attribute], slots: Iterable[Slot]) -> None:
        self.attributes: Mapping[AttributeId, Attribute] = _by_id("attribute", [(a.id, a) for a in attributes])
        self.slots: Mapping[SlotId, Slot] = _by_id("slot", [(s.id, s) for s in slots])
        if not self.attributes:
            raise PolicyError("attributes: there is none to protect")
        for slot in self.slots.values():
            unknown = slot.attributes - self.attributes.keys()
            if unknown:
                raise PolicyError(f"slot {slot.id}: lists an unknown attribute, {min(unknown)}")
            if not 1 <= slot.capacity <= 10_000:
                raise PolicyError(f"slot {slot.id}: needs 1 to 10000 positions")
        if OTHER not in self.slots or self.slots[OTHER].attributes != self.attributes.keys():
            raise PolicyError("slot other: must be there, and be listed for every attribute")
        for attribute in self.attributes:
            if not any(attribute in slot.attributes for slot in self.slots.values() if slot.id != OTHER):
                raise PolicyError(f"attribute {attribute}: no slot is listed for it")

    def gamma(self, slot: SlotId) -> frozenset[AttributeId]:
        """Return the attributes whose group meets the slot's positions: all that a draw on it is charged to (C2)."""
        return self.slots[slot].attributes

    def slots_of(self, attribute: AttributeId) -> tuple[SlotId, ...]:
        """Return the slots listed for an attribute; their positions are I_a."""
        return tuple(slot.id for slot in self.slots.values() if attribute in slot.attributes)

    def slot_for(self, attributes: Iterable[AttributeId]) -> SlotId:
        """Return where a local-only record goes that may imply these attributes.

        A slot listed for every one of them, the first of the file if there are several; else `other`. So does a record
        of which nothing is known: it may imply any.

        Raises:
            PolicyError: an attribute is unknown.
        """
        implied = frozenset(attributes)
        unknown = implied - self.attributes.keys()
        if unknown:
            raise PolicyError(f"no such attribute: {min(unknown)}")
        if not implied:
            return OTHER
        fits = (slot.id for slot in self.slots.values() if slot.id != OTHER and implied <= slot.attributes)
        return next(fits, OTHER)


def _by_id(kind: str, items: list[tuple[_K, _V]]) -> dict[_K, _V]:
    result = dict(items)
    if len(result) != len(items):
        raise PolicyError(f"{kind}s: an id stands twice")
    return result
