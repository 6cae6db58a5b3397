"""What a text may imply by its meaning, where no cue says it: a model over the sentence embedding.

Cues (`memory.lexicon`) know what an attribute is called; people tell of it without those words as well. What the model
reads is the placeholder text with its placeholders unnumbered, a few sentences at a time: so nothing that it says
depends on a masked value, nor on how many were masked before.
"""

import hashlib
import secrets
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from keepmum_inference.embedding import Encoder
from keepmum_inference.errors import InferenceError
from keepmum_shared.placeholder import EXACT
from keepmum_shared.view import AttributeId

from keepmum_edge.memory.sentences import sentences

if TYPE_CHECKING:  # it brings the runtime with it
    from keepmum_inference.attribute_head import AttributeHead

MOST_PIECES: Final = 200
"""Of one text; what has more is a document, and may imply anything."""
_LONGEST: Final = 300
"""Characters that are read at once, well below the model's window; a longer sentence is read in parts."""
_SHORTEST: Final = 20
"""A sentence of fewer characters is read together with the one before it."""
_REMEMBERED: Final = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a text may imply.

    Attributes:
        implied: It may imply these.
        sure: Those of them that are sure.
    """

    implied: frozenset[AttributeId] = field(repr=False)
    sure: frozenset[AttributeId] = field(repr=False)


NOTHING: Final = Meaning(implied=frozenset(), sure=frozenset())


class Implied(Protocol):
    """Reads texts for protected attributes. Compute-bound: call from a reader's thread."""

    @property
    def reader_id(self) -> str:
        """Names what reads; what another one has read is read again."""
        ...

    def read(self, placeholder_text: str) -> Meaning | None:
        """Return what a text may imply; None: that cannot be told, so anything."""
        ...


class EmbeddedAttributes:
    """Reads texts with the sentence embedding and a head that was trained on its states. For any number of threads.

    What it cannot read may imply anything: without the models nothing counts as harmless.

    Args:
        embedder: Gives the sentence embedding, loading it if need be; raises InferenceError or ImportError.
        head: None if it cannot be used.
    """

    def __init__(self, embedder: Callable[[], Encoder], head: "AttributeHead | None") -> None:
        self._embedder = embedder
        self._head = head
        self._key = secrets.token_bytes(32)
        self._lock = threading.Lock()
        self._remembered: dict[bytes, Meaning] = {}

    @property
    def reader_id(self) -> str:
        """The head's sum; `none` once it is known that the models cannot be used."""
        return "none" if self._head is None else self._head.sha256[:16]

    def read(self, placeholder_text: str) -> Meaning | None:
        """Return what a text may imply; None: that cannot be told, so anything."""
        text = unnumbered(placeholder_text)
        key = hashlib.blake2b(text.encode(), key=self._key, digest_size=16).digest()
        with self._lock:
            known = self._remembered.get(key)
        if known is not None:
            return known
        found = self._read(text)
        if found is not None:
            with self._lock:
                if len(self._remembered) >= _REMEMBERED:
                    self._remembered.clear()
                self._remembered[key] = found
        return found

    def _read(self, text: str) -> Meaning | None:
        pieces = tuple(_pieces(text))
        if not pieces:
            return NOTHING
        if len(pieces) > MOST_PIECES:
            return None
        models = self._models()
        if models is None:
            return None
        embedder, head = models
        try:
            chances = np.max([head.chances(embedder.states(piece)) for piece in pieces], axis=0)
        except InferenceError:
            return None
        return Meaning(implied=_ids(head.implied(chances)), sure=_ids(head.sure(chances)))

    def _models(self) -> "tuple[Encoder, AttributeHead] | None":
        """Return both, or None for good if one cannot be used or they do not belong together."""
        try:
            embedder = None if self._head is None else self._embedder()
        except (InferenceError, ImportError):
            embedder = None
        if self._head is None or embedder is None or embedder.model_id != self._head.embedding:
            self._head = None
            return None
        return embedder, self._head


def _ids(names: frozenset[str]) -> frozenset[AttributeId]:
    return frozenset(map(AttributeId, names))


def unnumbered(placeholder_text: str) -> str:
    """Return a text with every placeholder numbered 1, as it is read."""
    return EXACT.sub(r"<\1_1>", placeholder_text)


def _pieces(text: str) -> Iterator[str]:
    """Yield what is read at once: a sentence, with short ones after it, or parts of a long one that overlap."""
    waiting = ""
    for sentence in sentences(text):
        if waiting and len(sentence) >= _SHORTEST:
            yield waiting
            waiting = ""
        waiting = f"{waiting} {sentence}".strip()
        while len(waiting) > _LONGEST:
            yield waiting[:_LONGEST]
            waiting = waiting[_LONGEST - _SHORTEST :]
    if waiting:
        yield waiting
