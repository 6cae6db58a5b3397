"""Streams through both wires: broken ones, cut tokens, several choices, and clients that go away."""

from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest
from halves import Halves, assistant, await_true, paired_halves, user
from scripted_openai import Scripted, scripted_openai

ADA, BEN = "ada" + "@example.org", "ben" + "@example.org"
END: list[Any] = [{"finish": "stop"}, {"done": True}]
TWO = {
    "when": "TWO",
    "steps": [
        {"content": "first <EM"},
        {"content": "second: ", "choice": 1},
        {"content": "AIL_1>"},
        {"content": "<EMAIL_2", "choice": 1},
        {"content": ">!", "choice": 1},
        {"finish": "stop"},
        {"finish": "length", "choice": 1},
        {"usage": [11, 7]},
        {"done": True},
    ],
}
SCRIPT: list[Any] = [
    {"steps": [{"echo": 1}, *END]},
    TWO,
    {"when": "CUT", "steps": [{"content": "half <EMAIL"}, {"delay_ms": 30}, {"abort": True}]},
    {"when": "NO END", "steps": [{"content": "half <EMAIL"}]},
    {"when": "NO DONE", "steps": [{"content": "whole <EMAIL_1>"}, {"finish": "stop"}]},
    {"when": "ERROR", "steps": [{"content": "half <EMAIL"}, {"json": {"error": {"message": "zqcanary4711"}}}]},
    {"when": "JUNK", "steps": [{"content": "half "}, "data: {nonsense\n\n", *END]},
    {"when": "SLOW", "steps": [{"content": "one <EMAIL_1>"}, {"delay_ms": 30_000}, {"content": "two"}, *END]},
    {"when": "ENDS OPEN", "steps": [{"content": "say <EMAIL_"}, *END]},
    {"when": "NAPS", "steps": [{"delay_ms": 600}, {"content": "awake"}, *END]},
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted_openai(tmp_path_factory.mktemp("model"), SCRIPT) as running:
        yield running


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory, model: Scripted) -> Iterator[Halves]:
    with paired_halves(tmp_path_factory.mktemp("home"), model) as running:
        yield running
        assert "zqcanary4711" not in running.edge.log.read_text() + running.cloud.log.read_text()


def streamed(halves: Halves, text: str, **fields: Any) -> Iterator[openai.types.chat.ChatCompletionChunk]:
    message: Any = user(text)
    yield from halves.client().chat.completions.create(model="any", messages=[message], stream=True, **fields)


def shown_until_error(halves: Halves, text: str) -> tuple[str, openai.APIError]:
    shown: list[str] = []

    def read() -> None:
        for chunk in streamed(halves, text):
            shown.extend(choice.delta.content or "" for choice in chunk.choices)

    with pytest.raises(openai.APIError) as failed:
        read()
    return "".join(shown), failed.value


def test_two_choices_and_their_usage_come_through_each_restored(halves: Halves) -> None:
    chunks = list(streamed(halves, f"TWO {ADA} {BEN}", n=2, stream_options={"include_usage": True}))
    texts = ["", ""]
    for chunk in chunks:
        for choice in chunk.choices:
            texts[choice.index] += choice.delta.content or ""
    assert texts == [f"first {ADA}", f"second: {BEN}!"]
    ends = [
        (choice.index, choice.finish_reason) for chunk in chunks for choice in chunk.choices if choice.finish_reason
    ]
    assert ends == [(0, "stop"), (1, "length")]
    assert len({chunk.id for chunk in chunks}) == 1
    assert (chunks[-1].choices, chunks[-1].usage.total_tokens if chunks[-1].usage else 0) == ([], 18)
    whole = halves.client().chat.completions.create(
        model="any", messages=[{"role": "user", "content": f"TWO {ADA} {BEN}"}], n=2
    )
    assert [choice.message.content for choice in whole.choices] == texts
    assert whole.usage is not None
    assert (whole.usage.prompt_tokens, whole.usage.completion_tokens) == (11, 7)


