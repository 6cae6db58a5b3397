"""Which facets a message is about: a function of placeholder text, released history and the policy (C4).

It is given no memory and has nowhere to get it from.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from keepmum_shared.placeholder import scan
from keepmum_shared.view import AttributeId, FacetId, Policy, TopicId, ViewId

from keepmum_edge.views.cues import Cues, folded

RELEVANCE_OF_TOPIC = 5
MAX_RELEVANCE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Routed:
    """What one turn may release.

    Attributes:
        topics: What it is about, in the policy's order; the next turn's `previous`.
        facets: Each with the topic that its view is worded for, in the policy's order.
    """

    topics: tuple[TopicId, ...]
    facets: Mapping[FacetId, TopicId]


class Router:
    """Routes by one policy."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._topics = {topic.id: Cues(topic.cues) for topic in policy.vocabulary.topics.values()}
        self._attributes = {each.id: Cues(each.cues) for each in policy.layout.attributes.values()}
        self._views = {view.id: Cues(view.cues) for facet in policy.vocabulary.facets.values() for view in facet.views}

    def route(self, text: str, previous: tuple[TopicId, ...] = ()) -> Routed:
        """Return the facets for a message.

        Args:
            text: The new message as it goes to the cloud.
            previous: Topics of the conversation's turn before; they go on if this message names none.
        """
        looked_at = folded(text)
        named = tuple(topic for topic, cues in self._topics.items() if cues.found(looked_at))
        topics = named or tuple(topic for topic in self._topics if topic in previous)
        facets = {
            facet.id: next(topic for topic in topics if topic in facet.topics)
            for facet in self._policy.vocabulary.facets.values()
            if facet.topics.intersection(topics)
        }
        return Routed(topics=topics, facets=facets)

    def relevance(self, text: str, view: ViewId) -> int:
        """Return r of a view of a routed facet, 0..10: read from public text alone."""
        return min(MAX_RELEVANCE, RELEVANCE_OF_TOPIC + self._views[view].distinct(folded(text)))

    def touched(self, text: str) -> frozenset[AttributeId]:
        """Return the attributes that a message itself touches, by its words or by the types of its placeholders."""
        looked_at = folded(text)
        types = {str(placeholder.entity_type) for _, _, placeholder in scan(text)}
        return frozenset(
            attribute.id
            for attribute in self._policy.layout.attributes.values()
            if self._attributes[attribute.id].found(looked_at) or types.intersection(attribute.types)
        )
