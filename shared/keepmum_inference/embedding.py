"""What makes the vectors of texts, and how it is loaded; both halves search memories with it, each its own."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Embedder(Protocol):
    """Makes vectors of texts. Compute-bound: call from a worker thread."""

    @property
    def model_id(self) -> str:
        """Name of the model; vectors of different models may not be compared."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def query(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of a query. Raises InferenceError."""
        ...

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the unit vectors of memories, one a row. Raises InferenceError."""
        ...


class Encoder(Embedder, Protocol):
    """An embedder that also tells what it knows of a text's pieces, for heads that read on from there."""

    def states(self, text: str) -> NDArray[np.float32]:
        """Return what a middle layer knows of each piece of a query; one row a piece. Raises InferenceError."""
        ...


def load_embedder(folder: Path | None, *, keeps_room: bool = True) -> Encoder:
    """Load the sentence embedding; takes about a second.

    Args:
        folder: Where its files are; None: the shipped one.
        keeps_room: As `ModelSession` takes it.

    Raises:
        InferenceError: a file is missing or altered, or the runtime refuses it.
    """
    # Here, since the commands that only pair or list need no runtime.
    from keepmum_inference.embedder import SentenceEmbedder, artefact_folder, load_embedding_artefact

    artefact = load_embedding_artefact(artefact_folder() if folder is None else folder)
    return SentenceEmbedder(artefact, keeps_room=keeps_room)
