"""What a file says of one record, read field by field (pure).

A file is not this program's word. Only what a record's owner can see and say is read: words, subject, where and for
whom it holds, times, importance, where it came from. Who judged it and how, its slot and position, and what the cloud
has of it are computed anew by whoever takes it in, so those fields are passed over, whatever they hold. Trust and
consent are read only from a file that the owner's own key vouches for.

Every error names the field and its rule, never what stood there.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

from keepmum_shared.ids import MemoryId, is_id
from keepmum_shared.messages import MAX_TIME

from keepmum_edge.memory.names import RULE, normalised, scope_named
from keepmum_edge.memory.record import MOST, MOST_CHARACTERS, Channel, Consent, Kind, MemoryRecord

LATEST: Final = 32_503_680_000
"""The year 3000: nothing was said after it."""
_MOST_EVER: Final = 2**30
_MOST_OF_SUBJECT: Final = 2_000
_MOST_AUDIENCES: Final = 1_000
_MOST_SOURCES: Final = 10_000
_MOST_REVISIONS: Final = 2**31
_DAY_S: Final = 24 * 3600
_OLD_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,128}")
_NAMEABLE: Final = re.compile(r"[A-Za-z0-9_]{1,64}")

_PASSED_OVER: Final = frozenset(
    {"slot", "has_position", "attributes", "category", "level", "trust", "consent", "session", "judged_by", "cloud"}
    | {"placeholder_text", "shared_at"}
)


class DamagedRecordError(ValueError):
    """Not a record or a memory as it should be. Names a field, never quotes it."""


Read = Callable[[str, Any], Any]


def read_fields(plain: object, *, vouched: bool) -> MemoryRecord:
    """Return the record that a JSON object describes: unjudged, kept here, at no position.

    Args:
        plain: The object.
        vouched: Whether the owner's own key says that this program wrote it; then its trust and consent hold.

    Raises:
        DamagedRecordError: a field is missing, unknown, or not as it should be.
    """
    if not isinstance(plain, dict):
        wrong("this is no object")
    readers = {**_FIELDS, **_VOUCHED} if vouched else _FIELDS
    for name in plain:
        if name not in readers and name not in _PASSED_OVER:
            wrong(f"{name}: no such field" if _NAMEABLE.fullmatch(name) else "an unknown field")
    for name in _REQUIRED:
        if name not in plain:
            wrong(f"{name}: is missing")
    found = {name: read(name, plain[name]) for name, read in readers.items() if name in plain}
    begun, over = found.get("valid_from"), found.get("valid_to")
    if begun is not None and over is not None and begun > over:
        wrong("valid_to: must not be before valid_from")
    if found["id"] in found.get("sources", ()):
        wrong("sources: a memory is not made of itself")
    return MemoryRecord(**found)


def wrong(rule: str) -> NoReturn:
    """Raise DamagedRecordError for a rule that does not hold."""
    raise DamagedRecordError(rule)


def a_text(name: str, value: Any, most: int = MOST_CHARACTERS) -> str:
    """Return a text with something in it that can be stored. Raises DamagedRecordError."""
    if not isinstance(value, str) or not value.strip() or len(value) > most:
        wrong(f"{name}: must be a text of 1 to {most} characters")
    try:
        value.encode()
    except UnicodeEncodeError:
        wrong(f"{name}: holds half a character")
    return value


def _number(least: int, most: int) -> Read:
    def read(name: str, value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            wrong(f"{name}: must be a whole number of {least} to {most}")
        return value

    return read


def _short(name: str, value: Any) -> str:
    return a_text(name, value, _MOST_OF_SUBJECT)


def _name(naming: Callable[[str], str]) -> Read:
    def read(name: str, value: Any) -> str:
        try:
            return naming(value)
        except (ValueError, TypeError):
            wrong(f"{name}: {RULE}")

    return read


def _names(most: int, naming: Callable[[str], str]) -> Read:
    one = _name(naming)

    def read(name: str, value: Any) -> frozenset[str]:
        if not isinstance(value, list) or len(value) > most:
            wrong(f"{name}: must be a list of at most {most} names")
        return frozenset(one(name, each) for each in value)

    return read


def _ever_named(name: str) -> str:
    """Return a name that an older rule let in. Raises ValueError: no rule ever did."""
    if not _OLD_NAME.fullmatch(name):
        return normalised(name)
    return name


def _memory(name: str, value: Any) -> MemoryId:
    if not isinstance(value, str) or not is_id(value, "mem"):
        wrong(f"{name}: must be mem_ and 26 of a to z, 2 to 7")
    return MemoryId(value)


def _one_of(kinds: type[Kind] | type[Channel] | type[Consent]) -> Read:
    def read(name: str, value: Any) -> Kind | Channel | Consent:
        if not isinstance(value, str) or value not in set(kinds):
            wrong(f"{name}: must be one of {', '.join(kinds)}")
        return kinds(value)

    return read


def _or_none(read: Read) -> Read:
    return lambda name, value: None if value is None else read(name, value)


_ANY_TIME: Final = _or_none(_number(0, MAX_TIME))
_FIELDS: Final[Mapping[str, Read]] = {
    "id": _memory,
    "kind": _one_of(Kind),
    "text": a_text,
    "subject": _short,
    "topic": _or_none(_short),
    "confidence": _number(0, MOST),
    "importance": _number(0, MOST),
    "scope": _name(scope_named),
    "application": _or_none(_name(normalised)),
    "audiences": _names(_MOST_AUDIENCES, normalised),
    "created_at": _number(0, LATEST),
    "utc_offset_s": _or_none(_number(-_DAY_S, _DAY_S)),
    "valid_from": _ANY_TIME,
    "valid_to": _ANY_TIME,
    "successor": _or_none(_memory),
    "channel": _one_of(Channel),
    "sources": _names(_MOST_SOURCES, normalised),
    "last_used": _or_none(_number(0, LATEST)),
    "revision": _number(1, _MOST_REVISIONS),
}
_VOUCHED: Final[Mapping[str, Read]] = {
    "text": lambda name, value: a_text(
        name, value, _MOST_EVER
    ),  # a backup gives back what was kept before there was a limit
    "scope": _name(_ever_named),
    "application": _or_none(_name(_ever_named)),
    "audiences": _names(_MOST_AUDIENCES, _ever_named),
    "sources": _names(_MOST_SOURCES, _ever_named),
    "trust": _number(0, MOST),
    "consent": _one_of(Consent),
}
_REQUIRED: Final = ("id", "text", "scope", "created_at")
