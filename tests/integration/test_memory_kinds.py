"""Inferred preferences and history over both halves: noticed, shown, sent, confirmed, deleted; recalled as what was."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from halves import Halves, paired_halves, user
from scripted_openai import Scripted, scripted_openai

OK = {"steps": [{"content": "Noted."}, {"finish": "stop"}, {"done": True}]}
SHORT = "Usually asks for short answers"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted_openai(tmp_path_factory.mktemp("model"), [OK]) as running:
        yield running


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory, model: Scripted) -> Iterator[Halves]:
    with paired_halves(tmp_path_factory.mktemp("home"), model, edge_flags=["--rules-only"]) as running:
        yield running


def told(halves: Halves, text: str, **headers: str) -> dict[str, Any]:
    """What the owner's client is told of memory after a turn."""
    answer = halves.client(**headers).chat.completions.create(model="any", messages=[user(text)])
    return dict(answer.model_dump().get("keepmum") or {})


def ask_briefly(halves: Halves, scope: str, count: int) -> dict[str, Any]:
    """Ask in so many conversations; return what is told after the last."""
    last: dict[str, Any] = {}
    for what in ("rain", "snow", "hail", "fog", "dew")[:count]:
        last = told(halves, f"Keep it short: what is {what}?", scope=scope)
    return last


def records(halves: Halves, scope: str) -> dict[str, dict[str, Any]]:
    found = halves.owner.get("/memories", params={"scope": scope}).json()["memories"]
    return {each["text"]: each for each in found}


def test_the_owner_is_told_of_what_was_inferred_and_sees_how_sure_it_is(halves: Halves) -> None:
    kept = ask_briefly(halves, "k1", 4)["kept"]
    (noticed,) = [each for each in kept if each["text"] == SHORT]
    assert 90 <= noticed["inferred"] < 100
    assert not noticed["here_only"]
    record = records(halves, "k1")[SHORT]
    assert (record["kind"], record["channel"], len(record["sources"])) == ("inferred", "behaviour", 4)
    listed = halves.keepmum("memory", "list", "--scope", "k1").stdout
    assert f"inferred, {record['confidence']} % sure]  {SHORT}" in listed
    turn = halves.newest_trace()["turn"]
    assert SHORT in halves.keepmum("memory", "why", turn).stdout, "it came from this message, among others"
    assert record["cloud"] == "queued"
    told(halves, "Do I like short answers?", scope="k1")
    assert records(halves, "k1")[SHORT]["cloud"] == "shared"
    told(halves, "Which kind of answers do I ask for?", scope="k1")
    assert f'- "{SHORT}"' in halves.sent()[-1][-1]["content"], "and it is recalled as quoted data"


def test_what_a_chat_says_of_it_is_how_to_confirm_or_delete_it(halves: Halves) -> None:
    ask_briefly(halves, "k2", 3)
    chat = halves.keepmum("chat", "--scope", "k2", stdin="Keep it short: what is wind?\n")
    found = re.search(r"inferred, (\d+) % sure \(to the cloud.*\): (mem_\w+)  Usually asks for short", chat.stderr)
    assert found, chat.stderr
    assert f"keepmum memory confirm {found[2]}" in chat.stderr
    confirmed = json.loads(halves.keepmum("memory", "confirm", found[2], "--json").stdout)
    assert (confirmed["kind"], confirmed["confidence"], confirmed["sources"]) == ("stated", 100, [])
    assert "inferred" not in halves.keepmum("memory", "show", found[2]).stdout


def test_what_the_owner_deletes_is_gone_on_both_halves_and_not_inferred_from_the_same(halves: Halves) -> None:
    ask_briefly(halves, "k3", 4)
    told(halves, "hello", scope="k3")
    record = records(halves, "k3")[SHORT]
    done = halves.owner.post("/forget", json={"ids": [record["id"]]}).json()
    assert (done["receipt"]["cloud"], done["receipt"]["cloud_ids"], done["verified"]) == (
        "confirmed", [record["id"]], True,
    )  # fmt: skip
    assert {"store": "behaviour", "removed": 0} in done["receipt"]["stores"], "its sessions no longer count"
    ask_briefly(halves, "k3", 1)
    assert SHORT not in records(halves, "k3")


def test_what_is_said_supersedes_what_was_inferred_and_what_was_is_recalled_when_it_is_asked_for(
    halves: Halves,
) -> None:
    ask_briefly(halves, "k4", 4)
    told(halves, "From now on keep your answers detailed.", scope="k4")
    told(halves, "hello", scope="k4")
    held = records(halves, "k4")
    stated = held["From now on keep your answers detailed"]
    assert (held[SHORT]["kind"], held[SHORT]["successor"]) == ("history", stated["id"])
    told(halves, "Which answers do I ask for?", scope="k4")
    assert SHORT not in halves.sent()[-1][-1]["content"]
    told(halves, "Which answers did I use to ask for?", scope="k4")
    line = next(line for line in halves.sent()[-1][-1]["content"].splitlines() if SHORT in line)
    assert re.fullmatch(rf'- told \d{{4}}-\d\d-\d\d, true until \d{{4}}-\d\d-\d\d: "{SHORT}"', line)


@pytest.mark.parametrize(
    ("scope", "first", "then", "now", "past", "old"),
    [
        ("h1", "I drink coffee", "I stopped coffee, I drink tea now",
         "What do I drink?", "What did I use to drink?", "I drink coffee"),
        ("h2", "我喜欢喝咖啡", "我不再喝咖啡了，我现在喜欢喝茶",
         "我喜欢喝什么？", "我以前喜欢喝什么？", "我喜欢喝咖啡"),
    ],
)  # fmt: skip
def test_a_superseded_fact_answers_only_a_question_about_the_past(
    halves: Halves, scope: str, first: str, then: str, now: str, past: str, old: str
) -> None:
    for text in (first, then, "hello", "hello"):
        told(halves, text, scope=scope)
    record = records(halves, scope)[old]
    assert (record["kind"], record["cloud"]) == ("history", "shared")
    told(halves, now, scope=scope)
    assert f'"{old}"' not in halves.sent()[-1][-1]["content"]
    told(halves, past, scope=scope)
    assert re.search(rf'told [\d-]+, true until [\d-]+: "{old}"', halves.sent()[-1][-1]["content"])
    found = {
        query: [each["text"] for each in halves.owner.post(
            "/memories/search", json={"query": query, "scope": scope}).json()["memories"]]
        for query in (now, past)
    }  # fmt: skip
    assert old not in found[now]
    assert old in found[past], "the same on this computer alone"


def test_with_the_setting_off_nothing_is_inferred(tmp_path: Path, model: Scripted) -> None:
    environ = {"KEEPMUM_INFER_PREFERENCES": "false"}
    with paired_halves(tmp_path / "home", model, edge_flags=["--rules-only"], environ=environ) as halves:
        assert ask_briefly(halves, "user", 5) == {}
        assert records(halves, "user") == {}
