"""`keepmum key ...` and `keepmum recover`: the database key, its recovery key and its passphrase."""

import getpass
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from keepmum_edge.interfaces.cli.notices import show_recovery_key
from keepmum_edge.interfaces.cli.terminal import note

if TYPE_CHECKING:
    from keepmum_edge.config import EdgeConfig
    from keepmum_edge.keys import Ask, Keyholder

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help=(
        "Recover the database key, or protect it by a passphrase.\n\nExamples:\n  keepmum key recover\n"
        "  keepmum key passphrase"
    ),
)


AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@app.command()
def recover(as_json: AsJson = False) -> None:
    """Get the database key back with the recovery key that was shown at first start.

    It is asked for, or read from stdin; it is never an argument.

    Examples:
      keepmum recover
      keepmum key recover
    """
    with _stopped_profile() as keyholder:
        secret = ask_secret("Recovery key: ")
        with _seal_of(keyholder):
            unlocked = keyholder.recover(secret)
    _print_protection(unlocked.protection, as_json=as_json)


@app.command()
def renew() -> None:
    """Make a new recovery key and show it once; the old one opens nothing any more.

    Examples:
      keepmum key renew
    """
    with _stopped_profile() as keyholder:
        show_recovery_key(keyholder.renew_recovery_key())


@app.command()
def passphrase(as_json: AsJson = False) -> None:
    """Protect the database key by a passphrase from now on.

    Examples:
      keepmum passphrase
      keepmum key passphrase
    """
    from keepmum_edge.errors import InvalidRequestError

    with _stopped_profile() as keyholder:
        chosen = ask_secret("New passphrase: ")
        if sys.stdin.isatty() and getpass.getpass("Again: ") != chosen:
            raise InvalidRequestError("the two passphrases differ; nothing was changed")
        with _seal_of(keyholder):
            keyholder.set_passphrase(chosen)
    _print_protection("passphrase", as_json=as_json)


def ask(purpose: Literal["new", "unlock"]) -> str | None:
    """Ask a person for the passphrase; None without a terminal, or if a new one is not wanted."""
    if not sys.stdin.isatty():
        return None
    if purpose == "unlock":
        return getpass.getpass("Passphrase of the database key: ")
    note(
        "First start. This system has no keyring to keep the database key in. A passphrase protects the key if the "
        "disk is stolen; without one, the key lies in a file that only your account can read."
    )
    return _new_passphrase()


def _new_passphrase() -> str | None:
    from keepmum_edge.keys.passphrase import MIN_LENGTH

    chosen = getpass.getpass("New passphrase (Enter for none): ")
    if 0 < len(chosen) < MIN_LENGTH:
        note(f"That has fewer than {MIN_LENGTH} characters.")
        return _new_passphrase()
    if chosen and getpass.getpass("Again: ") != chosen:
        note("They differ.")
        return _new_passphrase()
    return chosen or None


def keyholder_of(config: "EdgeConfig", ask: "Ask" = ask) -> "Keyholder":
    """Return the door to this profile's key, asking the person at the terminal where it must."""
    from keepmum_edge.keys import Keyholder, find_ring

    return Keyholder(config, ring=None if config.key_store == "file" else find_ring(), ask=ask)


@contextmanager
def _stopped_profile() -> Iterator["Keyholder"]:
    """Hold the profile's lock, so that no daemon runs while its key changes."""
    from keepmum_edge.database import ProfileLock
    from keepmum_edge.interfaces.cli.profile import settings

    config = settings()
    config.paths.prepare()
    with ProfileLock.acquire(config.paths.lock_file):
        yield keyholder_of(config)


def _seal_of(keyholder: "Keyholder") -> AbstractContextManager[None]:
    """Take the ledger's seal along when the key is kept elsewhere."""
    from keepmum_edge.interfaces.cli.profile import settings
    from keepmum_edge.views.seal_keeper import carried_over

    return carried_over(keyholder, settings().paths.seal_file)


def ask_secret(question: str) -> str:
    """Read a secret from a person without showing it, or a line of stdin."""
    return getpass.getpass(question) if sys.stdin.isatty() else sys.stdin.readline().strip("\r\n")


def _print_protection(protection: str, *, as_json: bool) -> None:
    from keepmum_edge.interfaces.cli.terminal import say, say_json

    if as_json:
        say_json({"protection": protection})
    else:
        say(f"the database key is now protected by: {protection}")
