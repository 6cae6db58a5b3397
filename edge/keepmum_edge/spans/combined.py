"""Rules and the trained model together: a checked form wins, the model decides the rest, nothing found is left bare.

Then names are seen to: their borders (`name_borders`, `titles`), which of them are public (`public_figures`), and where
else in the text the private ones stand (`namesakes`).
"""

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.address_borders import with_whole_addresses
from keepmum_edge.spans.extractor import Cancelled, SpanExtractor, TextKind, fail_closed
from keepmum_edge.spans.graphemes import with_whole_graphemes
from keepmum_edge.spans.merge import merge
from keepmum_edge.spans.name_borders import with_whole_names
from keepmum_edge.spans.namesakes import Namesakes, private_names
from keepmum_edge.spans.public_figures import NOBODY, PublicFigures
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.spans.titles import with_titles


class CombinedExtractor:
    """Asks several extractors and merges what they found, by the rules of `merge`."""

    def __init__(self, *extractors: SpanExtractor, figures: PublicFigures = NOBODY) -> None:
        """Combine extractors, at least one; their order does not matter. `figures`: whose names may pass as PL1."""
        if not extractors:
            msg = "needs an extractor"
            raise ValueError(msg)
        self._extractors = extractors
        self._figures = figures

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
        with fail_closed("finding private spans"):
            groups = (extractor.extract(text, kind=kind, cancelled=cancelled) for extractor in self._extractors)
            found = merge(text, *groups)
            if any(span.entity_type is EntityType.NAME for span in found):
                found = self._with_names_seen_to(text, found)
            if any(span.entity_type in (EntityType.ADDRESS, EntityType.NAME) for span in found):
                found = with_whole_addresses(text, found)
            return tuple(with_whole_graphemes(text, found))

    def _with_names_seen_to(self, text: str, found: tuple[PrivateSpan, ...]) -> tuple[PrivateSpan, ...]:
        found = self._figures.let_pass(text, tuple(with_whole_names(text, found)))
        found = Namesakes(private_names(found)).added_to(text, found)
        return tuple(with_titles(text, with_whole_names(text, found)))
