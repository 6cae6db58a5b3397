"""The commands train, export and card of `python -m keepmum_models`. Torch is imported only where it is needed."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

from keepmum_models.folders import ARTEFACT, data_folder

EVALUATION: Final = "evaluation.json"
METRICS: Final = "metrics.json"
_DEV_MOST: Final = 400


def add_parsers(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the three commands."""
    train = commands.add_parser("train", help="train the span model into a run folder")
    train.add_argument(
        "--run", dest="folder", type=Path, required=True, help="run folder: checkpoints, weights, metrics"
    )
    train.add_argument("--corpus", type=Path, help="generated corpus (JSON lines, gzip)")
    train.add_argument("--recipe", type=Path, help="TOML; default: the shipped recipe")
    train.add_argument("--minutes", type=float, help="wall clock for training; default: the recipe's")
    train.add_argument("--resume", action="store_true", help="go on from the run folder's checkpoint")
    train.add_argument("--threads", type=int, default=0, help="default: as many as the machine has cores")
    train.set_defaults(run=run_train)
    export = commands.add_parser("export", help="write the artefact of a run, with calibrated thresholds")
    export.add_argument("--run", dest="folder", type=Path, required=True)
    export.add_argument("--corpus", type=Path, help="the corpus it was trained on; its dev users calibrate")
    export.add_argument("--out", type=Path, default=ARTEFACT)
    export.add_argument("--version", default="1")
    export.set_defaults(run=run_export)
    card = commands.add_parser("card", help="write the model card again, with the figures beside the artefact")
    card.add_argument("--run", dest="folder", type=Path, required=True)
    card.add_argument("--out", type=Path, default=ARTEFACT)
    card.set_defaults(run=run_card)
    for parser in (train, export):
        parser.add_argument("--data", type=Path, default=data_folder(), help="folder of public sets")


def run_train(arguments: argparse.Namespace) -> int:
    """Train; exit status 0, or 2 where there is nothing to train on."""
    import torch

    from keepmum_models.examples import read_code, read_corpus, read_train_sets
    from keepmum_models.recipe import SHIPPED, read_recipe
    from keepmum_models.training import train

    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    recipe = read_recipe(arguments.recipe or SHIPPED)
    examples = list(read_train_sets(arguments.data))
    if arguments.corpus is not None:
        examples += read_corpus(arguments.corpus)
    examples += read_code(most=recipe.data.code)
    if not examples:
        _say("nothing to train on: no corpus given, and no `train` file under the data folder")
        return 2
    arguments.folder.mkdir(parents=True, exist_ok=True)
    minutes = recipe.run.minutes if arguments.minutes is None else arguments.minutes
    train(arguments.folder, examples, recipe, minutes=minutes, resume=arguments.resume, report=_say)
    return 0


def run_export(arguments: argparse.Namespace) -> int:
    """Export, calibrate, seal and write the model card."""
    from keepmum_inference.artefact import load_span_artefact

    from keepmum_models.decode import calibrate
    from keepmum_models.examples import read_corpus, read_train_sets
    from keepmum_models.export import UNCALIBRATED, rewrite_thresholds, write_artefact
    from keepmum_models.training import load_trained

    write_artefact(
        arguments.folder,
        arguments.out,
        load_trained(arguments.folder),
        version=arguments.version,
        thresholds=UNCALIBRATED,
    )
    dev = [e for e in read_train_sets(arguments.data) if e.is_dev]
    if arguments.corpus is not None:
        dev += [e for e in read_corpus(arguments.corpus) if e.is_dev][:_DEV_MOST]
    if dev:
        thresholds = calibrate(load_span_artefact(arguments.out), dev)
        rewrite_thresholds(arguments.out, thresholds, version=arguments.version)
    _say(f"exported; calibrated on {len(dev)} texts")
    return run_card(arguments)


def run_card(arguments: argparse.Namespace) -> int:
    """Write the model card from the run's metrics and, where they lie beside the artefact, the figures."""
    from keepmum_models.card import write_card

    metrics = json.loads((arguments.folder / METRICS).read_text(encoding="utf-8"))
    write_card(arguments.out, metrics, _read_figures(arguments.out))
    return 0


def _read_figures(folder: Path) -> dict[str, Any]:
    path = folder / EVALUATION
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
