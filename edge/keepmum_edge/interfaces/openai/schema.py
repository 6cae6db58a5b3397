"""A chat completion request: read strictly, refused by field name, handed on as the daemon's dataclasses (pure).

forwarded  what `Sampling` and `ChatRequest` name; `max_completion_tokens` is `max_tokens`
dropped    `user` and `metadata`: they name a person to the provider
refused    images, audio, files, log probabilities and every other field: dropping it silently would mislead. A refused
           field that says "off" in OpenAI's own words (`store: false`, say) asks for nothing and passes.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from keepmum_shared.messages import Sampling

from keepmum_edge.daemon.chat import ChatRequest
from keepmum_edge.interfaces.openai.conversation import read_messages
from keepmum_edge.interfaces.openai.fields import (
    JsonObject,
    a_list,
    an_object,
    flag,
    integer,
    invalid,
    number,
    refuse_unknown,
    text,
    unsupported,
)
from keepmum_edge.interfaces.openai.tools import read_response_format, read_tool_choice, read_tools

_FORWARDED: Final = frozenset(
    {
        "frequency_penalty",
        "logit_bias",
        "max_completion_tokens",
        "max_tokens",
        "messages",
        "model",
        "n",
        "parallel_tool_calls",
        "presence_penalty",
        "response_format",
        "seed",
        "stop",
        "stream",
        "stream_options",
        "temperature",
        "tool_choice",
        "tools",
        "top_p",
    }
)
_DROPPED: Final = frozenset({"user", "metadata"})
_OFF: Final[Mapping[str, tuple[Any, ...]]] = {
    "audio": (),
    "function_call": (),
    "functions": (),
    "logprobs": (False,),
    "modalities": (["text"],),
    "prediction": (),
    "service_tier": ("auto", "default"),
    "store": (False,),
    "top_logprobs": (),
    "web_search_options": (),
}
"""Fields that Keepmum does not pass on, with the values (besides null) that ask for nothing."""
_TOKEN_ID: Final = re.compile(r"[0-9]{1,10}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A valid request.

    Attributes:
        include_usage: Whether a stream ends with a usage chunk.
    """

    chat: ChatRequest
    stream: bool
    include_usage: bool


def read_completion(body: Any) -> Completion:
    """Read the JSON body of `POST /v1/chat/completions`.

    Raises:
        InvalidRequestError, UnsupportedFieldError: naming the field, never quoting it.
    """
    source = an_object(body, "")
    refuse_unknown(source, _FORWARDED | _DROPPED | _OFF.keys(), "")
    for name in _OFF.keys() & source.keys():
        if source[name] is not None and source[name] not in _OFF[name]:
            raise unsupported(name)
    text(source, "model", "", least=1, most=256)
    stream = flag(source, "stream") or False
    tools = read_tools(source.get("tools"))
    chat = ChatRequest(
        messages=read_messages(source.get("messages")),
        sampling=_sampling(source),
        tools=tools,
        tool_choice=read_tool_choice(source.get("tool_choice"), has_tools=tools is not None),
        parallel_tool_calls=flag(source, "parallel_tool_calls") if tools is not None else None,
        response_format=read_response_format(source.get("response_format")),
    )
    return Completion(chat=chat, stream=stream, include_usage=_include_usage(source.get("stream_options"), stream))


def _sampling(source: JsonObject) -> Sampling:
    limits = {integer(source, name, least=1) for name in ("max_tokens", "max_completion_tokens")} - {None}
    if len(limits) > 1:
        raise invalid("max_completion_tokens", "differs from max_tokens, its older name")
    return Sampling(
        n=integer(source, "n", least=1, most=16) or 1,
        temperature=number(source, "temperature", least=0, most=2),
        top_p=number(source, "top_p", least=0, most=1),
        max_tokens=limits.pop() if limits else None,
        stop=_stop(source.get("stop")),
        seed=integer(source, "seed"),
        presence_penalty=number(source, "presence_penalty", least=-2, most=2),
        frequency_penalty=number(source, "frequency_penalty", least=-2, most=2),
        logit_bias=_logit_bias(source.get("logit_bias")),
    )


def _stop(value: Any) -> tuple[str, ...] | None:
    if value is None or value == []:
        return None
    stops = [value] if isinstance(value, str) else a_list(value, "stop", most=4)
    if not all(isinstance(stop, str) and stop for stop in stops):
        raise invalid("stop", "must be a string or a list of up to four strings, none empty")
    return tuple(stops)


def _logit_bias(value: Any) -> dict[str, Any] | None:
    if value is None:
        return None
    for token, bias in an_object(value, "logit_bias").items():
        is_number = isinstance(bias, int | float) and not isinstance(bias, bool)
        if not _TOKEN_ID.fullmatch(token) or not is_number or abs(bias) > 100:
            raise invalid("logit_bias", "must map token ids to numbers of -100 to 100")
    return dict(value) or None


def _include_usage(value: Any, stream: bool) -> bool:
    if value is None:
        return False
    if not stream:
        raise invalid("stream_options", "is allowed only with stream: true")
    options = an_object(value, "stream_options")
    refuse_unknown(options, {"include_usage", "include_obfuscation"}, "stream_options")
    if flag(options, "include_obfuscation", "stream_options"):
        raise unsupported("stream_options.include_obfuscation")
    return flag(options, "include_usage", "stream_options") or False
