"""Every text of a request is cleaned, and a request without a block stays as it is."""

import json

from keepmum_edge.daemon.block.cleaning import cleaned, cleaned_news
from keepmum_edge.daemon.block.frame import without_frames, written
from keepmum_edge.daemon.chat import ChatRequest
from keepmum_edge.daemon.identity import Digester
from keepmum_shared.messages import ChatMessage, FunctionCall, Sampling, ToolCall

MARK = "k7f3q2mz"
BLOCK = written([("2026-03-01", "I have the zqcanary")], MARK)[0]


def clean(text: str) -> str:
    return without_frames(text, MARK)


def call(arguments: str, name: str = "f", call_id: str = "c1") -> ToolCall:
    return ToolCall(id=call_id, function=FunctionCall(name=name, arguments=arguments))


def everywhere(text: str) -> ChatRequest:
    tool = {"type": "function", "function": {"name": "f", "description": text, "parameters": {"default": [text]}}}
    return ChatRequest(
        messages=(
            ChatMessage(role="system", content=text, name=text),
            ChatMessage(role="developer", content=text),
            ChatMessage(role="user", content=f"ask {text}"),
            ChatMessage(
                role="assistant",
                content=text,
                tool_calls=(call(json.dumps({"q": text, "n": [1, {text: None}]})), call(text, name=text, call_id=text)),
            ),
            ChatMessage(role="tool", content=json.dumps([text]), tool_call_id=text),
        ),
        sampling=Sampling(stop=(text, "END")),
        tools=(tool,),
        tool_choice={"type": "function", "function": {"name": text}},
        response_format={"type": "json_schema", "json_schema": {"name": "s", "schema": {"const": text}}},
    )


def test_no_field_of_a_request_keeps_any_of_it() -> None:
    chat = cleaned(everywhere(BLOCK), clean)
    assert "zqcanary" not in repr([chat.messages, chat.sampling, chat.tools, chat.tool_choice, chat.response_format])
    texts = [message.content for message in chat.messages]
    assert texts == ["", "", "ask ", "", '[""]']
    assert chat.sampling.stop == ("END",), "an empty one would stop every answer"
    calls = chat.messages[3].tool_calls or ()
    assert json.loads(calls[0].function.arguments) == {"q": "", "n": [1, {"": None}]}
    assert [each.id for each in calls] == ["c1", chat.messages[4].tool_call_id]


def test_a_request_without_a_block_is_the_same_byte_for_byte() -> None:
    chat = everywhere('{ "a":1.50, "b" : "\\u00e9" }')
    assert cleaned(chat, clean) == chat


def test_what_is_known_is_sent_as_before_and_only_news_are_cleaned() -> None:
    messages = tuple(ChatMessage(role="user", content=f"{number} {BLOCK}") for number in range(3))
    digests = tuple(map(Digester(bytes(32)).message, messages))
    chat = cleaned_news(ChatRequest(messages=messages), clean, digests, {digests[1]})
    assert [message.content for message in chat.messages] == ["0 ", f"1 {BLOCK}", "2 "]
