"""Proof that training never shows an entity of the held-back users."""

from collections.abc import Iterable

from keepmum_shared.taxonomy import EntityType as T

from keepmum_models.corpus.generate import Message
from keepmum_models.corpus.splits import normal_form

# words that a language has only so many of: an illness, a faith or an amount names nobody
SHARED_WORDS = frozenset({T.FINANCE, T.HEALTH, T.BIOMETRIC, T.RELIGION, T.ETHNICITY, T.ORIENTATION, T.POLITICS}) | {
    T.LEGAL_RECORD,
    T.MINOR,
    T.PRIVATE_MESSAGE,
    T.SECURITY_ANSWER,
    T.LOCATION_TRACE,
}


class SharedEntityError(ValueError):
    """An entity of the held-back users occurs in training. Names the message, not the text."""


def entities(messages: Iterable[Message]) -> frozenset[tuple[T, str]]:
    """Return type and normal form of every private entity."""
    return frozenset(
        (span.entity_type, normal_form(message.labelled.text[span.start : span.end]))
        for message in messages
        for span in message.labelled.private
        if span.entity_type not in SHARED_WORDS
    )


class Fence:
    """Lets training messages pass that share no entity with the held-back users."""

    def __init__(self, held_back: Iterable[Message]) -> None:
        self._entities = entities(held_back)

    def check(self, message: Message) -> None:
        """Raise SharedEntityError if the message shares an entity with them."""
        if not self._entities.isdisjoint(entities((message,))):
            raise SharedEntityError(message.identity)
