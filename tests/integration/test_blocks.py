"""A client that holds a block "from this computer" puts none of it on the wire, whatever it does with it.

Real processes; what the cloud receives is recorded inside its TLS. The extractor is the rules alone, so that no model
masks the planted words: what keeps them back is the removal of the block. The control is the owner typing them.
"""

import html
import json
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import psutil
import pytest
from halves import Halves, assistant, paired_halves, user
from scripted_openai import Scripted, scripted_openai

CANARIES = ("zqkestrelmoor", "zqlanternfen", "zqharrowmere")
MEMORIES = (
    f"I have type-2 diabetes and Doctor {CANARIES[0]} looks after it",
    f"For the type-2 diabetes I take {CANARIES[1]} every morning before breakfast and every evening before I go to bed",
    f"我的二型糖尿病药是{CANARIES[2]}，早晚各一片",
)
QUESTION = "What do I know about type-2 diabetes, 二型糖尿病?"
ANSWER = "Here is what I can say."
OK = {
    "steps": [{"content": ANSWER[:7]}, {"content": ANSWER[7:]}, {"finish": "stop"}, {"usage": [3, 3]}, {"done": True}]
}
TITLE = "### Task: write a title of three words for this conversation.\n### Conversation:\n"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted_openai(tmp_path_factory.mktemp("model"), [OK]) as running:
        yield running


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory, model: Scripted) -> Iterator[Halves]:
    home = tmp_path_factory.mktemp("home")
    flags = ["--record", str(home / "decoded.jsonl")]
    environ = {"KEEPMUM_BLOCK_IN_ANSWERS": "true"}
    with paired_halves(home, model, edge_flags=["--rules-only"], cloud_flags=flags, environ=environ) as running:
        for text in MEMORIES:
            told = running.owner.post("/memories", json={"text": text, "here_only": True})
            assert told.status_code == 201, told.text
        yield running


@pytest.fixture(scope="module")
def answered(halves: Halves) -> str:
    """An answer as an API client holds it, with its block."""
    answer = halves.chat([user(QUESTION)])
    assert answer.startswith(f"{ANSWER}\n\n--- from this computer [")
    assert all(canary in "".join(answer.split()) for canary in CANARIES), answer
    return answer


def wire(halves: Halves) -> str:
    """Everything that the cloud and the model behind it received, with no escape left."""
    assert halves.model is not None
    bodies = [json.loads(line).get("body") or "" for line in halves.record.read_text("utf-8").splitlines()]
    bodies += [request["body"] for request in halves.model.requests()]
    text = "\n".join(bodies)
    for _ in range(4):
        text += html.unescape(text.replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\"))
    return "".join(text.split()).casefold()


def seen(halves: Halves) -> list[str]:
    """The canaries of which any six letters in a row reached the cloud."""
    everything = wire(halves)
    return [each for each in CANARIES if any(each[i : i + 6] in everything for i in range(2, len(each) - 5))]


def quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.split("\n"))


