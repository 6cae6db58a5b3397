"""`keepmum policy explain`: the public policy of views, in words."""

from typing import Annotated, Any, Final

import typer

_HELP: Final = "Explain what memory may influence, and how far.\n\nExamples:\n  keepmum policy explain"

app = typer.Typer(no_args_is_help=True, add_completion=False, help=_HELP)


@app.callback()
def _policy() -> None:
    """Keep `explain` a command of its own."""


@app.command()
def explain(
    wordings: Annotated[bool, typer.Option("--wordings", help="Also print what each view tells the model.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Show the policy in force: what is protected, where local memories lie, what may be said of them at which price.

    The policy is public and the same for everyone; the cloud half has it too.

    Examples:
      keepmum policy explain
      keepmum policy explain --wordings
    """
    from keepmum_edge.interfaces.cli.halves import edge_daemon
    from keepmum_edge.interfaces.cli.terminal import say_json

    with edge_daemon() as client:
        found = client.get("/policy")
    if as_json:
        say_json(found)
    else:
        _show(found, wordings=wordings)


def _show(policy: dict[str, Any], *, wordings: bool) -> None:
    from keepmum_shared.view import format_epsilon

    from keepmum_edge.interfaces.cli.terminal import say

    say(f"policy {policy['version']} ({policy['digest']}), periods of {policy['period_days']} days")
    labels = {each["id"]: each["label"] for each in policy["attributes"]}
    say("\nprotected:")
    for each in policy["attributes"]:
        caps = f"{format_epsilon(each['cap'])} a period, {format_epsilon(each['lifetime_cap'])} ever"
        say(f"  {each['label']}: {caps}; in {', '.join(each['slots'])}")
    say("\nslots, where what may tell of it lies on this computer:")
    for each in policy["slots"]:
        listed = ", ".join(labels[attribute] for attribute in each["attributes"]) or "nothing protected"
        say(f"  {each['id']} ({each['capacity']} positions): {listed}")
    say("\nwhat may be said of a slot:")
    for each in policy["facets"]:
        price = f"; {format_epsilon(each['epsilon'])} a draw, right with {each['p_best']}" if "epsilon" in each else ""
        say(f"  {each['id']} of {each['slot']}: {', '.join(view['name'] for view in each['views'])}{price}")
        for view in each["views"] if wordings else ():
            for topic, text in view["wordings"].items():
                say(f"    {view['name']}, {topic}: {text}")
    for warning in policy["warnings"]:
        say(f"warning: {warning}")
