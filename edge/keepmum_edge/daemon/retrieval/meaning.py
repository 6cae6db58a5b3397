"""The head that reads protected attributes (`memory.implied`), loaded for the daemon."""

import logging
from typing import TYPE_CHECKING, Final

from keepmum_inference.errors import InferenceError

from keepmum_edge.daemon.retrieval.model import in_words

if TYPE_CHECKING:  # it brings the runtime with it
    from keepmum_inference.attribute_head import AttributeHead

_LOGGER: Final = logging.getLogger("keepmum.edge")


def load_head() -> "AttributeHead":
    """Load the shipped head. Raises InferenceError, or ImportError where the runtime is not installed."""
    from keepmum_inference.attribute_head import AttributeHead, artefact_folder, load_attribute_artefact

    return AttributeHead(load_attribute_artefact(artefact_folder()))


def usable_head() -> "AttributeHead | None":
    """Load the shipped head; None if it cannot be used, and then no memory may leave this computer."""
    try:
        return load_head()
    except (InferenceError, ImportError) as error:
        _LOGGER.warning("attributes: every memory stays here: %s", in_words(error))
        return None
