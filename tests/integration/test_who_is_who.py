"""A page, the user and a memory name different people; and what of them may reach a tool, the answer or nobody."""

import json
import re
from collections.abc import Iterator
from typing import Any

import openai
import pytest
from halves import Halves, paired_halves, user
from scripted_openai import Scripted, scripted_openai

ADA, BEN, ORA = "ada" + "@example.org", "ben" + "@example.org", "ora" + "@example.org"
PASSWORD = "Kestrel" + "99x"
CARD = "4242 4242 " + "4242 4242"
ECHO = {"steps": [{"echo": 5}, {"finish": "stop"}, {"done": True}]}


def call(when: str, *arguments: str) -> dict[str, Any]:
    """A tool call whose arguments come in these pieces."""
    first = {"index": 0, "id": "call_9", "type": "function", "function": {"name": "send", "arguments": arguments[0]}}
    rest = [{"tool": {"index": 0, "function": {"arguments": piece}}} for piece in arguments[1:]]
    return {"when": when, "steps": [{"tool": first}, *rest, {"finish": "tool_calls"}, {"done": True}]}


THREE = {
    "when": "Which mails",
    "steps": [
        {"content": "You are <EMA"},
        {"content": "IL_2>, the page says <EMAIL_100001>, and <EMAIL_1> is"},
        {"content": " your friend; see [her](https://example.org/?q=<EMAIL_1>) or [him](mailto:<EMAIL_100001>)"},
        {"finish": "stop"},
        {"usage": [7, 8]},
        {"done": True},
    ],
}
SCRIPT = [
    ECHO,
    THREE,
    call("USER ", '{"to": "<EMA', 'IL_1>", "cc": ["x<EMAIL_1>"]}'),
    call("[foreign] ", '{"to": "<EMAIL_100001>"}'),
    call("SECRET ", '{"to": "<PASS', 'WORD_100001>"}'),
    call("NUMBER ", '{"account": <BANK_CARD_1>, "text": "<BANK_CARD_1>"}'),
    call("UNKNOWN ", '{"to": "<EMAIL_77>"}'),
    call("NOBODY ", '{"to": "<EMAIL_1>"}'),
]
SEND: Any = {"type": "function", "function": {"name": "send", "parameters": {"type": "object", "properties": {}}}}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted_openai(tmp_path_factory.mktemp("model"), SCRIPT) as running:
        yield running


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory, model: Scripted) -> Iterator[Halves]:
    with paired_halves(tmp_path_factory.mktemp("home"), model) as running:
        running.say(f"{ADA} and {ORA} have the first numbers")
        yield running


def page(text: str) -> list[dict[str, Any]]:
    called = {"id": "c1", "type": "function", "function": {"name": "get", "arguments": "{}"}}
    return [
        user("look at the page"),
        {"role": "assistant", "content": None, "tool_calls": [called]},
        {"role": "tool", "tool_call_id": "c1", "content": text},
    ]


def remember_at_cloud(halves: Halves, text: str, **fields: str) -> str:
    made = halves.owner.post("/memories", json={"text": text, **fields}).json()["id"]
    shown = halves.owner.post(f"/memories/{made}/preview-share").json()["text"]
    assert halves.owner.post(f"/memories/{made}/share", json={"shown_text": shown}).status_code == 200
    halves.say("hello", **({"scope": fields["scope"]} if "scope" in fields else {}))
    return str(made)


def arguments_of(halves: Halves, messages: list[Any], *, stream: bool = False) -> str:
    if not stream:
        answer = halves.client().chat.completions.create(model="any", messages=messages, tools=[SEND])
        [made] = answer.choices[0].message.tool_calls or []
        assert (made.id, made.type) == ("call_9", "function")
        return str(made.function.arguments)
    chunks = halves.client().chat.completions.create(model="any", messages=messages, tools=[SEND], stream=True)
    deltas = [delta for chunk in chunks for choice in chunk.choices for delta in choice.delta.tool_calls or []]
    assert [delta.id for delta in deltas if delta.id] == ["call_9"]
    return "".join(delta.function.arguments or "" for delta in deltas if delta.function)


