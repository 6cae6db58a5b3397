"""A relay in front of the cloud half that sees what the network sees: TLS records, how long they are, when they came.

    with record_tap(cloud_port) as tap:     # pair the edge with tap.port
        ...
        tap.records()                       # of all connections, edge to cloud, in the order of their arrival

Times are nanoseconds of the machine's monotonic clock, so that those of another process compare with them.
"""

import asyncio
import contextlib
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

_APPLICATION: Final = 23
_CLOSING: Final = 19
"""Length of the alert that ends a connection: two bytes, their kind and 16 of authentication."""
_HEADER: Final = 5


@dataclass(frozen=True, slots=True)
class TlsRecord:
    """One record.

    Attributes:
        connection: Number of its connection.
        kind: Content type as it stands outside the encryption.
        size: Length of its content in bytes.
        at_ns: When its first byte was read.
    """

    connection: int
    kind: int
    size: int
    at_ns: int


class _Framing:
    """Finds the records in a stream of bytes (sans-IO)."""

    def __init__(self, connection: int) -> None:
        self._connection = connection
        self._header = bytearray()
        self._began = 0
        self._left = 0

    def feed(self, chunk: bytes, at_ns: int) -> list[TlsRecord]:
        """Return the records whose headers end in this chunk."""
        found = []
        while chunk:
            if self._left:
                skipped = min(self._left, len(chunk))
                self._left -= skipped
                chunk = chunk[skipped:]
                continue
            if not self._header:
                self._began = at_ns
            wanted = _HEADER - len(self._header)
            self._header += chunk[:wanted]
            chunk = chunk[wanted:]
            if len(self._header) == _HEADER:
                self._left = int.from_bytes(self._header[3:], "big")
                found.append(TlsRecord(self._connection, self._header[0], self._left, self._began))
                self._header.clear()
        return found


@dataclass
class RecordTap:
    """A running relay."""

    target: int
    port: int = 0
    _records: list[TlsRecord] = field(default_factory=list)
    _connections: int = 0

    def records(self) -> list[TlsRecord]:
        """Everything that the edge sent so far."""
        return list(self._records)

    def requests(self, since: int = 0) -> list[int]:
        """Lengths of the records that carry requests, from that record on; the handshakes and farewells left out."""
        found, greeted = [], {each.connection for each in self._records[:since] if each.kind == _APPLICATION}
        for each in self._records[since:]:
            if each.kind != _APPLICATION or each.size == _CLOSING:
                continue
            if each.connection in greeted:
                found.append(each.size)
            greeted.add(each.connection)  # the first is the end of the handshake
        return found

    def first_after(self, at_ns: int) -> int | None:
        """When the edge first sent anything after that moment; None if it has not."""
        recent = (each.at_ns for each in self._records[-64:])
        return next((each for each in recent if each > at_ns), None)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay one connection until both sides have ended."""
        self._connections += 1
        framing = _Framing(self._connections)
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.close()
            return
        await asyncio.gather(self._pump(reader, back, framing), self._pump(there, writer, None))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, framing: _Framing | None) -> None:
        with contextlib.suppress(ConnectionError):
            while chunk := await reader.read(65536):
                if framing is not None:
                    self._records += framing.feed(chunk, time.monotonic_ns())
                writer.write(chunk)
                await writer.drain()
        with contextlib.suppress(ConnectionError, RuntimeError):
            writer.close()


@contextmanager
def record_tap(target: int) -> Iterator[RecordTap]:
    """Relay to a port of this machine, on a thread of its own."""
    tap, loop, started, ended = RecordTap(target), asyncio.new_event_loop(), threading.Event(), asyncio.Event()

    async def serve() -> None:
        async with await asyncio.start_server(tap.handle, "127.0.0.1", 0) as server:
            tap.port = server.sockets[0].getsockname()[1]
            started.set()
            await ended.wait()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    def run() -> None:
        loop.run_until_complete(serve())
        loop.close()

    thread = threading.Thread(target=run, name="tap", daemon=True)
    thread.start()
    assert started.wait(10)
    try:
        yield tap
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(10)
