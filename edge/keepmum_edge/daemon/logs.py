"""What the daemon's log may hold: ids, counts, codes and milliseconds; never text of a request.

Records of our own loggers are written as they are, since our messages hold nothing else. Of any other library only its
name, level and place in its code is written, and no exception's words or locals of anyone's.
"""

import logging
import time
from typing import Final, TextIO

_OURS: Final = "keepmum"


class PlainFormatter(logging.Formatter):
    """Writes our records, and of others only where they come from; a traceback of nobody's."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created))
        head = f"{stamp} {record.name} {record.levelname}"
        if record.name.partition(".")[0] == _OURS:
            return f"{head} {record.getMessage()}"
        return f"{head} at {record.module}:{record.lineno}"


def set_up_logs(stream: TextIO) -> None:
    """Send all logs of the process to `stream`; called once, by the entry point."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(PlainFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(_OURS).setLevel(logging.INFO)
    logging.captureWarnings(capture=True)
