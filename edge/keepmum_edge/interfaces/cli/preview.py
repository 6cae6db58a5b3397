"""`keepmum preview`: show what would be masked, and send nothing.

`keepmum preview FILE` colours private stretches by level and names their types; `-` is standard input.
`keepmum preview --jsonl` reads {"id", "text"} a line, writes {"id", "spans": [{"start", "end", "type", "level"}], "ms"}
a line, offsets in code points. A line that cannot be read gives {"id", "error"}, without its text, and exit status 1 at
the end. Numbers are never allotted here: a preview shows types, not placeholders.
"""

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Final, TextIO

import typer
from keepmum_shared.taxonomy import Level

from keepmum_edge.errors import EdgeError
from keepmum_edge.spans.extractor import NOT_YET_MASKED, SpanExtractor
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_edge.spans.span import PrivateSpan

_STYLES: Final = {Level.PL1: "2", Level.PL2: "30;46", Level.PL3: "30;43", Level.PL4: "97;41"}
_PLAIN_LEVELS: Final = {Level.PL2: "identifies", Level.PL3: "harms if leaked", Level.PL4: "opens a door"}


def preview(
    file: Annotated[Path | None, typer.Argument(help="A text file; - is standard input.", show_default=False)] = None,
    *,
    jsonl: Annotated[bool, typer.Option("--jsonl", help='Read {"id","text"} a line, write spans a line.')] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write the spans of FILE as one JSON object.")] = False,
) -> None:
    """Show which stretches of a text are private, without sending or storing anything."""
    try:
        extractor = RuleExtractor()
        if not extractor.finds_names and (not jsonl or sys.stderr.isatty()):
            print(f"Note: {NOT_YET_MASKED}.", file=sys.stderr)
        if jsonl:
            raise typer.Exit(preview_lines(extractor, sys.stdin.buffer, sys.stdout))
        if file is None:
            print("keepmum preview: name a FILE, or - for standard input, or use --jsonl", file=sys.stderr)
            raise typer.Exit(2)
        text = _read(file)
        spans = extractor.extract(text)
    except EdgeError as error:
        print(f"keepmum preview: {error}", file=sys.stderr)
        raise typer.Exit(error.exit_code) from None
    if as_json:
        print(json.dumps({"spans": [span_to_json(span) for span in spans]}, ensure_ascii=True))
        return
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    sys.stdout.write(render(text, spans, colour=colour))


def _read(file: Path) -> str:
    """Read UTF-8 text exactly, line ends included."""
    try:
        raw = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return raw.decode("utf-8")
    except OSError as error:
        print(f"keepmum preview: {file}: {error.strerror}", file=sys.stderr)
        raise typer.Exit(2) from None
    except UnicodeDecodeError:
        print(f"keepmum preview: {file}: not UTF-8 text", file=sys.stderr)
        raise typer.Exit(2) from None


def preview_lines(extractor: SpanExtractor, lines: Iterable[bytes], out: TextIO) -> int:
    """Answer JSON lines, one flushed line each, ASCII only; blank lines are skipped.

    Returns:
        0, or 1 if any line could not be answered.
    """
    status = 0
    for line in lines:
        if not line.strip():
            continue
        answer = _answer(extractor, line)
        status |= "error" in answer
        out.write(json.dumps(answer, ensure_ascii=True) + "\n")
        out.flush()
    return status


def _answer(extractor: SpanExtractor, line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return {"id": None, "error": "not a JSON object in UTF-8"}
    if not isinstance(message, dict):
        return {"id": None, "error": "not a JSON object"}
    identifier = message.get("id")
    if not isinstance(identifier, str | int) or not _is_unicode(str(identifier)):
        return {"id": None, "error": "id is missing, or not a string or whole number"}
    text = message.get("text")
    if not isinstance(text, str):
        return {"id": identifier, "error": "text is missing or not a string"}
    if not _is_unicode(text):
        return {"id": identifier, "error": "text holds a lone surrogate"}
    begin = time.perf_counter()
    try:
        spans = extractor.extract(text)
    except EdgeError as error:
        return {"id": identifier, "error": error.code}
    elapsed = (time.perf_counter() - begin) * 1000
    return {"id": identifier, "spans": [span_to_json(span) for span in spans], "ms": round(elapsed, 3)}


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def span_to_json(span: PrivateSpan) -> dict[str, Any]:
    """Return the fields that are shown; never the surface."""
    return {"start": span.start, "end": span.end, "type": str(span.entity_type), "level": span.level.name}


def render(text: str, spans: Iterable[PrivateSpan], *, colour: bool) -> str:
    """Return the text with each span marked and named, and a legend that counts types.

    Args:
        text: The previewed text.
        spans: Sorted, not overlapping.
        colour: Mark by ANSI colours; otherwise by brackets.
    """
    parts: list[str] = []
    place = 0
    counts: Counter[tuple[Level, str]] = Counter()
    for span in spans:
        counts[span.level, str(span.entity_type)] += 1
        parts += [_shown(text[place : span.start]), _marked(span, colour=colour)]
        place = span.end
    parts.append(_shown(text[place:]))
    body = "".join(parts)
    if not body.endswith("\n"):
        body += "\n"
    return body + _legend(counts, colour=colour)


def _marked(span: PrivateSpan, *, colour: bool) -> str:
    surface = _shown(span.surface)
    if not colour:
        return f"[{span.entity_type} {surface}]"
    return f"\x1b[{_STYLES[span.level]}m{surface} \x1b[1m{span.entity_type}\x1b[0m"


def _shown(text: str) -> str:
    """Show control characters as pictures, so that a file cannot steer the terminal."""
    return "".join(c if c in "\n\t" or c.isprintable() or ord(c) > 0x9F else f"\\x{ord(c):02x}" for c in text)


def _legend(counts: Counter[tuple[Level, str]], *, colour: bool) -> str:
    if not counts:
        return "--\nnothing found that rules can find\n"
    lines = ["--"]
    for level in sorted({level for level, _ in counts}, reverse=True):
        types = ", ".join(f"{name} {n}" for (at, name), n in sorted(counts.items()) if at is level)
        title = f"{level.name} {_PLAIN_LEVELS.get(level, 'not private')}"
        lines.append(f"\x1b[{_STYLES[level]}m{title}\x1b[0m: {types}" if colour else f"{title}: {types}")
    return "\n".join(lines) + "\n"