def test_every_choice_can_be_gone_on_from(halves: Halves) -> None:
    said = [user(f"TWO {ADA} {BEN} once more")]
    answer = halves.client().chat.completions.create(model="any", messages=said, n=2)  # type: ignore[arg-type]
    for choice, written in zip(answer.choices, ("first <EMAIL_1>", "second: <EMAIL_2>!"), strict=True):
        halves.chat([*said, assistant(choice.message.content or ""), user("go on")])
        assert halves.sent()[-1][1]["content"] == written


@pytest.mark.parametrize("text", ["CUT", "NO END", "ERROR", "JUNK"])
def test_a_broken_stream_gives_what_was_held_and_ends_with_an_error(halves: Halves, text: str) -> None:
    shown, error = shown_until_error(halves, f"{text} {ADA}")
    assert shown == ("half " if text == "JUNK" else "half <EMAIL")
    assert error.code
    assert "zqcanary4711" not in error.message
    trace = halves.newest_trace()
    assert (trace["failure"], trace["received"]) == (error.code, "")
    with pytest.raises(openai.APIStatusError) as refused:
        halves.say(f"{text} {ADA}")
    assert refused.value.status_code == 502


def test_a_stream_without_done_but_with_its_finish_is_judged_alike_with_and_without_streaming(halves: Halves) -> None:
    shown = "".join(c.delta.content or "" for chunk in streamed(halves, f"NO DONE {ADA}") for c in chunk.choices)
    assert shown == halves.say(f"NO DONE {ADA}") == f"whole {ADA}"


def test_a_text_that_ends_like_a_token_begins_is_whole_before_the_finish(halves: Halves) -> None:
    pieces = [
        (choice.delta.content, choice.finish_reason)
        for chunk in streamed(halves, f"ENDS OPEN {ADA}")
        for choice in chunk.choices
    ]
    assert "".join(text or "" for text, _ in pieces) == "say <EMAIL_"
    assert pieces[-1][1] == "stop"


def test_a_token_cut_into_single_characters_is_restored(halves: Halves) -> None:
    text = f"ask {ADA}, {BEN} and {ADA}"
    assert "".join(c.delta.content or "" for chunk in streamed(halves, text) for c in chunk.choices) == text


@pytest.mark.parametrize("before_the_first_piece", [False, True])
def test_a_client_that_goes_away_cancels_the_model_and_stores_nothing(
    halves: Halves, model: Scripted, before_the_first_piece: bool
) -> None:
    gone = len(model.disconnects())
    asked = len(model.requests())
    said = [user(f"SLOW {ADA} {before_the_first_piece}")]
    body = {"model": "any", "messages": said, "stream": not before_the_first_piece}
    if before_the_first_piece:
        with pytest.raises(httpx.ReadTimeout):
            halves.raw.post("/v1/chat/completions", json=body, timeout=1)
    else:
        with halves.raw.stream("POST", "/v1/chat/completions", json=body) as response:
            assert any("one" in line for line in response.iter_lines())
    await_true(lambda: len(model.disconnects()) > gone, limit_s=10)
    await_true(lambda: halves.newest_trace()["failure"] == "cancelled", limit_s=10)
    assert len(model.requests()) == asked + 1
    # what was shown of it is no part of a conversation: going on from it is a conversation of its own
    halves.chat([*said, assistant(f"one {ADA}"), user("go on")])
    assert halves.sent()[-1][1]["content"] == "one <EMAIL_100001>", "it is foreign text, not what the model wrote"


def test_a_slow_client_and_a_quick_one_do_not_wait_for_each_other(halves: Halves) -> None:
    slow = streamed(halves, f"NAPS {ADA}")
    assert halves.say("quick") == "quick"
    assert "".join(choice.delta.content or "" for chunk in slow for choice in chunk.choices) == "awake"
