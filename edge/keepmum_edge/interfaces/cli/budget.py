"""`keepmum budget`: what views may have told of each protected attribute, and what the owner can say about it."""

import time
from typing import Annotated, Any

import typer

app = typer.Typer(add_completion=False, help="Show what views may have told, and silence what you like.")

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Slot = Annotated[str, typer.Argument(help="As `keepmum policy explain` names it.")]


@app.callback(invoke_without_command=True)
def budget(context: typer.Context, as_json: AsJson = False) -> None:
    """Show, for each protected attribute, what was spent, which views left and until when, and what it means.

    Examples:
      keepmum budget
      keepmum budget --json
      keepmum budget silence mind
    """
    if context.invoked_subcommand is None:
        _ask("GET", "/budget", as_json=as_json)


@app.command()
def silence(slot: Slot, as_json: AsJson = False) -> None:
    """Make the views of a slot generic from now on, whatever was drawn. What was spent stays spent.

    Like a message, it is a statement of yours, which the cloud can see and no bound covers.

    Examples:
      keepmum budget silence mind
    """
    _ask("POST", "/budget/silence", {"slot": slot}, as_json=as_json)


@app.command()
def unsilence(slot: Slot, as_json: AsJson = False) -> None:
    """Take back that a slot is silenced: its views are those that were drawn, or may still be.

    Examples:
      keepmum budget unsilence mind
    """
    _ask("POST", "/budget/unsilence", {"slot": slot}, as_json=as_json)


@app.command("confirm-clock")
def confirm_clock(as_json: AsJson = False) -> None:
    """Say that this computer's clock is right although it jumped far ahead. A period that was begun never ends early.

    Examples:
      keepmum budget confirm-clock
    """
    _ask("POST", "/budget/clock", {}, as_json=as_json)


def _ask(method: str, path: str, body: dict[str, Any] | None = None, *, as_json: bool) -> None:
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.terminal import say_json

    with edge_daemon() as client:
        found = client.get(path) if method == "GET" else client.post(path, body)
    if as_json:
        say_json(found)
    else:
        _show(found)


def _show(found: dict[str, Any]) -> None:
    from keepmum_edge.interfaces.cli.terminal import say

    if found["period"] < 0:
        say(f"nothing is drawn before {_day(found['first_date'])}; every view is generic until then")
    else:
        drawn = "once a period" if found["release_policy"] == "sticky" else "in each turn, as far as the budget goes"
        say(f"period {found['period']}, until {_day(found['until'])}; views are drawn {drawn}")
    for attribute in found["attributes"]:
        say(f"\n{attribute['label']}: {attribute['words']}")
        for view in attribute["views"]:
            name = view["facet"].replace("_", " ")
            say(f'  {name}: "{view["view"]}" since {_day(view["since"])}, until {_day(view["until"])} at least')
    say(f"\n{found['bounds']}")
    if found["silenced"]:
        say(f"silenced: {', '.join(found['silenced'])}")
    for notice in found["notices"]:
        say(f"note: {notice}")


def _day(at: int) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at))
