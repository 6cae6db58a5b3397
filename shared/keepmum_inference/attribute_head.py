"""From what the sentence embedding knows of a text to the protected attributes that the text may imply.

manifest.json   also {"embedding": model id, "attributes": {id: threshold}}, in the order of the output (see `manifest`)
model.onnx      inputs `states` and `mask`, output `chances`: for each text one chance in [0, 1] an attribute

It reads on from a middle layer of the one sentence embedding that it was trained on; the states of another say nothing
to it. An attribute counts as implied from its threshold on. Thresholds are low: what is missed costs privacy, what is
taken for one too many costs that a memory stays on its owner's computer. From SURE on one is sure.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from keepmum_inference.errors import ArtefactError
from keepmum_inference.manifest import MANIFEST, MODEL, read_checked, shipped_folder
from keepmum_inference.session import ModelSession

FILES: Final = (MODEL,)
SURE: Final = 0.6
_OUTPUTS: Final = ("chances",)


def artefact_folder() -> Path:
    """Return where the shipped head lies."""
    return shipped_folder("attributes")


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeArtefact:
    """A head as read and checked.

    Attributes:
        sha256: Of the manifest, and so of everything it lists.
        embedding: Model id of the sentence embedding whose states it reads.
        thresholds: For each attribute, in the order of the output, the chance from which it counts as implied.
        model: The ONNX file.
    """

    sha256: str
    embedding: str
    thresholds: Mapping[str, float]
    model: bytes = field(repr=False)


def load_attribute_artefact(folder: Path) -> AttributeArtefact:
    """Read and check a head.

    Raises:
        ArtefactError: a file is missing, altered or of another format.
    """
    files = read_checked(folder, FILES)
    embedding = files.manifest.get("embedding")
    if not isinstance(embedding, str):
        raise ArtefactError(MANIFEST, "names no sentence embedding")
    return AttributeArtefact(
        sha256=files.sha256,
        embedding=embedding,
        thresholds=_thresholds(files.manifest),
        model=files.contents[MODEL],
    )


class AttributeHead:
    """A loaded head. Stateless between calls; may be called from several threads."""

    def __init__(self, artefact: AttributeArtefact) -> None:
        """Start the runtime.

        Raises:
            SessionError: the runtime refuses the model.
        """
        self.embedding, self.sha256 = artefact.embedding, artefact.sha256
        self._attributes = tuple(artefact.thresholds)
        self._thresholds = np.array(tuple(artefact.thresholds.values()), dtype=np.float32)
        self._session = ModelSession(artefact.model)

    def chances(self, states: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the chance of each attribute, in the order of the manifest, for states of shape (pieces, dimension).

        Raises:
            SessionError: the states do not fit, or the runtime failed.
        """
        mask = np.ones((1, len(states)), dtype=np.int64)
        chances: NDArray[np.float32] = self._session.run(_OUTPUTS, {"states": states[None], "mask": mask})[0][0]
        return chances

    def implied(self, chances: NDArray[np.float32]) -> frozenset[str]:
        """Return the ids of the attributes that a text with these chances may imply."""
        return self._names(chances >= self._thresholds)

    def sure(self, chances: NDArray[np.float32]) -> frozenset[str]:
        """Return the ids of those of them that are sure."""
        return self._names((chances >= self._thresholds) & (chances >= SURE))

    def _names(self, are: NDArray[np.bool_]) -> frozenset[str]:
        return frozenset(self._attributes[at] for at in np.flatnonzero(are))


def _thresholds(manifest: Mapping[str, Any]) -> dict[str, float]:
    """Return the thresholds of a manifest, each in (0, 1)."""
    listed = manifest.get("attributes")
    if not isinstance(listed, dict) or not listed:
        raise ArtefactError(MANIFEST, "lists no attributes")
    if not all(isinstance(value, float) and 0 < value < 1 for value in listed.values()):
        raise ArtefactError(MANIFEST, "has a threshold that is no number between 0 and 1")
    return listed
