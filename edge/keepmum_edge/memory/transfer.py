"""Memories as one JSON document that their owner takes along, and reading such a document or that of another program.

Ours keeps every field but what the cloud has of a record: `{"format": "keepmum-memories-1", "records": [...]}`. Of
another's only words and time are taken. Known is Mem0's export: objects with `memory` and `created_at`, in a list, or
in one below `results` or `memories`. Pure.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from keepmum_shared.ids import MemoryId

from keepmum_edge.memory.record import MemoryRecord
from keepmum_edge.memory.record_file import DamagedRecordError, read_record, record_bytes

FORM: Final = "keepmum-memories-1"
_LISTS: Final = ("results", "memories")


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """A memory of another program; `at` is in Unix seconds, None where it does not say."""

    text: str = field(repr=False)
    at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a document holds: our records, or memories of another program."""

    records: tuple[MemoryRecord, ...] = field(default=(), repr=False)
    foreign: tuple[Foreign, ...] = field(default=(), repr=False)


def written(records: Iterable[MemoryRecord]) -> str:
    """Return the document of these records."""
    plain = [json.loads(record_bytes(record)) for record in records]
    return json.dumps({"format": FORM, "records": plain}, ensure_ascii=False, indent=1) + "\n"


def read(text: str) -> Document:
    """Read a document.

    Raises:
        DamagedRecordError: it is of no known form. Never quotes it.
    """
    try:
        found = json.loads(text)
    except ValueError:
        raise DamagedRecordError("not JSON") from None
    if isinstance(found, dict) and found.get("format") == FORM:
        return Document(records=tuple(map(_record, _list(found.get("records")))))
    if isinstance(found, dict):
        found = next((found[name] for name in _LISTS if name in found), None)
    return Document(foreign=tuple(map(_foreign, _list(found))))


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise DamagedRecordError("no list of memories")
    return value


def _record(value: object) -> MemoryRecord:
    if not isinstance(value, dict) or not isinstance(value.get("id"), str):
        raise DamagedRecordError("not a record")
    return read_record(json.dumps(value).encode(), MemoryId(value["id"]))


def _foreign(value: object) -> Foreign:
    if not isinstance(value, dict) or not isinstance(value.get("memory"), str) or not value["memory"].strip():
        raise DamagedRecordError("not a memory")
    return Foreign(text=value["memory"], at=_time(value.get("created_at")))


def _time(value: object) -> int | None:
    if not isinstance(value, str):
        return None
    try:
        told = datetime.fromisoformat(value)
    except ValueError:
        raise DamagedRecordError("not a time") from None
    return max(0, int((told if told.tzinfo else told.replace(tzinfo=UTC)).timestamp()))
