"""`keepmum memory ...`."""

import sys
from typing import Annotated

import typer

from keepmum_edge.interfaces.cli.forget import forget
from keepmum_edge.interfaces.cli.ranges import within

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help=(
        'Add, list, show, correct and find memories.\n\nExamples:\n  keepmum memory add "My editor is vim"\n'
        "  keepmum memory search editor"
    ),
)
app.command()(forget)

Scope = Annotated[str, typer.Option(help="Project that the memory belongs to.")]
AnyScope = Annotated[str | None, typer.Option(help="Only this project; all if left out.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


Id = Annotated[str, typer.Argument(help="Memory id, as `keepmum memory list` shows it.")]


@app.command()
def add(
    text: Annotated[
        str, typer.Argument(help="What to remember; - reads it from stdin and keeps it out of the process list.")
    ] = "-",
    scope: Scope = "user",
    here_only: Annotated[bool, typer.Option("--here-only", help="Keep it on this computer only.")] = False,
    as_json: AsJson = False,
) -> None:
    """Remember a text. What may go to the cloud goes with your next message, as placeholders.

    Examples:
      echo "I am allergic to peanuts" | keepmum memory add
      keepmum memory add "My editor is vim" --scope work --here-only
    """
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.remembering import remember, say_where
    from keepmum_edge.interfaces.cli.terminal import say_json

    wanted = sys.stdin.read().strip() if text == "-" else text
    with edge_daemon() as client:
        record = remember(client, wanted, scope=scope, here_only=here_only)
        if not as_json:
            say_where(client, record)
    if as_json:
        say_json(record)


@app.command("list")
def list_memories(
    scope: AnyScope = None,
    current: Annotated[bool, typer.Option("--current", help="Only what still holds.")] = False,
    as_json: AsJson = False,
) -> None:
    """List memories, newest first.

    Examples:
      keepmum memory list --scope work --current --json
    """
    from keepmum_edge.interfaces.cli.halves import edge_daemon

    wanted = {**({} if scope is None else {"scope": scope}), **({"closed": "0"} if current else {})}
    with edge_daemon() as client:
        records = client.get("/memories", **wanted)["memories"]
    _print(records, as_json=as_json)


@app.command()
def show(memory: Id, as_json: AsJson = False) -> None:
    """Show everything that is known of one memory: where it comes from, where it may be used, what the cloud has.

    Examples:
      keepmum memory show mem_abcdefghijklmnopqrstuvwxyz
    """
    from keepmum_edge.interfaces.cli.halves import edge_daemon

    with edge_daemon() as client:
        record = client.get(f"/memories/{memory}")
    _print_one(record, as_json=as_json)


@app.command()
def edit(
    memory: Id,
    text: Annotated[str | None, typer.Option(help="The new text; - reads it from stdin.")] = None,
    scope: Annotated[str | None, typer.Option(help="Move it to this project.")] = None,
    importance: Annotated[int | None, typer.Option(callback=within(0, 100), help="0 to 100.")] = None,
    as_json: AsJson = False,
) -> None:
    """Correct a memory. A new text is judged again, and the cloud's copy follows with your next message.

    Examples:
      echo "My editor is helix" | keepmum memory edit mem_abcdefghijklmnopqrstuvwxyz --text -
    """
    from keepmum_edge.errors import InvalidRequestError
    from keepmum_edge.interfaces.cli.halves import edge_daemon

    wanted = sys.stdin.read().strip() if text == "-" else text
    given = {"text": wanted, "scope": scope, "importance": importance}
    changes = {name: value for name, value in given.items() if value is not None}
    if not changes:
        raise InvalidRequestError("say what to change: --text, --scope or --importance")
    with edge_daemon() as client:
        revision = client.get(f"/memories/{memory}")["revision"]
        record = client.patch(f"/memories/{memory}", {**changes, "revision": revision})
    _print_one(record, as_json=as_json)


@app.command()
def confirm(memory: Id, as_json: AsJson = False) -> None:
    """Say that a memory of doubtful origin, or one that was only inferred, is true.

    One of doubtful origin is not used until then; an inferred one stands from then on as if you had said it.

    Examples:
      keepmum memory confirm mem_abcdefghijklmnopqrstuvwxyz
    """
    from keepmum_edge.interfaces.cli.halves import edge_daemon

    with edge_daemon() as client:
        record = client.post(f"/memories/{memory}/confirm")
    _print_one(record, as_json=as_json)


@app.command()
def share(
    memory: Id,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask; needed in a script.")] = False,
    as_json: AsJson = False,
) -> None:
    """Let a memory that stayed on this computer go to the cloud, as placeholders, with the next message of its scope.

    What the cloud will see is shown first and asked about. A memory that may tell of something protected never goes.

    Examples:
      keepmum memory share mem_abcdefghijklmnopqrstuvwxyz
    """
    from keepmum_edge.errors import InvalidRequestError
    from keepmum_edge.interfaces.cli.exit_codes import FAILED
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.terminal import agrees, interactive, note

    with edge_daemon() as client:
        shown = client.post(f"/memories/{memory}/preview-share")["text"]
        note(f"the cloud will see: {shown}")
        if not yes and not interactive():
            raise InvalidRequestError("without a terminal say --yes, once you are sure that the cloud may see this")
        if not yes and not agrees("May it go?"):
            note("Nothing was changed; it stays on this computer.")
            raise typer.Exit(FAILED)
        record = client.post(f"/memories/{memory}/share", {"shown_text": shown})
    _print_one(record, as_json=as_json)


@app.command()
def why(
    turn: Annotated[str, typer.Argument(help="Turn id, as `keepmum trace` shows it; else the newest.")] = "newest",
    as_json: AsJson = False,
) -> None:
    """Show which memories an answer used, which were made of your message, and which views went with it.

    Examples:
      keepmum memory why
      keepmum memory why turn_abcdefghijklmnopqrstuvwxyz --json
    """
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.showing import show_why
    from keepmum_edge.interfaces.cli.terminal import say_json

    with edge_daemon() as client:
        found = client.get(f"/traces/{turn}/memories")
    if as_json:
        say_json(found)
    else:
        show_why(found)


@app.command()
def pending(
    keep: Annotated[str | None, typer.Option(help="Keep what waits under this id, on this computer.")] = None,
    drop: Annotated[str | None, typer.Option(help="Let go of what waits under this id.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show what you said of your health, faith, money and the like: it is kept only if you say so, within a day.

    Examples:
      keepmum memory pending
      keepmum memory pending --keep mem_abcdefghijklmnopqrstuvwxyz
    """
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.showing import show_pending
    from keepmum_edge.interfaces.cli.terminal import say, say_json

    with edge_daemon() as client:
        answers = [(memory, memory == keep) for memory in (keep, drop) if memory is not None]
        found = [client.post(f"/pending/{memory}", {"keep": kept}) for memory, kept in answers]
        if not answers:
            found = [client.get("/pending")]
    if as_json:
        for each in found:
            say_json(each)
    elif answers:
        for each in found:
            say("kept on this computer" if each["memory"] else "let go")
    else:
        show_pending(found[0])


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="Words to look for; - reads them from stdin.")],
    scope: AnyScope = None,
    limit: Annotated[int, typer.Option(callback=within(1, 100), help="At most this many.")] = 10,
    as_json: AsJson = False,
) -> None:
    """Search memories on this computer, best first.

    Examples:
      keepmum memory search "allergic" --limit 3
    """
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.showing import BY_MEANING_ONLY, show_memories
    from keepmum_edge.interfaces.cli.terminal import note, say_json

    wanted = sys.stdin.read().strip() if query == "-" else query
    with edge_daemon() as client:
        body = {"query": wanted, "limit": limit, **({} if scope is None else {"scope": scope})}
        found = client.post("/memories/search", body)
    if as_json:
        say_json(found)
        return
    if found["by_meaning_only"]:
        note(BY_MEANING_ONLY)
    show_memories(found["memories"])


def _print_one(record: dict[str, object], *, as_json: bool) -> None:
    from keepmum_edge.interfaces.cli.showing import show_memory
    from keepmum_edge.interfaces.cli.terminal import say_json

    if as_json:
        say_json(record)
    else:
        show_memory(record)


def _print(records: list[dict[str, object]], *, as_json: bool) -> None:
    from keepmum_edge.interfaces.cli.showing import show_memories
    from keepmum_edge.interfaces.cli.terminal import say_json

    if as_json:
        say_json({"memories": records})
    else:
        show_memories(records)
