"""Pseudonymising inside JSON: the document stays valid, only the values of its strings and numbers change.

A key gives a value its meaning (`{"password": ...}`), so the spans of the whole document count beside those of each
string alone. A number that holds a span becomes a string, and a number again when it is restored. The key of an object
cannot be replaced without breaking what reads it, so a private one is refused.
"""

import json
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from keepmum_shared import codec
from keepmum_shared.errors import WireError

from keepmum_edge.errors import InvalidRequestError
from keepmum_edge.spans.merge import merge
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.vault.binding import Origin
from keepmum_edge.vault.conversation import ConversationVault, ProfileNumbers
from keepmum_edge.vault.pseudonymise import MaskSettings, Stretch, bind, pseudonymise, stretches

SpansOf = Callable[[str], Sequence[PrivateSpan]]

_SCALAR: Final = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?')
_FORMAT_WORDS: Final = frozenset(
    """
    function json_schema schema parameters properties items additionalProperties anyOf allOf oneOf prefixItems
    patternProperties $defs definitions required enum default examples
    """.split()  # noqa: SIM905
)
"""Keys of tools and of JSON Schema below which an application's own keys stand."""
_ONE_WORD: Final = re.compile("[!-~]*")
_COLON: Final = re.compile(r"\s*:")
_ESCAPE: Final = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)")


@dataclass(frozen=True, slots=True)
class _Scalar:
    """A string or number of a document; `offsets[i]` is where character i of `value` stands in the document."""

    start: int
    end: int
    value: str = field(repr=False)
    offsets: Sequence[int] = field(repr=False)
    is_string: bool
    is_key: bool


def texts(document: str) -> Iterator[str]:
    """Yield every text whose spans `pseudonymise_arguments` and `pseudonymise_json` ask for."""
    yield document
    if _is_json(document):
        yield from (scalar.value for scalar in _scalars(document))


def is_one_word(text: str) -> bool:
    """Whether a text is printable ASCII without a blank, as identifiers are."""
    return _ONE_WORD.fullmatch(text) is not None


def words(document: str, *, keys_only: bool) -> list[tuple[int, int]]:
    """Return where the strings of a document that are one word stand, quotes included; sorted. None if it is no JSON.

    Args:
        document: JSON, or any other text.
        keys_only: Only the keys of objects.
    """
    if not _is_json(document):
        return []
    strings = (scalar for scalar in _scalars(document) if scalar.is_string and (scalar.is_key or not keys_only))
    return [(scalar.start, scalar.end) for scalar in strings if is_one_word(scalar.value)]


def pseudonymise_arguments(
    document: str,
    spans_of: SpansOf,
    vault: ConversationVault,
    *,
    origin: Origin,
    profile: ProfileNumbers,
    settings: MaskSettings,
    path: str | None = None,
) -> str:
    """Mask the arguments of a tool call: JSON text as a model wrote it. What is no JSON is masked as plain text.

    Args:
        path: Where the document stands in a request; None: in none.

    Raises:
        InvalidRequestError: a key is private. Where it stands is said by its number in its object, not by its text.
        VaultUnavailableError: numbers are used up.
    """
    whole = spans_of(document)
    if not _is_json(document):
        return pseudonymise(document, whole, vault, origin=origin, profile=profile, settings=settings).text
    pieces: list[str] = []
    position = keys = 0
    for scalar in _scalars(document):
        keys += scalar.is_key
        spans = merge(scalar.value, spans_of(scalar.value), _within(scalar, whole))
        if scalar.is_key:
            if stretches(scalar.value, spans, settings):
                place = None if path is None else next(islice(_places_of_keys(document, path), keys - 1, None))
                raise InvalidRequestError(
                    "a key of a JSON object is private and cannot be masked; rename it", param=place
                )
            continue
        if scalar.is_string:
            masked = pseudonymise(scalar.value, spans, vault, origin=origin, profile=profile, settings=settings).text
            if masked == scalar.value:
                continue
            replaced = json.dumps(masked, ensure_ascii=False)
        else:
            found = max(stretches(scalar.value, spans, settings), key=lambda s: s.level or 0, default=None)
            if found is None:
                continue
            number = Stretch(0, len(scalar.value), found.entity_type, found.level)
            replaced = f'"{bind(number, scalar.value, vault, origin, profile, settings, json_number=True)}"'
        pieces += (document[position : scalar.start], replaced)
        position = scalar.end
    pieces.append(document[position:])
    return "".join(pieces)


