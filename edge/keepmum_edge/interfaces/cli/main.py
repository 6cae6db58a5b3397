"""The command `keepmum`: the table of commands and how an error becomes one line and an exit status.

Each command's module is loaded when the command runs, so that help is quick and one broken part does not hide the rest.
"""

import resource
import sys
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from keepmum_shared.errors import KeepmumError
from typer.core import TyperGroup
from typer.main import get_command

from keepmum_edge.interfaces.cli.exit_codes import FAILED, exit_status
from keepmum_edge.interfaces.cli.terminal import note
from keepmum_edge.interfaces.unforeseen import where

_HERE: Final = "keepmum_edge.interfaces.cli"

COMMANDS: Final[dict[str, tuple[str, str, str]]] = {
    "up": ("up", "up", "Start both halves on this computer, pair them, and chat."),
    "chat": ("chat", "chat", "Chat in the terminal with a running daemon."),
    "serve": ("serve", "serve", "Run the edge daemon in the foreground."),
    "stop": ("serve", "stop", "Stop the running daemon."),
    "pair": ("pair", "pair", "Register this computer at a cloud half."),
    "preview": ("preview", "preview", "Show what would be masked in a text."),
    "trace": ("trace", "trace", "Show what you typed, what the cloud saw, and what came back."),
    "budget": ("budget", "app", "Show what views may have told of you, and silence them."),
    "policy": ("policy", "app", "Explain what memory may influence, and how far."),
    "memory": ("memory", "app", "Add, list, search and forget memories."),
    "forget": ("forget", "forget", "Delete memories and all that was derived, here and at the cloud."),
    "receipts": ("forget", "receipts", "Show what was forgotten and whether the cloud has confirmed it."),
    "backup": ("backup", "backup", "Write the memories into a folder, sealed."),
    "restore": ("backup", "restore", "Add the memories of a backup."),
    "export": ("transfer", "export", "Write every memory into one file, in clear."),
    "import": ("transfer", "take_in", "Add the memories of an export, ours or Mem0's."),
    "doctor": ("doctor", "doctor", "Check key, database, extractor, pairing and permissions."),
    "token": ("token", "token", "Print the local access token, the API key of OpenAI clients."),
    "config": ("config", "app", "Show and check the settings."),
    "key": ("key", "app", "Recover the database key, or protect it by a passphrase."),
    "recover": ("key", "recover", "Get the database key back with the recovery key."),
    "passphrase": ("key", "passphrase", "Protect the database key by a passphrase from now on."),
    "cloud": ("cloud", "app", "Run the cloud half: keepmum cloud serve ..."),
}
"""Command to its module, what in it is the command, and one line of help."""


def load(name: str) -> Any:
    """Import one command and return it as the command-line library wants it."""
    module, attribute, _ = COMMANDS[name]
    found = getattr(import_module(f"{_HERE}.{module}"), attribute)
    if isinstance(found, typer.Typer):
        return get_command(found)
    single = typer.Typer(add_completion=False)
    single.command(name=name)(found)
    return get_command(single)


def _stub(name: str) -> Any:
    """Return a stand-in that has a command's name and line of help."""
    stub = typer.Typer(add_completion=False)

    @stub.command(name=name, help=COMMANDS[name][2])
    def stand_in() -> None:
        pass

    return get_command(stub)


class _LazyGroup(TyperGroup):
    """Lists commands by the table, and loads the one that is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        del ctx
        return _stub(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, _, rest = super().resolve_command(ctx, args)
        return name, load(str(name)), rest


app = typer.Typer(
    cls=_LazyGroup,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help=(
        "Keepmum: a private memory for AI assistants. Your computer keeps the private words; the cloud sees "
        "placeholders.\n\nFirst time: keepmum up\n\nExit status: 0 done, 1 failed, 2 wrong use or settings, 3 done "
        "here and queued for the cloud, 4 a protecting part is unavailable (nothing was sent), 5 the cloud failed."
    ),
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print(f"keepmum {version('keepmum')}")
        except PackageNotFoundError:
            print("keepmum (not installed, run from its source)")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    del version


def main() -> None:
    """Run the command line and end the process with its status."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core dump would hold texts
    try:
        app()
    except KeepmumError as error:
        note(f"keepmum: {error}")
        sys.exit(exit_status(error))
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # whoever read our output has enough
        sys.stderr.close()
        sys.exit(FAILED)
    except Exception as error:  # noqa: BLE001 - the process's entry point; a traceback could show user text
        print(f"keepmum: failed in an unforeseen way ({where(error)}). Try `keepmum doctor`.", file=sys.stderr)
        sys.exit(FAILED)
