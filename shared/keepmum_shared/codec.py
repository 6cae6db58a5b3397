"""Strict canonical JSON for the dataclasses of `messages`.

Canonical: UTF-8, keys sorted, no blanks, no NaN, optional fields that are None left out; equal values have equal bytes.
Strict: an unknown, missing, doubled or wrongly typed field is refused, and so are lone surrogates, numbers that are
not finite, bodies over MAX_BODY bytes and nesting over MAX_DEPTH. A message with a `protocol` field must carry it, and
it is compared before any other field. An error names the field path and the rule, never the value.
"""

import json
import math
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final, Literal, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

from keepmum_shared.errors import MalformedError, TooLargeError, VersionError

MAX_BODY: Final = 16 * 1024 * 1024
MAX_ITEMS: Final = 10_000
MAX_DEPTH: Final = 64

T = TypeVar("T")


def encode(value: object) -> bytes:
    """Return the canonical bytes of a message.

    Raises:
        MalformedError: a text holds a lone surrogate or a number is not finite.
    """
    try:
        return canonical_json(_plain(value)).encode("utf-8")
    except UnicodeEncodeError:
        raise MalformedError("", "text holds a lone surrogate") from None


def canonical_json(value: object) -> str:
    """Return the one JSON text of a plain value (keys sorted, no blanks).

    Raises:
        MalformedError: a number is not finite.
    """
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except ValueError:
        raise MalformedError("", "a number is not finite") from None


def decode(kind: type[T], body: bytes | str) -> T:
    """Read one message.

    Raises:
        MalformedError: the body is not the agreed JSON of `kind`.
        TooLargeError: it is over MAX_BODY bytes, or a list is over MAX_ITEMS.
        VersionError: it was written by another protocol version.
    """
    plain = parse_json(body)
    _check_version(kind, plain)
    value: T = _build(kind, plain, "")
    return value


def parse_json(body: bytes | str) -> Any:
    """Read JSON strictly: UTF-8, no doubled keys, no NaN, no lone surrogates, bounded size and depth.

    Raises:
        MalformedError, TooLargeError: as above.
    """
    try:
        raw = body.encode("utf-8") if isinstance(body, str) else body
        if len(raw) > MAX_BODY:
            raise TooLargeError("", MAX_BODY)
        text = body if isinstance(body, str) else raw.decode("utf-8")
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except UnicodeError:
        raise MalformedError("", "not valid UTF-8") from None
    except RecursionError:
        raise MalformedError("", f"nested deeper than {MAX_DEPTH}") from None
    except ValueError:  # its words and its __context__ would carry the document
        raise MalformedError("", "not valid JSON") from None
    _check_form(value, "", MAX_DEPTH)
    return value


def _check_version(kind: Any, plain: Any) -> None:
    """Compare versions first: a newer half may send fields that this one does not know."""
    ours = next((f.default for f in fields(kind) if f.name == "protocol"), None) if is_dataclass(kind) else None
    if not isinstance(ours, int) or not isinstance(plain, dict):
        return
    theirs = plain.get("protocol")
    if type(theirs) is not int:
        raise MalformedError("protocol", "is missing" if theirs is None else "must be int")
    if theirs != ours:
        raise VersionError(theirs, ours)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise MalformedError("", "an object has a key twice")
    return result


def _no_constant(_: str) -> Any:
    raise MalformedError("", "a number is not finite")


def _check_form(value: Any, path: str, depth: int) -> None:
    """Refuse what is nested too deep, and what the JSON text hid: escaped lone surrogates, 1e999."""
    if depth < 0:
        raise MalformedError("", f"nested deeper than {MAX_DEPTH}")
    if isinstance(value, str):
        if not value.isascii():
            try:
                value.encode("utf-8")
            except UnicodeEncodeError:
                raise MalformedError(path, "text holds a lone surrogate") from None
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise MalformedError(path, "a number is not finite")
    elif isinstance(value, dict):
        for key, inner in value.items():
            _check_form(key, path, depth)
            _check_form(inner, path, depth - 1)
    elif isinstance(value, list):
        for inner in value:
            _check_form(inner, path, depth - 1)


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        plain = {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
        return {name: inner for name, inner in plain.items() if inner is not None}
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, tuple | list):
        return [_plain(inner) for inner in value]
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return value


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _build(kind: Any, value: Any, path: str) -> Any:
    """Read `value` as `kind`, or raise with the path of the first field that is not."""
    if isinstance(kind, NewType):
        return _build(kind.__supertype__, value, path)
    if isinstance(kind, type) and is_dataclass(kind):
        return _build_dataclass(kind, value, path)
    origin = get_origin(kind)
    if origin is tuple:
        return _build_tuple(get_args(kind)[0], value, path)
    if origin in (types.UnionType, Union):
        return _build_optional(kind, value, path)
    if origin is Literal:
        if not any(value == choice and type(value) is type(choice) for choice in get_args(kind)):
            raise MalformedError(path, "not one of the allowed values")
        return value
    if kind is Any:
        return value
    if origin is dict:  # a schema, say: any JSON object
        if not isinstance(value, dict):
            raise MalformedError(path, "must be an object")
        return value
    return _build_scalar(kind, value, path)


def _build_scalar(kind: Any, value: Any, path: str) -> Any:
    if kind is float and type(value) is int:
        return float(value)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        try:
            return kind(value)
        except ValueError:
            raise MalformedError(path, "not one of the allowed values") from None
    if type(value) is not kind:
        raise MalformedError(path, f"must be {getattr(kind, '__name__', 'another type')}")
    return value


def _build_tuple(inner: Any, value: Any, path: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise MalformedError(path, "must be a list")
    if len(value) > MAX_ITEMS:
        raise TooLargeError(path, MAX_ITEMS)
    return tuple(_build(inner, item, f"{path}[{i}]") for i, item in enumerate(value))


def _build_optional(kind: Any, value: Any, path: str) -> Any:
    """Unions here are `X | None`, or of dataclasses told apart by a Literal field named `event`."""
    options = [option for option in get_args(kind) if option is not type(None)]
    if value is None and len(options) < len(get_args(kind)):
        return None
    if len(options) == 1:
        return _build(options[0], value, path)
    if isinstance(value, dict):
        for option in options:
            if value.get("event") in get_args(_hints(option)["event"]):
                return _build(option, value, path)
    raise MalformedError(path, "not one of the allowed kinds")


def _build_dataclass(kind: type, value: Any, path: str) -> Any:
    if not isinstance(value, dict):
        raise MalformedError(path, "must be an object")
    known = {f.name: f for f in fields(kind)}
    if not value.keys() <= known.keys():
        raise MalformedError(path, "has an unknown field")
    hints = _hints(kind)
    arguments: dict[str, Any] = {}
    for name, field in known.items():
        inner = f"{path}.{name}" if path else name
        if name in value:
            arguments[name] = _build(hints[name], value[name], inner)
        elif field.default is MISSING and field.default_factory is MISSING:
            raise MalformedError(inner, "is missing")
    try:
        return kind(**arguments)
    except ValueError:  # its words may quote the value
        raise MalformedError(path, "breaks a rule of its kind") from None
