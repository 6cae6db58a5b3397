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
from numpy.typing import NDArray

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
    def is_usable(self) -> bool:
        """Whether it can read, as far as that is known."""
        ...

    @property
    def reader_id(self) -> str:
        """Names what reads; what another one has read is read again."""
        ...

    def read(self, placeholder_text: str) -> Meaning | None:
        """Return what a text may imply; None: that cannot be told, so anything. What was read lately takes no time."""
        ...


class EmbeddedAttributes:
    """Reads texts with the sentence embedding and a head that was trained on its states. For any number of threads.

    What it cannot read may imply anything: without the models nothing counts as harmless.

    Args:
        load: Loads both, when the first text is read; raises InferenceError or ImportError.
        head_id: Names the head that will be loaded.
    """

    def __init__(self, load: "Callable[[], tuple[Encoder, AttributeHead]]", head_id: str) -> None:
        self._load = load
        self._head_id = head_id
        self._key = secrets.token_bytes(32)
        self._lock = threading.Lock()
        self._loading = threading.Lock()
        self._loaded: tuple[Encoder, AttributeHead] | None = None
        self._is_usable = True
        self._remembered: dict[bytes, NDArray[np.float32]] = {}

    @property
    def is_usable(self) -> bool:
        """False once it is known that the models cannot be used."""
        return self._is_usable

    @property
    def reader_id(self) -> str:
        """Names the head, or that there is none."""
        return self._head_id if self._is_usable else "none"

    def read(self, placeholder_text: str) -> Meaning | None:
        """Return what a text may imply; None: that cannot be told, so anything."""
        pieces = tuple(_pieces(unnumbered(placeholder_text)))
        if not pieces:
            return NOTHING
        models = None if len(pieces) > MOST_PIECES else self._models()
        if models is None:
            return None
        try:
            chances = np.max([self._chances(*models, piece) for piece in pieces], axis=0)
        except InferenceError:
            return None
        head = models[1]
        return Meaning(implied=_ids(head.implied(chances)), sure=_ids(head.sure(chances)))

    def _chances(self, encoder: Encoder, head: "AttributeHead", piece: str) -> NDArray[np.float32]:
        key = hashlib.blake2b(piece.encode("utf-8", "surrogatepass"), key=self._key, digest_size=16).digest()
        with self._lock:
            known = self._remembered.get(key)
        if known is not None:
            return known
        found = head.chances(encoder.states(piece))
        with self._lock:
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            self._remembered[key] = found
        return found

    def _models(self) -> "tuple[Encoder, AttributeHead] | None":
        """Return both, or None for good if one cannot be used or they do not belong together."""
        with self._loading:
            if self._loaded is None and self._is_usable:
                try:
                    encoder, head = self._load()
                    self._is_usable = encoder.model_id == head.embedding
                    self._loaded = (encoder, head) if self._is_usable else None
                except (InferenceError, ImportError):
                    self._is_usable = False
            return self._loaded


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
