"""Which messages and requests are the same: keyed digests of private text, so that no table of texts is needed.

A message's digest covers all that a client sends back of it. A chain digest covers a whole history up to one message:
equal chain digests mean equal histories, and one scope, so that forgetting a project reaches no other. Keyed, since a
bare hash of a short private text can be guessed.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from keepmum_shared import codec
from keepmum_shared.errors import MalformedError, WireError
from keepmum_shared.messages import ChatMessage, ToolCall

from keepmum_edge.daemon.chat import ChatRequest, Context
from keepmum_edge.errors import InvalidRequestError
from keepmum_edge.memory.record import USER_SCOPE

DIGEST_SIZE: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The digests of a request's messages, in their order.

    Attributes:
        messages: Of each message by itself.
        chains: Of the history up to and with each message.
    """

    messages: tuple[bytes, ...]
    chains: tuple[bytes, ...]


class Digester:
    """Digests under one key of this install (32 bytes)."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def message(self, message: ChatMessage) -> bytes:
        """Digest one message in clear.

        Clients trim answers and write an empty content as null or leave it out, and re-encode tool arguments; such
        copies of one message have one digest.

        Raises:
            InvalidRequestError: it holds a lone surrogate.
        """
        content = message.content or ""
        if message.role == "assistant":
            content = content.strip()
        plain = {
            "role": message.role,
            "content": content,
            "name": message.name,
            "tool_call_id": message.tool_call_id,
            "tool_calls": [_plain_call(call) for call in message.tool_calls or ()],
        }
        return self._digest(b"message", _utf8(codec.canonical_json(plain)))

    def history(self, messages: Sequence[ChatMessage], scope: str = USER_SCOPE) -> History:
        """Digest each message, and the history up to each; the last chain digest stands for the whole history."""
        digests = tuple(self.message(message) for message in messages)
        chain = b"" if scope == USER_SCOPE else self.name("scope", scope)
        chains: list[bytes] = []
        for digest in digests:
            chain = self.extend(chain, digest)
            chains.append(chain)
        return History(messages=digests, chains=tuple(chains))

    def extend(self, chain: bytes, message: bytes) -> bytes:
        """Return the chain digest one message's digest further."""
        return self._digest(b"chain", chain + message)

    def request(self, chat: ChatRequest, context: Context) -> bytes:
        """Digest all that makes a request the same request again. Raises as `message`."""
        try:
            return self._digest(b"request", codec.encode(chat) + b"\0" + codec.encode(context))
        except MalformedError:
            raise _not_unicode() from None

    def name(self, kind: str, name: str) -> bytes:
        """Digest a name that a client chose: a conversation's, an idempotency key. Raises as `message`."""
        return self._digest(kind.encode(), _utf8(name))

    def _digest(self, kind: bytes, content: bytes) -> bytes:
        return hashlib.blake2b(content, key=self._key, digest_size=DIGEST_SIZE, person=kind[:16]).digest()


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise _not_unicode() from None


def _not_unicode() -> InvalidRequestError:
    return InvalidRequestError("a text holds a lone surrogate; send valid Unicode")


def _plain_call(call: ToolCall) -> list[object]:
    try:
        arguments = codec.parse_json(call.function.arguments)
    except WireError:
        arguments = call.function.arguments
    return [call.id, call.function.name, arguments]
