"""`python -m keepmum_models embedding`: make the sentence embedding and measure it. Torch is imported when it runs."""

import argparse
from pathlib import Path
from typing import Final

from keepmum_models.folders import data_folder

ARTEFACT: Final = Path(__file__).parents[2] / "artefacts" / "embedding"
PIECES: Final = 64_000
_CODE: Final = 20_000
_SEEN: Final = 400
"""Texts by which the layers are made fit for int8."""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the subcommand."""
    parser = commands.add_parser("embedding", help="write the sentence embedding that memories are searched with")
    parser.add_argument("--out", type=Path, default=ARTEFACT)
    parser.add_argument("--corpus", type=Path, help="generated corpus (JSON lines, gzip), to count pieces on")
    parser.add_argument("--pieces", type=int, default=PIECES, help="size of the vocabulary")
    parser.add_argument("--pieces-of", type=Path, metavar="FOLDER", help="take the vocabulary of an artefact instead")
    parser.add_argument("--version", default="1")
    parser.add_argument("--data", type=Path, default=data_folder(), help="folder of public sets")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Choose pieces, export, measure on texts that were kept out of the counting, write the card."""
    from keepmum_inference.embedder import SentenceEmbedder, load_embedding_artefact
    from tokenizers import Tokenizer

    from keepmum_models.embedding.card import write_card
    from keepmum_models.embedding.export import write_artefact
    from keepmum_models.embedding.fidelity import measure, sample
    from keepmum_models.embedding.model import sentence_model
    from keepmum_models.embedding.pieces import build_tokenizer, choose_pieces, pieces_of
    from keepmum_models.examples import read_code, read_corpus, read_train_sets
    from keepmum_models.packed import packed_e5_small

    packed = packed_e5_small()
    examples = [*read_train_sets(arguments.data), *read_code(most=_CODE)]
    if arguments.corpus is not None:
        examples += read_corpus(arguments.corpus)
    counted = [example.text for example in examples if not example.is_dev]
    if arguments.pieces_of is None:
        kept = choose_pieces(packed.pieces, counted, size=arguments.pieces)
    else:
        shipped = load_embedding_artefact(arguments.pieces_of)
        kept = pieces_of(Tokenizer.from_str(shipped.tokenizer_json), packed.pieces)
    model = sentence_model(packed, kept)
    write_artefact(arguments.out, model, packed, kept, sample(counted, most=_SEEN), version=arguments.version)
    print(f"{len(kept)} pieces, {sum(path.stat().st_size for path in arguments.out.iterdir()) / 1e6:.1f} MB")
    made = SentenceEmbedder(load_embedding_artefact(arguments.out))
    whole, tokenizer = sentence_model(packed, list(range(len(packed.pieces)))), build_tokenizer(packed.pieces)
    by_source: dict[str, list[str]] = {}
    for example in examples:
        if example.is_dev:
            by_source.setdefault(example.source, []).append(example.text)
    fidelity = [measure(source, sample(texts), made, whole, tokenizer) for source, texts in sorted(by_source.items())]
    for each in fidelity:
        print(f"{each.source:20} {each.texts:4} texts, cosine mean {each.mean:.4f}, lowest {each.lowest:.4f}")
    write_card(arguments.out, pieces=len(kept), layers=packed.layers, dimension=packed.hidden, fidelity=fidelity)
    return 0
