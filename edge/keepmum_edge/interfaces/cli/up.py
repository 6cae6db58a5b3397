"""`keepmum up`: both halves on this computer, paired, and a chat."""

import signal
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from keepmum_edge.interfaces.cli.ranges import within

if TYPE_CHECKING:
    from keepmum_edge.interfaces.cli.client import DaemonClient


def up(
    port: Annotated[
        int | None, typer.Option(callback=within(1, 65535), help="Port of the endpoint on loopback.")
    ] = None,
    scope: Annotated[str, typer.Option(help="Project whose memories are used.")] = "user",
    incognito: Annotated[bool, typer.Option("--incognito", help="Keep nothing, use no memory.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print each answer as one JSON object.")] = False,
) -> None:
    """Start both halves on this computer, pair them, and chat.

    Lines piped in are answered one by one on stdout. What this command started ends with it.

    Examples:
      keepmum up
      echo "My mail is ines@example.org" | keepmum up
    """
    from keepmum_edge.interfaces.cli.chat import talk
    from keepmum_edge.interfaces.cli.first_use import create_key_if_new
    from keepmum_edge.interfaces.cli.halves import both_halves
    from keepmum_edge.interfaces.cli.profile import settings

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    config = create_key_if_new(settings(port=port))
    with both_halves(config) as client:
        _greet(client)
        status = talk(client, scope=scope, incognito=incognito, as_json=as_json)
    raise typer.Exit(status)


def _greet(client: "DaemonClient") -> None:
    from keepmum_edge.interfaces.cli.terminal import BOLD, YELLOW, note
    from keepmum_edge.spans.extractor import WHAT_IS_MISSED

    note(f"Ready. Base URL for OpenAI-compatible clients: {client.address}/v1", BOLD)
    note("Their API key is the local token; `keepmum token` prints it.")
    note(f"Note: {WHAT_IS_MISSED}.", YELLOW)
