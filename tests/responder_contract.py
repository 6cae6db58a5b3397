"""What every `Responder` promises; the backends' tests run it against a real model and a real server process."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from keepmum_cloud.respond.prompt import Prompt
from keepmum_cloud.respond.responder import AnswerPiece, Responder
from keepmum_shared.messages import ChatMessage, ContentDelta, Finished, Sampling, ToolCallDelta, Usage

WEATHER: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Weather of a city",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "unit": {"enum": ["celsius", "fahrenheit"]}},
            "required": ["city", "unit"],
            "additionalProperties": False,
        },
    },
}


def ask(text: str, **fields: Any) -> Prompt:
    return Prompt(messages=(ChatMessage(role="user", content=text),), **fields)


async def collect(responder: Responder, prompt: Prompt) -> list[AnswerPiece]:
    return [piece async for piece in responder.respond(prompt)]


def content(pieces: list[AnswerPiece], choice: int = 0) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, ContentDelta) and piece.choice == choice)


def arguments(pieces: list[AnswerPiece]) -> str:
    return "".join(piece.arguments for piece in pieces if isinstance(piece, ToolCallDelta))


def check_order(pieces: list[AnswerPiece], choices: int) -> None:
    """Per choice deltas, then its Finished, once; one Usage, last."""
    finished = [piece.choice for piece in pieces if isinstance(piece, Finished)]
    assert sorted(finished) == list(range(choices))
    for choice in range(choices):
        of_choice = [piece for piece in pieces if not isinstance(piece, Usage) and piece.choice == choice]
        assert isinstance(of_choice[-1], Finished)
    assert [i for i, piece in enumerate(pieces) if isinstance(piece, Usage)] == [len(pieces) - 1]
    usage = pieces[-1]
    assert isinstance(usage, Usage)
    assert usage.prompt_tokens > 0
    assert usage.completion_tokens > 0


async def check_answers(responder: Responder) -> None:
    await responder.check()
    assert responder.models()[0].id
    pieces = await collect(responder, ask("Say hello.", sampling=Sampling(max_tokens=12, seed=1)))
    check_order(pieces, 1)
    assert content(pieces)


async def check_choices(responder: Responder) -> None:
    pieces = await collect(responder, ask("Say hello.", sampling=Sampling(n=2, max_tokens=12, seed=1)))
    check_order(pieces, 2)
    assert content(pieces, 0)
    assert content(pieces, 1)


async def check_tool_call(responder: Responder) -> list[AnswerPiece]:
    pieces = await collect(responder, ask("Weather in Paris?", tools=(WEATHER,), tool_choice="required"))
    check_order(pieces, 1)
    calls = [piece for piece in pieces if isinstance(piece, ToolCallDelta)]
    assert (calls[0].name, bool(calls[0].id)) == ("get_weather", True)
    assert all(call.name is None and call.id is None for call in calls[1:])
    assert [piece.reason for piece in pieces if isinstance(piece, Finished)] == ["tool_calls"]
    return pieces


async def check_closing_stops_it(responder: Responder, stopped: Callable[[], Awaitable[bool]]) -> None:
    """A closed iterator stops the work soon, and the responder answers the next one."""
    answer = responder.respond(ask("Count to one thousand.", sampling=Sampling(max_tokens=2000, seed=1)))
    async for piece in answer:
        assert isinstance(piece, ContentDelta)
        break
    await answer.aclose()  # type: ignore[attr-defined]
    async with asyncio.timeout(10):
        while not await stopped():
            await asyncio.sleep(0.02)
