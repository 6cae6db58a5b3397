"""Tool calls of a model that only writes text (pure).

The form is the one most open models know: `<tool_call>{"name": ..., "arguments": {...}}</tool_call>`. With `auto` the
model may write it; `ToolCallReader` finds it in the stream. With `required` or a named function a grammar makes it
the only thing that the model can write.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from keepmum_shared.messages import ChatMessage, ContentDelta, ToolCall, ToolCallDelta

from keepmum_cloud.errors import UnsupportedRequestError
from keepmum_cloud.respond.prompt import Prompt
from keepmum_cloud.respond.responder import AnswerPiece
from keepmum_cloud.respond.text_stream import held_length

OPEN: Final = "<tool_call>"
CLOSE: Final = "</tool_call>"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPlan:
    """What to do about tools in one answer.

    Attributes:
        mode: `off`: plain text. `auto`: the model may call. `named`: it writes the arguments of `function`.
            `required`: it writes one call of any function.
        schema: What a forced answer must match.
    """

    mode: Literal["off", "auto", "named", "required"]
    function: str | None = None
    schema: dict[str, Any] | None = field(default=None, repr=False)


def plan_tools(prompt: Prompt) -> ToolPlan:
    """Read `tools` and `tool_choice`.

    Raises:
        UnsupportedRequestError: they do not fit together.
    """
    schemas = _parameter_schemas(prompt.tools)
    choice = prompt.tool_choice
    if choice is None or choice == "auto":
        return ToolPlan(mode="auto" if schemas else "off")
    if choice == "none":
        return ToolPlan(mode="off")
    if choice == "required" and len(schemas) == 1:
        ((name, schema),) = schemas.items()
        return ToolPlan(mode="named", function=name, schema=schema)
    if choice == "required" and schemas:
        calls = [
            {
                "type": "object",
                "properties": {"name": {"const": name}, "arguments": schema},
                "required": ["name", "arguments"],
                "additionalProperties": False,
            }
            for name, schema in schemas.items()
        ]
        return ToolPlan(mode="required", schema={"anyOf": calls})
    wanted = choice.get("function") if isinstance(choice, dict) else None
    named = wanted.get("name") if isinstance(wanted, dict) else None
    if not isinstance(named, str) or named not in schemas:
        raise UnsupportedRequestError("tool_choice", "must be auto, none, required, or name one of the tools")
    return ToolPlan(mode="named", function=named, schema=schemas[named])


def _parameter_schemas(tools: tuple[dict[str, Any], ...]) -> dict[str, dict[str, Any]]:
    schemas = {}
    for tool in tools:
        function = tool.get("function")
        name = function.get("name") if isinstance(function, dict) else None
        if not isinstance(function, dict) or not isinstance(name, str):
            raise UnsupportedRequestError("tools", "each must have a function with a name")
        parameters = function.get("parameters") or {"type": "object", "properties": {}}
        if not isinstance(parameters, dict):
            raise UnsupportedRequestError("tools", "parameters must be a JSON schema")
        schemas[name] = parameters
    return schemas


def tools_note(prompt: Prompt, plan: ToolPlan) -> str:
    """Return what the system message says about the tools; empty where there is nothing to say."""
    if plan.mode == "off":
        return ""
    functions = [tool["function"] for tool in prompt.tools if plan.function in (None, tool["function"]["name"])]
    listed = "\n".join(json.dumps(function, ensure_ascii=False) for function in functions)
    when = "Only if the user asks for something that a tool does, call it" if plan.mode == "auto" else "Call a tool now"
    form = f'{OPEN}{{"name": "...", "arguments": {{...}}}}{CLOSE}'
    return f"Tools, one JSON object a line:\n{listed}\n{when}, by writing {form}; otherwise answer in plain words."


def opening(plan: ToolPlan) -> str:
    """Return the words that a forced answer is made to begin with."""
    if plan.mode == "named":
        return f'{OPEN}\n{{"name": {json.dumps(plan.function, ensure_ascii=False)}, "arguments": '
    return f"{OPEN}\n" if plan.mode == "required" else ""


def as_text(message: ChatMessage) -> tuple[str, str]:
    """Return (role, content) of a message for a model that knows system, user and assistant only."""
    content = message.content or ""
    if message.role == "tool":
        return "user", f"<tool_response>\n{content}\n</tool_response>"
    calls = "\n".join(_call_text(call) for call in message.tool_calls or ())
    role = "system" if message.role == "developer" else message.role
    return role, f"{content}\n{calls}" if content and calls else content + calls


def _call_text(call: ToolCall) -> str:
    name = json.dumps(call.function.name, ensure_ascii=False)
    return f'{OPEN}\n{{"name": {name}, "arguments": {call.function.arguments}}}\n{CLOSE}'


class ToolCallReader:
    """Parts the streamed text of one choice into content and calls. What is no valid call stays content."""

    def __init__(self, names: frozenset[str], *, choice: int, new_call_id: Callable[[], str]) -> None:
        self._names = names
        self._choice = choice
        self._new_call_id = new_call_id
        self._held = ""
        self._in_call = False
        self.calls = 0

    def feed(self, text: str) -> Iterator[AnswerPiece]:
        """Yield what can be told after this piece of text."""
        self._held += text
        while True:
            marker = CLOSE if self._in_call else OPEN
            before, found, after = self._held.partition(marker)
            if not found:
                break
            self._held = after
            yield from self._call(before, CLOSE) if self._in_call else self._content(before)
            self._in_call = not self._in_call
        if not self._in_call:
            keep = held_length(self._held, (OPEN,))
            free, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
            yield from self._content(free)

    def close(self) -> Iterator[AnswerPiece]:
        """Yield what was held back; a call that was not closed counts if it is whole."""
        held, self._held = self._held, ""
        yield from self._call(held, "") if self._in_call else self._content(held)
        self._in_call = False

    def _content(self, text: str) -> Iterator[AnswerPiece]:
        if text and not (self.calls and text.isspace()):
            yield ContentDelta(text=text, choice=self._choice)

    def _call(self, text: str, closed_by: str) -> Iterator[AnswerPiece]:
        call = read_call(text, self._names)
        if call is None:
            yield from self._content(OPEN + text + closed_by)
            return
        name, arguments = call
        yield ToolCallDelta(
            index=self.calls, id=self._new_call_id(), name=name, arguments=arguments, choice=self._choice
        )
        self.calls += 1


def read_call(text: str, names: frozenset[str]) -> tuple[str, str] | None:
    """Return (name, arguments as JSON text), or None where the text is no call of one of the functions."""
    try:
        call = json.loads(text)
    except (ValueError, RecursionError):
        return None
    name, arguments = (call.get("name"), call.get("arguments")) if isinstance(call, dict) else (None, None)
    if not isinstance(name, str) or name not in names or not isinstance(arguments, dict):
        return None
    return name, json.dumps(arguments, ensure_ascii=False)
