"""The real cloud half for a proof: every decoded byte is written down, clock and ids are a test's; for tests only.

    python proof_cloud.py [--script FILE] [--record FILE] [--policy FILE] [--at-once FILE] [--pair]

--record takes down what comes out of TLS, before any of our code sees it: one JSON line a piece, [connection, text].
--script sets the process's clock, and what it draws for its own ids, as `scripted_chance` says, and lets it embed
between requests only. --at-once answers every turn with the events of a file, unread, so that a turn costs nothing.
"""

import argparse
import itertools
import json
import os
import secrets
import time
from pathlib import Path
from typing import Any

from keepmum_shared.view import loading
from scripted_chance import ScriptedChance
from uvicorn.protocols.http.auto import AutoHTTPProtocol


def record_bytes(file: Path) -> None:
    """Write down whatever a connection gives, as it comes."""
    receive, numbers = AutoHTTPProtocol.data_received, itertools.count(1)

    def data_received(self: Any, data: bytes) -> None:
        if not hasattr(self, "number"):
            self.number = next(numbers)
        with file.open("a", encoding="utf-8") as record:
            record.write(json.dumps([self.number, data.decode("latin-1")]) + "\n")
        receive(self, data)

    AutoHTTPProtocol.data_received = data_received


def use_script(scripted: ScriptedChance) -> None:
    """Take clock and ids from a test."""
    time.time = scripted.now
    secrets.token_hex = lambda count=None: scripted.bytes_of("request", count or 8).hex()
    secrets.randbits = lambda bits: int.from_bytes(scripted.bytes_of("bits", 64), "big") >> (512 - bits)


def embed_between_requests(journal: Any) -> None:
    """Embed what a request brings once it is answered: whether its own recall finds a vector must not be a race."""
    from keepmum_cloud.memory.embedding_work import EmbeddingWork

    embed_some = EmbeddingWork.embed_some

    def between(self: EmbeddingWork, embedder: Any) -> bool:
        while journal.running:
            time.sleep(0.005)
        return embed_some(self, embedder)

    EmbeddingWork.embed_some = between  # type: ignore[method-assign]


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("--script", "--record", "--policy", "--at-once"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--pair", action="store_true")
    asked = parser.parse_args()
    if asked.script is not None:
        use_script(ScriptedChance(asked.script))
    if asked.record is not None:
        record_bytes(asked.record)
    if asked.policy is not None:
        text = asked.policy.read_text(encoding="utf-8")
        loading._text = lambda _: text

    serve(asked)


def serve(asked: argparse.Namespace) -> None:
    """Run the server; imported only now, since its parts take the clock as they are read."""
    from cloud_entry import Hostile
    from keepmum_cloud.app import Cloud, create_app
    from keepmum_cloud.config import config_file, load_config
    from keepmum_cloud.database import Database
    from keepmum_cloud.journal import Journal
    from keepmum_cloud.logs import own_stderr, set_up_logs
    from keepmum_cloud.server import pairing_uri, parent_pipe, run

    settings = load_config(config_file(os.environ), os.environ, {})

    def announce(port: int, database: Database) -> None:
        if asked.pair:
            uri = pairing_uri(settings, database, port=port, now=int(time.time()))
            print(json.dumps({"pairing_uri": str(uri), "port": port}), flush=True)

    def application(cloud: Cloud) -> Journal:
        real = create_app(cloud)
        journal = real if asked.at_once is None else Journal(Hostile(real, asked.at_once), cloud.counts)
        if asked.script is not None:
            embed_between_requests(journal)
        return journal

    set_up_logs(own_stderr())
    run(settings, announce=announce, exit_with_parent=parent_pipe(), application=application)


if __name__ == "__main__":
    main()
