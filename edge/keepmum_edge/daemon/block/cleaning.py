"""A chat request without any block that a client sends back: in every role and every field that holds text (pure).

Frames are taken out before it is asked which conversation a request belongs to: an answer that comes back with its
block is the answer that was given. That depends on the text alone, so the same message is the same for good. Lines
without a frame are taken out of new messages only, and do not change who they are: what is known is sent as before.
"""

import json
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from typing import Any, Final

from keepmum_shared.codec import parse_json
from keepmum_shared.errors import WireError
from keepmum_shared.messages import ChatMessage, FunctionCall, ToolCall

from keepmum_edge.daemon.chat import ChatRequest

Clean = Callable[[str], str]
"""Takes something out of a text."""
_NAMELESS: Final = "nameless"
"""What a name is called of which nothing is left."""


def cleaned(chat: ChatRequest, clean: Clean) -> ChatRequest:
    """Return a request whose every text went through `clean`."""
    stop = chat.sampling.stop
    return replace(
        chat,
        messages=tuple(_message(message, clean) for message in chat.messages),
        sampling=chat.sampling if stop is None else replace(chat.sampling, stop=_stops(stop, clean)),
        tools=None if chat.tools is None else tuple(_json(tool, clean) for tool in chat.tools),
        tool_choice=_json(chat.tool_choice, clean),
        response_format=_json(chat.response_format, clean),
    )


def cleaned_news(chat: ChatRequest, clean: Clean, digests: Sequence[bytes], known: Container[bytes]) -> ChatRequest:
    """Return a request whose every text but those of known messages went through `clean`.

    Args:
        chat: The request.
        clean: Takes something out of a text.
        digests: Of each message.
        known: Digests of messages that were sent before, and are sent again as they were.
    """
    news = cleaned(chat, clean)
    pairs = zip(chat.messages, news.messages, digests, strict=True)
    return replace(news, messages=tuple(old if digest in known else new for old, new, digest in pairs))


def _message(message: ChatMessage, clean: Clean) -> ChatMessage:
    calls = message.tool_calls
    return replace(
        message,
        content=None if message.content is None else clean(message.content),
        name=None if message.name is None else clean(message.name) or None,
        tool_call_id=None if message.tool_call_id is None else clean(message.tool_call_id) or _NAMELESS,
        tool_calls=None if calls is None else tuple(_call(call, clean) for call in calls),
    )


def _call(call: ToolCall, clean: Clean) -> ToolCall:
    arguments = _document(call.function.arguments, clean)
    name = clean(call.function.name) or _NAMELESS
    return replace(call, id=clean(call.id) or _NAMELESS, function=FunctionCall(name=name, arguments=arguments))


def _document(text: str, clean: Clean) -> str:
    """Clean the strings of a JSON text, else the text; one that holds nothing stays byte for byte."""
    if clean(text) == text:
        return text
    try:
        value = parse_json(text)
    except WireError:
        return clean(text)
    return json.dumps(_json(value, clean), ensure_ascii=False)


def _json(value: Any, clean: Clean) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_json(each, clean) for each in value]
    if isinstance(value, dict):
        return {clean(key): _json(each, clean) for key, each in value.items()}
    return value


def _stops(stops: Sequence[str], clean: Clean) -> tuple[str, ...] | None:
    """Clean stop sequences; one of which nothing is left would stop every answer at once, so it goes."""
    return tuple(filter(None, map(clean, stops))) or None
