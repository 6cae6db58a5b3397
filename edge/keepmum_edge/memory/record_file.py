"""Records as JSON, for the files of a backup and of an export (pure). What the cloud has of a record is no part of it.

Written is every field that its owner may want to see; which of them are believed when they are read again is for
`memory.record_fields` to say.
"""

import dataclasses
import json
from dataclasses import fields
from typing import Any, Final

from keepmum_shared.ids import MemoryId

from keepmum_edge.memory.record import CloudState, MemoryRecord
from keepmum_edge.memory.record_fields import DamagedRecordError, read_fields

_SETS: Final = frozenset({"attributes", "audiences", "sources"})


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
    """Read a record of a backup, for which the owner's recovery key vouches; it comes unjudged and kept here.

    Raises:
        DamagedRecordError: it is none, or another one's.
    """
    try:
        plain = json.loads(content)
    except (ValueError, RecursionError):
        raise DamagedRecordError("not a record") from None
    record = read_fields(plain, vouched=True)
    if record.id != memory:
        raise DamagedRecordError("another record")
    return record