def test_page_user_and_memory_are_three_tokens_each_restored_as_ruled(halves: Halves) -> None:
    friend = remember_at_cloud(halves, f"My friend is {ADA}")
    messages = [*page(f"Contact: {BEN}"), user(f"Which mails does my friend and the page have? I am {ORA}")]
    answer = halves.client().chat.completions.create(model="any", messages=messages)  # type: ignore[arg-type]
    sent = halves.sent()[-1]
    assert sent[-2]["content"] == "Contact: <EMAIL_100001>"
    recalled, asked = sent[-1]["content"].rsplit("\n\n", 1)
    assert "My friend is <EMAIL_1>" in recalled
    assert asked == "Which mails does my friend and the page have? I am <EMAIL_2>"
    assert answer.choices[0].message.content == (
        f"You are {ORA}, the page says {BEN}, and {ADA} is your friend; "
        f"see [her](https://example.org/?q=<EMAIL_1>) or [him](mailto:{BEN})"
    )
    assert answer.model_extra["keepmum"] == {"memories": [friend]}  # type: ignore[index]
    trace = halves.newest_trace()
    assert (trace["memories_used"], trace["shown"]) == ([friend], answer.choices[0].message.content)


def test_the_same_person_from_page_and_user_has_two_numbers(halves: Halves) -> None:
    halves.chat([*page(f"Write to {ADA}"), user(f"I am {ADA}")])
    sent = halves.sent()[-1]
    assert re.fullmatch(r"Write to <EMAIL_10000\d>", sent[-2]["content"])
    assert sent[-1]["content"].endswith("I am <EMAIL_1>"), "the memory of a friend may stand before it"


def test_what_only_the_system_text_says_is_not_restored_into_the_answer(halves: Halves) -> None:
    answer = halves.chat([{"role": "system", "content": f"Operator: {BEN}"}, user("NOTHING <EMAIL_100001>")])
    assert BEN not in answer


@pytest.mark.parametrize("stream", [False, True])
def test_what_the_user_typed_reaches_the_tool(halves: Halves, stream: bool) -> None:
    said = arguments_of(halves, [user(f"USER send it to {ADA}")], stream=stream)
    assert json.loads(said) == {"to": ADA, "cc": [f"x{ADA}"]}


def test_a_user_value_is_json_inside_arguments(halves: Halves) -> None:
    said = arguments_of(halves, [user(f"NUMBER pay from my card {CARD}")])
    assert json.loads(said.replace(f": {CARD},", ': "",') if f": {CARD}," in said else said)["text"] == CARD


@pytest.mark.parametrize(
    "messages",
    [
        [*page(f"Contact: {BEN}"), user("[foreign] write to them")],
        [user(f"SECRET my password is {PASSWORD}")],
        [{"role": "system", "content": f"Operator: {BEN}"}, user("[foreign] now")],
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_a_withheld_value_in_arguments_is_an_error_and_no_token_reaches_the_tool(
    halves: Halves, messages: list[Any], stream: bool
) -> None:
    with pytest.raises(openai.APIError) as refused:
        arguments_of(halves, messages, stream=stream)
    assert refused.value.code == "unrestorable_tool_arguments"
    assert not re.search(f"{BEN}|{PASSWORD}", refused.value.message)
    assert halves.newest_trace()["failure"] == "unrestorable_tool_arguments"


def test_a_recalled_value_does_not_reach_a_tool(halves: Halves) -> None:
    remember_at_cloud(halves, f"NOBODY wrote to {ADA}")
    with pytest.raises(openai.APIError) as refused:
        arguments_of(halves, [user("NOBODY shall be told")])
    assert refused.value.code == "unrestorable_tool_arguments"


def test_a_token_that_means_nothing_stays(halves: Halves) -> None:
    assert json.loads(arguments_of(halves, [user("UNKNOWN to all")])) == {"to": "<EMAIL_77>"}


def test_a_result_of_a_tool_is_masked_and_the_call_resent_as_the_model_made_it(halves: Halves) -> None:
    first = [user(f"USER send it to {ADA}")]
    made = halves.client().chat.completions.create(model="any", messages=first, tools=[SEND])  # type: ignore[list-item]
    message = made.choices[0].message.model_dump(exclude_none=True)
    halves.chat([*first, message, {"role": "tool", "tool_call_id": "call_9", "content": f"sent to {ADA}"}])
    sent = halves.sent()[-1]
    assert sent[1]["tool_calls"][0]["function"]["arguments"] == '{"to": "<EMAIL_1>", "cc": ["x<EMAIL_1>"]}'
    assert sent[2]["content"] == "sent to <EMAIL_100001>"
