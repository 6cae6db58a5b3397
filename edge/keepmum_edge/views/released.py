"""A released view: as it travels, and as its owner is shown it, with the reason in words (pure).

The explanation is never for the cloud or a client of somebody else.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from keepmum_shared.view import GENERIC, Policy, SlotId, TopicId, ViewId
from keepmum_shared.view.budget import PolicyError
from keepmum_shared.view.vocabulary import wire_form

from keepmum_edge.views.ledger import Ground

WHY: Final[Mapping[Ground, str]] = MappingProxyType(
    {
        Ground.DRAWN: "drawn once and then reused: right more often than not, and at times wrong on purpose",
        Ground.REUSED: "an earlier period's draw, used again: nothing more may be drawn",
        Ground.EARLY: "generic: before the first date nothing is drawn",
        Ground.SILENCED: "generic: you silenced it",
        Ground.NO_CHOICE: "generic: this part has no other view",
        Ground.SPENT: "generic: the budget admits no draw",
        Ground.FROZEN: "generic: an older ledger was found, so nothing is drawn in this period",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    """One view of a turn. `ground` and the slot are public; `str()` is what travels."""

    view: ViewId
    topic: TopicId
    slot: SlotId
    ground: Ground

    def __str__(self) -> str:
        return wire_form(self.view, self.topic)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedView:
    """A view that a turn carried.

    Attributes:
        facet, name: What people call it; empty and `generic` if the policy has it no more.
        wording: What the response model was told; empty likewise.
        why: In words.
    """

    view: str
    facet: str
    name: str
    topic: str
    slot: str
    ground: str
    why: str
    wording: str


def explain(policy: Policy, released: Released) -> ExplainedView:
    """Explain a view by the policy that is in force."""
    vocabulary = policy.vocabulary
    try:
        facet, name = str(vocabulary.facet_of(released.view).id), vocabulary.view(released.view).name
        wording = vocabulary.expand(str(released))
    except PolicyError:  # an older policy's
        facet, name, wording = "", GENERIC, ""
    return ExplainedView(
        view=released.view,
        facet=facet,
        name=name,
        topic=released.topic,
        slot=released.slot,
        ground=released.ground,
        why=WHY[released.ground],
        wording=wording,
    )
