"""`keepmum serve` and `keepmum stop`: the edge daemon in the foreground, and its end."""

import os
import signal
import sys
import threading
from typing import Annotated, BinaryIO

import typer

from keepmum_edge.interfaces.cli.ranges import within


def serve(
    port: Annotated[
        int | None, typer.Option(callback=within(0, 65535), help="Port on loopback; 0 takes any free one.")
    ] = None,
    exit_with_parent: Annotated[
        bool, typer.Option("--exit-with-parent", help="Stop when standard input ends: the parent holds it open.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Once it listens, print one JSON line that says where.")
    ] = False,
    init: Annotated[bool, typer.Option("--init", help="Make a new profile's key; shows its recovery key.")] = False,
) -> None:
    """Run the edge daemon in the foreground: the OpenAI-compatible endpoint on loopback.

    Examples:
      keepmum serve
      keepmum serve --port 9000
      keepmum serve --port 0 --json
    """
    from keepmum_edge.interfaces.cli.first_use import create_key_if_new, require_key
    from keepmum_edge.interfaces.cli.profile import settings
    from keepmum_edge.interfaces.cli.terminal import say_json

    config = settings(port=port)
    if init:
        create_key_if_new(config)
    require_key(config)

    from keepmum_edge.daemon.process import run  # after the checks: it takes a moment to load
    from keepmum_edge.interfaces.http import create_app

    if exit_with_parent:
        end_with_parent(sys.stdin.buffer)

    def announce(address: str) -> None:
        if as_json:
            say_json({"base_url": f"{address}/v1", "pid": os.getpid()})

    run(config, create_app, announce=announce)


def stop(as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False) -> None:
    """Stop the running daemon. Answers that are being written are given a moment to end.

    Examples:
      keepmum stop
    """
    from keepmum_edge.interfaces.cli.profile import daemon
    from keepmum_edge.interfaces.cli.terminal import say, say_json

    with daemon() as client:
        answer = client.post("/shutdown")
    if as_json:
        say_json(answer)
    else:
        say("stopping")


def end_with_parent(pipe: BinaryIO) -> None:
    """Send this process SIGTERM when the pipe ends, which the parent holds open for as long as it lives."""

    def watch() -> None:
        while os.read(pipe.fileno(), 1):  # not `pipe.read`: it holds a lock that ends a process that ends meanwhile
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()
