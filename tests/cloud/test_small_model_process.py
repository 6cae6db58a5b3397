import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from keepmum_shared.codec import encode
from keepmum_shared.messages import ContentDelta, Done, Finished, Sampling, Started, ToolCallDelta, TurnFailed, Usage
from responder_contract import WEATHER
from signed_client import CloudProcess, SignedClient, cloud_process, error_code, events, user_turn

pytest.importorskip("llama_cpp", reason="install keepmum[local-llm]")
CANARY = "zqcanary4711"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CloudProcess]:
    home = tmp_path_factory.mktemp("home")
    with cloud_process(home, ["--context-tokens", "1024", "--threads", "1"]) as running:
        yield running
        assert running.stop() == 0
        written = b"".join(path.read_bytes() for path in Path(home).rglob("*") if path.is_file())
        assert CANARY.encode() not in written


@pytest.fixture(scope="module")
def edge(server: CloudProcess) -> Iterator[SignedClient]:
    with server.pinned_client() as http:
        yield SignedClient.pair(http, server.uri.secret)


def test_the_default_model_answers(edge: SignedClient) -> None:
    got = edge.turn(user_turn(f"Hello, I am <NAME_1>, {CANARY}.", sampling=Sampling(max_tokens=10, seed=1)))
    assert isinstance(got[0], Started)
    assert any(isinstance(event, ContentDelta) for event in got)
    assert [type(event) for event in got[-3:]] == [Finished, Usage, Done]


def test_a_released_view_changes_what_the_model_answers(edge: SignedClient) -> None:
    drawn = Sampling(max_tokens=24, temperature=0.0, seed=1)
    (plain, *_), (generic, *_), (steered, *_) = (
        [edge.turn(user_turn("What shall I cook for dinner?", sampling=drawn, views=views))[1:]]
        for views in ((), ("v010/food",), ("v011/food",))
    )
    assert plain == generic, "a generic view says nothing"
    assert steered != plain


def test_a_required_tool_call_is_valid(edge: SignedClient) -> None:
    got = edge.turn(user_turn("Weather in Oslo?", tools=(WEATHER,), tool_choice="required", sampling=Sampling(seed=1)))
    calls = [event for event in got if isinstance(event, ToolCallDelta)]
    assert calls[0].name == "get_weather"
    assert json.loads("".join(call.arguments for call in calls)).keys() == {"city", "unit"}


def test_a_schema_that_the_native_library_cannot_read_is_refused_and_not_logged(edge: SignedClient) -> None:
    unparsable = {"type": "string", "pattern": f"^{CANARY}**$"}
    matches_nothing = {"type": "string", "pattern": "^[z-a]$"}
    dead_end = {"type": "object", "properties": {CANARY: {"const": "\x00"}}, "required": [CANARY]}
    for schema in ({"type": CANARY}, {"anyOf": []}, unparsable, matches_nothing, dead_end):
        form = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
        response = edge.request("POST", "/v1/turns", encode(user_turn("x", response_format=form)))
        if response.status_code == 200:  # the answer had begun when the grammar left nothing to choose
            failed = events(response.text)[-1]
            assert isinstance(failed, TurnFailed)
            assert failed.code == "unsupported_by_model"
        else:
            assert (response.status_code, error_code(response)) == (400, "unsupported_by_model")
    assert edge.request("GET", "/v1/device").status_code == 200


def test_a_conversation_that_is_too_long_is_refused(edge: SignedClient) -> None:
    response = edge.request("POST", "/v1/turns", encode(user_turn("word " * 1100)))
    assert (response.status_code, error_code(response)) == (400, "context_length_exceeded")
