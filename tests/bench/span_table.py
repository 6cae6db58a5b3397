"""What bench_spans shows: the table in the terminal, and the one between two marks in README.md (pure)."""

from collections.abc import Mapping
from typing import Any, Final

from span_targets import LATENCY, OURS, SECRETS_OF_USERS, TUNED

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
    "negatives masked %",
    "texts over-masked %",
    "false characters per 1,000",
    "tuned Presidio",
    "p50 / p95 ms",
)
_MARKS: Final[Mapping[bool | None, str]] = {True: "✓", False: "✗", None: "?"}
_NOTES: Final = (
    "The paper reports 85.97 % by its metric at best, on a bench of its own that is harder than these users. "
    "Much of what en_presidio_research counts as leaked is countries and firms that a sentence only speaks of: public "
    "by design, and left. `+places` counts all places and organisations of a set as private, without a target."
)


class MarksMissingError(ValueError):
    """README.md has not the two marks that the table goes between, each once and in order."""


def table(result: Mapping[str, Any]) -> list[list[str]]:
    """Return the rows of the table of sets, the heading first."""
    return [list(HEADING), *(_row(name, entry, _targets_of(result, name)) for name, entry in result["sets"].items())]


def target_table(result: Mapping[str, Any]) -> list[list[str]]:
    """Return the rows of all other targets, those of sets that were left out too, the heading first."""
    rows = [[_named(target), _cell(target["value"]), *_asked(target)] for target in _beside_the_sets(result)]
    return [["target", "value", "asked", "met"], *rows]


def _targets_of(result: Mapping[str, Any], name: str) -> dict[str, Mapping[str, Any]]:
    return {target["figure"]: target for target in result["targets"] if target["of"] == name}


def _beside_the_sets(result: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the targets that have no cell in a row of a set, such as those of sets that were left out."""
    return [target for target in result["targets"] if target["of"] not in result["sets"]]


def _row(name: str, entry: Mapping[str, Any], targets: Mapping[str, Mapping[str, Any]]) -> list[str]:
    rows = entry["rows"]
    ours = rows[OURS]
    peers = {peer: row for peer, row in rows.items() if peer != OURS}
    tuned = rows.get(TUNED)

    def judged(figure: str, shown: str) -> str:
        return " ".join([shown, *_asked(targets[figure])]) if figure in targets else shown

    return [
        name,
        str(ours["texts"]),
        str(ours["private"]),
        judged("leak", _with_interval(ours, "leak")),
        _best(peers, "leak", lowest=True),
        judged("f1", f"{_with_interval(ours, 'f1')} ({_cell(ours['f1_exact'])})" if ours["f1"] is not None else "–"),
        _best(peers, "f1", lowest=False),
        judged("paper_f1", _cell(ours["paper_f1"])),
        judged("negatives_masked", _cell(ours["negatives_masked"])),
        judged("overmask", _cell(ours["overmask"])),
        judged("false_per_1k", _cell(ours["false_per_1k"])),
        _cell(tuned["false_per_1k"]) if tuned else "–",
        f"{ours['p50_ms']:.1f} / {ours['p95_ms']:.1f}",
    ]


def _asked(target: Mapping[str, Any]) -> list[str]:
    """Return what is asked for and whether it is reached: `≤ 8`, `✓`."""
    limit = "of a peer that is absent" if target["limit"] is None else f"{target['limit']:g}"
    return [f"{'≥' if target['is_least'] else '≤'} {limit}", _MARKS[target["met"]]]


def _named(target: Mapping[str, Any]) -> str:
    return f"{target['of']}: {target['figure']}"


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
    """Return what stands between the marks: how it was measured, the table, the other targets, what is not met."""
    rows = table(result)
    how = (
        f"Rules and model together (`{_short(result['extractor'])}`) on {result['machine']}, {result['date']}; "
        f"{result['data']}. Per cent with 95 % intervals; behind a figure its target, ✓ met, ✗ not met, ? not known "
        "from this run. False characters: at most a third of tuned Presidio's on every English set."
    )
    lines = [
        how,
        "",
        *("| " + " | ".join(row) + " |" for row in (rows[0], ["---"] * len(HEADING), *rows[1:])),
        "",
        *_paragraphs(result),
        "Peers, in the same run: " + ", ".join(map(_peer, result["peers"])) + ".",
    ]
    return "\n".join(lines)


def _paragraphs(result: Mapping[str, Any]) -> list[str]:
    met = sum(target["met"] is True for target in result["targets"])
    judged = f"Of {len(result['targets'])} targets {met} are met. **Not met**: {_listed(result, met=False)}. "
    paragraphs = [judged + f"Not measured here: {_listed(result, met=None)}.", _NOTES]
    if result["secrets"]:
        paragraphs.append(_secrets(result))
    if result["latency"]:
        paragraphs.append(_latency(result))
    shown = [
        f"{_named(target)} {target['value']:g} {' '.join(_asked(target))}"
        for target in _beside_the_sets(result)
        if target["met"] is not None and not target["of"].startswith((SECRETS_OF_USERS, LATENCY))
    ]
    if shown:
        paragraphs.append(f"Also: {'; '.join(shown)}.")
    return [line for paragraph in paragraphs for line in (paragraph, "")]


def _listed(result: Mapping[str, Any], *, met: bool | None) -> str:
    figures: dict[str, list[str]] = {}
    for target in result["targets"]:
        if target["met"] is met:
            figures.setdefault(target["of"], []).append(target["figure"])
    return "; ".join(f"{of} ({', '.join(names)})" for of, names in figures.items()) or "none"


def _secrets(result: Mapping[str, Any]) -> str:
    shown = []
    for entity_type, row in result["secrets"]["types"].items():
        (target,) = _targets_of(result, f"{SECRETS_OF_USERS}, {entity_type}").values()
        shown.append(f"{entity_type} {row['masked']:g} of {row['private']} {_MARKS[target['met']]}")
    return (
        f"Secrets of the held-back users masked, in per cent, {result['secrets']['draws']} draws of the users, "
        f"target {target['limit']:g} by type: {', '.join(shown)}."
    )


def _short(extractor: str) -> str:
    """Return the names of the parts with eight digits of each sum."""
    return "+".join(part[: part.index(":") + 9] if "sha256:" in part else part for part in extractor.split("+"))


def _latency(result: Mapping[str, Any]) -> str:
    latency, targets = result["latency"], _targets_of(result, LATENCY)
    shown = [
        f"{name} {row['p50_ms']:.1f} / {row['p95_ms']:.1f} ms ({' '.join(_asked(targets[name]))}; "
        f"processor time {row['processor_p50_ms']:.1f})"
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
