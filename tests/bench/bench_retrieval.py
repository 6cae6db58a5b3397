"""How well the sessions that hold an answer are found, with privacy off and on. One JSON line, then tables. No network.

    python tests/bench/bench_retrieval.py                            en_lifebench_pii, its dev users
    python tests/bench/bench_retrieval.py --locomo locomo10.json     LoCoMo, a file that you have
    python tests/bench/bench_retrieval.py --history mine.json        the format of `histories`

Four settings of privacy (see `masking`), three systems: the product's search, its lexical scores alone and its vector
scores alone. With privacy on, turns that hold a value of a special category stay on the edge and are searched there, in
clear; `--one-half` puts everything at the cloud. Differences are paired by question, with 95 % intervals. `--markdown`
prints the table for the README.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from histories import History, read_lifebench, read_locomo, read_own
from keepmum_edge.spans.combined import CombinedExtractor
from keepmum_edge.spans.encoder import EncoderExtractor
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_inference.embedder import SentenceEmbedder, artefact_folder, load_embedding_artefact
from masking import Masker, Privacy
from ranking_quality import DEPTHS, Quality, difference, quality
from report import machine, show, show_table
from session_search import RememberingVectors, System, halves, rankings

DATA_VARIABLE: Final = "KEEPMUM_DATA"
DEFAULT_DATA: Final = Path(__file__).parents[3] / "shared" / "data"
LOSS_MEAN: Final = 0.5
LOSS_HIGH: Final = 1.0
LOCOMO_RECALL: Final = 95.0
LOCOMO_MRR: Final = 85.0

Figures = dict[tuple[Privacy, System], Quality]
Rows = list[tuple[object, ...]]


def say(line: str) -> None:
    """Tell of progress, apart from the result."""
    print(line, file=sys.stderr, flush=True)


def measure(
    histories: Sequence[History], settings: Sequence[Privacy], *, one_half: bool, questions: int | None
) -> tuple[Figures, list[str], float]:
    """Rank every question's sessions under every setting; return figures, kinds of question, share of turns kept."""
    vectors = RememberingVectors(SentenceEmbedder(load_embedding_artefact(artefact_folder())), say=say)
    masker = Masker(CombinedExtractor(RuleExtractor(), EncoderExtractor()))
    found: dict[tuple[Privacy, System], list[list[str]]] = {}
    evidence, kinds, kept, turns = [], [], 0, 0
    for clear in histories:
        if questions is not None:
            clear = History(id=clear.id, sessions=clear.sessions, questions=clear.questions[:questions])
        evidence += [question.evidence for question in clear.questions]
        kinds += [question.kind for question in clear.questions]
        turns += sum(len(session.turns) for session in clear.sessions)
        kept += 0 if one_half else sum(masker.stays(turn) for session in clear.sessions for turn in session.turns)
        everyone = [session.id for session in clear.sessions]
        for privacy in settings:
            say(f"{clear.id}: privacy {privacy}")
            together = one_half or privacy is Privacy.OFF
            stays = (lambda _: False) if together else masker.stays
            parts = halves(masker.masked(clear, privacy), clear, stays, vectors)
            for system in System:
                found.setdefault((privacy, system), []).extend(rankings(parts, everyone, vectors, system))
    return {key: quality(ranked, evidence) for key, ranked in found.items()}, kinds, kept / max(1, turns)


def compare(figures: Figures) -> dict[str, dict[str, Any]]:
    """Return the differences that the targets speak of."""
    pairs: dict[str, tuple[tuple[Privacy, System], tuple[Privacy, System]]] = {
        f"loss, privacy {privacy}": ((Privacy.OFF, System.FUSED), (privacy, System.FUSED))
        for privacy in Privacy
        if privacy is not Privacy.OFF and {(Privacy.OFF, System.FUSED), (privacy, System.FUSED)} <= set(figures)
    }
    pairs |= {
        f"gain over {system} alone, privacy {privacy}": ((privacy, System.FUSED), (privacy, system))
        for privacy in (Privacy.OFF, Privacy.TYPED)
        for system in (System.BM25, System.DENSE)
        if (privacy, System.FUSED) in figures
    }
    return {
        name: {
            "recall@10": asdict(difference(figures[a].recall[10], figures[b].recall[10])),
            "mrr": asdict(difference(figures[a].reciprocal_rank, figures[b].reciprocal_rank)),
        }
        for name, (a, b) in pairs.items()
    }


def targets(figures: Figures, differences: dict[str, dict[str, Any]], *, locomo: bool) -> list[dict[str, Any]]:
    """Return the figures that have a target and can be judged, each with it and whether it is met."""
    rows: list[dict[str, Any]] = []
    for name in ("recall@10", "mrr"):
        if loss := differences.get(f"loss, privacy {Privacy.TYPED}"):
            rows.append(_target(f"loss of {name} by masking, mean", loss[name]["mean"], "<=", LOSS_MEAN))
            rows.append(_target(f"loss of {name} by masking, upper end", loss[name]["high"], "<=", LOSS_HIGH))
        for system in (System.BM25, System.DENSE):
            if gain := differences.get(f"gain over {system} alone, privacy {Privacy.TYPED}"):
                rows.append(_target(f"{name} above {system} alone", gain[name]["mean"], ">", 0.0))
    if locomo and (typed := figures.get((Privacy.TYPED, System.FUSED))):
        means = typed.means()
        rows.append(_target("recall@10, privacy typed", means["recall@10"], ">=", LOCOMO_RECALL))
        rows.append(_target("mrr, privacy typed", means["mrr"], ">=", LOCOMO_MRR))
    return rows


