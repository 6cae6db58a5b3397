"""Memories as one JSON document that their owner takes along, and reading such a document or that of another program.

Ours shows every field but what the cloud has of a record: `{"format": "keepmum-memories-1", "records": [...]}`; which
of them count when it is read, `memory.record_fields` says. Of another's only words and time are taken. Known is Mem0's
export: objects with `memory` and `created_at`, in a list, or in one below `results` or `memories`. Pure.

A document is read whole or not at all; an error says which record, counted from 1, and which field of it.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from graphlib import CycleError, TopologicalSorter
from typing import Any, Final, TypeVar

from keepmum_shared.codec import object_once
from keepmum_shared.errors import WireError

from keepmum_edge.memory.record import MemoryRecord
from keepmum_edge.memory.record_fields import LATEST, DamagedRecordError, a_text, read_fields, wrong
from keepmum_edge.memory.record_file import record_bytes

T = TypeVar("T")

FORM: Final = "keepmum-memories-1"
_LISTS: Final = ("results", "memories")


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """A memory of another program; `at` is in Unix seconds, None where it does not say."""

    text: str = field(repr=False)
    at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a document holds: our records, what one was made of before it, or memories of another program."""

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
        found = json.loads(text, object_pairs_hook=object_once)
    except WireError:
        raise DamagedRecordError("an object has a key twice, and which one counts is not known") from None
    except (ValueError, RecursionError):
        raise DamagedRecordError("not JSON, or nested too deep") from None
    if isinstance(found, dict) and "format" in found:
        if found["format"] != FORM:
            wrong("a newer Keepmum, or another program, wrote it")
        records = _each(found.get("records"), lambda value: read_fields(value, vouched=False))
        numbers: dict[str, int] = {}
        for number, record in enumerate(records, start=1):
            if numbers.setdefault(record.id, number) != number:
                wrong(f"record {number}: id: that of record {numbers[record.id]}")
        return Document(records=parents_first(records))
    if isinstance(found, dict):
        found = next((found[name] for name in _LISTS if name in found), None)
    return Document(foreign=_each(found, _foreign))


def parents_first(records: Iterable[MemoryRecord]) -> tuple[MemoryRecord, ...]:
    """Return records in their order, but none before those that it was made of.

    Raises:
        DamagedRecordError: some are made of each other.
    """
    known = {record.id: record for record in records}
    graph = TopologicalSorter({each: record.sources & known.keys() for each, record in known.items()})
    try:
        return tuple(known[each] for each in graph.static_order())  # type: ignore[index]
    except CycleError:
        raise DamagedRecordError("sources: some records are made of each other") from None


def _each(value: object, read_one: Callable[[object], T]) -> tuple[T, ...]:
    if not isinstance(value, list):
        wrong("no list of memories")
    found = []
    for number, each in enumerate(value, start=1):
        try:
            found.append(read_one(each))
        except DamagedRecordError as error:
            wrong(f"record {number}: {error}")
    return tuple(found)


def _foreign(value: object) -> Foreign:
    if not isinstance(value, dict):
        wrong("this is no object")
    return Foreign(text=a_text("memory", value.get("memory")), at=_time(value.get("created_at")))


def _time(value: Any) -> int | None:
    if value is None:
        return None
    try:
        told = datetime.fromisoformat(value)
        at = int((told if told.tzinfo else told.replace(tzinfo=UTC)).timestamp())
    except (TypeError, ValueError, OverflowError):
        wrong("created_at: must be a time as in 2026-03-02T09:00:00+08:00")
    if not 0 <= at <= LATEST:
        wrong("created_at: must be a time of the years 1970 to 2999")
    return at
