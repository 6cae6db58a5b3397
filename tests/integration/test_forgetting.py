"""Forgetting over both halves as real processes: a scan of all bytes finds the planted words before, not after."""

import json
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from halves import Halves, assistant, at_cloud, await_true, paired_halves, shared_memory, user
from keepmum_edge.daemon.cloud_certificate import is_signed_by
from keepmum_edge.daemon.forget.receipt import Receipt, is_genuine
from keepmum_shared import codec
from keepmum_shared.messages import DeletionStatement
from profiles import disk_bytes
from scripted_openai import Scripted, scripted_openai

CANARY = "zqboatword"
MAIL = "quokka" + "@example.org"
SLOW = {
    "when": "slowly",
    "steps": [{"content": "It is "}, {"delay_ms": 2500}, {"echo": 9}, {"finish": "stop"}, {"done": True}],
}
ECHO = {"steps": [{"content": "You said: "}, {"echo": 9}, {"finish": "stop"}, {"done": True}]}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted_openai(tmp_path_factory.mktemp("model"), [SLOW, ECHO]) as running:
        yield running


@pytest.fixture
def halves(tmp_path: Path, model: Scripted) -> Iterator[Halves]:
    with paired_halves(tmp_path / "home", model) as running:
        yield running


def plant(halves: Halves) -> str:
    """The words in a record, at the cloud, in traces, retry answers, messages, the vault and both indexes."""
    memory = shared_memory(halves, f"Owns a {CANARY} and writes to {MAIL}")
    said = f"Owns a {CANARY} and writes to {MAIL}"
    answer = halves.chat([user(said)], key="one")
    halves.chat([user(said), assistant(answer), user("go on")], key="two")
    return memory


def cloud_bytes(halves: Halves) -> bytes:
    return b"".join(path.read_bytes() for path in halves.cloud_data.rglob("*") if path.is_file())


def forget(halves: Halves, **wanted: Any) -> dict[str, Any]:
    shown = halves.owner.post("/forget/preview", json=wanted)
    assert shown.status_code == 200, shown.text
    done = halves.owner.post("/forget", json={**wanted, "digest": shown.json()["digest"]})
    assert done.status_code == 200, done.text
    result: dict[str, Any] = done.json()
    return result


@pytest.mark.parametrize("how", ["matching", "all"])
def test_the_words_are_everywhere_before_and_nowhere_after(halves: Halves, how: str) -> None:
    memory = plant(halves)
    halves.say(f"what about the {CANARY}?", conversation="other")
    assert CANARY.encode() in cloud_bytes(halves), "the control"
    assert halves.edge.stop() == 0
    assert halves.decrypted().count(CANARY) > 8, "the control"
    halves.start_edge()
    done = forget(halves, **({"matching": CANARY} if how == "matching" else {"all": True}))
    assert (done["receipt"]["cloud"], done["verified"]) == ("confirmed", True)
    assert memory in done["receipt"]["records"]
    assert halves.edge.stop() == 0
    assert halves.cloud.stop() == 0
    assert CANARY not in halves.decrypted()
    assert MAIL not in halves.decrypted()
    for place in (cloud_bytes(halves), disk_bytes(halves.home)):
        assert CANARY.encode() not in place
        assert MAIL.encode() not in place


def test_the_cloud_signs_and_the_edge_checks_against_the_paired_key(halves: Halves) -> None:
    memory = shared_memory(halves, "Owns a boat")
    done = forget(halves, ids=[memory])
    receipt = codec.decode(Receipt, json.dumps(done["receipt"]))
    assert is_genuine(receipt, done["signature"])
    (stated,) = receipt.statements
    certificate = ssl.PEM_cert_to_DER_cert((halves.cloud_data / "server.crt").read_text())
    assert is_signed_by(certificate, stated.statement, stated.signature)
    assert stated.statement.gone == (memory,)
    other = DeletionStatement(device=stated.statement.device, gone=(), forget=True, at=stated.statement.at)
    assert not is_signed_by(certificate, other, stated.signature)
    assert not is_signed_by(certificate, stated.statement, "AAAA")
    late = halves.owner.post(f"/memories/{memory}/share", json={"shown_text": "Owns a boat"})
    assert late.status_code == 404


def test_a_kill_between_here_and_there_loses_nothing_and_the_receipt_is_confirmed_later(halves: Halves) -> None:
    memory = plant(halves)
    assert halves.cloud.stop() == 0
    command = halves.keepmum("forget", memory, "--json")
    assert command.returncode == 3, command.stderr
    receipt = json.loads(command.stdout)["receipt"]
    assert (receipt["cloud"], receipt["cloud_ids"]) == ("pending", [memory])
    halves.edge.kill()
    assert CANARY not in halves.decrypted(), "gone here at once, whatever the cloud does"
    assert CANARY.encode() in cloud_bytes(halves)
    halves.start_edge()
    assert "PENDING" in halves.keepmum("receipts").stdout
    assert memory in at_cloud(halves)
    halves.edge.kill()
    halves.start_cloud()
    halves.start_edge()  # delivers at its start, and every minute after
    await_true(lambda: halves.owner.get(f"/receipts/{receipt['id']}").json()["receipt"]["cloud"] == "confirmed")
    assert at_cloud(halves) == {}
    assert halves.cloud.stop() == 0
    assert CANARY.encode() not in cloud_bytes(halves)


def test_an_answer_that_is_under_way_reaches_its_client_and_no_disk(halves: Halves) -> None:
    memory = shared_memory(halves, f"Owns a {CANARY}")
    body = {"model": "any", "messages": [user(f"slowly now, I own a {CANARY}")], "stream": True}
    with halves.raw.stream("POST", "/v1/chat/completions", json=body) as answer:
        lines = answer.iter_lines()
        assert any("It is" in line for line in lines)
        assert forget(halves, matching=CANARY)["receipt"]["records"] == [memory]
        rest = "".join(lines)
    assert "[DONE]" in rest
    assert halves.edge.stop() == 0
    assert CANARY not in halves.decrypted()


def test_incognito_leaves_nothing_that_a_later_sweep_could_find(halves: Halves) -> None:
    halves.say(f"I own a {CANARY}", mode="incognito", conversation="hidden")
    nothing = halves.owner.post("/forget/preview", json={"matching": CANARY})
    assert nothing.status_code == 404
    assert halves.edge.stop() == 0
    assert halves.cloud.stop() == 0
    assert CANARY not in halves.decrypted()
    assert CANARY.encode() not in disk_bytes(halves.home)


def test_what_is_not_there_is_no_success(halves: Halves) -> None:
    assert halves.keepmum("forget", "mem_" + "a" * 26, "--yes").returncode == 2
    assert halves.owner.post("/forget", json={"ids": ["mem_" + "a" * 26]}).status_code == 404
    assert halves.owner.get("/receipts").json() == {"receipts": []}
