"""Nothing private reaches the cloud: planted values of every type, then a search wherever the cloud half keeps bytes.

The control runs the same messages through an extractor that finds nothing, so that the search is known to find them.
"""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest
from canaries import Canary, canaries, kinds
from halves import Halves, assistant, paired_halves, user, without_memories
from profiles import disk_bytes
from scripted_openai import scripted_openai

MESSAGES = 200
ECHO = {"steps": [{"echo": 7}, {"finish": "stop"}, {"usage": [3, 3]}, {"done": True}]}
WEATHER: dict[str, Any] = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}


@dataclass(frozen=True)
class Seen:
    """What lay about after all messages had gone through."""

    canaries: list[Canary]
    incognito: set[int]
    by_cloud: str
    arguments: str
    logs: str
    decrypted: str
    traces: str


def _plain(halves: Halves, canary: Canary) -> None:
    answer = halves.say(canary.text)
    if "://" not in canary.text:  # nothing is restored inside an address
        assert without_memories(answer) == canary.text


def _streamed(halves: Halves, canary: Canary) -> None:
    chunks = halves.client().chat.completions.create(model="any", messages=[user(canary.text)], stream=True)  # type: ignore[list-item]
    answer = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    if "://" not in canary.text:
        assert without_memories(answer) == canary.text


def _incognito(halves: Halves, canary: Canary) -> None:
    halves.say(canary.text, mode="incognito")


def _later_turn(halves: Halves, canary: Canary) -> None:
    said = [user("hi"), assistant("hello"), user(canary.text)]
    answer = halves.chat(said)
    halves.chat([*said, assistant(answer), user("go on")])


def _as_page(halves: Halves, canary: Canary) -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
    called = {"role": "assistant", "content": None, "tool_calls": [call]}
    halves.chat([user("look"), called, {"role": "tool", "tool_call_id": "call_1", "content": canary.text}])


def _as_arguments(halves: Halves, canary: Canary) -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "w", "arguments": json.dumps({"q": canary.text})}}
    called = {"role": "assistant", "content": None, "tool_calls": [call]}
    halves.chat([user("look"), called, {"role": "tool", "tool_call_id": "call_1", "content": "found"}])


def _as_instruction(halves: Halves, canary: Canary) -> None:
    halves.chat([{"role": "system", "content": canary.text}, user("hi")])


def _around(halves: Halves, canary: Canary) -> None:
    function = {**WEATHER["function"], "description": canary.text}
    tools: Any = [{**WEATHER, "function": function}]
    halves.client().chat.completions.create(model="any", messages=[user("hi")], tools=tools)  # type: ignore[list-item]


WAYS: tuple[Callable[[Halves, Canary], None], ...] = (
    _plain,
    _incognito,
    _streamed,
    _later_turn,
    _as_page,
    _as_arguments,
    _as_instruction,
    _around,
)


def play(folder: Path, edge_flags: list[str] | None) -> Seen:
    """Send every message one way or another, and look everywhere."""
    planted = canaries(MESSAGES, seed=4711)
    # each round of the kinds begins one way further on
    ways = [WAYS[(number + number // kinds()) % len(WAYS)] for number in range(MESSAGES)]
    home = folder / "home"
    options: dict[str, Any] = {"edge_flags": edge_flags, "cloud_flags": ["--record", str(home / "decoded.jsonl")]}
    with scripted_openai(folder, [ECHO]) as model, paired_halves(home, model, **options) as halves:
        for canary, way in zip(planted, ways, strict=True):
            way(halves, canary)
        shared = halves.owner.post("/memories", json={"text": f"Old mail: {planted[0].needles[0]}", "scope": "user"})
        address = f"/memories/{shared.json()['id']}"
        shown = halves.owner.post(f"{address}/preview-share").json()["text"]
        assert halves.owner.post(f"{address}/share", json={"shown_text": shown}).status_code == 200
        halves.say("what was my old mail?")

        arguments = _arguments(halves.edge.process.pid) + _arguments(halves.cloud.process.pid)
        traces = halves.owner.get("/traces", params={"limit": 1000}).text
        running = folder / "running"
        shutil.copytree(halves.cloud_data, running)  # with the log that the stop empties
        assert halves.edge.stop() == 0
        assert halves.cloud.stop() == 0
        disk = b"".join(map(disk_bytes, (running, halves.cloud_data))) + model.record.read_bytes()
        bodies = _bodies(halves.record) + _bodies(model.record)
        return Seen(
            canaries=planted,
            incognito={number for number, way in enumerate(ways) if way is _incognito},
            by_cloud=disk.decode("utf-8", "replace") + bodies,
            arguments=arguments,
            logs=halves.edge.log.read_text() + halves.cloud.log.read_text(),
            decrypted=halves.decrypted(),
            traces=json.dumps(json.loads(traces), ensure_ascii=False),
        )


def _arguments(pid: int) -> str:
    process = psutil.Process(pid)
    return "\n".join(" ".join(each.cmdline()) for each in (process, *process.children(recursive=True)))


def _bodies(record: Path) -> str:
    """Every text of the recorded bodies, with no escape left."""
    found: list[str] = []
    for line in record.read_text(encoding="utf-8").splitlines():
        body = json.loads(line).get("body") or "null"
        found += [body, *_texts(json.loads(body))]
    return "\n".join(found)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        if value.startswith("{"):  # the arguments of a tool call
            yield from _texts(json.loads(value))
    elif isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def found_in(haystack: str, planted: list[Canary]) -> list[str]:
    """The kinds of which a needle is there; never the values, which a failure would print."""
    return [canary.kind for canary in planted if any(needle in haystack for needle in canary.needles)]


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    return play(tmp_path_factory.mktemp("canaries"), None)


def test_nothing_that_the_cloud_decodes_or_stores_holds_a_canary(seen: Seen) -> None:
    assert found_in(seen.by_cloud, seen.canaries) == []
    assert seen.by_cloud.count("<EMAIL_") > 4, "the messages did arrive"


def test_logs_and_process_arguments_hold_no_canary(seen: Seen) -> None:
    assert found_in(seen.logs, seen.canaries) == []
    assert found_in(seen.arguments, seen.canaries) == []
    assert "keepmum" in seen.arguments
    assert "listening" in seen.logs


def test_secrets_and_incognito_are_not_even_in_the_decrypted_database(seen: Seen) -> None:
    unwritten = [canary for number, canary in enumerate(seen.canaries) if canary.secret or number in seen.incognito]
    written = [canary for canary in seen.canaries if canary not in unwritten]
    assert len(unwritten) > 100
    assert found_in(seen.decrypted, unwritten) == []
    assert found_in(seen.decrypted, written) == [canary.kind for canary in written], (
        "the search does look into the clear text"
    )


def test_secrets_are_tokens_in_every_trace(seen: Seen) -> None:
    secrets = [canary for canary in seen.canaries if canary.secret]
    assert found_in(seen.traces, secrets) == []
    assert "<API_KEY_" in seen.traces


def test_control_without_an_extractor_every_canary_is_found(tmp_path: Path) -> None:
    leaked = play(tmp_path, ["--finds-nothing"])
    assert found_in(leaked.by_cloud, leaked.canaries) == [canary.kind for canary in leaked.canaries]
