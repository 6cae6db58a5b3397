"""Readers of single JSON fields (pure): each returns a typed value or names the field and the rule, never the value.

null means "absent" for an optional field, as in OpenAI's own interface.
"""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from keepmum_edge.errors import InvalidRequestError, UnsupportedFieldError
from keepmum_edge.memory.names import RULE, normalised

JsonObject = Mapping[str, Any]

MAX_ITEMS: Final = 10_000
_NAMEABLE: Final = re.compile(r"[A-Za-z0-9_.\[\]]{1,64}")
_INT64: Final = 2**63


def invalid(path: str, rule: str) -> InvalidRequestError:
    """Make the error for a field that breaks a rule."""
    return InvalidRequestError(f"{path}: {rule}", param=path)


def unsupported(path: str) -> UnsupportedFieldError:
    """Make the error for a field that would have to be dropped."""
    return UnsupportedFieldError(f"{path}: Keepmum does not pass this on; leave it out", param=path)


def refuse_unknown(source: JsonObject, known: Collection[str], path: str) -> None:
    """Refuse fields outside `known`; a name that could be private text is not repeated.

    Raises:
        UnsupportedFieldError: there is one.
    """
    for name in source:
        if name in known:
            continue
        full = f"{path}.{name}" if path else name
        if _NAMEABLE.fullmatch(name):
            raise unsupported(full)
        raise UnsupportedFieldError(f"{path or 'the body'}: has an unknown field", param=path or None)


def an_object(value: Any, path: str) -> JsonObject:
    """Return the value as an object."""
    if not isinstance(value, dict):
        raise invalid(path or "body", "must be an object")
    return value


def a_list(value: Any, path: str, *, least: int = 0, most: int = MAX_ITEMS) -> list[Any]:
    """Return the value as a list of `least`..`most` items."""
    if not isinstance(value, list) or not least <= len(value) <= most:
        raise invalid(path, f"must be a list of {least} to {most} items")
    return value


def text(source: JsonObject, name: str, path: str, *, least: int = 0, most: int | None = None) -> str | None:
    """Return an optional string of `least`..`most` characters."""
    value = source.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise invalid(_join(path, name), "must be a string")
    if len(value) < least or (most is not None and len(value) > most):
        raise invalid(_join(path, name), _length_rule(least, most))
    return value


def label(source: JsonObject, name: str, read: Callable[[str], str] = normalised) -> str | None:
    """Return an optional name, as `read` has it."""
    value = text(source, name, "")
    return None if value is None else named(value, name, read)


def named(value: str, name: str, read: Callable[[str], str] = normalised) -> str:
    """Return a name of a field or parameter, as `read` has it."""
    try:
        return read(value)
    except ValueError:
        raise invalid(name, RULE) from None


def _length_rule(least: int, most: int | None) -> str:
    if most is None:
        return "must not be empty" if least == 1 else f"must have {least} characters or more"
    return f"must have {least} to {most} characters"


def required_text(source: JsonObject, name: str, path: str, *, most: int | None = None) -> str:
    """Return a string that must be there and not be empty."""
    value = text(source, name, path, least=1, most=most)
    if value is None:
        raise invalid(_join(path, name), "is missing")
    return value


def flag(source: JsonObject, name: str, path: str = "") -> bool | None:
    """Return an optional boolean."""
    value = source.get(name)
    if value is not None and not isinstance(value, bool):
        raise invalid(_join(path, name), "must be true or false")
    return value


def integer(source: JsonObject, name: str, *, least: int = -_INT64, most: int = _INT64 - 1) -> int | None:
    """Return an optional integer of `least`..`most`."""
    value = source.get(name)
    if value is None:
        return None
    if type(value) is not int or not least <= value <= most:
        raise invalid(name, f"must be an integer of {least} to {most}")
    return value


def number(source: JsonObject, name: str, *, least: float, most: float) -> float | None:
    """Return an optional number of `least`..`most`."""
    value = source.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise invalid(name, f"must be a number of {least:g} to {most:g}")
    return float(value)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
