"""Long messages to a real daemon with the shipped extractor: what it holds afterwards, and who has to wait for whom."""

import contextlib
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from halves import Halves, paired_halves, user
from scripted_openai import reply, scripted_openai

SENTENCE = "The train was late again, and nobody at the station could say why it was so. "
NAME = "Sigrid Tanaka"
RESIDENT = 350_000_000
"""Both models are loaded once a message was looked through for what is worth remembering."""


@pytest.fixture
def halves(tmp_path: Path) -> Iterator[Halves]:
    with scripted_openai(tmp_path, [reply("fine")]) as model, paired_halves(tmp_path / "home", model) as running:
        yield running


def text_of(characters: int, mark: int = 0) -> str:
    """A text that is masked in its last words only, which shows that it was read to its end."""
    return f"{mark}: " + (SENTENCE * (characters // len(SENTENCE) + 1))[:characters] + f" My name is {NAME}."


def body_of(text: str) -> dict[str, Any]:
    return {"model": "any", "messages": [user(text)]}


def say_patiently(halves: Halves, text: str) -> None:
    answer = halves.raw.post("/v1/chat/completions", json=body_of(text), timeout=1200)
    assert answer.status_code == 200, answer.text


def assert_masked_to_the_end(halves: Halves) -> None:
    assert all("Tanaka" not in message["content"] for request in halves.sent() for message in request)
    assert halves.sent()[-1][-1]["content"].endswith("My name is <NAME_1>.")


def test_after_long_messages_the_daemon_is_as_small_as_promised(halves: Halves) -> None:
    process = psutil.Process(halves.edge.process.pid)
    for length in (4_000, 100_000):
        say_patiently(halves, text_of(length))
        assert_masked_to_the_end(halves)
        assert process.memory_info().rss <= RESIDENT
    stop_in_time(halves)


def test_a_daemon_that_reads_a_long_message_stops_soon_and_sends_nothing_of_it(halves: Halves) -> None:
    answers: list[httpx.Response] = []

    def ask() -> None:
        with contextlib.suppress(httpx.TransportError):
            answers.append(halves.raw.post("/v1/chat/completions", json=body_of(text_of(1_000_000)), timeout=600))

    asking = threading.Thread(target=ask)
    asking.start()
    await_busy(halves)
    stop_in_time(halves)
    asking.join(timeout=60)
    assert not asking.is_alive()
    assert all(answer.status_code != 200 for answer in answers)
    assert halves.sent() == []


def test_when_nobody_waits_for_a_long_message_any_more_reading_it_ends(halves: Halves) -> None:
    with pytest.raises(httpx.ReadTimeout):
        halves.raw.post("/v1/chat/completions", json=body_of(text_of(1_000_000)), timeout=3)
    process, until = psutil.Process(halves.edge.process.pid), time.monotonic() + 60
    while process.cpu_percent(interval=1) > 3:
        assert time.monotonic() < until, "it goes on reading for nobody"
    assert halves.say("still here?") == "fine"
    assert len(halves.sent()) == 1


@pytest.mark.slow
def test_megabytes_at_once_keep_no_short_message_waiting_and_fit_in_memory(halves: Halves) -> None:
    process = psutil.Process(halves.edge.process.pid)
    long = [threading.Thread(target=say_patiently, args=(halves, text_of(1_000_000, n))) for n in range(3)]
    for thread in long:
        thread.start()
    await_busy(halves)
    for _ in range(5):
        begin = time.monotonic()
        assert halves.say("and what about the weather?") == "fine"
        assert time.monotonic() - begin < 20
    most = 0
    while any(thread.is_alive() for thread in long):
        most = max(most, process.memory_info().rss)
        time.sleep(0.2)
    assert most <= 500_000_000
    assert sum("<NAME_1>" in request[-1]["content"] for request in halves.sent()) == 3
    assert all("Tanaka" not in request[-1]["content"] for request in halves.sent())


def await_busy(halves: Halves) -> None:
    """Wait until the daemon has received a long message and is reading it."""
    process, until = psutil.Process(halves.edge.process.pid), time.monotonic() + 60
    begun = sum(process.cpu_times()[:2])
    while sum(process.cpu_times()[:2]) - begun < 1:
        assert time.monotonic() < until
        time.sleep(0.05)


def stop_in_time(halves: Halves) -> None:
    begin = time.monotonic()
    assert halves.edge.stop() == 0
    assert time.monotonic() - begin < 18
