"""What a terminal may be sent: colour only where it is wanted, no control characters from texts of others."""

import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Mapping
from typing import Any, Final, TextIO

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""All but tab, line feed and CR: escape sequences could rewrite the screen, bidirectional ones the reading order."""

BOLD: Final = "1"
DIM: Final = "2"
RED: Final = "31"
YELLOW: Final = "33"


def wants_colour(stream: TextIO, environ: Mapping[str, str] = os.environ) -> bool:
    """Say whether to colour: a terminal, no NO_COLOR, not a dumb one."""
    return stream.isatty() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"


def coloured(text: str, style: str, stream: TextIO) -> str:
    """Return the text in a style, plain where colour is not wanted."""
    return f"\x1b[{style}m{text}\x1b[0m" if wants_colour(stream) else text


def printable(text: str, stream: TextIO) -> str:
    """Return the text as it may be shown: unchanged into a pipe, without control characters on a terminal."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r", "")) if stream.isatty() else text


def wrapped(text: str, stream: TextIO, *, width: int | None = None) -> str:
    """Return the text with its lines broken between words where a terminal is too narrow, else unchanged."""
    if not stream.isatty():
        return text
    columns = width or max(20, shutil.get_terminal_size().columns)
    wrapper = textwrap.TextWrapper(columns, break_long_words=False, break_on_hyphens=False)
    return "\n".join(wrapper.fill(line) if len(line) > columns else line for line in text.split("\n"))


def say(text: str) -> None:
    """Print a result."""
    print(printable(text, sys.stdout), flush=True)


def say_json(document: Any) -> None:
    """Print one JSON document as one line; what could steer a terminal is written as an escape."""
    line = json.dumps(document, ensure_ascii=not sys.stdout.encoding.lower().startswith("utf"))
    print(_CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", line), flush=True)


def note(text: str, style: str = "") -> None:
    """Tell the person something that is no result: progress, hints, questions."""
    shown = wrapped(printable(text, sys.stderr), sys.stderr)
    print(coloured(shown, style, sys.stderr) if style else shown, file=sys.stderr, flush=True)


def interactive() -> bool:
    """Say whether a person sits at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def agrees(question: str) -> bool:
    """Ask for yes or no; anything but yes, and no person to ask, is no."""
    if not interactive():
        return False
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes", "j", "ja", "是")
