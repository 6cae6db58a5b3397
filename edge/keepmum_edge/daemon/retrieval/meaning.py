"""The head that reads protected attributes (`memory.implied`), loaded for the daemon."""

import logging
from typing import TYPE_CHECKING, Final

from keepmum_inference.embedding import Encoder
from keepmum_inference.errors import InferenceError
from keepmum_inference.manifest import manifest_sha256, shipped_folder

from keepmum_edge.daemon.retrieval.model import EmbeddingModel, in_words

if TYPE_CHECKING:  # it brings the runtime with it
    from keepmum_inference.attribute_head import AttributeHead

_LOGGER: Final = logging.getLogger("keepmum.edge")


def load_head() -> "AttributeHead":
    """Load the shipped head. Raises InferenceError, or ImportError where the runtime is not installed."""
    from keepmum_inference.attribute_head import AttributeHead, artefact_folder, load_attribute_artefact

    return AttributeHead(load_attribute_artefact(artefact_folder()))


def head_id() -> str:
    """Name the shipped head without loading it."""
    try:
        return manifest_sha256(shipped_folder("attributes"))[:16]
    except InferenceError:
        return "none"


def load_both(model: EmbeddingModel) -> "tuple[Encoder, AttributeHead]":
    """Load the sentence embedding and the head. Raises InferenceError or ImportError; then no memory may leave."""
    try:
        return model.look(), load_head()
    except (InferenceError, ImportError) as error:
        _LOGGER.warning("attributes: every new memory stays here: %s", in_words(error))
        raise
