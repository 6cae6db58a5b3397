"""Either half is killed at random moments under load; nothing that was sent or answered is lost or said twice.

Every answer of the scripted model is different, so a turn that is answered twice would be seen. Each client asks with a
key of its own until it has a whole answer, and now and then asks again with an old key.
"""

import json
import random
import re
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from halves import Halves, paired_halves, user
from keepmum_edge.database import Database
from keepmum_edge.keys import Keyholder
from scripted_openai import scripted_openai

CLIENTS = 4
AGAIN = 10
"""Answers that are asked for a second time."""
PATIENCE_S = 120
ANSWERS = [
    {"steps": [{"content": f"#{n} "}, {"delay_ms": 30}, {"echo": 9}, {"finish": "stop"}, {"done": True}]}
    for n in range(4000)
]


def mail(number: int) -> str:
    return f"user{number}" + "@example.org"


def phone(number: int) -> str:
    return f"+49 151 {10_000_000 + number}"


@dataclass
class Load:
    """Clients that ask, each in a thread of its own."""

    halves: Halves
    stop: threading.Event = field(default_factory=threading.Event)
    answers: dict[str, str] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def client(self, number: int) -> None:
        rng = random.Random(number)
        turn = 0
        with httpx.Client(
            base_url=self.halves.url,
            headers={"authorization": f"Bearer {self.halves.token}"},
            timeout=20,
            trust_env=False,
        ) as http:
            while not self.stop.is_set():
                marker = number * 100_000 + turn
                turn += 1
                self._ask(http, marker, stream=rng.random() < 0.5)
                if turn % 3 == 0:
                    self._ask(http, number * 100_000 + rng.randrange(turn), stream=rng.random() < 0.5)

    def _ask(self, http: httpx.Client, marker: int, *, stream: bool) -> None:
        """Ask until there is a whole answer; the same key gets the same text for good."""
        key = f"key-{marker}"
        body = {"model": "any", "messages": messages(marker)}
        while not self.stop.is_set():
            text = whole_answer(http, {**body, "stream": stream}, key)
            if text is None:
                time.sleep(0.05)
                continue
            if self.answers.setdefault(key, text) != text:
                self.changed.append(key)
            if not text.endswith(said(marker)):
                self.wrong.append(key)
            return


def said(marker: int) -> str:
    return f"mail {mail(marker)} or call {phone(marker)}"


def messages(marker: int) -> list[dict[str, Any]]:
    call = {"id": "c1", "type": "function", "function": {"name": "get", "arguments": "{}"}}
    return [
        user("look"),
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": f"page of {mail(marker + 50_000)}"},
        user(said(marker)),
    ]


def whole_answer(http: httpx.Client, body: dict[str, Any], key: str) -> str | None:
    """The text of a complete answer; None if it failed or broke off."""
    try:
        answer = http.post("/v1/chat/completions", json=body, headers={"Idempotency-Key": key})
        if answer.status_code != 200:
            assert answer.status_code in (502, 503, 504), answer.text
            return None
        if not body["stream"]:
            text: str = answer.json()["choices"][0]["message"]["content"]
            return text
    except httpx.TransportError:
        return None
    if "data: [DONE]" not in answer.text:
        return None
    chunks = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: {")]
    return "".join(choice["delta"].get("content", "") for chunk in chunks for choice in chunk["choices"])


def survive(folder: Path, kills: int, seed: int) -> None:
    rng = random.Random(seed)
    with scripted_openai(folder, ANSWERS) as model, paired_halves(folder / "home", model) as halves:
        load = Load(halves)
        threads = [threading.Thread(target=load.client, args=(number,)) for number in range(1, CLIENTS + 1)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(kills):
                time.sleep(rng.uniform(0.1, 0.8))
                if rng.random() < 0.6:
                    halves.edge.kill()
                    halves.start_edge()
                else:
                    halves.cloud.kill()
                    halves.start_cloud()
            patience = time.monotonic() + PATIENCE_S
            while len(load.answers) <= max(kills, AGAIN) and time.monotonic() < patience:
                time.sleep(0.1)
        finally:
            load.stop.set()
            for thread in threads:
                thread.join()
        assert len(load.answers) > max(kills, AGAIN)
        assert load.changed == [], "a key was answered with two texts"
        assert load.wrong == [], "an answer was not restored"
        for key in rng.sample(sorted(load.answers), AGAIN):
            again = whole_answer(halves.raw, {"messages": messages(int(key[4:])), "model": "any", "stream": False}, key)
            assert again == load.answers[key]
        assert halves.edge.stop() == 0
        assert halves.cloud.stop() == 0
        require_restorable(halves)


def require_restorable(halves: Halves) -> None:
    """Every placeholder that reached the model means its value in the database, which is whole."""
    key = Keyholder(halves.config, ring=None).unlock().key
    database = Database.open_to_read(halves.config.paths.database, key)
    try:
        assert database.integrity() == ()
        profile = dict(database.rows("SELECT '<' || type || '_' || number || '>', surface FROM vault_value"))
        bound = set(database.rows("SELECT '<' || type || '_' || number || '>', surface FROM vault_binding"))
        assert database.value("SELECT count(*) FROM turn WHERE state = 'running'") == 0
    finally:
        database.close()
    seen = 0
    for sent in halves.sent():
        page, typed = sent[-2]["content"], sent[-1]["content"]
        restored = re.sub(r"<[A-Z]+_\d+>", lambda token: profile[token[0]], typed)
        marker = int(re.findall(r"user(\d+)@", restored)[0])
        assert restored == said(marker)
        [token] = re.findall(r"<EMAIL_\d+>", page)
        assert (token, mail(marker + 50_000)) in bound
        seen += 1
    assert seen > 20


def test_eight_kills_lose_nothing(tmp_path: Path) -> None:
    survive(tmp_path, kills=8, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_hundred_kills_lose_nothing(tmp_path: Path, seed: int) -> None:
    survive(tmp_path, kills=25, seed=100 + seed)
