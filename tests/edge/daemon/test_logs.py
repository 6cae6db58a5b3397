import io
import logging
import re
from collections.abc import Iterator

import pytest
from keepmum_edge.daemon.logs import set_up_logs

PRIVATE = "ines" + "@example.org"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    root, ours = logging.getLogger(), logging.getLogger("keepmum")
    before = root.handlers[:], root.level, ours.level
    stream = io.StringIO()
    set_up_logs(stream)
    yield stream
    root.handlers[:], root.level, ours.level = before
    logging.captureWarnings(capture=False)


def test_other_libraries_words_and_everyones_tracebacks_stay_out(log: io.StringIO) -> None:
    logging.getLogger("httpx").error("GET /%s", PRIVATE)
    try:
        raise ValueError(PRIVATE)
    except ValueError:
        logging.getLogger("uvicorn.error").exception("Exception: %s", PRIVATE)
        logging.getLogger("keepmum.http").exception("it failed")
    assert PRIVATE not in log.getvalue()
    lines = [re.sub(r":\d+$", "", line.split(" ", 1)[1]) for line in log.getvalue().splitlines()]
    assert lines == ["httpx ERROR at test_logs", "uvicorn.error ERROR at test_logs", "keepmum.http ERROR it failed"]


def test_our_lines_are_written_and_chatter_is_not(log: io.StringIO) -> None:
    logging.getLogger("keepmum.edge").info("listening on port %d", 8765)
    logging.getLogger("uvicorn.error").info("Started server process")
    assert log.getvalue().endswith("Z keepmum.edge INFO listening on port 8765\n")
    assert "uvicorn" not in log.getvalue()
