"""`python -m keepmum_models COMMAND`: one subcommand for each step from corpus to artefact."""

import argparse
import sys
from collections.abc import Sequence

from keepmum_models import commands as model_commands
from keepmum_models import listed_names
from keepmum_models.attributes import command as attributes_command
from keepmum_models.corpus import command as corpus_command
from keepmum_models.embedding import command as embedding_command
from keepmum_models.evaluation import command as evaluation_command


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand and return its exit status."""
    parser = argparse.ArgumentParser(prog="keepmum_models", description="Corpus, training, export and evaluation.")
    commands = parser.add_subparsers(dest="command", required=True)
    corpus_command.add_parser(commands)
    model_commands.add_parsers(commands)
    embedding_command.add_parser(commands)
    attributes_command.add_parser(commands)
    evaluation_command.add_parsers(commands)
    listed_names.add_parser(commands)
    arguments = parser.parse_args(argv)
    return int(arguments.run(arguments))


if __name__ == "__main__":
    sys.exit(main())
