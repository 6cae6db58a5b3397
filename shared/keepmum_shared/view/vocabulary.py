"""Topics, views and facets: what may be said to the response model, the same for every store (C1).

A released view travels as `VIEW/TOPIC`. All view ids have one length, and all topic ids, so a request's size tells
neither which view was drawn nor, where a slot has two facets over different topics, of which facet it is.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NewType

from keepmum_shared.view.budget import Odds, PolicyError
from keepmum_shared.view.layout import SlotId

TopicId = NewType("TopicId", str)
FacetId = NewType("FacetId", str)
ViewId = NewType("ViewId", str)

GENERIC: Final = "generic"
"""Name of the first view of every facet."""
MAX_VIEWS: Final = 4
MAX_FACETS: Final = 16
"""Of a policy; a turn releases at most one view of each."""
_VIEW_ID: Final = re.compile(r"[A-Za-z0-9]{4}")
_TOPIC_ID: Final = re.compile(r"[a-z]{4}")
WIRE_FORM: Final = re.compile(rf"{_VIEW_ID.pattern}/{_TOPIC_ID.pattern}")
"""How a released view travels; `wire_form` writes it, `Vocabulary.expand` reads it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """What a message is about. `cues`: words that say so, English and Chinese; a final `*` stands for any ending."""

    id: TopicId
    cues: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One way to answer. Never a fact about the user.

    Attributes:
        name: For people, unique in its facet.
        cues: Words in a record that support the view; empty for generic.
        wordings: What the response model is told, by topic.
    """

    id: ViewId
    name: str
    cues: tuple[str, ...]
    wordings: Mapping[TopicId, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet:
    """The candidates of one draw over one slot: generic first, then at most three others in vocabulary order.

    Attributes:
        odds: Of k-ary randomised response under the policy `sticky`; None if generic is the only view.
    """

    id: FacetId
    slot: SlotId
    views: tuple[View, ...]
    odds: Odds | None

    @property
    def generic(self) -> View:
        """The view that says nothing about anyone."""
        return self.views[0]

    @property
    def draws(self) -> bool:
        """Whether there is anything to choose."""
        return len(self.views) > 1

    @property
    def topics(self) -> frozenset[TopicId]:
        """The topics that it may be released for."""
        return frozenset(self.generic.wordings)


class Vocabulary:
    """Every topic and facet, in the order of the policy file.

    Raises:
        PolicyError: an id twice or of another form, too many facets, a facet without generic first, with more than
            three others, or with a view that lacks a wording that another has; an unknown topic.
    """

    def __init__(self, topics: Iterable[Topic], facets: Iterable[Facet]) -> None:
        topic_list, facet_list = list(topics), list(facets)
        self.topics: Mapping[TopicId, Topic] = MappingProxyType({topic.id: topic for topic in topic_list})
        self.facets: Mapping[FacetId, Facet] = MappingProxyType({facet.id: facet for facet in facet_list})
        self._facet_of: dict[ViewId, Facet] = {view.id: facet for facet in facet_list for view in facet.views}
        self._views: dict[ViewId, View] = {view.id: view for facet in facet_list for view in facet.views}
        self._places = {view: place for place, view in enumerate(self._views)}
        if len(self.topics) != len(topic_list) or len(self.facets) != len(facet_list):
            raise PolicyError("topics and facets: an id stands twice")
        if len(self._views) != sum(len(facet.views) for facet in facet_list):
            raise PolicyError("views: an id stands twice")
        if len(facet_list) > MAX_FACETS:
            raise PolicyError(f"facets: at most {MAX_FACETS}")
        if not all(_TOPIC_ID.fullmatch(topic) for topic in self.topics):
            raise PolicyError("topics: an id has 4 small letters")
        for facet in facet_list:
            self._check(facet)

    def view(self, view: ViewId) -> View:
        """Return a view.

        Raises:
            PolicyError: there is none of this id.
        """
        found = self._views.get(view)
        if found is None:
            raise PolicyError("no such view in this vocabulary")
        return found

    def facet_of(self, view: ViewId) -> Facet:
        """Return the facet that a view belongs to.

        Raises:
            PolicyError: there is none of this id.
        """
        self.view(view)
        return self._facet_of[view]

    def of_slot(self, slot: SlotId) -> tuple[Facet, ...]:
        """Return the facets over a slot."""
        return tuple(facet for facet in self.facets.values() if facet.slot == slot)

    def expand(self, released: str) -> str:
        """Return the wording of a released view as it travels, `VIEW/TOPIC`.

        Raises:
            PolicyError: not of this vocabulary.
        """
        view, _, topic = released.partition("/")
        wording = self.view(ViewId(view)).wordings.get(TopicId(topic))
        if wording is None:
            raise PolicyError("no such wording in this vocabulary")
        return wording

    def in_order(self, released: Iterable[str]) -> tuple[str, ...]:
        """Return released views of this vocabulary, as they travel, in the vocabulary's order."""
        return tuple(sorted(released, key=lambda each: (self._places[_view_of(each)], each)))

    def is_generic(self, released: str) -> bool:
        """Say whether a released view, as it travels, is a facet's generic one."""
        view = _view_of(released)
        return self.facet_of(view).generic.id == view

    def _check(self, facet: Facet) -> None:
        names = [view.name for view in facet.views]
        if not names or names[0] != GENERIC:
            raise PolicyError(f"facet {facet.id}: its first view must be {GENERIC}")
        if len(names) > MAX_VIEWS:
            raise PolicyError(f"facet {facet.id}: has {len(names)} views; generic and at most three others")
        if len(set(names)) != len(names):
            raise PolicyError(f"facet {facet.id}: two views of one name")
        for view in facet.views:
            if not _VIEW_ID.fullmatch(view.id):
                raise PolicyError(f"facet {facet.id}: a view id has 4 letters and digits")
            if view.wordings.keys() != facet.topics:
                raise PolicyError(f"facet {facet.id}: view {view.name} needs a wording for the same topics as generic")
            if (view.name == GENERIC) == bool(view.cues):
                raise PolicyError(f"facet {facet.id}: every view but generic needs cues, and generic has none")
        unknown = facet.topics - self.topics.keys()
        if unknown:
            raise PolicyError(f"facet {facet.id}: unknown topic {min(unknown)}")


def wire_form(view: ViewId, topic: TopicId) -> str:
    """Return how a released view travels."""
    return f"{view}/{topic}"


def _view_of(released: str) -> ViewId:
    return ViewId(released.partition("/")[0])
