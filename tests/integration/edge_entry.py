"""The real edge daemon with a shifted clock or an extractor that finds nothing; for tests only.

    python edge_entry.py [--finds-nothing] [--clock SECONDS]

No setting or flag of the program turns masking off; this hands another extractor to the same entry point.
"""

import argparse
import os
import sys
import time

from keepmum_edge.config import load
from keepmum_edge.daemon.app import run
from keepmum_edge.interfaces.cli.first_use import create_key_if_new
from keepmum_edge.interfaces.cli.serve import end_with_parent
from keepmum_edge.interfaces.http import create_app
from keepmum_edge.spans.span import PrivateSpan


class FindsNothing:
    """Breaks the promise, so that the search for leaks can be seen to find them."""

    model_id = "finds-nothing"
    finds_names = False

    def extract(self, text: str) -> tuple[PrivateSpan, ...]:
        return ()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--finds-nothing", action="store_true")
    parser.add_argument("--clock", type=float, default=0)
    arguments = parser.parse_args()
    config = load(os.environ, {})
    create_key_if_new(config)
    end_with_parent(sys.stdin.buffer)
    extractor = FindsNothing() if arguments.finds_nothing else None
    run(config, create_app, extractor=extractor, now=lambda: time.time() + arguments.clock)


if __name__ == "__main__":
    main()
