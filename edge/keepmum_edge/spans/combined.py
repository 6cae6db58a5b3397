"""Rules and the trained model together: a checked form wins, the model decides the rest, nothing found is left bare."""

from keepmum_edge.spans.extractor import Cancelled, SpanExtractor, TextKind
from keepmum_edge.spans.merge import merge
from keepmum_edge.spans.span import PrivateSpan


class CombinedExtractor:
    """Asks several extractors and merges what they found, by the rules of `merge`."""

    def __init__(self, *extractors: SpanExtractor) -> None:
        """Combine extractors, at least one; their order does not matter."""
        if not extractors:
            msg = "needs an extractor"
            raise ValueError(msg)
        self._extractors = extractors

    @property
    def model_id(self) -> str:
        """Names of all of them, so that a change of any is a change."""
        return "+".join(extractor.model_id for extractor in self._extractors)

    def extract(
        self, text: str, *, kind: TextKind = TextKind.PROSE, cancelled: Cancelled | None = None
    ) -> tuple[PrivateSpan, ...]:
        """Return spans sorted by `start`, not overlapping.

        Raises:
            ExtractorUnavailableError: one of them failed; what the others found would be a partial result.
        """
        return merge(text, *(extractor.extract(text, kind=kind, cancelled=cancelled) for extractor in self._extractors))
