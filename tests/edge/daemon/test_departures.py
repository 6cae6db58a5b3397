"""Requests leave at fixed times, and memory work gives way to them; on the real clock, steps fit a busy machine."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from keepmum_edge.daemon.departures import Departures
from keepmum_edge.daemon.writer import SLICE_S, Writer

STEP_NS = 300_000_000
STEP_S = STEP_NS / 1e9
PATIENCE_S = 1.0


def departures() -> Departures:
    """Departures whose clock begins at a tick."""
    began = time.monotonic_ns()
    return Departures(lambda: time.monotonic_ns() - began, STEP_NS, patience_s=PATIENCE_S)


async def left_at(gate: Departures, making_ready_s: float, error: BaseException | None = None) -> int:
    """The tick at which a request left, or its error was told."""
    arrived = gate.now()
    try:
        async with gate.of(arrived):
            await asyncio.sleep(making_ready_s)
            if error is not None:
                raise error
    except ZeroDivisionError:
        pass
    return gate.now() // STEP_NS


@pytest.mark.parametrize("error", [None, ZeroDivisionError()])
def test_a_request_leaves_at_its_time_whether_it_was_made_or_refused(error: BaseException | None) -> None:
    for making_ready_s, tick, late in ((0, 2, 0), (1.3 * STEP_S, 2, 0), (2.2 * STEP_S, 3, 1)):
        gate = departures()
        assert asyncio.run(left_at(gate, making_ready_s, error)) == tick
        assert (gate.departed, gate.late) == (1, late)


def test_a_request_whose_client_went_away_does_not_wait() -> None:
    async def work() -> None:
        gate = departures()
        task = asyncio.create_task(left_at(gate, 10))
        await asyncio.sleep(0.01)
        task.cancel()
        began = time.monotonic()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert time.monotonic() - began < STEP_S
        await asyncio.wait_for(gate.quiet(), STEP_S)

    asyncio.run(work())


def test_memory_work_waits_until_the_request_has_left_but_not_for_good() -> None:
    async def work() -> None:
        gate, writer = departures(), Writer()
        patient = writer.giving_way(gate.quiet)
        arrived = gate.now()
        request = asyncio.create_task(left_at(gate, 0))
        await asyncio.sleep(0)
        later = asyncio.create_task(patient.run(gate.now))
        assert await writer.run(gate.now) < arrived + STEP_NS, "the request's own work does not wait"
        await request
        assert await later >= arrived + STEP_NS
        endless = asyncio.create_task(left_at(gate, 60))
        began = time.monotonic()
        await asyncio.sleep(0)
        await patient.run(gate.now)
        assert PATIENCE_S <= time.monotonic() - began < PATIENCE_S + 5
        endless.cancel()
        writer.close()

    asyncio.run(work())


def test_memory_work_gives_way_until_the_request_is_at_the_socket_and_while_one_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def is_quiet(gate: Departures) -> bool:
        waiting = asyncio.create_task(gate.quiet())
        await asyncio.sleep(0)
        waiting.cancel()
        return waiting.done()

    async def work() -> None:
        gate = departures()
        with gate.coming():
            assert not await is_quiet(gate)
        assert not await is_quiet(gate)  # nor while it is made ready
        await gate.quiet()
        assert await is_quiet(gate)
        await left_at(gate, 0)
        await gate.quiet()
        assert await is_quiet(gate)
        monkeypatch.setattr("keepmum_edge.daemon.departures._SENDING_S", 3600)
        for error in (None, ZeroDivisionError()):
            gate = departures()
            await left_at(gate, 0, error)
            assert not await is_quiet(gate)

    asyncio.run(work())


def test_a_thread_that_works_on_memory_holds_still_until_the_request_has_left_but_not_for_good() -> None:
    async def work() -> None:
        gate = Departures(time.monotonic_ns, STEP_NS, patience_s=60)
        await asyncio.to_thread(gate.hold)
        request = asyncio.create_task(left_at(gate, 0.1))
        await asyncio.sleep(0)
        await asyncio.to_thread(gate.hold)
        assert gate.departed == 1
        await request
        impatient = departures()
        endless = asyncio.create_task(left_at(impatient, 3600))
        await asyncio.sleep(0)
        await asyncio.to_thread(impatient.hold)
        assert impatient.departed == 0
        hold = impatient.holding()
        await asyncio.wait_for(asyncio.to_thread(lambda: [hold() for _ in range(1000)]), 500 * PATIENCE_S)
        assert impatient.departed == 0
        endless.cancel()

    asyncio.run(work())


def test_long_work_is_cut_into_slices_between_which_others_come(capsys: pytest.CaptureFixture[str]) -> None:
    held: list[float] = []
    order: list[object] = []

    @contextmanager
    def within() -> Iterator[None]:
        began = time.monotonic()
        yield
        held.append(time.monotonic() - began)

    def each(item: int) -> None:
        until = time.monotonic() + 0.001
        while time.monotonic() < until:
            pass
        order.append(item)

    async def work() -> None:
        writer = Writer()
        long = asyncio.create_task(writer.run_each(range(40), each, within))
        await asyncio.sleep(0.01)
        await writer.run(lambda: order.append(threading.current_thread().name))
        await long
        writer.close()

    asyncio.run(work())
    assert [each for each in order if isinstance(each, int)] == list(range(40))
    assert isinstance(order[-1], int), "the other job came in between"
    assert len(held) >= 40 * 0.001 / (SLICE_S + 0.001)
