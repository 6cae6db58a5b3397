"""What the log may hold: one line an event with ids, counts, types and milliseconds; never text of a request.

Two walls. Records of our own loggers are written as they are, since our messages hold nothing else; of any other
library only its name, level and place in its code is written, and no exception's words or locals of anyone's. And
native code (the model library prints grammars it cannot read) loses its way to the log: descriptor 2 leads nowhere
once it is set up.
"""

import logging
import os
import sys
import time
from typing import Final, TextIO

LOGGER: Final = logging.getLogger("keepmum_cloud")


class _PlainFormatter(logging.Formatter):
    """Writes our records, and of others only where they come from."""

    def format(self, record: logging.LogRecord) -> str:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created))
        if record.name.startswith(LOGGER.name):
            return f"{stamp} {record.levelname} {record.getMessage()}"
        return f"{stamp} {record.levelname} {record.name} at {record.module}:{record.lineno}"


def set_up_logs(stream: TextIO) -> None:
    """Send all logs of the process to `stream`; called once, by the entry point."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_PlainFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    LOGGER.setLevel(logging.INFO)
    logging.captureWarnings(capture=True)


def own_stderr() -> TextIO:
    """Return a stream to where standard error led, and lead standard error itself to nowhere."""
    sys.stderr.flush()
    stream = os.fdopen(os.dup(2), "w", encoding="utf-8", errors="backslashreplace", buffering=1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    return stream