FORMS: dict[str, Callable[[str], str]] = {
    "whole": lambda text: text,
    "quoted": quoted,
    "wrapped at 60": lambda text: "\n".join(textwrap.wrap(text, 60)),
    "quoted and wrapped at 60": lambda text: quoted("\n".join(textwrap.wrap(text, 60))),
    "hard at 60": lambda text: "\n".join(text[i : i + 60] for i in range(0, len(text), 60)),
    "other line ends": lambda text: text.replace("\n", "\r\n"),
    "html": html.escape,
    "json": json.dumps,
    "first half": lambda text: text[: len(text) // 2],
    "second half": lambda text: text[len(text) // 2 :],
    "middle": lambda text: text[len(text) // 4 : 3 * len(text) // 4],
    "first and last 250": lambda text: f"{text[:250]}\n[...]\n{text[-250:]}",
    "up to a planted word": lambda text: text[: text.index(CANARIES[1]) + len(CANARIES[1])],
    "from a planted word on": lambda text: text[text.index(CANARIES[1]) :],
    "without delimiters": lambda text: "\n".join(text.split("\n")[3:-1]),
}


def as_title(text: str) -> list[Any]:
    return [user(f"{TITLE}USER: {QUESTION}\nASSISTANT: {text}\n")]


def as_system(text: str) -> list[Any]:
    return [{"role": "system", "content": f"The conversation so far: {text}"}, user("Go on")]


def as_developer(text: str) -> list[Any]:
    return [{"role": "developer", "content": text}, user("Go on")]


def as_history(text: str) -> list[Any]:
    return [user(QUESTION), assistant(text), user("Go on")]


def as_other_history(text: str) -> list[Any]:
    return [user("Something else"), assistant(text), user("Go on")]


def as_arguments(text: str) -> list[Any]:
    arguments = json.dumps({"note": text, "deep": [{text: json.dumps({"again": text})}]})
    call = {"id": "call_1", "type": "function", "function": {"name": "save", "arguments": arguments}}
    called = {"role": "assistant", "content": None, "tool_calls": [call]}
    return [user("Save it"), called, {"role": "tool", "tool_call_id": "call_1", "content": json.dumps([text])}]


def as_parts(text: str) -> list[Any]:
    half = text.rfind("\n", 0, len(text) // 2)
    parts = [{"type": "text", "text": text[:half]}, {"type": "text", "text": text[half:]}]
    return [{"role": "user", "content": parts}]


WAYS = (as_title, as_system, as_developer, as_history, as_other_history, as_arguments, as_parts)


@pytest.mark.parametrize("form", sorted(FORMS))
def test_no_request_of_a_client_that_holds_a_block_puts_a_byte_of_it_on_the_wire(
    halves: Halves, answered: str, form: str
) -> None:
    for way in WAYS:
        before = len(halves.sent())
        halves.chat(way(FORMS[form](answered)))
        assert len(halves.sent()) == before + 1, "it was sent"
        assert seen(halves) == [], way.__name__
    function = {"name": "f", "description": FORMS[form](answered), "parameters": {"type": "object"}}
    halves.client().chat.completions.create(
        model="any",
        messages=[user("hi")],  # type: ignore[list-item]
        tools=[{"type": "function", "function": function}],  # type: ignore[list-item]
        stop=[FORMS[form](answered)],
    )
    assert seen(halves) == []


def test_an_echoed_answer_is_the_known_one_and_a_title_gets_no_block(halves: Halves, answered: str) -> None:
    halves.chat(as_history(answered))
    assert [m["content"] for m in halves.sent()[-1] if m["role"] == "assistant"] == [ANSWER]
    assert halves.chat(as_title(answered)) == ANSWER, "what a program asks gets no block"


def test_a_stream_shows_the_block_before_its_last_chunk(halves: Halves, answered: str) -> None:
    stream = halves.client().chat.completions.create(
        model="any",
        messages=[user(QUESTION)],  # type: ignore[list-item]
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = list(stream)
    assert "".join(c.choices[0].delta.content or "" for c in chunks if c.choices) == answered
    assert [c.choices[0].finish_reason for c in chunks if c.choices][-1] == "stop"
    assert chunks[-1].usage is not None
    assert sum(c.choices[0].finish_reason is not None for c in chunks if c.choices) == 1


def test_other_audiences_incognito_and_who_does_not_want_it_get_none(halves: Halves, answered: str) -> None:
    assert halves.chat([user(QUESTION)], block="off") == ANSWER
    assert halves.chat([user(QUESTION)], audience="mum") == ANSWER
    assert halves.chat([user(QUESTION)], mode="incognito") == ANSWER
    apart = halves.client(block="apart").chat.completions.create(model="any", messages=[user(QUESTION)])  # type: ignore[list-item]
    assert apart.choices[0].message.content == ANSWER
    shown = apart.model_dump()["keepmum"]["from_this_computer"]
    assert sorted(each["text"] for each in shown) == sorted(MEMORIES)
    wrong = halves.raw.post(
        "/v1/chat/completions",
        json={"model": "any", "messages": [user("hi")]},
        headers={"X-Keepmum-Block": "somewhere"},
    )
    assert wrong.status_code == 400


def test_keepmums_own_chat_shows_it_apart_and_sends_nothing_of_it_back(halves: Halves, answered: str) -> None:
    lines = f"{QUESTION}\nAnd what else?\n"
    shown = halves.keepmum("chat", stdin=lines)
    assert shown.returncode == 0, shown.stderr
    assert "from this computer (not sent):" in shown.stderr
    assert MEMORIES[0] in shown.stderr
    assert "from this computer" not in shown.stdout
    plain = halves.keepmum("chat", "--json", stdin=lines)
    first = json.loads(plain.stdout.splitlines()[0])
    assert first["answer"] == ANSWER
    assert {each["text"] for each in first["from_this_computer"]} == set(MEMORIES)
    assert seen(halves) == []


def test_nothing_of_a_block_is_on_disk_but_its_memories_and_a_restart_still_knows_it(
    halves: Halves, answered: str
) -> None:
    line = next(line for line in answered.split("\n") if CANARIES[0] in line)
    bare = line.partition("] ")[2]
    assert bare[:4].isdecimal(), "a day, then the text"
    halves.chat([user("Something"), assistant(bare), user("Go on")])
    assert seen(halves) == []
    assert halves.edge.stop() == 0
    decrypted = halves.decrypted()
    assert answered.split("[")[1][:8] in decrypted, "the mark"
    assert bare not in decrypted
    assert answered.split("[")[1].split("]")[0] not in decrypted, "no token"
    halves.start_edge()
    for way in WAYS:
        halves.chat(way(answered))
    halves.chat([user("Anything"), assistant(bare), user("Go on")])
    assert seen(halves) == []


def test_the_control_what_the_owner_types_is_on_the_wire(halves: Halves, answered: str) -> None:
    halves.say(f"Doctor {CANARIES[0]} said so")
    assert seen(halves) == [CANARIES[0]]


def test_with_both_models_the_edge_stays_below_350_megabytes(halves: Halves, answered: str) -> None:
    process = psutil.Process(halves.edge.process.pid)
    halves.chat([user(QUESTION)])
    halves.say("Some words of a longer text about nothing. " * 2300)
    assert process.memory_info().rss < 350e6
