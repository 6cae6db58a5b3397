"""How memories and traces look on a terminal."""

import re
import sys
import time
from collections.abc import Iterable, Sequence
from typing import Any, Final

from keepmum_edge.interfaces.cli.terminal import printable, say, wants_colour

Json = dict[str, Any]

_PLACEHOLDER: Final = re.compile(r"<[A-Z][A-Z_]*_[0-9]+>")
_SHORT: Final = 60
BY_MEANING_ONLY: Final = "No memory holds these words. Nearest in meaning, which may have nothing to do with them:"


def memory_line(record: Json) -> str:
    """Return one memory as one line."""
    ended = f"  (until {_day(record['valid_to'])})" if record["valid_to"] else ""
    sure = f", inferred, {record['confidence']} % sure" if record["kind"] == "inferred" else ""
    place, text = f"[{place_of(record)}{sure}]", _one_line(record["text"])
    return "  ".join((record["id"], _day(record["created_at"]), record["scope"], place, text)) + ended


def place_of(record: Json) -> str:
    """Return where a record is, in words."""
    if record["shared_at"]:
        return "cloud too"
    return "for the cloud" if record["cloud"] == "queued" else "here only"


def show_memory(record: Json) -> None:
    """Print every field of one memory, but those that say nothing."""
    for name, value in record.items():
        if value in (None, [], ""):
            continue
        if name in ("created_at", "valid_from", "valid_to", "last_used", "shared_at"):
            value = moment(value)  # noqa: PLW2901
        say(f"{name.replace('_', ' ')}: {', '.join(map(str, value)) if isinstance(value, list) else value}")


def short(text: str) -> str:
    """Return the beginning of a text as one short line."""
    line = _one_line(text)
    return line if len(line) <= _SHORT else line[: _SHORT - 1] + "…"


def show_memories(records: Sequence[Json]) -> None:
    """Print memories, or say that there are none."""
    for record in records:
        say(memory_line(record))
    if not records:
        say("no memories")


def show_pending(found: Json) -> None:
    """Print what waits for consent, and what was asked and never answered."""
    for asked in found["pending"]:
        say(f"{asked['id']}  {_day(asked['asked_at'])}  {asked['category']}  {_one_line(asked['text'])}")
    for old in found["unanswered"]:
        say(f"{old['id']}  {_day(old['asked_at'])}  {old['category']}  (its words are gone: never answered)")
    if not found["pending"] and not found["unanswered"]:
        say("nothing waits for your answer")
    elif found["pending"]:
        say("Answer in the chat with `/pending ID yes` (or no), else `keepmum memory pending --keep ID` (or --drop).")


def show_why(found: Json) -> None:
    """Print what one turn had to do with memory, and which turn that was."""
    say(f"{turn_line(found)}: {short(found['typed'])}")
    if found["failure"]:
        say("no answer came, so no memory was used in one and none was made of the message")
    else:
        for title, name in (("used in the answer", "used"), ("made of the message", "kept")):
            say(f"{title}:" if found[name] else f"{title}: none")
            for record in found[name]:
                say(f"  {memory_line(record)}")
    show_views(found["views"])


def turn_line(trace: Json) -> str:
    """Return which turn it was, when, and how it ended."""
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(trace["at"]))
    outcome = f"failed: {trace['failure']}" if trace["failure"] else f"model {trace['model'] or 'not known yet'}"
    return f"turn {trace['turn']}  {when}  {outcome}"


def show_traces(traces: Iterable[Json]) -> None:
    """Print turns in two columns: typed and sent, memories that went along, shown and received."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(no_color=not wants_colour(sys.stdout), highlight=False)
    for trace in traces:
        say(turn_line(trace))
        table = Table(show_lines=True, expand=True)
        for title in ("on this computer", "what the cloud saw"):
            table.add_column(title, ratio=1, overflow="fold")
        for row in _rows(trace):
            cells = [Text(printable(text, sys.stdout)) for text in row]
            for cell in cells:
                cell.highlight_regex(_PLACEHOLDER, "bold green")
            table.add_row(*cells)
        console.print(table)
        if trace["memories_used"]:
            say("memories used: " + ", ".join(trace["memories_used"]))
        show_views(trace["views"])
        if trace["counts"]:
            counts = sorted(trace["counts"].items())
            say("placeholders sent: " + ", ".join(f"{name} {count}" for name, count in counts))


def _rows(trace: Json) -> Iterable[tuple[str, str]]:
    """Yield what stood here beside what the cloud saw of it: message, memories that went along, answer."""
    yield trace["typed"], trace["sent"]
    for memory in trace["memories_sent"]:
        state = "" if memory["state"] == "as sent" else f" ({memory['state']})"
        yield f"memory {memory['id']}{state}:\n{memory['text']}", memory["sent"] or "(its words are no longer kept)"
    yield trace["shown"], trace["received"]


def show_views(views: Iterable[Json]) -> None:
    """Print which views a turn carried, and why these."""
    for view in views:
        name = (view["facet"] or view["slot"]).replace("_", " ")
        say(f'view: {name}, "{view["name"]}" for {view["topic"]}; {view["why"]}')


def moment(at: int, form: str = "%Y-%m-%d %H:%M:%S") -> str:
    """Return a Unix time in words of the local clock, or the number, if no clock shows it."""
    try:
        return time.strftime(form, time.localtime(at))
    except (OSError, OverflowError, ValueError):
        return str(at)


def _day(at: int) -> str:
    return moment(at, "%Y-%m-%d")


def _one_line(text: str) -> str:
    return " ".join(text.split())
