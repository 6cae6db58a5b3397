"""`keepmum budget`: what views may have told of each protected attribute, and what the owner can say about it."""

import time
from collections.abc import Iterable
from typing import Annotated, Any

import typer

app = typer.Typer(add_completion=False)

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
def confirm_clock(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask; needed in a script.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say that this computer's clock is right although it jumped far ahead.

    What that would do is shown first and asked about: a period that was begun never ends early, so a wrong clock that
    was confirmed keeps its period for as long. A clock that went back needs nothing.

    Examples:
      keepmum budget confirm-clock
      keepmum budget confirm-clock --yes --json
    """
    from keepmum_edge.errors import InvalidRequestError
    from keepmum_edge.interfaces.cli.exit_codes import FAILED
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.terminal import agrees, interactive, note, say_json

    with edge_daemon() as client:
        found = client.get("/budget")
        clock = found["clock"]
        if clock is None:
            note("There is nothing to confirm: the clock is not far ahead of the last turn. Nothing was changed.")
        else:
            _warn(clock)
            if not yes and not interactive():
                raise InvalidRequestError("without a terminal say --yes, once you are sure that the clock is right")
            if not yes and not agrees("Is the clock right?"):
                note("Nothing was changed. Set the clock, then go on as before.")
                raise typer.Exit(FAILED)
            found = client.post("/budget/clock", {})
    if as_json:
        say_json(found)
    else:
        show_budget(found)


def _warn(clock: dict[str, Any]) -> None:
    from keepmum_edge.interfaces.cli.terminal import note

    until = _day(clock["until"])
    note(f"This computer's clock says {_day(clock['now'])}: {clock['days']} days after the last turn.")
    note(
        f"To confirm it begins period {clock['period']}, which lasts until {until} and cannot be taken back: if the "
        f"clock is wrong, nothing is drawn for a new period before {until}, and views drawn by then stay."
    )


def _ask(method: str, path: str, body: dict[str, Any] | None = None, *, as_json: bool) -> None:
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.terminal import say_json

    with edge_daemon() as client:
        found = client.get(path) if method == "GET" else client.post(path, body)
    if as_json:
        say_json(found)
    else:
        show_budget(found)


def show_budget(found: dict[str, Any]) -> None:
    """Print the state of every ledger, attributes that are alike together."""
    import sys

    from keepmum_edge.interfaces.cli.terminal import say, wrapped

    def line(text: str) -> None:
        say(wrapped(text, sys.stdout))

    if found["period"] < 0:
        line(f"nothing is drawn before {_day(found['first_date'])}; every view is generic until then")
    else:
        drawn = "once a period" if found["release_policy"] == "sticky" else "in each turn, as far as the budget goes"
        line(f"period {found['period']}, until {_day(found['until'])}; views are drawn {drawn}")
    for alike in _alike(found["attributes"]):
        line(f"\n{', '.join(each['label'] for each in alike)}:")
        line(f"  {'each ' if len(alike) > 1 else ''}{alike[0]['state']}.")
        for view in alike[0]["views"]:
            name = view["facet"].replace("_", " ")
            line(f'  {name}: "{view["view"]}" since {_day(view["since"])}, until {_day(view["until"])} at least')
    sent = [f"{each['label']} {each['sent']}" for each in found["attributes"] if each["sent"]]
    line(f"\nYour own messages that touch one of these, which no bound covers: {', '.join(sent) or 'none so far'}.")
    line(found["bounds"])
    if found["silenced"]:
        line(f"silenced: {', '.join(found['silenced'])}")
    for notice in found["notices"]:
        line(f"note: {notice}")


def _alike(attributes: Iterable[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the attributes in groups of which the same is to be said, in their order."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for each in attributes:
        groups.setdefault(repr((each["state"], each["views"])), []).append(each)
    return list(groups.values())


def _day(at: int) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at))
