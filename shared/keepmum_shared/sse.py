"""Server-sent events, bytes to `data` payloads and back. Sans-IO; any cut of the bytes gives the same events.

Follows the WHATWG event stream grammar for `data`; comments and other fields are passed over. A stream that ends
without the last blank line still yields its last event (`flush`), since servers do end so.
"""

from typing import Final

from keepmum_shared.errors import TooLargeError

MAX_EVENT: Final = 16 * 1024 * 1024
"""Bytes that one event may take, its line ends included."""


class SseDecoder:
    """Turns the bytes of one response into the `data` payloads of its events."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._data: list[str] = []
        self._size = 0
        self._skip_newline = False

    def feed(self, chunk: bytes) -> list[str]:
        """Take the next bytes and return the payloads that are complete now.

        Raises:
            TooLargeError: one event is over MAX_EVENT.
            UnicodeDecodeError: a line is not UTF-8.
        """
        events: list[str] = []
        if self._skip_newline and chunk:
            chunk = chunk.removeprefix(b"\n")
            self._skip_newline = False
        self._rest += chunk
        if self._size + len(self._rest) > MAX_EVENT:
            raise TooLargeError("event", MAX_EVENT)
        lines = bytes(self._rest).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        self._skip_newline = self._rest.endswith(b"\r")
        self._rest = bytearray(lines.pop())
        for line in lines:
            self._take(line, events)
        return events

    def flush(self) -> list[str]:
        """Return what the end of the stream completes."""
        events: list[str] = []
        if self._rest:
            self._take(bytes(self._rest), events)
            self._rest.clear()
        self._take(b"", events)
        return events

    def _take(self, line: bytes, events: list[str]) -> None:
        self._size += len(line)
        if line:
            name, _, value = line.partition(b":")
            if name.removeprefix(b"\xef\xbb\xbf") == b"data":
                self._data.append(value.removeprefix(b" ").decode("utf-8"))
            return
        self._size = 0
        if self._data:
            events.append("\n".join(self._data))
            self._data.clear()


def encode_event(payload: bytes) -> bytes:
    """Return one event; `payload` is JSON and holds no line end."""
    return b"data: " + payload + b"\n\n"
