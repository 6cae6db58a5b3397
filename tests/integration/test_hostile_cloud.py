"""A cloud half that lies: odd events, endless answers, escape sequences. The edge ends the turn and goes on."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import openai
import pytest
from halves import Halves, paired_halves, user
from scripted_openai import reply, scripted_openai

ADA = "ada" + "@example.org"
STARTED = {"event": "started", "model": "m"}
FINISHED = {"event": "finished", "reason": "stop"}
DONE = {"event": "done"}
NOBODYS = "mem_" + "a" * 26


def content(text: str, choice: int = 0) -> dict[str, Any]:
    return {"event": "content", "text": text, "choice": choice}


def call(index: int = 0, **more: Any) -> dict[str, Any]:
    return {"event": "tool_call", "index": index, "arguments": "{}", "id": "c", "name": "f", **more}


def stream(*events: Any) -> str:
    return "".join("data: " + json.dumps({"item": event}) + "\n\n" for event in events)


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Halves]:
    folder = tmp_path_factory.mktemp("hostile")
    flags = ("--hostile", str(folder / "answer.json"))
    with (
        scripted_openai(folder, [reply("fine")]) as model,
        paired_halves(folder / "home", model, cloud_flags=flags) as running,
    ):
        yield running


def hostile(halves: Halves, body: str, *, path: str = "/v1/turns", **more: Any) -> Path:
    script = halves.home.parent / "answer.json"
    script.write_text(json.dumps({"path": path, "body": body, **more}))
    return script


ODD = {
    "no beginning": [content("x"), FINISHED, DONE],
    "two beginnings": [STARTED, content("x"), STARTED, FINISHED, DONE],
    "a choice beyond": [STARTED, content("x"), content("y", 1), FINISHED, DONE],
    "a huge choice": [STARTED, content("x", 10**12), FINISHED, DONE],
    "a negative choice": [STARTED, content("x", -1), FINISHED, DONE],
    "text behind the finish": [STARTED, content("x"), FINISHED, content("more"), DONE],
    "no finish": [STARTED, content("x"), DONE],
    "nothing": [],
    "memories in the middle": [STARTED, content("x"), {"event": "memory_used", "memories": []}, FINISHED, DONE],
    "memories that are none": [STARTED, {"event": "memory_used", "memories": ["*"]}, content("x"), FINISHED, DONE],
    "memories that nobody knows": [
        STARTED,
        {"event": "memory_used", "memories": [NOBODYS]},
        content("x"),
        FINISHED,
        DONE,
    ],
    "a huge call": [STARTED, call(10**9), FINISHED, DONE],
    "a negative call": [STARTED, call(-1), FINISHED, DONE],
    "an endless name": [STARTED, call(name="f" * 100_000), FINISHED, DONE],
    "a model of escapes": [{"event": "started", "model": "\x1b]0;x\x07"}, content("x"), FINISHED, DONE],
    "negative usage": [
        STARTED,
        content("x"),
        FINISHED,
        {"event": "usage", "prompt_tokens": -5, "completion_tokens": 1},
        DONE,
    ],
    "an unknown event": [STARTED, content("x"), {"event": "restore_all"}, FINISHED, DONE],
    "an unknown field": [STARTED, {**content("x"), "value": ADA}, FINISHED, DONE],
}


@pytest.mark.parametrize("events", ODD.values(), ids=ODD.keys())
@pytest.mark.parametrize("streams", [False, True])
def test_odd_events_end_the_turn_in_words(halves: Halves, events: list[Any], streams: bool) -> None:
    script = hostile(halves, stream(*events))
    body = {"model": "m", "messages": [user(f"I am {ADA}")], "stream": streams}
    answer = halves.raw.post("/v1/chat/completions", json=body)
    script.unlink()
    assert '"code":"cloud_broke_off"' in answer.text.replace(" ", ""), answer.text
    assert "[DONE]" not in answer.text
    assert halves.newest_trace()["failure"] == "cloud_broke_off"
    assert halves.say("hello") == "fine"


@pytest.mark.parametrize("body", ["data: {\n\n", "data: " + "[" * 5000 + "\n\n", "data: \ud800\n\n"])
def test_what_is_no_event_ends_the_turn(halves: Halves, body: str) -> None:
    script = hostile(halves, stream(STARTED) + body)
    with pytest.raises(openai.APIStatusError) as broken:
        halves.say("hi")
    script.unlink()
    assert broken.value.code == "cloud_broke_off"


@pytest.mark.parametrize(
    ("body", "times"),
    [(stream(STARTED) + "data: ", 1), ("x" * 1_000_000, 12), (stream(content("y" * 1_000_000)), 30)],
)
def test_an_answer_without_end_is_given_up(halves: Halves, body: str, times: int) -> None:
    script = hostile(halves, (stream(STARTED) if "y" in body else "") + body, times=times)
    with pytest.raises(openai.APIStatusError) as broken:
        halves.say("hi")
    script.unlink()
    assert broken.value.code == "cloud_broke_off"


def test_an_answer_is_whole_at_its_last_event_though_the_cloud_goes_on(halves: Halves) -> None:
    more = stream(content(" and more"), {"event": "error", "code": "x", "message": "y"})
    script = hostile(halves, stream(STARTED, content("whole"), FINISHED, DONE) + more, endless=True)
    key = {"Idempotency-Key": "endless"}
    body = {"model": "m", "messages": [user("hi")], "stream": True}
    first = halves.raw.post("/v1/chat/completions", json=body, headers=key, timeout=10)
    script.unlink()
    assert first.text.endswith("data: [DONE]\n\n")
    assert "more" not in first.text
    assert halves.chat([user("again")], key="other") == "fine"


def test_a_compressed_body_is_not_unpacked(halves: Halves) -> None:
    script = hostile(halves, "x", headers={"content-encoding": "gzip"})
    with pytest.raises(openai.APIStatusError) as broken:
        halves.say("hi")
    script.unlink()
    assert broken.value.code == "cloud_broke_off"


@pytest.mark.parametrize("path", ["/v1/turns", "/v1/models"])
def test_an_error_of_the_cloud_cannot_write_to_the_terminal(halves: Halves, path: str) -> None:
    words = "\x1b]52;c;aGk=\x07 \x9b2J\u202e" + "x" * 100_000
    error = json.dumps({"error": {"code": "x", "message": words, "retryable": False}})
    script = hostile(halves, error, path=path, status=400)
    if path == "/v1/turns":
        text = halves.raw.post("/v1/chat/completions", json={"model": "m", "messages": [user("hi")]}).text
        ended = halves.keepmum("chat", stdin="hi\n")
        assert ended.returncode == 5
        text += ended.stdout + ended.stderr
    else:
        text = halves.raw.get("/v1/models").text
    script.unlink()
    message = json.dumps(text)
    assert not any(sign in message for sign in ("\\u001b", "\\u0007", "\\u009b", "\\u202e"))
    assert len(text) < 5000


def test_an_endless_list_of_models_is_given_up(halves: Halves) -> None:
    script = hostile(halves, "x" * 1_000_000, path="/v1/models", times=40)
    answer = halves.raw.get("/v1/models")
    script.unlink()
    assert answer.status_code == 502, answer.text


def test_a_deletion_that_the_paired_key_did_not_sign_is_no_deletion(halves: Halves) -> None:
    memory = halves.owner.post("/memories", json={"text": "Owns a boat", "scope": "user"}).json()["id"]
    shown = halves.owner.post(f"/memories/{memory}/preview-share").json()["text"]
    assert halves.owner.post(f"/memories/{memory}/share", json={"shown_text": shown}).status_code == 200
    halves.say("hello")  # takes it along
    with closing(sqlite3.connect(f"file:{halves.cloud_data / 'cloud.sqlite3'}?mode=ro", uri=True)) as database:
        (device,) = database.execute("SELECT id FROM devices").fetchone()
    form = "keepmum-deletion-1"
    statement = {"device": device, "gone": [memory], "forget": True, "at": 1, "form": form}
    answer = {"deleted": [memory], "absent": [], "derived": [], "stale": [], "statement": statement}
    lies = hostile(halves, json.dumps({**answer, "signature": "MEUCIQ"}), path="/v1/memories/delete")
    gone = halves.owner.delete(f"/memories/{memory}").json()
    lies.unlink()
    assert gone["cloud"] == "queued"
    other = halves.owner.post("/memories", json={"text": "Drinks tea", "scope": "user"}).json()["id"]
    shown = halves.owner.post(f"/memories/{other}/preview-share").json()["text"]
    halves.owner.post(f"/memories/{other}/share", json={"shown_text": shown})
    halves.say("hello")
    assert halves.owner.delete(f"/memories/{other}").json()["cloud"] == "deleted"
    assert halves.owner.get(f"/receipts/{gone['receipt']}").json()["receipt"]["cloud"] == "confirmed"


def test_a_statement_about_ids_is_none_about_everything(halves: Halves) -> None:
    with closing(sqlite3.connect(f"file:{halves.cloud_data / 'cloud.sqlite3'}?mode=ro", uri=True)) as database:
        (device,) = database.execute("SELECT id FROM devices").fetchone()
    statement = {"device": device, "gone": [], "forget": True, "at": 1, "form": "keepmum-deletion-1"}
    answer = {"deleted": [], "absent": [], "derived": [], "stale": [], "statement": statement, "signature": "MEUCIQ"}
    lies = hostile(halves, json.dumps(answer), path="/v1/memories/delete")
    receipt = halves.owner.post("/forget", json={"all": True}).json()["receipt"]
    assert receipt["cloud"] == "pending"
    with pytest.raises(openai.APIStatusError) as refused:
        halves.say("hello")
    assert "deletion" in refused.value.message, "no turn leaves before it is confirmed"
    lies.unlink()
    assert halves.say("hello") == "fine"
    done = halves.owner.get(f"/receipts/{receipt['id']}").json()["receipt"]
    assert (done["cloud"], [each["statement"].get("everything") for each in done["statements"]]) == (
        "confirmed",
        [True],
    )
