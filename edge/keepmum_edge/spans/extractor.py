"""The protocol of everything that finds private spans: rules now, a trained encoder later."""

from typing import Final, Protocol

from keepmum_edge.spans.span import PrivateSpan

NOT_YET_MASKED: Final = "names, addresses and health in free text are NOT yet masked"
"""Said by every command while `finds_names` is false."""


class SpanExtractor(Protocol):
    """Finds private spans in one text. Synchronous and compute-bound: call it from a worker thread, or several.

    Every implementation passes the contract in `tests/edge/spans/test_extractor_contract.py`.
    """

    @property
    def model_id(self) -> str:
        """Name and version of the rules, or name and SHA-256 of the weights."""
        ...

    @property
    def finds_names(self) -> bool:
        """Whether names, addresses and health in free text are found; if not, users are told so."""
        ...

    def extract(self, text: str) -> tuple[PrivateSpan, ...]:
        """Return spans sorted by `start`, not overlapping; the whole text is read, however long.

        Raises:
            ExtractorUnavailableError: the extractor failed; never a partial result.
        """
        ...
