import asyncio
import base64
import json
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import pytest
from keepmum_cloud.errors import (
    ContextLengthError,
    ModelBrokeOffError,
    ModelRefusedError,
    ModelUnavailableError,
    RateLimitedError,
    UnsupportedRequestError,
)
from keepmum_cloud.respond.openai_backend import OpenAiResponder, OpenAiServer
from keepmum_cloud.respond.prompt import Prompt
from keepmum_shared.messages import ChatMessage, ContentDelta, Finished, FunctionCall, Sampling, ToolCall, ToolCallDelta
from responder_contract import (
    WEATHER,
    arguments,
    ask,
    check_answers,
    check_choices,
    check_closing_stops_it,
    check_tool_call,
    collect,
    content,
)
from scripted_openai import Scripted, reply, scripted_openai

Test = Callable[[OpenAiResponder, Scripted], Coroutine[Any, Any, None]]
CANARY = "canary-4711"


def run(folder: Path, script: Sequence[dict[str, Any]], test: Test, **settings: Any) -> None:
    with scripted_openai(folder, script) as model:

        async def main() -> None:
            server = OpenAiServer(base_url=model.base_url, model="scripted", **({"backoff_s": 0.01} | settings))
            responder = OpenAiResponder(server, created=1, jitter=lambda: 0.5)
            try:
                await test(responder, model)
            finally:
                await responder.aclose()

        asyncio.run(main())


TWO = {
    "steps": [
        {"content": "a", "choice": 1},
        {"content": "b", "choice": 0},
        {"finish": "stop", "choice": 1},
        {"finish": "stop", "choice": 0},
        {"usage": [3, 4]},
        {"done": True},
    ]
}
CALL = {
    "steps": [
        {
            "tool": {
                "index": 0,
                "id": "call_9",
                "type": "function",
                "function": {"name": "get_weather", "arguments": ""},
            }
        },
        {"tool": {"index": 0, "function": {"arguments": '{"city":'}}},
        {"tool": {"index": 0, "function": {"arguments": ' "Paris"}'}}},
        {"finish": "tool_calls"},
        {"usage": [3, 4]},
        {"done": True},
    ]
}
SLOW = {"steps": [{"content": "one"}, {"delay_ms": 20_000}, {"content": "two"}, {"finish": "stop"}, {"done": True}]}


def test_contract(tmp_path: Path) -> None:
    async def main(responder: OpenAiResponder, model: Scripted) -> None:
        await check_answers(responder)
        await check_choices(responder)
        assert arguments(await check_tool_call(responder)) == '{"city": "Paris"}'

        async def stopped() -> bool:
            return bool(model.disconnects())

        await check_closing_stops_it(responder, stopped)

    run(tmp_path, [reply("Hello", " <NAME_1>"), TWO, CALL, SLOW], main)


def test_the_request_carries_everything_and_the_key_in_its_header_only(tmp_path: Path) -> None:
    call = ToolCall(id="call_1", function=FunctionCall(name="get_weather", arguments="{}"))
    prompt = Prompt(
        messages=(
            ChatMessage(role="user", content="hi", name="<NAME_1>"),
            ChatMessage(role="assistant", tool_calls=(call,)),
            ChatMessage(role="tool", content="5", tool_call_id="call_1"),
        ),
        sampling=Sampling(n=1, temperature=0.5, stop=("x",), seed=7, max_tokens=9, logit_bias={"5": 1}),
        tools=(WEATHER,),
        tool_choice="auto",
        parallel_tool_calls=False,
        response_format={"type": "json_object"},
    )

    async def main(responder: OpenAiResponder, model: Scripted) -> None:
        await collect(responder, prompt)
        (request,) = model.requests()
        assert request["headers"]["authorization"] == f"Bearer {CANARY}"
        assert CANARY not in request["body"]
        assert json.loads(request["body"]) == {
            "model": "scripted",
            "stream": True,
            "stream_options": {"include_usage": True},
            "messages": [
                {"role": "user", "content": "hi", "name": "<NAME_1>"},
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [
                        {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}
                    ],
                },
                {"role": "tool", "content": "5", "tool_call_id": "call_1"},
            ],
            "temperature": 0.5,
            "stop": ["x"],
            "seed": 7,
            "max_tokens": 9,
            "logit_bias": {"5": 1},
            "tools": [WEATHER],
            "tool_choice": "auto",
            "parallel_tool_calls": False,
            "response_format": {"type": "json_object"},
        }

    run(tmp_path, [reply("ok")], main, api_key=CANARY)
    assert CANARY not in repr(OpenAiServer(base_url="http://x", model="m", api_key=CANARY))


def chunk(**choice: Any) -> dict[str, Any]:
    return {"json": {"choices": [{"index": 0, **choice}]}}


