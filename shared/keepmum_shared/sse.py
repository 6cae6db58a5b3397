"""Server-sent events as bytes arrive (sans-IO), after the WHATWG rules as far as model servers use them.

The same events come out at any cut of the input, inside a character or between CR and LF too. An event that the
server did not close with a blank line before it closed the connection is given out by `close`.
"""

from typing import Final

MAX_EVENT: Final = 8 * 1024 * 1024


class EventTooLongError(ValueError):
    """A server sent an event over MAX_EVENT bytes."""


class SseParser:
    """Turns bytes into the data of events. Comments, ids, event names and retry times are passed over."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._data: list[str] = []
        self._size = 0
        self._after_cr = False
        self._at_start = True

    def feed(self, chunk: bytes) -> list[str]:
        """Return the data of the events that this chunk completes.

        Raises:
            EventTooLongError: an event is over the limit.
        """
        if self._after_cr and chunk.startswith(b"\n"):
            chunk = chunk[1:]
            self._after_cr = False
        elif chunk:
            self._after_cr = False
        self._after_cr = self._after_cr or chunk.endswith(b"\r")
        pieces = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        events = []
        for piece in pieces[:-1]:
            self._line += piece
            events += self._end_line()
        self._line += pieces[-1]
        if self._size + len(self._line) > MAX_EVENT:
            raise EventTooLongError
        return events

    def close(self) -> list[str]:
        """Return the data of the event that was still open at the end of the stream."""
        return [*(self._end_line() if self._line else ()), *self._dispatch()]

    def _end_line(self) -> list[str]:
        line = self._line.decode("utf-8", errors="replace")
        self._line.clear()
        if self._at_start:
            line = line.removeprefix("\ufeff")
            self._at_start = False
        if not line:
            return self._dispatch()
        name, _, value = line.partition(":")
        if name == "data":
            self._data.append(value.removeprefix(" "))
            self._size += len(value)
        return []

    def _dispatch(self) -> list[str]:
        events = ["\n".join(self._data)] if self._data else []
        self._data.clear()
        self._size = 0
        return events
