"""Labelled texts: the generated corpus and the `train` files, as one kind of record.

Texts are held as the product reads them (`keepmum_edge.spans.normalise`): folded, without invisible characters.
"""

import gzip
import hashlib
import json
import sysconfig
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from keepmum_edge.spans.normalise import read
from keepmum_shared.taxonomy import Level

from keepmum_models.labels import CODE, OWN, PUBLIC_NAME, TRAIN_SETS, LabelMeaning

CORPUS: Final = "corpus"
CODE_SOURCE: Final = "python_library"
_CODE_LINES: Final = 12
_CODE_LONGEST: Final = 1500
_DEV_OF_100: Final = {CORPUS: 2}
_DEV_DEFAULT: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """A labelled stretch of a text; `label` is the set's own word.

    Attributes:
        level: Where the set says it, else None.
    """

    start: int
    end: int
    label: str
    level: Level | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One text with everything that its set knows of it.

    Attributes:
        source: Name of the set, CORPUS for the generated one.
        is_dev: Kept for calibration, never trained on.
    """

    source: str
    id: str
    lang: str
    is_dev: bool
    text: str = field(repr=False)
    spans: tuple[Marked, ...] = field(repr=False)

    @property
    def meaning(self) -> LabelMeaning:
        """How its labels are read."""
        if self.source == CODE_SOURCE:
            return CODE
        return OWN if self.source == CORPUS else TRAIN_SETS[self.source]


def read_corpus(path: Path, *, most: int | None = None) -> Iterator[Example]:
    """Read a file of the generated corpus; PL1 spans are not private and so not marked."""
    for number, record in enumerate(_records(path)):
        if most is not None and number >= most:
            return
        yield _example(CORPUS, record, str(record.get("user", record["id"])))


def read_code(*, most: int) -> Iterator[Example]:
    """Read stretches of Python's standard library, code and documentation alike: ordinary text that is not private.

    Args:
        most: Stretches at most, spread over the whole library.
    """
    stretches: list[tuple[bytes, str]] = []
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("**/*.py")):
        if "site-packages" in path.parts or "test" in path.parts:
            continue
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        for start in range(0, len(lines), _CODE_LINES):
            text = "\n".join(lines[start : start + _CODE_LINES])
            if text.strip() and len(text) < _CODE_LONGEST:
                stretches.append((hashlib.sha256(text.encode("utf-8", "replace")).digest(), text))
    for digest, text in sorted(stretches)[:most]:
        yield _example(CODE_SOURCE, {"id": digest.hex(), "lang": "en", "text": text, "spans": []}, digest.hex())


def read_train_sets(data: Path) -> Iterator[Example]:
    """Read the `train` files under a data folder; sets that it lacks are passed over."""
    for source in TRAIN_SETS:
        path = data / source / "train.jsonl.gz"
        if path.is_file():
            for record in _records(path):
                yield _example(source, record, str(record["id"]))


def held_back_records(path: Path) -> list[dict[str, Any]]:
    """Read a file of the generator as the evaluation reads sets: labels are types, or `public`; nothing is folded."""
    return [
        record
        | {
            "spans": [{**s, "label": s["type"]} for s in record["spans"] if _level(s) is not Level.PL1]
            + [{**s, "label": "public"} for s in record.get("public", ())]
        }
        for record in _records(path)
    ]


def _records(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _example(source: str, record: dict[str, Any], group: str) -> Example:
    place = int.from_bytes(hashlib.sha256(f"{source}|{group}".encode()).digest()[:4], "big") % 100
    marked = [
        Marked(
            start=span["start"],
            end=span["end"],
            label=span["type"] if source == CORPUS else span["label"],
            level=_level(span),
        )
        for span in record["spans"]
    ]
    marked += [
        Marked(start=span["start"], end=span["end"], label=PUBLIC_NAME, level=None)
        for span in record.get("public", ())
        if span["type"] == "NAME"
    ]
    text, spans = _as_read(record["text"], marked)
    return Example(
        source=source,
        id=str(record["id"]),
        lang=str(record["lang"]),
        is_dev=place < _DEV_OF_100.get(source, _DEV_DEFAULT),
        text=text,
        spans=tuple(span for span in spans if span.level is not Level.PL1),
    )


def _level(span: dict[str, Any]) -> Level | None:
    level = span.get("level")
    if level is None:
        return None
    return Level[level] if isinstance(level, str) else Level(level)


def _as_read(text: str, spans: list[Marked]) -> tuple[str, list[Marked]]:
    reading = read(text)
    if reading.starts is None:
        return reading.text, spans
    moved: list[Marked] = []
    for span in spans:
        start, end = bisect_left(reading.starts, span.start), bisect_left(reading.starts, span.end)
        if start < end:
            moved.append(Marked(start=start, end=end, label=span.label, level=span.level))
    return reading.text, moved


def lowered(example: Example) -> Example:
    """Return the same example in lower case; as it is where that would move offsets."""
    text = example.text.lower()
    return replace(example, text=text) if len(text) == len(example.text) else example
