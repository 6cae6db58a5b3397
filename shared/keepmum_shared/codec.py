"""Strict canonical JSON for the dataclasses of `messages`.

Canonical: UTF-8, keys sorted, no blanks, no NaN, optional fields that are None left out; equal values have equal bytes.
Strict: an unknown, missing, doubled or wrongly typed field is refused, and so are lone surrogates, numbers that are
not finite, bodies over MAX_BODY bytes and nesting over MAX_DEPTH. A message with a `protocol` field must carry it, and
it is compared before any other field. An error names the field path and the rule, never the value.
"""

import json
import math
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final, Literal, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

from keepmum_shared.errors import MalformedError, TooLargeError, VersionError

MAX_BODY: Final = 16 * 1024 * 1024
MAX_ITEMS: Final = 10_000
MAX_DEPTH: Final = 64

T = TypeVar("T")

_Reader = Callable[[Any, str], Any]
"""Reads a plain value that stands at a path."""
_ATOMS: Final = frozenset({str, int, float, bool})


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
        return _ENCODER.encode(value)
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
    wanted: Any = kind
    value: T = _reader(wanted)(plain, "")
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
        value = _DECODER.decode(text)
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
    ours = _protocol(kind)
    if ours is None or not isinstance(plain, dict):
        return
    theirs = plain.get("protocol")
    if type(theirs) is not int:
        raise MalformedError("protocol", "is missing" if theirs is None else "must be int")
    if theirs != ours:
        raise VersionError(theirs, ours)


@cache
def _protocol(kind: Any) -> int | None:
    fixed = [f.default for f in fields(kind) if f.name == "protocol"] if is_dataclass(kind) else []
    return fixed[0] if fixed and isinstance(fixed[0], int) else None


def object_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its pairs, for `json`'s decoders. Raises MalformedError if a key stands twice in it."""
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


@cache
def _field_names(kind: type) -> tuple[str, ...] | None:
    return tuple(f.name for f in fields(kind)) if is_dataclass(kind) else None


def _plain(value: object) -> object:
    kind: Any = type(value)
    if value is None or kind in _ATOMS:
        return value
    names = _field_names(kind)
    if names is not None:
        inner = ((name, getattr(value, name)) for name in names)
        return {name: _plain(field) for name, field in inner if field is not None}
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return value


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


@cache
def _reader(kind: Any) -> _Reader:
    """Return what reads a value as `kind`, or raises with the path of the first field that is not; made once a kind."""
    if isinstance(kind, NewType):
        return _reader(kind.__supertype__)
    if isinstance(kind, type) and is_dataclass(kind):
        return _dataclass_reader(kind)
    origin = get_origin(kind)
    if origin is tuple:
        return _tuple_reader(_reader(get_args(kind)[0]))
    if origin in (types.UnionType, Union):
        return _union_reader(kind)
    if origin is Literal:
        return _literal_reader(get_args(kind))
    if kind is Any:
        return lambda value, _: value
    if origin is dict:  # a schema, say: any JSON object
        return _read_object
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return _enum_reader(kind)
    return _scalar_reader(kind)


def _read_object(value: Any, path: str) -> Any:
    if not isinstance(value, dict):
        raise MalformedError(path, "must be an object")
    return value


def _literal_reader(choices: tuple[Any, ...]) -> _Reader:
    def read(value: Any, path: str) -> Any:
        if not any(value == choice and type(value) is type(choice) for choice in choices):
            raise MalformedError(path, "not one of the allowed values")
        return value

    return read


def _enum_reader(kind: type[StrEnum]) -> _Reader:
    def read(value: Any, path: str) -> Any:
        try:
            return kind(value)
        except ValueError:
            raise MalformedError(path, "not one of the allowed values") from None

    return read


def _scalar_reader(kind: Any) -> _Reader:
    def read(value: Any, path: str) -> Any:
        if type(value) is kind:
            return value
        if kind is float and type(value) is int:
            return float(value)
        raise MalformedError(path, f"must be {getattr(kind, '__name__', 'another type')}")

    return read


def _tuple_reader(inner: _Reader) -> _Reader:
    def read(value: Any, path: str) -> Any:
        if not isinstance(value, list):
            raise MalformedError(path, "must be a list")
        if len(value) > MAX_ITEMS:
            raise TooLargeError(path, MAX_ITEMS)
        return tuple(inner(item, f"{path}[{i}]") for i, item in enumerate(value))

    return read


def _union_reader(kind: Any) -> _Reader:
    """Unions here are `X | None`, or of dataclasses told apart by a Literal field named `event`."""
    options = [option for option in get_args(kind) if option is not type(None)]
    may_be_none = len(options) < len(get_args(kind))
    only = _reader(options[0]) if len(options) == 1 else None
    by_event = {} if only else {name: _reader(o) for o in options for name in get_args(_hints(o)["event"])}

    def read(value: Any, path: str) -> Any:
        if value is None and may_be_none:
            return None
        if only is not None:
            return only(value, path)
        event = value.get("event") if isinstance(value, dict) else None
        if not isinstance(event, str) or event not in by_event:
            raise MalformedError(path, "not one of the allowed kinds")
        return by_event[event](value, path)

    return read


def _dataclass_reader(kind: type) -> _Reader:
    hints = _hints(kind)
    readers = {f.name: _reader(hints[f.name]) for f in fields(kind)}
    required = [f.name for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING]

    def read(value: Any, path: str) -> Any:
        if not isinstance(value, dict):
            raise MalformedError(path, "must be an object")
        if not value.keys() <= readers.keys():
            raise MalformedError(path, "has an unknown field")
        prefix = f"{path}." if path else ""
        for name in required:
            if name not in value:
                raise MalformedError(prefix + name, "is missing")
        arguments = {name: readers[name](inner, prefix + name) for name, inner in value.items()}
        try:
            return kind(**arguments)
        except ValueError:  # its words may quote the value
            raise MalformedError(path, "breaks a rule of its kind") from None

    return read


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
_DECODER: Final = json.JSONDecoder(object_pairs_hook=object_once, parse_constant=_no_constant)
