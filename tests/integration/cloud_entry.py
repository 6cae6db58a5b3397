"""The real cloud half with a recorder inside its TLS, or a shifted clock; for tests only.

    python cloud_entry.py [--record FILE] [--clock SECONDS] [--pair]

Settings come from the environment. Each request is one JSON line of the record: method, path, headers, body as text.
"""

import argparse
import dataclasses
import json
import time
from pathlib import Path

from keepmum_cloud.app import Cloud, create_app
from keepmum_cloud.config import config_file, load_config
from keepmum_cloud.database import Database
from keepmum_cloud.journal import Journal
from keepmum_cloud.logs import own_stderr, set_up_logs
from keepmum_cloud.server import pairing_uri, parent_pipe, run
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Recorder:
    """Writes down what comes out of the TLS connection, before the application sees it."""

    def __init__(self, app: ASGIApp, record: Path) -> None:
        self._app = app
        self._record = record

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = bytearray()

        async def receive_noting() -> Message:
            message = await receive()
            if message["type"] == "http.request":
                body.extend(message.get("body", b""))
            return message

        try:
            await self._app(scope, receive_noting, send)
        finally:
            headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope.get("headers", ())}
            line = {"method": scope.get("method"), "path": scope.get("path"), "headers": headers}
            with self._record.open("a", encoding="utf-8") as record:
                record.write(json.dumps({**line, "body": body.decode()}, ensure_ascii=False) + "\n")


def main() -> None:
    import os

    parser = argparse.ArgumentParser()
    parser.add_argument("--record", type=Path)
    parser.add_argument("--clock", type=float, default=0)
    parser.add_argument("--pair", action="store_true")
    arguments = parser.parse_args()
    settings = load_config(config_file(os.environ), os.environ, {})

    def now() -> float:
        return time.time() + arguments.clock

    def announce(port: int, database: Database) -> None:
        if arguments.pair:
            uri = pairing_uri(settings, database, port=port, now=int(now()))
            print(json.dumps({"pairing_uri": str(uri), "port": port}), flush=True)

    def application(cloud: Cloud) -> Journal:
        real = create_app(dataclasses.replace(cloud, clock=now))
        return real if arguments.record is None else Journal(Recorder(real, arguments.record), cloud.counts)

    set_up_logs(own_stderr())
    run(settings, announce=announce, exit_with_parent=parent_pipe(), application=application)


if __name__ == "__main__":
    main()
