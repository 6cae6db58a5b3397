"""The threads on which texts are read for private spans: beside the event loop and the database's thread.

A reading is compute-bound and takes as long as its text. Long texts have threads of their own, so that however many of
them come, short ones are read at once. A reading that nobody waits for any more stops soon, and so do all at the end.

What is read for memory has readers of its own, whose readings hold still between two steps while a request is about to
leave: no thread of a request's readings waits behind one that waits for the request.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from keepmum_edge.spans.extractor import SpanExtractor, TextKind
from keepmum_edge.spans.span import PrivateSpan

T = TypeVar("T")
Extract = Callable[[str, TextKind], tuple[PrivateSpan, ...]]

_LONG: Final = 20_000
"""Characters from which a reading counts as long: about a second on one slow core."""
_DEFINITIONS: Final = 256
_LONGEST_DEFINITION: Final = 16_384
"""What is remembered of definitions, which come again with every request: so many, of at most so many characters."""
_SHORT_READERS: Final = 3
_LONG_READERS: Final = 2


class Readers:
    """Runs readings with one extractor, which all threads share.

    Args:
        extractor: Finds the spans.
        hold: Called on the reading's thread between the steps of a reading; returns when it may go on.
    """

    def __init__(self, extractor: SpanExtractor, hold: Callable[[], None] = lambda: None) -> None:
        self._extractor = extractor
        self.hold = hold
        """For what a reading does beside finding spans: to be called between its steps."""
        self._short = ThreadPoolExecutor(max_workers=_SHORT_READERS, thread_name_prefix="reader")
        self._long = ThreadPoolExecutor(max_workers=_LONG_READERS, thread_name_prefix="long-reader")
        self._closed = threading.Event()
        self._others: list[Readers] = []
        self._definitions: dict[str, tuple[PrivateSpan, ...]] = {}

    def giving_way(self, hold: Callable[[], None]) -> "Readers":
        """Return readers on threads of their own whose readings give way; they are closed with these."""
        self._others.append(Readers(self._extractor, hold))
        return self._others[-1]

    def extract(self, text: str) -> tuple[PrivateSpan, ...]:
        """Read one text of prose on the caller's thread.

        Raises:
            ExtractorUnavailableError: the extractor failed.
        """
        return self._extractor.extract(text, cancelled=self._closed.is_set)

    async def run(self, characters: int, reading: Callable[[Extract], T]) -> T:
        """Run a reading on a thread and return what it returns.

        Args:
            characters: How much it reads, about.
            reading: Gets the function that reads a text, which raises once the caller is cancelled.

        Raises:
            ExtractorUnavailableError: the extractor failed.
        """
        abandoned = threading.Event()

        def cancelled() -> bool:
            if not (abandoned.is_set() or self._closed.is_set()):
                self.hold()
            return abandoned.is_set() or self._closed.is_set()

        def extract(text: str, kind: TextKind) -> tuple[PrivateSpan, ...]:
            if kind is TextKind.DEFINITION and len(text) <= _LONGEST_DEFINITION:
                return self._definition(text, cancelled)
            return self._extractor.extract(text, kind=kind, cancelled=cancelled)

        threads = self._long if characters >= _LONG else self._short
        try:
            return await asyncio.get_running_loop().run_in_executor(threads, lambda: reading(extract))
        finally:
            abandoned.set()

    def _definition(self, text: str, cancelled: Callable[[], bool]) -> tuple[PrivateSpan, ...]:
        known = self._definitions.get(text)
        if known is None:
            known = self._extractor.extract(text, kind=TextKind.DEFINITION, cancelled=cancelled)
            if len(self._definitions) >= _DEFINITIONS:
                self._definitions.clear()
            self._definitions[text] = known
        return known

    def close(self) -> None:
        """End all readings and the threads; does not wait."""
        self._closed.set()
        for other in self._others:
            other.close()
        for threads in (self._short, self._long):
            threads.shutdown(wait=False, cancel_futures=True)