def test_harmless_oddities_lose_nothing(tmp_path: Path) -> None:
    halves = (
        "data: " + json.dumps({"choices": [{"index": 0, "delta": {"content": "猫"}}]}, ensure_ascii=False) + "\r\n\r\n"
    )
    raw = halves.encode()
    script = [
        {
            "steps": [
                ": comment\n\n",
                chunk(delta={"role": "assistant", "content": ""}),
                chunk(delta={"content": "x"}, finish_reason=""),
                *({"base64": base64.b64encode(raw[i : i + 1]).decode()} for i in range(len(raw))),
                chunk(delta={"tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": '{"a":'}}]}),
                chunk(delta={"tool_calls": [{"function": {"arguments": "1}"}}]}),
                chunk(delta={"tool_calls": [{"id": "c2", "function": {"name": "g", "arguments": "{}"}}]}),
                chunk(delta={"content": None}, finish_reason="stop", unknown=1),
                chunk(delta={}, finish_reason="stop"),
                {"json": {"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2}}},
                "data: [DONE]",
            ]
        }
    ]

    async def main(responder: OpenAiResponder, _: Scripted) -> None:
        pieces = await collect(responder, ask("x"))
        assert content(pieces) == "x猫"
        calls = [(p.index, p.id, p.name, p.arguments) for p in pieces if isinstance(p, ToolCallDelta)]
        assert calls == [(0, "c1", "f", '{"a":'), (0, None, None, "1}"), (1, "c2", "g", "{}")]
        assert [piece.reason for piece in pieces if isinstance(piece, Finished)] == ["tool_calls"]

    run(tmp_path, script, main)


@pytest.mark.parametrize(
    "end",
    [
        [],
        [{"done": True}],
        [{"abort": True}],
        ["data: {not json\n\n"],
        ["data: []\n\n"],
        [{"json": {"choices": [{"index": 0, "delta": {"content": 5}}]}}],
        ['data: {"choices":[{"index":0,"delta":{"content":"\\ud800"}}]}\n\n'],
        [{"json": {"choices": "x"}}],
        [{"json": {"error": {"message": CANARY, "type": "server_error"}}}],
    ],
    ids=["eof", "done", "reset", "no json", "no object", "no text", "surrogate", "no list", "error"],
)
def test_a_stream_that_breaks_is_an_error_after_what_came_and_is_not_tried_again(
    tmp_path: Path, end: list[Any]
) -> None:
    async def main(responder: OpenAiResponder, model: Scripted) -> None:
        pieces = []
        answer = responder.respond(ask("x"))
        with pytest.raises(ModelBrokeOffError) as caught:  # what came before counts too
            async for piece in answer:
                pieces.append(piece)
        assert pieces == [ContentDelta(text="half")]
        assert CANARY not in str(caught.value)
        assert caught.value.retryable
        assert len(model.requests()) == 1

    run(tmp_path, [{"steps": [{"content": "half"}, {"delay_ms": 30}, *end]}], main)


def test_before_the_first_byte_it_is_tried_again(tmp_path: Path) -> None:
    async def main(responder: OpenAiResponder, model: Scripted) -> None:
        assert content(await collect(responder, ask("x"))) == "ok"
        assert len(model.requests()) == 3

    run(tmp_path, [{"status": 503, "steps": []}, {"status": 429, "headers": {"retry-after": "0"}}, reply("ok")], main)


@pytest.mark.parametrize(
    ("status", "body", "error", "requests"),
    [
        (429, {}, RateLimitedError, 3),
        (500, {}, ModelUnavailableError, 3),
        (401, {"error": {"message": CANARY}}, ModelRefusedError, 1),
        (400, {"error": {"message": CANARY, "code": "context_length_exceeded"}}, ContextLengthError, 1),
        (404, CANARY, ModelRefusedError, 1),
    ],
)
def test_a_refusal_is_told_by_its_kind_and_never_quoted(
    tmp_path: Path, status: int, body: object, error: type[Exception], requests: int
) -> None:
    async def main(responder: OpenAiResponder, model: Scripted) -> None:
        with pytest.raises(error) as caught:
            await collect(responder, ask("x"))
        assert CANARY not in str(caught.value)
        assert len(model.requests()) == requests

    run(tmp_path, [{"status": status, "headers": {"retry-after": "0"}, "steps": [json.dumps(body)]}], main)


def test_no_server_is_a_clear_error() -> None:
    async def main() -> None:
        server = OpenAiServer(base_url="http://127.0.0.1:9/v1", model="m", tries=2, backoff_s=0.01)
        responder = OpenAiResponder(server, created=1, jitter=lambda: 0.0)
        with pytest.raises(ModelUnavailableError, match="base_url"):
            await responder.check()
        with pytest.raises(ModelUnavailableError, match="base_url"):
            await collect(responder, ask("x"))
        await responder.aclose()

    asyncio.run(main())


def test_a_server_that_falls_silent_is_given_up(tmp_path: Path) -> None:
    async def main(responder: OpenAiResponder, _: Scripted) -> None:
        with pytest.raises(ModelBrokeOffError, match="ReadTimeout"):
            await collect(responder, ask("x"))

    run(tmp_path, [SLOW], main, read_s=0.2)


def test_a_server_that_passes_over_n_is_told_apart_from_a_broken_one(tmp_path: Path) -> None:
    async def main(responder: OpenAiResponder, _: Scripted) -> None:
        with pytest.raises(UnsupportedRequestError, match="fewer choices"):
            await collect(responder, ask("x", sampling=Sampling(n=2)))

    run(tmp_path, [reply("only one")], main)


def test_a_server_that_does_not_tell_usage_is_no_error(tmp_path: Path) -> None:
    async def main(responder: OpenAiResponder, _: Scripted) -> None:
        pieces = await collect(responder, ask("x"))
        assert pieces == [ContentDelta(text="a"), Finished(reason="stop")]

    run(tmp_path, [{"steps": [{"content": "a"}, {"finish": "stop"}, {"done": True}]}], main)
