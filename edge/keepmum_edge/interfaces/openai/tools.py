"""What a chat completion request says about form: tools that may be called, and the shape of the answer (pure)."""

from typing import Any, Final

from keepmum_edge.interfaces.openai.fields import (
    a_list,
    an_object,
    flag,
    invalid,
    refuse_unknown,
    required_text,
    text,
    unsupported,
)

_MOST_TOOLS: Final = 1024


def read_tools(value: Any) -> tuple[dict[str, Any], ...] | None:
    """Read `tools`; None if there are none.

    Raises:
        InvalidRequestError, UnsupportedFieldError: naming the field, never quoting it.
    """
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


def read_tool_choice(value: Any, *, has_tools: bool) -> Any:
    """Read `tool_choice`; None where it says nothing.

    Raises:
        InvalidRequestError, UnsupportedFieldError: as above.
    """
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


def read_response_format(value: Any) -> dict[str, Any] | None:
    """Read `response_format`; None for plain text.

    Raises:
        InvalidRequestError, UnsupportedFieldError: as above.
    """
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