def pseudonymise_json(
    value: Any,
    spans_of: SpansOf,
    vault: ConversationVault,
    *,
    origin: Origin,
    profile: ProfileNumbers,
    settings: MaskSettings,
    path: str | None = None,
) -> Any:
    """Mask a JSON value (a tool's definition, a response format) as `pseudonymise_arguments` does its text."""
    masked = pseudonymise_arguments(
        to_document(value), spans_of, vault, origin=origin, profile=profile, settings=settings, path=path
    )
    return json.loads(masked)


def to_document(value: Any) -> str:
    """Return the JSON text under which a value is read."""
    return json.dumps(value, ensure_ascii=False)


def _is_json(document: str) -> bool:
    try:
        codec.parse_json(document)
    except WireError:
        return False
    return True


def _places_of_keys(document: str, path: str) -> Iterator[str]:
    """Yield where each key of a document stands, in its order: `tools[0].function.parameters.properties.{2}`.

    A key on the way is named if it is a word of the formats themselves; any other, and the last, is `{n}`, the n-th of
    its object: it may be private.
    """

    def below(value: Any, at: str) -> Iterator[str]:
        if isinstance(value, _Pairs):
            for number, (key, inner) in enumerate(value, 1):
                yield f"{at}.{{{number}}}"
                yield from below(inner, f"{at}.{key}" if key in _FORMAT_WORDS else f"{at}.{{{number}}}")
        elif isinstance(value, list):
            for number, inner in enumerate(value):
                yield from below(inner, f"{at}[{number}]")

    return below(json.loads(document, object_pairs_hook=_Pairs), path)


class _Pairs(list[tuple[str, Any]]):
    """The keys and values of an object, in the order of the document."""


def _scalars(document: str) -> Iterator[_Scalar]:
    for found in _SCALAR.finditer(document):
        start, end = found.span()
        if document[start] != '"':
            offsets: Sequence[int] = range(start, end + 1)
            yield _Scalar(start, end, found[0], offsets, is_string=False, is_key=False)
            continue
        value, offsets = _decoded(document, start, end)
        is_key = _COLON.match(document, end) is not None
        yield _Scalar(start, end, value, offsets, is_string=True, is_key=is_key)


def _decoded(document: str, start: int, end: int) -> tuple[str, Sequence[int]]:
    """Decode a string literal and say where each of its characters stands."""
    value = str(json.loads(document[start:end]))
    if end - start == len(value) + 2:
        return value, range(start + 1, end)
    offsets = array("Q")  # a list would hold an object for each character of a text that may be long
    position = start + 1
    while position < end - 1:
        offsets.append(position)
        escape = _ESCAPE.match(document, position)
        position = position + 1 if escape is None else escape.end()
    offsets.append(end - 1)
    return value, offsets


def _within(scalar: _Scalar, spans: Sequence[PrivateSpan]) -> list[PrivateSpan]:
    """Return the parts of a document's spans (sorted, not overlapping) that lie in one scalar, in its own offsets."""
    first, last = scalar.offsets[0], scalar.offsets[-1]
    inside: list[PrivateSpan] = []
    for span in spans[bisect_right(spans, first, key=lambda span: span.end) :]:
        if last <= span.start:
            break
        start = bisect_left(scalar.offsets, span.start)
        end = min(bisect_left(scalar.offsets, span.end), len(scalar.value))
        if start < end:
            inside.append(
                PrivateSpan(
                    start=start,
                    end=end,
                    entity_type=span.entity_type,
                    level=span.level,
                    source=span.source,
                    certainty=span.certainty,
                    surface=scalar.value[start:end],
                )
            )
    return inside
