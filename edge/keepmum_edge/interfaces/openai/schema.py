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
    required_text,
    text,
    unsupported,
)

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
_MOST_TOOLS: Final = 1024
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
    tools = _tools(source.get("tools"))
    chat = ChatRequest(
        messages=read_messages(source.get("messages")),
        sampling=_sampling(source),
        tools=tools,
        tool_choice=_tool_choice(source.get("tool_choice"), has_tools=tools is not None),
        parallel_tool_calls=flag(source, "parallel_tool_calls") if tools is not None else None,
        response_format=_response_format(source.get("response_format")),
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


def _tools(value: Any) -> tuple[dict[str, Any], ...] | None:
    if value is None or value == []:
        return None
    items = a_list(value, "tools", most=_MOST_TOOLS)
    return tuple(_tool(item, f"tools[{i}]") for i, item in enumerate(items))


def _tool(value: Any, path: str) -> dict[str, Any]:
    tool = an_object(value, path)
    if tool.get("type") != "function":
        raise (
            unsupported(f"{path}.type") if isinstance(tool.get("type"), str) else invalid(f"{path}.type", "is missing")
        )
    refuse_unknown(tool, {"type", "function"}, path)
    inner = f"{path}.function"
    function = an_object(tool.get("function"), inner)
    refuse_unknown(function, {"name", "description", "parameters", "strict"}, inner)
    required_text(function, "name", inner, most=256)
    text(function, "description", inner)
    flag(function, "strict", inner)
    if function.get("parameters") is not None:
        an_object(function["parameters"], f"{inner}.parameters")
    return {"type": "function", "function": {name: part for name, part in function.items() if part is not None}}


def _tool_choice(value: Any, *, has_tools: bool) -> Any:
    if value is None:
        return None
    if not has_tools and value in ("none", "auto"):
        return None
    if not has_tools:
        raise invalid("tool_choice", "needs tools")
    if value in ("none", "auto", "required"):
        return value
    choice = an_object(value, "tool_choice")
    if choice.get("type") != "function":
        raise unsupported("tool_choice.type")
    refuse_unknown(choice, {"type", "function"}, "tool_choice")
    function = an_object(choice.get("function"), "tool_choice.function")
    refuse_unknown(function, {"name"}, "tool_choice.function")
    return {"type": "function", "function": {"name": required_text(function, "name", "tool_choice.function", most=256)}}


def _response_format(value: Any) -> dict[str, Any] | None:
    if value is None:
        return None
    source = an_object(value, "response_format")
    kind = source.get("type")
    if kind in ("text", "json_object"):
        refuse_unknown(source, {"type"}, "response_format")
        return None if kind == "text" else {"type": "json_object"}
    if kind != "json_schema":
        raise invalid("response_format.type", "must be text, json_object or json_schema")
    refuse_unknown(source, {"type", "json_schema"}, "response_format")
    path = "response_format.json_schema"
    schema = an_object(source.get("json_schema"), path)
    refuse_unknown(schema, {"name", "description", "schema", "strict"}, path)
    required_text(schema, "name", path, most=256)
    text(schema, "description", path)
    flag(schema, "strict", path)
    if schema.get("schema") is not None:
        an_object(schema["schema"], f"{path}.schema")
    return {"type": "json_schema", "json_schema": {name: part for name, part in schema.items() if part is not None}}


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
