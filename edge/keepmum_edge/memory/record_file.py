"""Records as JSON, for the file of a backup (pure). What the cloud holds of a record is not part of it."""

import dataclasses
import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Final

from keepmum_shared.ids import MemoryId
from keepmum_shared.taxonomy import Level

from keepmum_edge.memory.record import Channel, CloudState, Consent, Kind, MemoryRecord

_SETS: Final = frozenset({"attributes", "audiences", "sources"})
_KINDS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "kind": Kind,
    "channel": Channel,
    "consent": Consent,
    "cloud": CloudState,
    "level": Level,
}


class DamagedRecordError(ValueError):
    """Not a record that this program wrote. Never quotes it."""


def record_bytes(record: MemoryRecord) -> bytes:
    """Return a record as it is kept in a backup: what was sent of it is left out."""
    confined = record.cloud is CloudState.LOCAL_ONLY
    kept = dataclasses.replace(
        record,
        cloud=CloudState.LOCAL_ONLY if confined else CloudState.KEPT,
        placeholder_text=None,
        shared_at=None,
        session=None,
    )
    plain: dict[str, Any] = {}
    for each in fields(kept):
        value = getattr(kept, each.name)
        plain[each.name] = sorted(value) if each.name in _SETS else value
    return json.dumps(plain, ensure_ascii=False, sort_keys=True).encode()


def read_record(content: bytes, memory: MemoryId) -> MemoryRecord:
    """Read a record.

    Raises:
        DamagedRecordError: it is none, or another one's.
    """
    try:
        plain = json.loads(content)
        values: dict[str, Any] = {
            name: frozenset(value) if name in _SETS else _KINDS[name](value) if name in _KINDS else value
            for name, value in plain.items()
        }
        record = MemoryRecord(**values)
    except (ValueError, TypeError, AttributeError):
        raise DamagedRecordError("not a record") from None
    if record.id != memory:
        raise DamagedRecordError("another record")
    return record
