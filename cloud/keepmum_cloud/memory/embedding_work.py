"""The thread that loads the sentence embedding and gives every memory its vector.

A cloud whose model cannot be used works on: memories are kept, and found by their words. The log says so, and /readyz
and /metrics do for as long as it lasts; memories are embedded once a start finds the model. Work stops where it is when
the server does: what is done is stored, the rest is still a job.
"""

import threading
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from keepmum_inference.embedding import Embedder
from keepmum_inference.errors import InferenceError

from keepmum_cloud.database import Database
from keepmum_cloud.errors import StoreError
from keepmum_cloud.logs import LOGGER
from keepmum_cloud.memory.embedding_store import EmbeddingStore
from keepmum_cloud.memory.operations import Memories

_BATCH: Final = 16
_IDLE_S: Final = 5.0


class EmbeddingState(StrEnum):
    """Whether memories are searched by meaning as well as by words."""

    LOADING = "loading"
    READY = "ready"
    MISSING = "missing"


class EmbeddingWork:
    """Runs in a thread of its own between `start` and `stop`."""

    def __init__(
        self, database: Database, memories: Memories, *, load: Callable[[], Embedder], clock: Callable[[], float]
    ) -> None:
        """Make it ready.

        Args:
            database: Where memories and jobs are.
            memories: Told of the model once it is loaded.
            load: Loads the model; may raise InferenceError.
            clock: Unix time in seconds.
        """
        self._database = database
        self._memories = memories
        self._load = load
        self._clock = clock
        self._stopping = threading.Event()
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._run, name="embedding", daemon=True)
        self.state = EmbeddingState.LOADING

    def start(self) -> None:
        """Begin."""
        self._memories.when_added(self._wake.set)
        self._thread.start()

    def stop(self, patience_s: float = 5.0) -> None:
        """End after the batch in hand; return when it has ended, or patience has."""
        self._stopping.set()
        self._wake.set()
        self._thread.join(patience_s)

    def load(self) -> Embedder | None:
        """Load the model and let it be used; None where it cannot be."""
        try:
            embedder = self._load()
            self._memories.use(embedder)
        except (InferenceError, ImportError, StoreError) as error:
            self.state = EmbeddingState.MISSING
            LOGGER.error("embedding: memories are searched by words only: %s", _words(error))
            return None
        self.state = EmbeddingState.READY
        return embedder

    def embed_some(self, embedder: Embedder) -> bool:
        """Do one batch of the jobs that are due; return whether there were any.

        Raises:
            StoreError: the database cannot be used.
        """
        now = int(self._clock())
        with self._database.reading() as db:
            jobs = EmbeddingStore(db).due(now, _BATCH)
        if not jobs:
            return False
        try:
            vectors = embedder.passages([job.text for job in jobs])
        except InferenceError as error:
            LOGGER.warning("embedding: %d memories put off: %s", len(jobs), type(error).__name__)
            with self._database.transaction() as db:
                for job in jobs:
                    EmbeddingStore(db).postpone(job, now)
            return True
        with self._database.transaction() as db:
            for job, vector in zip(jobs, vectors, strict=True):
                EmbeddingStore(db).finish(job, vector)
        return True

    def _run(self) -> None:
        embedder = self.load()
        while embedder is not None and not self._stopping.is_set():
            self._wake.clear()
            try:
                if self.embed_some(embedder):
                    continue
            except StoreError as error:
                if self._stopping.is_set():
                    return
                LOGGER.warning("embedding: waits: %s", error.code)
            self._wake.wait(_IDLE_S)


def _words(error: Exception) -> str:
    """Our own errors name files and rules; of others only the class is told."""
    return str(error) if isinstance(error, InferenceError | StoreError) else type(error).__name__