def _target(name: str, value: float, relation: str, limit: float) -> dict[str, Any]:
    met = {"<=": value <= limit, ">": value > limit, ">=": value >= limit}[relation]
    return {"name": name, "value": value, "target": f"{relation} {limit:g}", "met": met}


def by_kind(figures: Figures, kinds: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return the product's figures with privacy on (else off) for each kind of question."""
    best = figures.get((Privacy.TYPED, System.FUSED)) or next(iter(figures.values()))
    rows: dict[str, dict[str, float]] = {}
    for kind in sorted(set(kinds)):
        these = [place for place, each in enumerate(kinds) if each == kind]
        rows[kind] = {
            "questions": len(these),
            "recall@10": round(100 * float(best.recall[10][these].mean()), 2),
            "mrr": round(100 * float(best.reciprocal_rank[these].mean()), 2),
        }
    return rows


def _figure_rows(figures: Figures) -> Rows:
    columns = [*(f"recall@{depth}" for depth in DEPTHS), "mrr"]
    rows: Rows = [("privacy", "search", *columns)]
    return [*rows, *((p, s, *(q.means()[column] for column in columns)) for (p, s), q in figures.items())]


def _difference_rows(differences: dict[str, dict[str, Any]]) -> Rows:
    rows: Rows = [("difference, in points", "figure", "mean", "95 % interval")]
    for title, each in differences.items():
        for column, gap in each.items():
            rows.append((title, column, f"{gap['mean']:+.2f}", f"{gap['low']:+.2f} to {gap['high']:+.2f}"))
    return rows


def _target_rows(rules: Sequence[dict[str, Any]]) -> Rows:
    rows: Rows = [("target", "measured", "asked", "met")]
    return [*rows, *((rule["name"], rule["value"], rule["target"], "yes" if rule["met"] else "NO") for rule in rules)]


def markdown(result: dict[str, Any], tables: Sequence[Rows]) -> str:
    """Return the tables as the README shows them, below how they were measured."""
    how = (
        f"{result['data']}: {result['questions']} questions over {result['sessions']} sessions of {result['histories']}"
        f" people, on {result['machine']}. In per cent; {100 * result['turns_kept_on_edge']:.1f} % of the turns stay on"
        " the edge while privacy is on."
    )
    return "\n".join([how, *(line for rows in tables for line in ("", *_markdown_table(rows)))])


def _markdown_table(rows: Rows) -> list[str]:
    heading, *body = rows
    lines = (heading, ["---"] * len(heading), *body)
    return ["| " + " | ".join(map(str, cells)) + " |" for cells in lines]


def read(arguments: argparse.Namespace) -> tuple[str, Sequence[History]]:
    """Read what is to be measured."""
    if arguments.locomo is not None:
        return "LoCoMo", read_locomo(arguments.locomo)
    if arguments.history is not None:
        return arguments.history.name, read_own(arguments.history)
    return f"en_lifebench_pii, {arguments.split}", read_lifebench(arguments.data / "en_lifebench_pii", arguments.split)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and report; exit status 2 where the data are not there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--locomo", type=Path, help="LoCoMo's file")
    source.add_argument("--history", type=Path, help="a file in the format of `histories`")
    source.add_argument("--split", default="dev", choices=("dev", "train"), help="of en_lifebench_pii")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get(DATA_VARIABLE, DEFAULT_DATA)))
    parser.add_argument("--privacy", type=lambda text: [Privacy(name) for name in text.split(",")], default=[*Privacy])
    parser.add_argument("--one-half", action="store_true", help="keep nothing from the cloud")
    parser.add_argument("--questions", type=int, help="of each history, at most")
    parser.add_argument("--markdown", action="store_true", help="print the tables for the README, and nothing else")
    arguments = parser.parse_args(argv)
    try:
        name, histories = read(arguments)
    except FileNotFoundError as error:
        say(f"skipped: {error.filename} is not there")
        return 2
    began = time.monotonic()
    figures, kinds, kept = measure(
        histories, arguments.privacy, one_half=arguments.one_half, questions=arguments.questions
    )
    differences = compare(figures)
    result: dict[str, Any] = {
        "bench": "retrieval",
        "data": name,
        "machine": machine(),
        "histories": len(histories),
        "sessions": sum(len(history.sessions) for history in histories),
        "questions": len(kinds),
        "turns_kept_on_edge": round(kept, 4),
        "figures": {f"{privacy} {system}": q.means() for (privacy, system), q in figures.items()},
        "kinds": by_kind(figures, kinds),
        "differences": differences,
        "targets": targets(figures, differences, locomo=arguments.locomo is not None),
        "seconds": round(time.monotonic() - began),
    }
    tables = [_figure_rows(figures), _difference_rows(differences), _target_rows(result["targets"])]
    if arguments.markdown:
        print(markdown(result, tables))
        return 0
    show(result, tables[0])
    for table in tables[1:]:
        print()
        show_table(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
