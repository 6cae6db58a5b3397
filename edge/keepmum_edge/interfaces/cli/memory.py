"""`keepmum memory ...`."""

import sys
from typing import Annotated

import typer

from keepmum_edge.interfaces.cli.forget import forget

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Add, list, search and forget memories.")
app.command()(forget)

Scope = Annotated[str, typer.Option(help="Project that the memory belongs to.")]
AnyScope = Annotated[str | None, typer.Option(help="Only this project; all if left out.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@app.command()
def add(
    text: Annotated[
        str, typer.Argument(help="What to remember; - reads it from stdin and keeps it out of the process list.")
    ] = "-",
    scope: Scope = "user",
    cloud: Annotated[
        bool, typer.Option("--cloud", help="Show the placeholder text and send it; asks first on a terminal.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Remember a text on this computer, and at the cloud only if you say so.

    Examples:
      echo "I am allergic to peanuts" | keepmum memory add
      keepmum memory add "My editor is vim" --cloud --scope work
    """
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.remembering import offer_to_cloud, remember
    from keepmum_edge.interfaces.cli.terminal import interactive, say, say_json

    wanted = sys.stdin.read().strip() if text == "-" else text
    with edge_daemon() as client:
        record = remember(client, wanted, scope=scope)
        if not as_json:
            say(f"remembered on this computer: {record['id']}")
        if cloud:
            record = offer_to_cloud(client, record, agreed=not interactive())
    if as_json:
        say_json(record)


@app.command("list")
def list_memories(scope: AnyScope = None, as_json: AsJson = False) -> None:
    """List memories, newest first.

    Examples:
      keepmum memory list --scope work --json
    """
    from keepmum_edge.interfaces.cli.halves import edge_daemon

    with edge_daemon() as client:
        records = client.get("/memories", **({} if scope is None else {"scope": scope}))["memories"]
    _print(records, as_json=as_json)


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="Words to look for; - reads them from stdin.")],
    scope: AnyScope = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="At most this many.")] = 10,
    as_json: AsJson = False,
) -> None:
    """Search memories on this computer, best first.

    Examples:
      keepmum memory search "allergic" --limit 3
    """
    from keepmum_edge.interfaces.cli.halves import edge_daemon

    wanted = sys.stdin.read().strip() if query == "-" else query
    with edge_daemon() as client:
        body = {"query": wanted, "limit": limit, **({} if scope is None else {"scope": scope})}
        records = client.post("/memories/search", body)["memories"]
    _print(records, as_json=as_json)


def _print(records: list[dict[str, object]], *, as_json: bool) -> None:
    from keepmum_edge.interfaces.cli.showing import show_memories
    from keepmum_edge.interfaces.cli.terminal import say_json

    if as_json:
        say_json({"memories": records})
    else:
        show_memories(records)
