import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_cloud.errors import UnsupportedRequestError
from keepmum_cloud.respond.grammar import MAX_LIST, MAX_STRING, bounded, response_schema
from keepmum_cloud.respond.prompt import Prompt
from keepmum_cloud.respond.tool_calls import CLOSE, OPEN, ToolCallReader, as_text, opening, plan_tools, tools_note
from keepmum_shared.messages import ChatMessage, ContentDelta, FunctionCall, ToolCall, ToolCallDelta

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def tool(name: str) -> dict[str, object]:
    return {"type": "function", "function": {"name": name, "description": f"does {name}", "parameters": SCHEMA}}


def prompt(*names: str, choice: object = None) -> Prompt:
    return Prompt(
        messages=(ChatMessage(role="user", content="x"),), tools=tuple(tool(name) for name in names), tool_choice=choice
    )


def read(text: str, cuts: list[int]) -> tuple[str, list[tuple[str | None, str]]]:
    reader = ToolCallReader(frozenset({"f"}), choice=0, new_call_id=lambda: "id")
    edges = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    pieces = [p for a, b in itertools.pairwise(edges) for p in reader.feed(text[a:b])] + list(reader.close())
    content = "".join(p.text for p in pieces if isinstance(p, ContentDelta))
    calls = [(p.name, p.arguments) for p in pieces if isinstance(p, ToolCallDelta)]
    assert [p.index for p in pieces if isinstance(p, ToolCallDelta)] == list(range(len(calls)))
    return content, calls


CALL = OPEN + '{"name": "f", "arguments": {"a": "</b>"}}' + CLOSE


@pytest.mark.parametrize(
    ("text", "content", "calls"),
    [
        ("a < b and <tool", "a < b and <tool", 0),
        (CALL, "", 1),
        ("Sure. " + CALL + "\n" + CALL, "Sure. ", 2),
        (CALL.removesuffix(CLOSE), "", 1),
        (OPEN + "{not json" + CLOSE, OPEN + "{not json" + CLOSE, 0),
        (
            OPEN + '{"name": "unknown", "arguments": {}}' + CLOSE,
            OPEN + '{"name": "unknown", "arguments": {}}' + CLOSE,
            0,
        ),
        (OPEN + '{"name": ["f"], "arguments": {}}', OPEN + '{"name": ["f"], "arguments": {}}', 0),
    ],
)
def test_calls_are_found_at_every_cut_and_nothing_is_lost(text: str, content: str, calls: int) -> None:
    for cut in range(len(text)):
        found_content, found_calls = read(text, [cut])
        assert found_content == content
        assert found_calls == [("f", '{"a": "</b>"}')] * calls
    assert read(text, list(range(len(text))))[0] == content


@given(st.text("<>tol_ca/{}", max_size=40), st.lists(st.integers(0, 40)))
def test_cuts_change_nothing(text: str, cuts: list[int]) -> None:
    assert read(text, cuts) == read(text, [])


@pytest.mark.parametrize(
    ("names", "choice", "mode", "function"),
    [
        ((), None, "off", None),
        ((), "auto", "off", None),
        (("f",), None, "auto", None),
        (("f",), "none", "off", None),
        (("f",), "required", "named", "f"),
        (("f", "g"), "required", "required", None),
        (("f", "g"), {"type": "function", "function": {"name": "g"}}, "named", "g"),
    ],
)
def test_tool_choice_is_read(names: tuple[str, ...], choice: object, mode: str, function: str | None) -> None:
    plan = plan_tools(prompt(*names, choice=choice))
    assert (plan.mode, plan.function) == (mode, function)


@pytest.mark.parametrize(
    "choice", ["sometimes", 5, {"type": "function"}, {"function": {"name": "h"}}, {"function": {"name": []}}]
)
def test_a_choice_that_names_no_tool_is_refused(choice: object) -> None:
    with pytest.raises(UnsupportedRequestError, match="tool_choice"):
        plan_tools(prompt("f", choice=choice))


def test_required_without_tools_is_refused() -> None:
    with pytest.raises(UnsupportedRequestError):
        plan_tools(prompt(choice="required"))


@pytest.mark.parametrize(
    "bad", [{}, {"function": []}, {"function": {"name": 5}}, {"function": {"name": "f", "parameters": 5}}]
)
def test_a_tool_without_a_function_is_refused(bad: dict[str, object]) -> None:
    with pytest.raises(UnsupportedRequestError, match="tools"):
        plan_tools(Prompt(messages=(ChatMessage(role="user", content="x"),), tools=(bad,)))


def test_a_named_call_shows_the_model_that_function_only() -> None:
    asked = prompt("f", "g", choice={"type": "function", "function": {"name": "g"}})
    note = tools_note(asked, plan_tools(asked))
    assert "does g" in note
    assert "does f" not in note
    assert opening(plan_tools(asked)).endswith('{"name": "g", "arguments": ')


def test_calls_and_results_become_text() -> None:
    call = ToolCall(id="c", function=FunctionCall(name="f", arguments='{"a":1}'))
    assert as_text(ChatMessage(role="assistant", content="ok", tool_calls=(call,))) == (
        "assistant",
        f'ok\n{OPEN}\n{{"name": "f", "arguments": {{"a":1}}}}\n{CLOSE}',
    )
    assert as_text(ChatMessage(role="tool", content="5", tool_call_id="c"))[0] == "user"
    assert as_text(ChatMessage(role="developer", content="x")) == ("system", "x")


def test_strings_and_lists_get_bounds_where_they_have_none() -> None:
    schema = {
        "type": "object",
        "properties": {
            "free": {"type": "string"},
            "long": {"type": "string", "minLength": 1000},
            "own": {"type": "string", "maxLength": 3},
            "one_of": {"type": "string", "enum": ["a"]},
            "list": {"type": "array", "items": {"type": "string"}},
            "literal": {"const": {"type": "string"}},
        },
    }
    properties = bounded(schema)["properties"]
    assert properties["free"]["maxLength"] == MAX_STRING
    assert properties["long"]["maxLength"] == 1000
    assert properties["own"]["maxLength"] == 3
    assert "maxLength" not in properties["one_of"]
    assert properties["list"] == {
        "type": "array",
        "items": {"type": "string", "maxLength": MAX_STRING},
        "maxItems": MAX_LIST,
    }
    assert properties["literal"] == {"const": {"type": "string"}}


def test_a_schema_without_bottom_is_refused() -> None:
    deep: dict[str, object] = {}
    for _ in range(60):
        deep = {"items": deep}
    with pytest.raises(UnsupportedRequestError):
        bounded(json.loads(json.dumps(deep)))


@pytest.mark.parametrize(
    ("form", "schema"),
    [
        (None, None),
        ({"type": "text"}, None),
        ({"type": "json_object"}, {"type": "object"}),
        ({"type": "json_schema", "json_schema": {"name": "n", "schema": SCHEMA}}, SCHEMA),
    ],
)
def test_response_format_is_read(form: dict[str, object] | None, schema: object) -> None:
    assert response_schema(form) == schema


@pytest.mark.parametrize(
    "form", [{}, {"type": "xml"}, {"type": "json_schema"}, {"type": "json_schema", "json_schema": {"schema": 1}}]
)
def test_an_unknown_response_format_is_refused(form: dict[str, object]) -> None:
    with pytest.raises(UnsupportedRequestError, match="response_format"):
        response_schema(form)
