"""`python -m keepmum_models evaluate` and `label-cosines`."""

import argparse
import json
from itertools import chain
from pathlib import Path
from typing import Any, Final

from keepmum_models.evaluation import label_cosines
from keepmum_models.evaluation.figures import summary_by_language
from keepmum_models.evaluation.measure import KINDS, answers_of, make_extractor
from keepmum_models.evaluation.reading import dev_samples, held_back_samples
from keepmum_models.evaluation.sets import SETS
from keepmum_models.folders import ARTEFACT, data_folder

_SHOWN: Final = (
    "texts", "private", "leak", "f1", "f1_exact", "paper_f1", "typed", "negatives_masked", "overmask", "false_per_1k",
    "p50_ms", "p95_ms",
)  # fmt: skip


def add_parsers(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the subcommands."""
    evaluate = commands.add_parser("evaluate", help="measure an extractor on the dev files")
    evaluate.add_argument("--artefact", type=Path, default=ARTEFACT)
    evaluate.add_argument("--extractor", choices=KINDS, default=KINDS[0])
    evaluate.add_argument("--sets", type=lambda value: value.split(","), help="comma-separated; default: all")
    evaluate.add_argument("--most", type=int, default=600, help="texts of a set, 0: all")
    evaluate.add_argument("--held-back", type=Path, help="the generator's held-back users (JSON lines, gzip)")
    evaluate.add_argument("--out", type=Path, help="JSON; default: print only")
    evaluate.add_argument("--data", type=Path, default=data_folder(), help="folder of public sets")
    evaluate.set_defaults(run=run_evaluate)
    cosines = commands.add_parser("label-cosines", help="embed the type names anew for the metric of the paper")
    cosines.set_defaults(run=run_label_cosines)


def run_evaluate(arguments: argparse.Namespace) -> int:
    """Measure; prints one line a set and, with `--out`, writes JSON. Exit status 0, or 2 for an unknown set."""
    if unknown := set(arguments.sets or SETS) - set(SETS):
        print(f"no such set: {', '.join(sorted(unknown))}")
        return 2
    extractor = make_extractor(arguments.extractor, arguments.artefact)
    samples = dev_samples(arguments.data, arguments.sets, most=arguments.most, say=print)
    if arguments.held_back is not None:
        samples = chain(samples, held_back_samples(arguments.held_back, most=arguments.most))
    rows: dict[str, Any] = {}
    for sample in samples:
        row = summary_by_language(sample.spec, sample.texts, answers_of(extractor, sample.texts))
        print(f"{sample.name:26}" + "  ".join(f"{key} {row[key]}" for key in _SHOWN), flush=True)
        rows[sample.name] = row
    if arguments.out is not None:
        result = {"extractor": extractor.model_id, "most": arguments.most, "sets": rows}
        arguments.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0


def run_label_cosines(_: argparse.Namespace) -> int:
    """Write the table of cosines beside its module."""
    label_cosines.write_table()
    return 0
