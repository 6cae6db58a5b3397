"""Which messages and requests are the same: keyed digests of private text, so that no table of texts is needed.

A message's digest covers all that a client sends back of it. A chain digest covers a whole history up to one message:
equal chain digests mean equal histories. Keyed, since a bare hash of a short private text can be guessed.
"""

import hashlib
from typing import Final

from keepmum_shared import codec
from keepmum_shared.errors import MalformedError, WireError
from keepmum_shared.messages import ChatMessage, ToolCall

from keepmum_edge.daemon.chat import ChatRequest, Context
from keepmum_edge.errors import InvalidRequestError

DIGEST_SIZE: Final = 32


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

    def chain(self, messages: tuple[ChatMessage, ...]) -> list[bytes]:
        """Return the chain digest after each message; the last one stands for the whole history."""
        digests: list[bytes] = []
        for message in messages:
            digests.append(self.extend(digests[-1] if digests else b"", message))
        return digests

    def extend(self, chain: bytes, message: ChatMessage) -> bytes:
        """Return the chain digest one message further; `chain` is empty before the first."""
        return self._digest(b"chain", chain + self.message(message))

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
