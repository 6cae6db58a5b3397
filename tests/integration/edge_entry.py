"""The real edge daemon with a shifted clock, an extractor that finds nothing, or the rules alone; for tests only.

    python edge_entry.py [--finds-nothing | --rules-only] [--clock SECONDS]

No setting or flag of the program turns masking off; this hands another extractor to the same entry point. The rules
alone are for tests whose subject is something else and whose words must not depend on what a model makes of them.
"""

import argparse
import os
import sys
import time

from keepmum_edge.config import load
from keepmum_edge.daemon.app import LoadExtractor
from keepmum_edge.daemon.process import run
from keepmum_edge.interfaces.cli.first_use import create_key_if_new
from keepmum_edge.interfaces.cli.serve import end_with_parent
from keepmum_edge.interfaces.http import create_app
from keepmum_edge.spans.extractor import Cancelled, TextKind
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_edge.spans.span import PrivateSpan


class FindsNothing:
    """Breaks the promise, so that the search for leaks can be seen to find them."""

    model_id = "finds-nothing"

    def extract(
        self, text: str, *, kind: TextKind = TextKind.PROSE, cancelled: Cancelled | None = None
    ) -> tuple[PrivateSpan, ...]:
        return ()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--finds-nothing", action="store_true")
    parser.add_argument("--rules-only", action="store_true")
    parser.add_argument("--clock", type=float, default=0)
    arguments = parser.parse_args()
    config = load(os.environ, {})
    create_key_if_new(config)
    end_with_parent(sys.stdin.buffer)
    load_extractor: LoadExtractor | None = None
    if arguments.finds_nothing:
        load_extractor = FindsNothing
    elif arguments.rules_only:
        load_extractor = RuleExtractor
    run(config, create_app, load_extractor=load_extractor, now=lambda: time.time() + arguments.clock)


if __name__ == "__main__":
    main()
