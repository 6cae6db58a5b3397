"""A cloud half that is away, restarted, out of time or without a model: words, a stable status, nothing half done."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import openai
import pytest
from halves import Halves, await_true, paired_halves, user
from scripted_openai import Scripted, scripted_openai

ADA = "ada" + "@example.org"
ECHO = {"steps": [{"echo": 5}, {"finish": "stop"}, {"done": True}]}
SLOW = {
    "when": "SLOW",
    "steps": [{"content": "one <EMA"}, {"delay_ms": 1500}, {"content": "IL_1>"}, {"finish": "stop"}, {"done": True}],
}
NEVER = {"when": "NEVER", "steps": [{"delay_ms": 60_000}]}
HANGS = {"when": "HANGS", "steps": [{"content": "one <EMA"}, {"delay_ms": 60_000}]}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted_openai(tmp_path_factory.mktemp("model"), [ECHO, SLOW, HANGS, NEVER]) as running:
        yield running


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory, model: Scripted) -> Iterator[Halves]:
    with paired_halves(tmp_path_factory.mktemp("home"), model) as running:
        yield running


def streamed(halves: Halves, text: str) -> openai.Stream[openai.types.chat.ChatCompletionChunk]:
    stream: openai.Stream[openai.types.chat.ChatCompletionChunk] = halves.client().chat.completions.create(
        model="any",
        messages=[user(text)],
        stream=True,  # type: ignore[list-item,assignment]
    )
    return stream


def collect(stream: openai.Stream[openai.types.chat.ChatCompletionChunk], into: list[str]) -> None:
    for chunk in stream:
        into += [choice.delta.content for choice in chunk.choices if choice.delta.content]


def test_a_cloud_that_is_down_is_told_and_the_next_turn_goes_through(halves: Halves) -> None:
    halves.cloud.kill()
    assert halves.raw.get("/readyz").json() == {"status": "ready", "cloud": "not_reachable"}
    with pytest.raises(openai.APIStatusError) as refused:
        halves.say(f"I am {ADA}")
    assert (refused.value.status_code, refused.value.code) == (503, "cloud_unreachable")
    assert f"127.0.0.1:{halves.cloud_port}" in refused.value.message
    assert "keepmum cloud serve" in refused.value.message
    assert halves.newest_trace()["failure"] == "cloud_unreachable"
    assert halves.newest_trace()["typed"] == f"I am {ADA}", "what was typed is not lost"
    assert halves.keepmum("chat", stdin="hello\n").returncode == 5
    halves.start_cloud()
    assert halves.say(f"I am {ADA}") == f"I am {ADA}"


def test_a_cloud_that_is_restarted_in_the_middle_ends_the_stream_in_words(halves: Halves) -> None:
    stream, shown = streamed(halves, f"HANGS {ADA}"), []
    while not shown:
        shown += [choice.delta.content for choice in next(stream).choices if choice.delta.content]
    halves.cloud.kill()
    with pytest.raises(openai.APIError) as broken:
        collect(stream, shown)
    assert "".join(shown) == "one <EMA", "what was held back is given before the error"
    assert broken.value.code == "cloud_broke_off"
    assert halves.newest_trace()["failure"] == "cloud_broke_off"
    halves.start_cloud()
    assert halves.say(f"I am {ADA}") == f"I am {ADA}"


def test_stopping_the_cloud_lets_an_answer_that_has_begun_end(halves: Halves) -> None:
    stream, shown = streamed(halves, f"SLOW {ADA}"), []
    next(iter(stream))
    halves.cloud.process.terminate()
    collect(stream, shown)
    assert "".join(shown).endswith(ADA)
    assert halves.cloud.process.wait(timeout=15) == 0
    halves.start_cloud()


def test_stopping_the_edge_lets_an_answer_that_has_begun_end(halves: Halves) -> None:
    stream, shown = streamed(halves, f"SLOW {ADA}"), []
    next(iter(stream))
    halves.edge.process.terminate()
    collect(stream, shown)
    assert "".join(shown).endswith(ADA)
    assert halves.edge.process.wait(timeout=15) == 0
    halves.start_edge()
    assert halves.newest_trace()["failure"] is None


def test_an_answer_that_does_not_end_is_cut_off_after_the_grace_and_the_edge_ends_with_0(
    halves: Halves, model: Scripted
) -> None:
    stream, shown = streamed(halves, f"HANGS {ADA}"), []
    next(iter(stream))
    before = len(model.disconnects())
    began = time.monotonic()
    halves.edge.process.terminate()
    with pytest.raises(openai.APIError):
        collect(stream, shown)
    assert halves.edge.process.wait(timeout=15) == 0
    assert 5 < time.monotonic() - began < 14
    await_true(lambda: len(model.disconnects()) > before)
    assert "Traceback" not in halves.edge.log.read_text()
    halves.start_edge()
    assert halves.newest_trace()["failure"] is not None
    assert halves.say(f"I am {ADA}") == f"I am {ADA}"


@pytest.mark.parametrize(("flags", "where"), [(("--clock", "3600"), "ahead"), (("--clock", "-3600"), "behind")])
def test_a_clock_that_is_off_by_an_hour_is_told(tmp_path: Path, model: Scripted, flags: list[str], where: str) -> None:
    sent = len(model.requests())
    with paired_halves(tmp_path / "home", model, edge_flags=flags) as shifted:
        with pytest.raises(openai.APIStatusError) as refused:
            shifted.say(f"I am {ADA}")
        assert refused.value.code == "clock_skew"
        assert "set the clock" in refused.value.message
        assert f"this one is {where}" in refused.value.message
        assert any(f"by {seconds} seconds" in refused.value.message for seconds in range(3595, 3606))
        assert len(model.requests()) == sent
        shifted.edge_flags = None
        assert shifted.edge.stop() == 0
        shifted.start_edge()
        assert shifted.say(f"I am {ADA}") == f"I am {ADA}"


def test_a_used_an_expired_and_a_foreign_pairing_uri_are_told_apart(halves: Halves) -> None:
    def pair(uri: str) -> tuple[int, str, str]:
        answer = halves.owner.post("/pair", json={"uri": uri, "name": "again"})
        error = answer.json().get("error", {"code": "", "message": ""})
        assert uri not in answer.text
        return answer.status_code, error["code"], error["message"]

    def new_uri(**environ: str) -> str:
        shown = halves.keepmum_cloud("pair", "--json", **environ)
        uri: str = json.loads(shown.stdout)["pairing_uri"]
        return uri

    used, expired = new_uri(), new_uri(KEEPMUM_CLOUD_PAIRING_LIFE_S="1")
    foreign = used.replace(used.rsplit("=", 1)[1], "A" * len(used.rsplit("=", 1)[1]))
    status, code, words = pair(foreign)
    assert (code, "nothing was sent" in words or "no pairing URI" in words) == ("pairing_failed", True), words
    assert pair(used)[0] == 200
    status, code, words = pair(used)
    assert (status >= 400, code) == (True, "pairing_failed")
    assert "used already" in words
    assert "keepmum-cloud pair" in words
    time.sleep(2)
    _, code, words = pair(expired)
    assert code == "pairing_failed"
    assert "expired" in words
    _, code, words = pair("keepmum://nonsense")
    assert (code, "no pairing URI" in words) == ("pairing_failed", True)
    command = halves.keepmum("pair", used)
    assert command.returncode == 5
    assert "used already" in command.stderr
    assert halves.say(f"I am {ADA}") == f"I am {ADA}", "the pairing that works is kept"


def test_a_revoked_device_is_told_to_pair_again(tmp_path: Path, model: Scripted) -> None:
    with paired_halves(tmp_path / "home", model) as halves:
        device = json.loads(halves.keepmum_cloud("devices", "--json").stdout)["devices"][0]["id"]
        assert halves.keepmum_cloud("devices", "revoke", device).returncode == 0
        with pytest.raises(openai.APIStatusError) as refused:
            halves.say("hi")
        assert refused.value.status_code == 502, "a 401 would blame the client's own token"
        assert "pair it again" in refused.value.message


def test_a_corrupt_model_is_named_and_the_halves_stay_up(tmp_path: Path) -> None:
    broken = tmp_path / "model.gguf"
    broken.write_bytes(b"GGUF" + bytes(5000))
    with paired_halves(tmp_path / "home", None, environ={"KEEPMUM_CLOUD_MODEL_PATH": str(broken)}) as halves:
        with pytest.raises(openai.APIStatusError) as refused:
            halves.say(f"I am {ADA}")
        assert refused.value.status_code >= 500
        assert "model" in refused.value.message
        assert "model.gguf" in refused.value.message
        doctor = json.loads(halves.keepmum("doctor", "--json").stdout)
        cloud = next(check for check in doctor["checks"] if check["name"] == "cloud")
        assert cloud["status"] == "fail"
        assert cloud["next_step"]
        assert halves.edge.stop() == 0
        assert halves.cloud.stop() == 0


def test_a_missing_pairing_is_told(tmp_path: Path) -> None:
    alone = Halves(home=tmp_path / "home", model=None)
    alone.home.mkdir()
    try:
        alone.start_edge()
        with pytest.raises(openai.APIStatusError) as refused:
            alone.say("hi")
        assert (refused.value.status_code, refused.value.code) == (503, "not_paired")
        assert "keepmum pair" in refused.value.message
    finally:
        alone.close()


@pytest.mark.parametrize(("text", "setting"), [("NEVER", "FIRST_EVENT"), ("HANGS", "BETWEEN_EVENTS")])
def test_a_cloud_that_goes_silent_is_given_up_after_the_time_that_is_set(
    tmp_path: Path, model: Scripted, text: str, setting: str
) -> None:
    with paired_halves(tmp_path / "home", model, environ={f"KEEPMUM_{setting}_TIMEOUT_S": "0.5"}) as halves:
        began = time.monotonic()
        with pytest.raises(openai.APIStatusError) as refused:
            halves.say(f"{text} {ADA}")
        assert (refused.value.status_code, refused.value.code) == (504, "cloud_timeout")
        assert time.monotonic() - began < 3
        await_true(lambda: halves.newest_trace()["failure"] == "cloud_timeout")


def test_a_renewed_certificate_of_the_paired_key_is_trusted_and_another_key_is_not(
    tmp_path: Path, model: Scripted
) -> None:
    with paired_halves(tmp_path / "home", model, environ={"KEEPMUM_CLOUD_RETRIES": "0"}) as halves:
        assert halves.cloud.stop() == 0
        (halves.cloud_data / "server.crt").unlink()
        halves.start_cloud()
        assert halves.say(f"I am {ADA}") == f"I am {ADA}"
        assert halves.cloud.stop() == 0
        (halves.cloud_data / "server.crt").unlink()
        (halves.cloud_data / "server.key").unlink()
        halves.start_cloud()
        sent = len(model.requests())
        with pytest.raises(openai.APIStatusError) as refused:
            halves.say(f"I am {ADA}")
        assert refused.value.code == "cloud_unreachable"
        assert "pair again" in refused.value.message
        assert len(model.requests()) == sent
