"""The files of a span model, read and checked as `manifest` does.

manifest.json   also {"window", "overlap"}
model.onnx      inputs `ids` and `mask`, outputs `labels` and `levels` (see `tagger`)
tokenizer.json  of the library `tokenizers`
labels.json     {"types": [...]}, in the order of the head
thresholds.json {"outside_bias": x, "levels": {"PL2": x, ...}, "types": {"NAME": x, ...}}
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from keepmum_shared.taxonomy import EntityType, Level, default_level

from keepmum_inference.errors import ArtefactError
from keepmum_inference.labels import LabelScheme
from keepmum_inference.manifest import MODEL, TOKENIZER, json_object, read_checked, whole_number

LABELS: Final = "labels.json"
THRESHOLDS: Final = "thresholds.json"
FILES: Final = (MODEL, TOKENIZER, LABELS, THRESHOLDS)

_FEWEST_PIECES: Final = 64
_MOST_PIECES: Final = 510
"""Of one window; begin and end marks make it 512."""
_SUREST: Final = 0.95
"""The highest threshold of a calibration; above, hardly anything would be found."""
_MOST_BIAS: Final = 8.0
"""Either way; e to the power of it is what it multiplies the odds of O by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """How sure the model must be before a stretch counts.

    Attributes:
        outside_bias: Added to the score of O before decoding.
        by_level: Least mean probability of a stretch, by the default level of its type.
        by_type: The same for types that have one of their own.
    """

    outside_bias: float
    by_level: Mapping[Level, float]
    by_type: Mapping[EntityType, float]

    def of(self, entity_type: EntityType) -> float:
        """Return the threshold of a type."""
        return self.by_type.get(entity_type, self.by_level[default_level(entity_type)])


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanArtefact:
    """A span model as read and checked.

    Attributes:
        name, version: As the manifest says.
        sha256: Of the manifest, and so of everything it lists.
        window, overlap: Pieces that one call reads, begin and end marks apart, and that neighbours share.
        scheme: Labels of the head.
        thresholds: Calibrated when it was exported.
        model: The ONNX file.
        tokenizer_json: The tokenizer.
    """

    name: str
    version: str
    sha256: str
    window: int
    overlap: int
    scheme: LabelScheme
    thresholds: Thresholds
    model: bytes = field(repr=False)
    tokenizer_json: str = field(repr=False)

    @property
    def model_id(self) -> str:
        """Name, version and the first digits of the SHA-256 sum."""
        return f"{self.name}-{self.version}@sha256:{self.sha256}"


def load_span_artefact(folder: Path) -> SpanArtefact:
    """Read and check a span model.

    Raises:
        ArtefactError: a file is missing, altered, of another format, or names a type that the taxonomy lacks.
    """
    files = read_checked(folder, FILES)
    manifest, contents = files.manifest, files.contents
    window = whole_number(manifest, "window", _FEWEST_PIECES, _MOST_PIECES)
    overlap = whole_number(manifest, "overlap", 0, window // 2)
    return SpanArtefact(
        name=files.name,
        version=files.version,
        sha256=files.sha256,
        window=window,
        overlap=overlap,
        scheme=_scheme(json_object(contents[LABELS], LABELS)),
        thresholds=_thresholds(json_object(contents[THRESHOLDS], THRESHOLDS)),
        model=contents[MODEL],
        tokenizer_json=files.tokenizer_json,
    )


def _scheme(labels: Mapping[str, Any]) -> LabelScheme:
    try:
        return LabelScheme(types=tuple(EntityType(name) for name in labels["types"]))
    except (KeyError, TypeError, ValueError):
        raise ArtefactError(LABELS, "does not list types of this taxonomy") from None


def _thresholds(raw: Mapping[str, Any]) -> Thresholds:
    try:
        return Thresholds(
            outside_bias=_number(raw["outside_bias"], -_MOST_BIAS, _MOST_BIAS),
            by_level={level: _number(raw["levels"].get(level.name, 0.5), 0, _SUREST) for level in Level},
            by_type={EntityType(name): _number(value, 0, _SUREST) for name, value in raw["types"].items()},
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        raise ArtefactError(THRESHOLDS, "is not a table of thresholds") from None


def _number(value: object, least: float, most: float) -> float:
    """Return a finite number in [least, most]; not what only reads as one ("nan", true)."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError
    if not least <= value <= most:
        raise ArtefactError(THRESHOLDS, f"a number is outside [{least:g}, {most:g}]")
    return float(value)
