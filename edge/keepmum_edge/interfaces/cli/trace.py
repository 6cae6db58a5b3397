"""`keepmum trace`: what was typed, what the cloud saw, and what came back."""

from typing import Annotated

import typer

from keepmum_edge.interfaces.cli.ranges import within


def trace(
    turn: Annotated[str | None, typer.Argument(help="Turn id; the newest turn if left out.")] = None,
    last: Annotated[
        int | None, typer.Option(callback=within(1, 1000), help="Show this many turns, newest first.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a turn.")] = False,
) -> None:
    """Show, for a turn, what you typed, what was sent, what was received and what you were shown.

    Examples:
      keepmum trace
      keepmum trace --last 3 --json
    """
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.showing import show_traces
    from keepmum_edge.interfaces.cli.terminal import say_json

    with edge_daemon() as client:
        if last is not None and turn is None:
            traces = client.get("/traces", limit=last)["traces"]
        else:
            traces = [client.get(f"/traces/{turn or 'newest'}")]
    if not as_json:
        show_traces(traces)
        return
    for found in traces:
        say_json(found)
