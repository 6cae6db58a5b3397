"""Turns leave at their fixed time, made or refused; whatever works on memory comes after them."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import edge_mutants
import pytest
from edge.daemon.profile import Profile, ScriptedCloud, profile
from keepmum_edge.daemon.departures import Departures
from keepmum_edge.daemon.memory_commands import Telling
from keepmum_edge.daemon.readers import Readers
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.errors import KeyUnavailableError
from keepmum_edge.keys import Keyholder
from keepmum_edge.spans.extractor import Cancelled, TextKind
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.views.deadline import STEP_NS
from keepmum_shared.ids import MemoryId
from keepmum_shared.messages import TurnEvent, TurnRequest
from profiles import settings

STEP_S = STEP_NS / 1e9
READING_S = 0.6
TALK = "What could I cook for dinner tonight?"


@dataclass
class NotingCloud(ScriptedCloud):
    """Notes when each turn came."""

    came: list[float] = field(default_factory=list)

    async def turn(self, request: TurnRequest) -> AsyncGenerator[TurnEvent, None]:
        self.came.append(time.monotonic())
        async for event in super().turn(request):
            yield event


class SlowExtractor:
    """Reads as the rules do, and takes its time."""

    model_id = "slow"

    def extract(
        self, text: str, *, kind: TextKind = TextKind.PROSE, cancelled: Cancelled | None = None
    ) -> tuple[PrivateSpan, ...]:
        time.sleep(READING_S)
        return RuleExtractor().extract(text, kind=kind, cancelled=cancelled)


@pytest.mark.parametrize("mode", ["normal", "incognito"])
def test_a_turn_is_sent_at_its_time_and_no_earlier(tmp_path: Path, mode: str) -> None:
    async def work() -> None:
        cloud = NotingCloud()
        async with profile(tmp_path, cloud) as me:
            for text in (TALK, "hello", "my email is quokka@example.org"):
                began = time.monotonic()
                await me.say(text, mode=mode)
                assert cloud.came[-1] - began >= STEP_S
            assert me.parts.departures.departed == 3

    asyncio.run(work())


def test_a_refusal_is_told_at_the_same_time(tmp_path: Path) -> None:
    """Whether a ledger can be used is not to be seen in how long a refusal takes."""

    async def work() -> None:
        cloud = NotingCloud()
        async with profile(tmp_path, cloud) as me:
            await me.say(TALK)
            seal = settings(tmp_path).paths.seal_file
            seal.write_bytes(b"no seal")
            me.parts.views.turns._met = None  # as a new process
            began = time.monotonic()
            with pytest.raises(KeyUnavailableError, match="seal"):
                await me.say(TALK)
            assert time.monotonic() - began >= STEP_S
            assert len(cloud.came) == 1

    asyncio.run(work())


def test_a_draw_that_the_second_copy_of_the_ledger_refuses_does_not_leave_and_is_paid_once(tmp_path: Path) -> None:
    async def work() -> None:
        cloud = NotingCloud()
        async with profile(tmp_path, cloud) as me:
            await me.say(TALK)
            me.now += 15 * 86_400  # the first date has come
            seal = settings(tmp_path).paths.seal_file
            seal.unlink()
            seal.mkdir()
            with pytest.raises(KeyUnavailableError, match="the ledger's seal is a folder"):
                await me.say(TALK, conversation="another", key="k")
            assert len(cloud.turns) == 1
            refused = await me.service.trace(None)
            assert (refused.failure, refused.views) == ("key_unavailable", ())
            touched = await me.read(lambda db: db.value("SELECT count(*) FROM view_touch"))
            assert touched == 0, "what did not leave was not sent"
            seal.rmdir()
            turn, _ = await me.say(TALK, conversation="another", key="k")
            assert turn == refused.turn
            assert {view.ground for view in (await me.service.trace(turn)).views} == {"drawn"}
            spent = {account.lifetime for account in (await me.service.budget()).accounts}
            assert spent == {0, 2_000_000_000}

    asyncio.run(work())


@dataclass
class Owner:
    """What an owner has at hand who works on memory."""

    me: Profile
    memory: MemoryId
    backup: Path
    recovery_key: str


WORK: dict[str, Callable[[Owner], Awaitable[Any]]] = {
    "remember": lambda at: at.me.service.remember(Telling(text="My favourite colour is teal")),
    "search": lambda at: at.me.service.search_memories("quokka", None, 3),
    "judge": lambda at: at.me.parts.keeping.judge_all(),
    "restore": lambda at: at.me.service.restore(at.backup, at.recovery_key),
    "forget": lambda at: at.me.forget(at.memory),
}


@pytest.mark.parametrize("does", WORK)
def test_work_on_memory_comes_after_a_request_that_is_before_its_departure(tmp_path: Path, does: str) -> None:
    async def work() -> None:
        cloud = NotingCloud()
        async with profile(tmp_path, cloud) as me:
            record = await me.record("My email is quokka@example.org", judged_by="an older one")
            await me.say("hello")
            key = Keyholder(settings(tmp_path), ring=None).renew_recovery_key()
            owner = Owner(me=me, memory=record.id, backup=tmp_path / "disk" / "backup", recovery_key=key)
            await me.service.backup(owner.backup)
            me.parts.departures._patience_s = 60  # whatever else the machine does
            departing = me.parts.turns._departing
            quick, departing._readers = departing._readers, Readers(SlowExtractor())
            request = asyncio.create_task(me.say("hello again"))
            await asyncio.sleep(READING_S / 3)
            assert len(cloud.came) == 1
            await WORK[does](owner)
            done = time.monotonic()
            await request
            assert done > cloud.came[-1]
            quick.close()
            departing._readers.close()
            departing._readers = quick

    asyncio.run(work())


class HeldExtractor:
    """Reads nothing before it may."""

    model_id = "held"

    def __init__(self) -> None:
        self.go_on = threading.Event()

    def extract(
        self, text: str, *, kind: TextKind = TextKind.PROSE, cancelled: Cancelled | None = None
    ) -> tuple[PrivateSpan, ...]:
        self.go_on.wait()
        return RuleExtractor().extract(text, kind=kind, cancelled=cancelled)


def test_write_timing_leak_works_on_memory_while_a_request_is_before_its_departure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patched = ((Departures, "quiet"), (Departures, "hold"), (Departures, "holding"), (Writer, "run_each"))
    for owner, name in patched:
        monkeypatch.setattr(owner, name, getattr(owner, name))  # so that they come back
    edge_mutants.write_timing_leak(lambda: True)

    async def work() -> None:
        cloud = NotingCloud()
        async with profile(tmp_path, cloud) as me:
            await me.say("hello")
            departing, held = me.parts.turns._departing, HeldExtractor()
            quick, departing._readers = departing._readers, Readers(held)
            request = asyncio.create_task(me.say("hello again"))
            while not me.parts.departures._before:
                await asyncio.sleep(0)
            await me.service.remember(Telling(text="My favourite colour is teal"))
            assert len(cloud.came) == 1
            held.go_on.set()
            await request
            departing._readers.close()
            departing._readers = quick

    asyncio.run(work())


class SteppingExtractor:
    """Reads in steps, as the rules do; notes at each whether a request was before its departure."""

    model_id = "stepping"

    def __init__(self, is_before: Callable[[], bool]) -> None:
        self.is_before = is_before
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.noted: list[bool] = []

    def extract(
        self, text: str, *, kind: TextKind = TextKind.PROSE, cancelled: Cancelled | None = None
    ) -> tuple[PrivateSpan, ...]:
        assert cancelled is not None
        self.begun.set()
        self.go_on.wait()
        for _ in range(3):
            assert not cancelled()
            self.noted.append(self.is_before())
        return RuleExtractor().extract(text, kind=kind)


def test_a_text_that_is_being_read_for_memory_is_not_read_on_before_a_request_has_left(tmp_path: Path) -> None:
    async def work() -> None:
        cloud = NotingCloud()
        async with profile(tmp_path, cloud) as me:
            await me.say("hello")
            gate, keeping = me.parts.departures, me.parts.keeping
            gate._patience_s = 60
            stepping = SteppingExtractor(lambda: gate._before > 0)
            usual = keeping._readers
            keeping._readers = Readers(stepping, gate.hold)
            telling = asyncio.create_task(me.service.remember(Telling(text="My favourite colour is teal. I like tea.")))
            await asyncio.to_thread(stepping.begun.wait)
            departing = me.parts.turns._departing
            quick, departing._readers = departing._readers, Readers(SlowExtractor())
            request = asyncio.create_task(me.say("hello again"))
            while not gate._before:
                await asyncio.sleep(0)
            stepping.go_on.set()
            await request
            kept = (await telling).kept
            assert stepping.noted == [False] * 3
            assert [record.text for record in kept] == ["My favourite colour is teal", "I like tea"]
            for readers in (keeping._readers, departing._readers):
                readers.close()
            keeping._readers, departing._readers = usual, quick

    asyncio.run(work())


def test_what_a_message_is_worth_is_read_in_steps_each_of_which_gives_way(tmp_path: Path) -> None:
    async def work() -> None:
        async with profile(tmp_path, NotingCloud()) as me:
            held = 0

            def hold() -> None:
                nonlocal held
                held += 1

            me.parts.turns._departing.holding = lambda: hold  # type: ignore[method-assign]
            me.parts.keeping._readers.hold = hold
            await me.say("My favourite colour is teal. I live in Lisbon. I play the cello.")
            assert held >= 3 + 3, "a step a sentence and one a fact"
            told = held
            await me.service.remember(Telling(text="My favourite tea is sencha. I live in Porto. I play the viola."))
            assert held >= told + 3 + 3

    asyncio.run(work())
