"""The sentence embedding: loaded when it is first needed, and run on one thread that gives way to all others.

Records are found with it, and what may imply something protected is seen with it (`memory.implied`). Without it records
are found by their words alone, none leaves this computer any more, and `keepmum doctor` says so.
"""

import asyncio
import logging
import os
import sys
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from keepmum_inference.embedding import Encoder
from keepmum_inference.errors import InferenceError

T = TypeVar("T")

_NICE: Final = 5
_LOGGER: Final = logging.getLogger("keepmum.edge")

LoadEmbedder = Callable[[], Encoder]
"""Raises InferenceError, or ImportError where the runtime is not installed."""


class EmbeddingModel:
    """Loads one model at most once, and runs what needs it. Use it inside one event loop.

    Args:
        load: Loads it; about half a second, of which its tokenizer holds up every thread for a fifth.
        way: Returns when no request is before its departure.
        adopt: Told the model's id before stored vectors are used; deletes those of other models.
    """

    def __init__(
        self, load: LoadEmbedder, way: Callable[[], Awaitable[None]], adopt: Callable[[str], Awaitable[None]]
    ) -> None:
        self._load = load
        self._way = way
        self._adopt = adopt
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedding", initializer=_give_way)
        self._adopting = asyncio.Lock()
        self._is_adopted = False
        self._loading = threading.Lock()
        self._embedder: Encoder | None = None
        self._failure: InferenceError | ImportError | None = None

    @property
    def is_usable(self) -> bool:
        """Whether it is loaded, or was not tried yet."""
        return self._failure is None

    async def ready(self) -> Encoder | None:
        """Return the model, to be used with what is stored, or None if it cannot be used.

        Raises:
            DatabaseUnavailableError: vectors of another model could not be deleted; asked again, it tries again.
        """
        async with self._adopting:
            try:
                embedder = await self.run(self.look) if self._embedder is None else self._embedder
            except (InferenceError, ImportError):
                return None
            if not self._is_adopted:
                await self._adopt(embedder.model_id)
                self._is_adopted = True
            return embedder

    def look(self) -> Encoder:
        """Return the model; from any thread but the event loop's, which loading it would hold up.

        Raises:
            InferenceError, ImportError: it cannot be used.
        """
        with self._loading:
            if self._failure is not None:
                raise self._failure
            if self._embedder is None:
                try:
                    self._embedder = self._load()
                except (InferenceError, ImportError) as error:
                    self._failure = error
                    _LOGGER.warning("embedding: memories stay here and are found by their words: %s", in_words(error))
                    raise
            return self._embedder

    async def run(self, job: Callable[[], T]) -> T:
        """Run something that computes for long on the model's thread, once no request is before its departure."""
        await self._way()
        return await asyncio.get_running_loop().run_in_executor(self._thread, job)

    def close(self) -> None:
        """End the thread after the job in hand; does not wait."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def in_words(error: InferenceError | ImportError) -> str:
    """Our own errors name files and rules; of others only the class is told."""
    return str(error) if isinstance(error, InferenceError) else type(error).__name__


def _give_way() -> None:
    """Let every other thread have the processor first, where the system ranks threads and not only processes."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
