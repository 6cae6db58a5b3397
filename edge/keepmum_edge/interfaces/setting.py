"""Who asks, in which conversation, and whether again: the request headers as Context and Attempt (pure).

A header holds ASCII; a name in another script comes percent-encoded (UTF-8), or as bare UTF-8 bytes.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final, Literal, get_args
from urllib.parse import unquote_to_bytes

from keepmum_edge.daemon.chat import SELF, Attempt, BlockPlace, Context
from keepmum_edge.errors import InvalidRequestError
from keepmum_edge.memory.names import RULE, normalised, scope_named
from keepmum_edge.memory.record import USER_SCOPE

CONVERSATION: Final = "X-Keepmum-Conversation"
SCOPE: Final = "X-Keepmum-Scope"
AUDIENCE: Final = "X-Keepmum-Audience"
MODE: Final = "X-Keepmum-Mode"
APPLICATION: Final = "X-Keepmum-Application"
BLOCK: Final = "X-Keepmum-Block"
IDEMPOTENCY_KEY: Final = "Idempotency-Key"
RETRY_COUNT: Final = "x-stainless-retry-count"

_KEY: Final = re.compile(r"[\x20-\x7e]{1,255}")
_COUNT: Final = re.compile(r"[0-9]{1,6}")


def read_context(headers: Mapping[str, str]) -> Context:
    """Read the context headers; their absence means the owner's general scope.

    Args:
        headers: Looked up without regard to case.

    Raises:
        InvalidRequestError: naming the header, never quoting it.
    """
    return Context(
        conversation=_label(headers, CONVERSATION),
        scope=_label(headers, SCOPE, scope_named) or USER_SCOPE,
        audience=_label(headers, AUDIENCE) or SELF,
        mode=_mode(headers),
        application=_label(headers, APPLICATION) or "api",
        block=_block(headers),
    )


def read_attempt(headers: Mapping[str, str]) -> Attempt:
    """Read what tells a retry from a new turn.

    Raises:
        InvalidRequestError: naming the header, never quoting it.
    """
    key = headers.get(IDEMPOTENCY_KEY)
    if key is not None and not _KEY.fullmatch(key):
        raise _wrong(IDEMPOTENCY_KEY, "must be 1 to 255 printable ASCII characters")
    count = headers.get(RETRY_COUNT, "0")
    if not _COUNT.fullmatch(count):
        raise _wrong(RETRY_COUNT, "must be a number")
    return Attempt(idempotency_key=key, retry_count=int(count))


def from_owner(headers: Mapping[str, str]) -> bool:
    """Say whether the request's audience is the owner; anything else, however malformed, is not."""
    return headers.get(AUDIENCE, SELF) == SELF


def _label(headers: Mapping[str, str], name: str, read: Callable[[str], str] = normalised) -> str | None:
    value = headers.get(name)
    if value is None:
        return None
    try:
        return read(unquote_to_bytes(value.encode("latin-1")).decode())
    except ValueError:  # of the name, or of its encoding
        raise _wrong(name, RULE) from None


def _mode(headers: Mapping[str, str]) -> Literal["normal", "incognito"]:
    value = headers.get(MODE, "normal")
    if value == "normal":
        return "normal"
    if value == "incognito":
        return "incognito"
    raise _wrong(MODE, "must be normal or incognito")


def _block(headers: Mapping[str, str]) -> BlockPlace | None:
    places: dict[str, BlockPlace] = {place: place for place in get_args(BlockPlace)}
    value = headers.get(BLOCK)
    if value is not None and value not in places:
        raise _wrong(BLOCK, "must be apart, inline or off")
    return None if value is None else places[value]


def _wrong(name: str, rule: str) -> InvalidRequestError:
    return InvalidRequestError(f"{name}: {rule}", param=name)
