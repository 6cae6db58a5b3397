"""`python -m keepmum_models corpus`: write the corpus and say what is in it."""

import argparse
import json
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from keepmum_models.corpus import generate
from keepmum_models.corpus.generate import Message
from keepmum_models.corpus.overlap import Fence
from keepmum_models.corpus.stats import Stats
from keepmum_models.corpus.writer import write

_PROGRESS_EVERY = 2000


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the subcommand."""
    parser = commands.add_parser("corpus", help="write the generated corpus")
    parser.add_argument("--out", type=Path, required=True, help="folder for train.jsonl.gz or held_back.jsonl.gz")
    parser.add_argument("--messages", type=int, default=60_000, help="training messages, half in each language")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-back", action="store_true", help="write the 40 held-back users instead")
    parser.add_argument("--json", action="store_true", help="print what was written as JSON")
    parser.set_defaults(run=run)


def _fenced(messages: Iterable[Message], fence: Fence) -> Iterable[Message]:
    for message in messages:
        fence.check(message)
        yield message


def run(arguments: argparse.Namespace) -> int:
    """Write one file. Raises SharedEntityError if training would show an entity of the held-back users."""
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.held_back:
        path, messages = arguments.out / "held_back.jsonl.gz", generate.held_back(seed=arguments.seed)
    else:
        fence = Fence(generate.held_back(seed=arguments.seed))
        path = arguments.out / "train.jsonl.gz"
        messages = iter(_fenced(generate.training(arguments.messages, seed=arguments.seed), fence))
    stats, begun = Stats(), time.monotonic()
    for message in write(path, messages):
        stats.add(message)
        if stats.messages % _PROGRESS_EVERY == 0:
            print(f"{stats.messages} messages, {stats.spans} spans, {time.monotonic() - begun:.0f} s", file=sys.stderr)
    if arguments.json:
        print(json.dumps(stats.as_dict() | {"seconds": round(time.monotonic() - begun, 1)}, ensure_ascii=False))
    else:
        print(f"{path}: {stats.messages} messages, {stats.spans} spans, {stats.without_spans} messages without")
    return 0
