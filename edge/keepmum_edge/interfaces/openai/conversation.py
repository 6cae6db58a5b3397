"""The messages of a chat completion request as the daemon's dataclasses (pure).

Text parts of one message are joined by line breaks, so that words of two parts do not run together. What is not text is
refused by name: an image or a file may hold private words that nothing here can mask.
"""

from typing import Any, Final, get_args

from keepmum_shared.messages import ChatMessage, FunctionCall, Role, ToolCall

from keepmum_edge.interfaces.openai.fields import (
    JsonObject,
    a_list,
    an_object,
    invalid,
    refuse_unknown,
    required_text,
    text,
    unsupported,
)

_ROLES: Final[frozenset[str]] = frozenset(get_args(Role))
_FIELDS: Final = frozenset({"role", "content", "name", "tool_calls", "tool_call_id"})
_ECHOED: Final = frozenset({"refusal", "annotations", "audio", "function_call"})
"""Fields that clients copy, empty, from an answer back into the history."""
_TEXT_PARTS: Final = {"text": "text", "refusal": "refusal"}
_OTHER_PARTS: Final = frozenset({"image_url", "input_image", "input_audio", "file", "input_file"})


def read_messages(value: Any) -> tuple[ChatMessage, ...]:
    """Read the field `messages`.

    Raises:
        InvalidRequestError, UnsupportedFieldError: naming the field, never quoting it.
    """
    if value is None:
        raise invalid("messages", "is missing")
    items = a_list(value, "messages", least=1)
    return tuple(_message(item, f"messages[{i}]") for i, item in enumerate(items))


def _message(value: Any, path: str) -> ChatMessage:
    source = an_object(value, path)
    refuse_unknown(source, _FIELDS | _ECHOED, path)
    for name in _ECHOED & source.keys():
        if source[name]:
            raise unsupported(f"{path}.{name}")
    role = source.get("role")
    if role == "function":
        raise unsupported(f"{path}.role")
    if not isinstance(role, str) or role not in _ROLES:
        raise invalid(f"{path}.role", "must be one of " + ", ".join(sorted(_ROLES)))
    content = _content(source.get("content"), f"{path}.content")
    calls = _tool_calls(source.get("tool_calls"), f"{path}.tool_calls", role)
    if content is None and calls is None:
        raise invalid(f"{path}.content", "is missing")
    answered = text(source, "tool_call_id", path, least=1, most=256)
    if (role == "tool") != (answered is not None):
        raise invalid(f"{path}.tool_call_id", "belongs to messages of role tool, and to all of them")
    return ChatMessage(
        role=_role(role),
        content=content,
        name=text(source, "name", path, least=1, most=256),
        tool_calls=calls,
        tool_call_id=answered,
    )


def _role(role: str) -> Role:
    roles: dict[str, Role] = {known: known for known in get_args(Role)}
    return roles[role]


def _content(value: Any, path: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if not isinstance(value, list):
        raise invalid(path, "must be a string or a list of text parts")
    parts = a_list(value, path, least=1)
    return "\n".join(_part(part, f"{path}[{i}]") for i, part in enumerate(parts))


def _part(value: Any, path: str) -> str:
    part = an_object(value, path)
    kind = part.get("type")
    if isinstance(kind, str) and kind in _OTHER_PARTS:
        raise unsupported(f"{path}.{kind}")
    if not isinstance(kind, str) or kind not in _TEXT_PARTS:
        raise invalid(f"{path}.type", "must be text")
    refuse_unknown(part, {"type", _TEXT_PARTS[kind]}, path)
    found = text(part, _TEXT_PARTS[kind], path)
    if found is None:
        raise invalid(f"{path}.{_TEXT_PARTS[kind]}", "is missing")
    return found


def _tool_calls(value: Any, path: str, role: str) -> tuple[ToolCall, ...] | None:
    if value is None or value == []:
        return None
    if role != "assistant":
        raise invalid(path, "belongs to messages of role assistant")
    return tuple(_tool_call(item, f"{path}[{i}]") for i, item in enumerate(a_list(value, path)))


def _tool_call(value: Any, path: str) -> ToolCall:
    call = an_object(value, path)
    if call.get("type", "function") != "function":
        raise unsupported(f"{path}.type")
    refuse_unknown(call, {"id", "type", "function"}, path)
    return ToolCall(id=required_text(call, "id", path, most=256), function=_function(call, f"{path}.function"))


def _function(call: JsonObject, path: str) -> FunctionCall:
    function = an_object(call.get("function"), path)
    refuse_unknown(function, {"name", "arguments"}, path)
    arguments = text(function, "arguments", path)
    if arguments is None:
        raise invalid(f"{path}.arguments", "is missing")
    return FunctionCall(name=required_text(function, "name", path, most=256), arguments=arguments)
