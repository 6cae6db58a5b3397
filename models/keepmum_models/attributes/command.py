"""`python -m keepmum_models attributes`: train what reads protected attributes. Torch is imported when it runs."""

import argparse
from pathlib import Path
from typing import Final

from keepmum_models.folders import data_folder

ARTEFACT: Final = Path(__file__).parents[2] / "artefacts" / "attributes"
SHARE: Final = 0.03
_SEEN: Final = 20
"""Batches of texts by which the layers are made fit for int8."""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the subcommand."""
    parser = commands.add_parser("attributes", help="train what reads protected attributes, about half an hour")
    parser.add_argument("--out", type=Path, default=ARTEFACT)
    parser.add_argument("--data", type=Path, default=data_folder(), help="folder of public sets")
    parser.add_argument("--share", type=float, default=SHARE, help="of harmless texts, taken for each attribute")
    parser.add_argument("--version", default="1")
    parser.add_argument("--threads", type=int, default=0, help="default: as many as the machine has cores")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Train on the states of the shipped embedding, export, write the card."""
    import torch
    from keepmum_edge.memory.lexicon import Cues, fold, shipped_words
    from keepmum_inference.embedding import load_embedder
    from keepmum_shared.view import shipped_policy

    from keepmum_models.attributes.card import write_card
    from keepmum_models.attributes.examples import PATTERNS_SOURCE, examples, states_of
    from keepmum_models.attributes.export import write_artefact
    from keepmum_models.attributes.model import attribute_model
    from keepmum_models.attributes.patterns import training_patterns
    from keepmum_models.attributes.training import Task, some_of, train
    from keepmum_models.embedding.export import STATES_AFTER
    from keepmum_models.embedding.model import sentence_model
    from keepmum_models.packed import packed_e5_small

    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    cues, encoder, packed = Cues(shipped_words()), load_embedder(None), packed_e5_small()
    texts = list(examples(arguments.data, lambda text: bool(cues.labels(fold(text)))))
    states = states_of(encoder, [each.text for each in texts], _say)
    attributes = tuple(shipped_policy().layout.attributes)
    source = sentence_model(packed, [0])
    task = Task(
        attributes=attributes,
        untrained=lambda: attribute_model(source, STATES_AFTER, len(attributes)),
        share=arguments.share,
    )
    trained = train(task, texts, states, _say)
    seen = some_of(states, _SEEN)
    write_artefact(arguments.out, trained, seen, embedding=encoder.model_id, version=arguments.version)
    own = sum(each.source == PATTERNS_SOURCE for each in texts)
    write_card(
        arguments.out,
        trained,
        layers=packed.layers - STATES_AFTER,
        sentences=own,
        patterns=sum(1 for _ in training_patterns()),
        other=len(texts) - own,
        share=arguments.share,
    )
    return 0


def _say(line: str) -> None:
    print(line, flush=True)
