"""A sentence embedding at work: texts in, unit vectors out; near in meaning is near in angle.

manifest.json   also {"window", "dimension", "query_prefix", "passage_prefix"} (see `manifest`)
model.onnx      inputs `ids` and `mask`; outputs `vectors`: one unit vector a row, the mean over its pieces, and
                `states` (may be left out): what a middle layer knows of each piece, for heads that
                read on from there
tokenizer.json  of the library `tokenizers`

Placeholders are read as words (see `placeholder_words`). What is looked for and what is stored are embedded apart, each
with the prefix that the model was trained with; only a query's vector and a passage's may be compared.

Source: Wang et al. 2024, Multilingual E5 Text Embeddings.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from keepmum_inference.errors import ArtefactError
from keepmum_inference.manifest import MANIFEST, MODEL, TOKENIZER, read_checked, shipped_folder, whole_number
from keepmum_inference.placeholder_words import in_words
from keepmum_inference.session import ModelSession
from keepmum_inference.subwords import Subwords
from keepmum_inference.windows import windows

FILES: Final = (MODEL, TOKENIZER)
MOST_WINDOWS: Final = 16
"""Some 30,000 characters of English: what a memory says in more than that, its vector does not know."""
_VECTORS: Final = ("vectors",)
_STATES: Final = ("states",)
_FEWEST_PIECES: Final = 16
_MOST_PIECES: Final = 512
_MOST_NUMBERS: Final = 4096


def artefact_folder() -> Path:
    """Return where the shipped model lies."""
    return shipped_folder("embedding")


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingArtefact:
    """A sentence embedding as read and checked.

    Attributes:
        name, version: As the manifest says.
        sha256: Of the manifest, and so of everything it lists.
        window: Pieces that one call reads at most, begin and end marks included.
        dimension: Length of a vector.
        query_prefix, passage_prefix: What is put before a text.
        model: The ONNX file.
        tokenizer_json: The tokenizer.
    """

    name: str
    version: str
    sha256: str
    window: int
    dimension: int
    query_prefix: str
    passage_prefix: str
    model: bytes = field(repr=False)
    tokenizer_json: str = field(repr=False)

    @property
    def model_id(self) -> str:
        """Name, version and the SHA-256 sum; vectors of different models may not be compared."""
        return f"{self.name}-{self.version}@sha256:{self.sha256}"


def load_embedding_artefact(folder: Path) -> EmbeddingArtefact:
    """Read and check a sentence embedding.

    Raises:
        ArtefactError: a file is missing, altered or of another format.
    """
    files = read_checked(folder, FILES)
    window = whole_number(files.manifest, "window", _FEWEST_PIECES, _MOST_PIECES)
    dimension = whole_number(files.manifest, "dimension", 1, _MOST_NUMBERS)
    prefixes = files.manifest.get("query_prefix"), files.manifest.get("passage_prefix")
    if not all(isinstance(prefix, str) for prefix in prefixes):
        raise ArtefactError(MANIFEST, "lacks a prefix")
    return EmbeddingArtefact(
        name=files.name,
        version=files.version,
        sha256=files.sha256,
        window=window,
        dimension=dimension,
        query_prefix=str(prefixes[0]),
        passage_prefix=str(prefixes[1]),
        model=files.contents[MODEL],
        tokenizer_json=files.tokenizer_json,
    )


class SentenceEmbedder:
    """A loaded sentence embedding. Stateless between calls; may be called from several threads."""

    def __init__(self, artefact: EmbeddingArtefact, *, threads: int = 1, keeps_room: bool = True) -> None:
        """Start the runtime.

        Args:
            artefact: The model.
            threads: Threads of one call, >= 1.
            keeps_room: As `ModelSession` takes it.

        Raises:
            ArtefactError: model and tokenizer do not belong together.
            SessionError: the runtime refuses the model.
        """
        # Not the artefact itself: the runtime has its own copy of the model, and a daemon need not hold two.
        self.model_id, self.dimension = artefact.model_id, artefact.dimension
        self._query_prefix, self._passage_prefix = artefact.query_prefix, artefact.passage_prefix
        self._subwords = Subwords(artefact.tokenizer_json)
        self._room = artefact.window - 2
        self._session = ModelSession(artefact.model, threads=threads, keeps_room=keeps_room)
        if not set(_VECTORS) <= set(self._session.outputs):
            raise ArtefactError(MODEL, "lacks the output of a sentence embedding")
        if self._run(_VECTORS, np.zeros(0, dtype=np.int64)).shape != (self.dimension,):
            raise ArtefactError(MANIFEST, "does not fit the output of the model")

    def query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of something that is looked for; shape (dimension,), length 1.

        Of a text longer than the window, beginning and end are read: there is what it is about and what it asks.

        Raises:
            SessionError: the runtime failed.
        """
        return self._run(_VECTORS, self._query_pieces(text))

    def states(self, text: str) -> NDArray[np.float32]:
        """Return what a middle layer knows of each piece of a query; shape (pieces, dimension), marks included.

        Reads as `query` does.

        Raises:
            SessionError: the runtime failed, or the model does not tell its states.
        """
        return self._run(_STATES, self._query_pieces(text))

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of stored texts; shape (texts, dimension), each of length 1.

        A text longer than the window is read in windows, the first MOST_WINDOWS of them, and its vector is their mean.

        Raises:
            SessionError: the runtime failed.
        """
        opening = self._subwords.encode(self._passage_prefix).ids
        vectors = [
            self._vector(opening, self._subwords.encode(self._passage_prefix + in_words(text)).ids) for text in texts
        ]
        return np.array(vectors, dtype=np.float32).reshape(-1, self.dimension)

    def _query_pieces(self, text: str) -> NDArray[np.int64]:
        pieces = self._subwords.encode(self._query_prefix + in_words(text)).ids
        if len(pieces) <= self._room:
            return pieces
        half = self._room // 2
        return np.concatenate((pieces[:half], pieces[-half:]))

    def _vector(self, opening: NDArray[np.int64], pieces: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vector of one text's pieces, which begin with those of the prefix."""
        if len(pieces) <= self._room:
            return self._run(_VECTORS, pieces)
        rest = pieces[len(opening) :]
        total = np.zeros(self.dimension, dtype=np.float32)
        for cut in islice(windows(len(rest), size=self._room - len(opening), overlap=0), MOST_WINDOWS):
            read = np.concatenate((opening, rest[cut.start : cut.end]))
            total += self._run(_VECTORS, read) * (cut.end - cut.start)
        result: NDArray[np.float32] = total / np.linalg.norm(total)
        return result

    def _run(self, outputs: Sequence[str], pieces: NDArray[np.int64]) -> NDArray[np.float32]:
        """Run one window and return one of its outputs.

        One at a time: the runtime takes its 8-bit scales over a whole batch, so in a batch the vector of a text would
        depend on what stands beside it, and that may be another person's.
        """
        ids = np.concatenate(([self._subwords.begin], pieces, [self._subwords.end]))[None]
        found: NDArray[np.float32] = self._session.run(outputs, {"ids": ids, "mask": np.ones_like(ids)})[0][0]
        return found
