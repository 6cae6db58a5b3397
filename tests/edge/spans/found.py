"""Spans as an extractor might have found them."""

from keepmum_edge.spans.span import PrivateSpan
from keepmum_shared.taxonomy import EntityType, Level


def found_in(text: str, *found: tuple[str, EntityType]) -> list[PrivateSpan]:
    """A span for each surface, each behind the one before."""
    made, at = list[PrivateSpan](), 0
    for surface, kind in found:
        start = text.index(surface, at)
        at = start + len(surface)
        made.append(
            PrivateSpan(
                start=start, end=at, entity_type=kind, level=Level.PL2, source="encoder", certainty=80, surface=surface
            )
        )
    return made
