"""Readings beside the event loop: short ones go on while long ones last, and nobody reads for nobody."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from keepmum_edge.daemon.readers import _LONG, Extract, Readers
from keepmum_edge.errors import ExtractorUnavailableError
from keepmum_edge.spans.extractor import Cancelled, TextKind
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_edge.spans.span import PrivateSpan

MAIL = "ada.fenwick" + "@example.org"


class Endless:
    """Reads until it is cancelled, and counts how many do."""

    model_id = "endless"

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.ended = threading.Semaphore(0)

    def extract(
        self, text: str, *, kind: TextKind = TextKind.PROSE, cancelled: Cancelled | None = None
    ) -> tuple[PrivateSpan, ...]:
        assert cancelled is not None
        if text == "short":
            return ()
        self.begun.release()
        pause = threading.Event()
        while not cancelled():
            pause.wait(0.005)
        self.ended.release()
        raise ExtractorUnavailableError("the reading was cancelled", "Ask again.")


def reading(text: str) -> Callable[[Extract], tuple[PrivateSpan, ...]]:
    return lambda extract: extract(text, TextKind.PROSE)


def test_a_reading_gives_what_the_extractor_finds() -> None:
    async def read() -> tuple[PrivateSpan, ...]:
        readers = Readers(RuleExtractor())
        try:
            return await readers.run(30, reading(f"mail {MAIL}"))
        finally:
            readers.close()

    assert [span.surface for span in asyncio.run(read())] == [MAIL]


def test_however_many_long_texts_are_read_a_short_one_is_read_at_once() -> None:
    async def read() -> None:
        extractor = Endless()
        readers = Readers(extractor)
        long = [asyncio.ensure_future(readers.run(_LONG, reading("long"))) for _ in range(9)]
        await asyncio.to_thread(extractor.begun.acquire)
        assert await asyncio.wait_for(readers.run(5, reading("short")), timeout=10) == ()
        readers.close()
        assert {type(result) for result in await asyncio.gather(*long, return_exceptions=True)} <= {
            ExtractorUnavailableError,
            asyncio.CancelledError,
        }

    asyncio.run(read())


def test_a_reading_that_nobody_waits_for_ends_and_frees_its_thread() -> None:
    async def read() -> None:
        extractor = Endless()
        readers = Readers(extractor)
        for _ in range(7):  # more than there are threads
            waiting = asyncio.ensure_future(readers.run(5, reading("unwanted")))
            await asyncio.to_thread(extractor.begun.acquire)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert await asyncio.to_thread(extractor.ended.acquire, timeout=10)
        readers.close()

    asyncio.run(read())


class Stepping:
    """Asks before each of five steps whether to go on, as the rules do, and counts those it took."""

    model_id = "stepping"

    def __init__(self) -> None:
        self.steps = 0

    def extract(
        self, text: str, *, kind: TextKind = TextKind.PROSE, cancelled: Cancelled | None = None
    ) -> tuple[PrivateSpan, ...]:
        assert cancelled is not None
        for _ in range(5):
            assert not cancelled()
            self.steps += 1
        return ()


def test_readings_that_give_way_hold_still_and_are_in_no_others_way() -> None:
    async def read() -> None:
        extractor, free, held = Stepping(), threading.Event(), threading.Semaphore(0)

        def hold() -> None:
            held.release()
            free.wait()

        readers = Readers(extractor)
        patient = readers.giving_way(hold)
        waiting = [asyncio.ensure_future(patient.run(5, reading("memory"))) for _ in range(9)]
        await asyncio.to_thread(held.acquire)
        await readers.run(5, reading("a request"))
        assert extractor.steps == 5, "the request's own"
        free.set()
        await asyncio.gather(*waiting)
        assert extractor.steps == 10 * 5
        readers.close()
        with pytest.raises(RuntimeError, match="shutdown"):
            await patient.run(5, reading("memory"))

    asyncio.run(read())


def test_a_definition_that_comes_with_every_request_is_read_once_and_prose_each_time() -> None:
    class Counting(RuleExtractor):
        read = 0

        def extract(self, text: str, **more: Any) -> tuple[PrivateSpan, ...]:
            self.read += 1
            return super().extract(text, **more)

    async def read() -> int:
        extractor = Counting()
        readers = Readers(extractor)
        for kind in (TextKind.DEFINITION, TextKind.DEFINITION, TextKind.PROSE, TextKind.PROSE):
            spans = await readers.run(9, lambda extract, kind=kind: extract(f"mail {MAIL}", kind))
            assert [span.surface for span in spans] == [MAIL]
        readers.close()
        return extractor.read

    assert asyncio.run(read()) == 3


def test_after_the_end_nothing_is_read() -> None:
    readers = Readers(RuleExtractor())
    readers.close()
    with pytest.raises(ExtractorUnavailableError, match="cancelled"):
        readers.extract(f"mail {MAIL}")
