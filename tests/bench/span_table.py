"""What bench_spans shows: the table in the terminal, and the one between two marks in README.md (pure)."""

from collections.abc import Mapping
from typing import Any, Final

OURS: Final = "keepmum"
TUNED: Final = "presidio tuned"
BEGIN: Final = "<!-- made by tests/bench/bench_spans.py --readme -->"
END: Final = "<!-- end of what bench_spans.py made -->"
HEADING: Final = (
    "set",
    "texts",
    "private",
    "leak %",
    "lowest of a peer",
    "F1 % (exact)",
    "best of a peer",
    "paper's F1 %",
    "false masks per 1,000",
    "tuned Presidio",
    "of negatives %",
    "p50 / p95 ms",
)


class MarksMissingError(ValueError):
    """README.md has not the two marks that the table goes between, each once and in order."""


def table(result: Mapping[str, Any]) -> list[list[str]]:
    """Return the rows of the table, the heading first."""
    return [list(HEADING), *(_row(name, entry) for name, entry in result["sets"].items())]


def _row(name: str, entry: Mapping[str, Any]) -> list[str]:
    rows = entry["rows"]
    ours = rows[OURS]
    peers = {peer: row for peer, row in rows.items() if peer != OURS}
    tuned = rows.get(TUNED)
    false = _cell(ours["false_per_1k"])
    if "false_target" in entry:
        false += " ✓" if entry["false_target"]["met"] else " ✗"
    return [
        name,
        str(ours["texts"]),
        str(ours["private"]),
        _with_interval(ours, "leak"),
        _best(peers, "leak", lowest=True),
        f"{_with_interval(ours, 'f1')} ({_cell(ours['f1_exact'])})" if ours["f1"] is not None else "–",
        _best(peers, "f1", lowest=False),
        _cell(ours["paper_f1"]),
        false,
        _cell(tuned["false_per_1k"]) if tuned else "–",
        _cell(ours["negatives_masked"]),
        f"{ours['p50_ms']:.1f} / {ours['p95_ms']:.1f}",
    ]


def _best(peers: Mapping[str, Mapping[str, Any]], name: str, *, lowest: bool) -> str:
    known = {peer: row[name] for peer, row in peers.items() if row[name] is not None}
    if not known:
        return "–"
    peer = (min if lowest else max)(known, key=lambda one: known[one])
    return f"{known[peer]} {peer}"


def _with_interval(row: Mapping[str, Any], name: str) -> str:
    ends = row["intervals"].get(name)
    return _cell(row[name]) + (f" [{ends[0]}, {ends[1]}]" if ends else "")


def _cell(value: float | None) -> str:
    return "–" if value is None else str(value)


def markdown(result: Mapping[str, Any]) -> str:
    """Return what stands between the marks: how it was measured, the table, latency and memory."""
    rows = table(result)
    how = (
        f"Rules and model together (`{_short(result['extractor'])}`) on {result['machine']}, {result['date']}; "
        f"{result['data']}. Per cent with 95 % intervals; ✓ or ✗: at most a third of tuned Presidio's, or not."
    )
    lines = [
        how,
        "",
        *("| " + " | ".join(row) + " |" for row in (rows[0], ["---"] * len(HEADING), *rows[1:])),
        "",
        *([_latency(result["latency"]), ""] if result["latency"] else []),
        "Peers, in the same run: " + ", ".join(map(_peer, result["peers"])) + ".",
    ]
    return "\n".join(lines)


def _short(extractor: str) -> str:
    """Return the names of the parts with eight digits of each sum."""
    return "+".join(part[: part.index(":") + 9] if "sha256:" in part else part for part in extractor.split("+"))


def _latency(latency: Mapping[str, Any]) -> str:
    shown = [
        f"{name} {row['p50_ms']['value']:.1f} / {row['p95_ms']:.1f} ms (target {row['p50_ms']['target']:g}: "
        f"{'met' if row['p50_ms']['met'] else '**not met**'}; processor time {row['processor_p50_ms']:.1f})"
        for name, row in latency["rows"].items()
    ]
    resident = latency["resident_mb"]
    return (
        f"On one thread, p50 / p95 of the whole extractor: {', '.join(shown)}. Loaded in {latency['load_s']:.1f} s; "
        f"resident {resident['after']:.0f} MB, of which {resident['before']:.0f} before the model."
    )


def _peer(peer: Mapping[str, Any]) -> str:
    return f"{peer['peer']} {peer['version']}" if "version" in peer else f"{peer['peer']} (absent: {peer['absent']})"


def between_marks(readme: str, made: str) -> str:
    """Return the README with what stands between the marks replaced.

    Raises:
        MarksMissingError: the marks are not there, each once and in order.
    """
    if readme.count(BEGIN) != 1 or readme.count(END) != 1 or readme.index(BEGIN) > readme.index(END):
        raise MarksMissingError(f"needs {BEGIN} and, below it, {END}")
    head, tail = readme[: readme.index(BEGIN) + len(BEGIN)], readme[readme.index(END) :]
    return f"{head}\n\n{made}\n\n{tail}"
