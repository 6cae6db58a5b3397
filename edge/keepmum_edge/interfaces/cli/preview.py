"""`keepmum preview`: show what would be masked, and send nothing.

`keepmum preview FILE` colours private stretches by level and names their types; `-`, or nothing in a pipe, is standard
input. The settings `mask_from` and `levels` apply: what they leave in clear is not marked, but counted.
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

from keepmum_edge.daemon.extraction import loader_of
from keepmum_edge.errors import EdgeError
from keepmum_edge.interfaces.cli.profile import settings
from keepmum_edge.spans.extractor import SpanExtractor
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.vault.pseudonymise import MaskSettings

_STYLES: Final = {Level.PL1: "2", Level.PL2: "30;46", Level.PL3: "30;43", Level.PL4: "97;41"}
_PLAIN_LEVELS: Final = {Level.PL2: "identifies", Level.PL3: "harms if leaked", Level.PL4: "opens a door"}
_BY_DEFAULT: Final = MaskSettings()


def preview(
    file: Annotated[Path | None, typer.Argument(help="A text file; - is standard input.", show_default=False)] = None,
    *,
    jsonl: Annotated[bool, typer.Option("--jsonl", help='Read {"id","text"} a line, write spans a line.')] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write the spans of FILE as one JSON object.")] = False,
) -> None:
    """Show what your settings mask in a text, without sending or storing anything.

    Examples:
      keepmum preview note.txt
      git diff | keepmum preview
      echo '{"id": 1, "text": "mail ines@example.org"}' | keepmum preview --jsonl
    """
    try:
        config = settings()
        masking = MaskSettings(mask_from=config.mask_from, levels=config.levels)
        extractor = loader_of(config)()
        if jsonl:
            raise typer.Exit(preview_lines(extractor, sys.stdin.buffer, sys.stdout, masking))
        if file is None and sys.stdin.isatty():
            print("keepmum preview: name a FILE, or - for standard input, or use --jsonl", file=sys.stderr)
            raise typer.Exit(2)
        text = _read(file or Path("-"))
        spans = extractor.extract(text)
    except EdgeError as error:
        print(f"keepmum preview: {error}", file=sys.stderr)
        raise typer.Exit(error.exit_code) from None
    if as_json:
        print(json.dumps({"spans": spans_to_json(spans, masking)}, ensure_ascii=True))
        return
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    sys.stdout.write(render(text, spans, masking, colour=colour))


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


def preview_lines(
    extractor: SpanExtractor, lines: Iterable[bytes], out: TextIO, masking: MaskSettings = _BY_DEFAULT
) -> int:
    """Answer JSON lines, one flushed line each, ASCII only; blank lines are skipped.

    Returns:
        0, or 1 if any line could not be answered.
    """
    status = 0
    for line in lines:
        if not line.strip():
            continue
        answer = _answer(extractor, line, masking)
        status |= "error" in answer
        out.write(json.dumps(answer, ensure_ascii=True) + "\n")
        out.flush()
    return status


def _answer(extractor: SpanExtractor, line: bytes, masking: MaskSettings) -> dict[str, Any]:
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
    return {"id": identifier, "spans": spans_to_json(spans, masking), "ms": round(elapsed, 3)}


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def spans_to_json(spans: Iterable[PrivateSpan], masking: MaskSettings) -> list[dict[str, Any]]:
    """Return what is shown of the spans that are masked; never a surface."""
    return [
        {"start": s.start, "end": s.end, "type": str(s.entity_type), "level": masking.level_of(s).name}
        for s in spans
        if masking.masks(s)
    ]


def render(text: str, spans: Iterable[PrivateSpan], masking: MaskSettings = _BY_DEFAULT, *, colour: bool) -> str:
    """Return the text with each span marked and named, and a legend that counts types.

    Args:
        text: The previewed text.
        spans: Sorted, not overlapping.
        masking: Which of them are masked; the others are counted only.
        colour: Mark by ANSI colours; otherwise by brackets.
    """
    parts: list[str] = []
    place = 0
    counts: Counter[tuple[Level, str]] = Counter()
    in_clear: Counter[str] = Counter()
    public: Counter[str] = Counter()
    for span in spans:
        if not masking.masks(span):
            (public if span.level is Level.PL1 else in_clear)[str(span.entity_type)] += 1
            continue
        level = masking.level_of(span)
        counts[level, str(span.entity_type)] += 1
        parts += [_shown(text[place : span.start]), _marked(span, level, colour=colour)]
        place = span.end
    parts.append(_shown(text[place:]))
    body = "".join(parts)
    if not body.endswith("\n"):
        body += "\n"
    return body + _legend(counts, in_clear, public, colour=colour)


def _marked(span: PrivateSpan, level: Level, *, colour: bool) -> str:
    surface = _shown(span.surface)
    if not colour:
        return f"[{span.entity_type} {surface}]"
    return f"\x1b[{_STYLES[level]}m{surface} \x1b[1m{span.entity_type}\x1b[0m"


def _shown(text: str) -> str:
    """Show control characters as pictures, so that a file cannot steer the terminal."""
    return "".join(c if c in "\n\t" or c.isprintable() or ord(c) > 0x9F else f"\\x{ord(c):02x}" for c in text)


def _legend(counts: Counter[tuple[Level, str]], in_clear: Counter[str], public: Counter[str], *, colour: bool) -> str:
    if not (counts or in_clear or public):
        return "--\nnothing found\n"
    lines = ["--"]
    for level in sorted({level for level, _ in counts}, reverse=True):
        types = _numbered(Counter({name: n for (at, name), n in counts.items() if at is level}))
        title = f"{level.name} {_PLAIN_LEVELS.get(level, 'not private')}"
        lines.append(f"\x1b[{_STYLES[level]}m{title}\x1b[0m: {types}" if colour else f"{title}: {types}")
    if in_clear:
        lines.append("found, but your settings send it in clear: " + _numbered(in_clear))
    if public:
        lines.append("found, and sent in clear as on the list of public names: " + _numbered(public))
    return "\n".join(lines) + "\n"


def _numbered(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {n}" for name, n in sorted(counts.items()))
