"""The corpus as JSON lines, gzipped with a fixed time stamp so that equal corpora are equal files."""

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from keepmum_models.corpus.generate import Message
from keepmum_models.corpus.pieces import LabelledSpan


def _span(span: LabelledSpan) -> dict[str, object]:
    return {"start": span.start, "end": span.end, "type": span.entity_type.value, "level": span.level.name}


def as_json(message: Message) -> str:
    """Return one line: id, user, lang, scenario, style, text, spans, public (people, places, firms to let pass)."""
    labelled = message.labelled
    row = {
        "id": message.identity,
        "user": message.user,
        "lang": message.language,
        "scenario": message.scenario,
        "style": message.style,
        "text": labelled.text,
        "spans": [_span(span) for span in labelled.private],
        "public": [{"start": s.start, "end": s.end, "type": s.entity_type.value} for s in labelled.public],
    }
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def write(path: Path, messages: Iterable[Message]) -> Iterator[Message]:
    """Write the messages and hand each on; a file that breaks off midway does not get the final name."""
    unfinished = path.with_name(path.name + ".part")
    with (
        unfinished.open("wb") as raw,
        gzip.GzipFile(fileobj=raw, mode="wb", filename="", mtime=0, compresslevel=6) as packed,
    ):
        for message in messages:
            packed.write((as_json(message) + "\n").encode())
            yield message
    unfinished.replace(path)
