"""The extractor that ships: the rules and the trained model together. Whoever masks or shows masking takes this one.

There is no lesser one to fall back on: if the model cannot be loaded, nothing is read and so nothing is sent.
"""

from pathlib import Path

from keepmum_edge.errors import ExtractorUnavailableError
from keepmum_edge.spans.combined import CombinedExtractor
from keepmum_edge.spans.extractor import SpanExtractor
from keepmum_edge.spans.public_figures import PublicFigures, shipped_figures
from keepmum_edge.spans.rules import RuleExtractor


def load_shipped(
    folder: Path | None = None, *, threads: int = 1, figures: PublicFigures | None = None
) -> SpanExtractor:
    """Load the rules and the model; takes a fraction of a second, so beside other work where a start is waited for.

    Args:
        folder: Where the model's files are; None: those that came with Keepmum.
        threads: Threads that reading one text may use, >= 1.
        figures: Whose names may pass; None: those of the shipped list.

    Raises:
        ExtractorUnavailableError: a file of the model is missing, altered or does not fit, or its runtime cannot be
            imported.
    """
    try:
        from keepmum_edge.spans.encoder import EncoderExtractor  # here: its runtime is a library that can be missing
    except ImportError as error:
        raise ExtractorUnavailableError(
            f"the span model's runtime cannot be loaded: {error.name or 'a library'}", "Install Keepmum again."
        ) from None
    figures = PublicFigures(shipped_figures().added) if figures is None else figures
    return CombinedExtractor(RuleExtractor(), EncoderExtractor(folder, threads=threads), figures=figures)
