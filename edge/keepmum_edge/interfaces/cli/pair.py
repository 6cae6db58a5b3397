"""`keepmum pair`: register this computer at a cloud half by its one-time URI."""

import platform
import sys
from typing import Annotated

import typer


def pair(
    uri: Annotated[
        str | None, typer.Argument(help="Pairing URI. Left out, it is asked for, and stays out of the process list.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="What the cloud half calls this computer.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Register this computer at a cloud half, by the one-time URI that it printed.

    On a computer that is new to Keepmum, its key and its encrypted database are made first.

    Examples:
      keepmum pair
      keepmum-cloud pair | keepmum pair --name laptop
    """
    from keepmum_shared.signing import PairingUri

    from keepmum_edge.errors import InvalidRequestError
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.terminal import note, say, say_json

    if uri is None:
        if sys.stdin.isatty():
            note("Pairing URI (keepmum://...):")
        uri = sys.stdin.readline().strip()
    try:
        PairingUri.parse(uri)
    except ValueError:
        message = "that is no pairing URI; ask the cloud half for a new one (`keepmum-cloud pair`)"
        raise InvalidRequestError(message) from None
    with edge_daemon(make_profile=True) as client:
        device = client.post("/pair", {"uri": uri, "name": name or platform.node() or "computer"})["device"]
    if as_json:
        say_json({"device": device})
    else:
        say(f"paired as {device}")
