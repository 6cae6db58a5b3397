"""The trained extractor: names, addresses, health, secrets in prose, whatever has no form of its own.

Reads the text as the rules do (`normalise`), so that an invisible mark or a full-width digit hides nothing from it, and
answers in offsets of the original. Needs onnxruntime and tokenizers, no torch.
"""

from pathlib import Path
from typing import Final

from keepmum_inference.artefact import load_span_artefact
from keepmum_inference.errors import ArtefactError, InferenceError
from keepmum_inference.manifest import MODEL
from keepmum_inference.tagger import SpanTagger, TaggedSpan
from keepmum_shared.taxonomy import EntityType, Level

from keepmum_edge.errors import ExtractorUnavailableError
from keepmum_edge.spans.extractor import Cancelled, TextKind, fail_closed, stop_if
from keepmum_edge.spans.listed_names import LIST_ID, expected_names, shipped_names
from keepmum_edge.spans.merge import merge
from keepmum_edge.spans.normalise import Reading, read
from keepmum_edge.spans.patterns.guesses import can_be
from keepmum_edge.spans.patterns.secret_forms import can_be_secret, whole_secret
from keepmum_edge.spans.span import PrivateSpan

SOURCE: Final = "encoder"
_MOST_CERTAIN: Final = 99
"""100 is for check digits; a model is never that sure."""

_MUST_FIND: Final = (
    (
        "My name is Sigrid Tanaka and I take methadone for my hepatitis.",
        (
            ("Sigrid Tanaka", EntityType.NAME),
            ("methadone", EntityType.HEALTH),
            ("hepatitis", EntityType.HEALTH),
        ),
    ),
    (
        "我叫欧阳雪梅，住在杭州市文一西路88号。",
        (("欧阳雪梅", EntityType.NAME), ("杭州市文一西路88号", EntityType.ADDRESS)),
    ),
    ("What is the capital of France?", ()),
)
"""The self-test: sentences that are nobody's, and what any model worth its name finds in them."""

_SHIPPED: Final = Path(__file__).with_name("artefact")
_IN_REPOSITORY: Final = Path(__file__).parents[3] / "models" / "artefacts" / "spans"


def artefact_folder() -> Path:
    """Return where the shipped model lies: beside this module when installed, in `models/` in a working copy."""
    return _SHIPPED if _SHIPPED.is_dir() else _IN_REPOSITORY


class EncoderExtractor:
    """Finds private spans with the trained model. Deterministic; no state between calls."""

    def __init__(self, folder: Path | None = None, *, threads: int = 1) -> None:
        """Load and check the model.

        Args:
            folder: Where its files are; None: the shipped one.
            threads: Threads of one call, >= 1.

        Raises:
            ExtractorUnavailableError: a file is missing or altered, its labels are not of this taxonomy, or the model
                does not find what every span model must (`_MUST_FIND`).
        """
        try:
            artefact = load_span_artefact(artefact_folder() if folder is None else folder)
            self._tagger = SpanTagger(artefact, threads=threads)
            _try_out(self._tagger)
        except InferenceError as error:
            raise ExtractorUnavailableError(
                f"the span model is not usable: {error}", "Install Keepmum again, or restore the model's files."
            ) from None
        self._model_id = f"{artefact.model_id}+{LIST_ID}"
        self._names = shipped_names()

    @property
    def model_id(self) -> str:
        """Name, version and SHA-256 of the model."""
        return self._model_id

    def extract(
        self, text: str, *, kind: TextKind = TextKind.PROSE, cancelled: Cancelled | None = None
    ) -> tuple[PrivateSpan, ...]:
        """Return spans sorted by `start`, not overlapping; the whole text is read, in overlapping windows.

        A WORD is not read: the model would guess.

        Raises:
            ExtractorUnavailableError: the runtime failed, or the reading was cancelled; never a partial result.
        """
        if kind is TextKind.WORD or not text or text.isspace():
            return ()
        with fail_closed("the span model"):
            reading = read(text)
            expected = tuple(expected_names(reading, self._names))
            tagged = self._tagger.tag(reading.text, expected=expected, look_in=lambda: stop_if(cancelled))
            return merge(text, (_span(text, reading, span) for span in tagged if _is_private(reading, span)))


def _try_out(tagger: SpanTagger) -> None:
    """Refuse a model that runs and finds nothing, or takes one type for another: files can fit and yet be wrong.

    Raises:
        ArtefactError: it does not find what it must, or takes an ordinary sentence for private.
    """
    for text, wanted in _MUST_FIND:
        if [(text[span.start : span.end], span.entity_type) for span in tagger.tag(text)] != list(wanted):
            raise ArtefactError(MODEL, "does not find what it must in a sentence of its self-test")


def _is_private(reading: Reading, tagged: TaggedSpan) -> bool:
    """Whether a find stands: not of PL1, and nothing that its type cannot be."""
    if tagged.level is Level.PL1:
        return False
    stretch = reading, tagged.start, tagged.end, tagged.entity_type
    return can_be_secret(*stretch) and can_be(*stretch)


def _span(text: str, reading: Reading, tagged: TaggedSpan) -> PrivateSpan:
    start, end = reading.original(*whole_secret(reading, tagged.start, tagged.end, tagged.entity_type))
    return PrivateSpan(
        start=start,
        end=end,
        entity_type=tagged.entity_type,
        level=tagged.level,
        source=SOURCE,
        certainty=min(round(100 * tagged.score), _MOST_CERTAIN),
        surface=text[start:end],
    )
