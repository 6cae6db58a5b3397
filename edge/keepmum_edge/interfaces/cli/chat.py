"""`keepmum chat`: a conversation in the terminal with a running daemon."""

import secrets
import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from keepmum_edge.interfaces.cli.client import DaemonClient


def chat(
    scope: Annotated[str, typer.Option(help="Project whose memories are used.")] = "user",
    incognito: Annotated[bool, typer.Option("--incognito", help="Keep nothing, use no memory.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print each answer as one JSON object.")] = False,
) -> None:
    """Chat in the terminal with a running daemon.

    Lines piped in are answered one by one on stdout; the first error ends with its status.

    Examples:
      keepmum chat
      echo "Write to ines@example.org" | keepmum chat --incognito
    """
    from keepmum_edge.interfaces.cli.profile import daemon

    with daemon() as client:
        raise typer.Exit(talk(client, scope=scope, incognito=incognito, as_json=as_json))


def talk(client: "DaemonClient", *, scope: str, incognito: bool, as_json: bool) -> int:
    """Hold a conversation on this process's stdin and stdout; return the exit status."""
    from keepmum_edge.interfaces.cli.conversation import Conversation
    from keepmum_edge.interfaces.cli.dialogue import Dialogue
    from keepmum_edge.interfaces.cli.terminal import interactive, note

    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="strict")
    person = interactive()
    if person:
        import readline  # noqa: F401 - line editing for input(); its history stays in memory

        note("Type a message, or /help.")
    conversation = Conversation(
        new_name=lambda: f"cli-{secrets.token_hex(16)}", scope=scope, mode="incognito" if incognito else "normal"
    )
    return Dialogue(client, conversation, person=person, as_json=as_json).run()
