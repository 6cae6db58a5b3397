"""The first start of a profile: make its key, say what is kept where, show the recovery key once."""

import sys
from typing import TYPE_CHECKING, Final

from keepmum_edge.errors import KeyUnavailableError
from keepmum_edge.interfaces.cli.key import keyholder_of
from keepmum_edge.interfaces.cli.notices import WHAT_IS_KEPT_WHERE
from keepmum_edge.interfaces.cli.terminal import BOLD, coloured, note

if TYPE_CHECKING:
    from keepmum_edge.config import EdgeConfig

_PROTECTED_BY: Final = {
    "keyring": "this system's keyring",
    "passphrase": "your passphrase",
    "file": "a file that only your account can read",
}


def create_key_if_new(config: "EdgeConfig") -> bool:
    """Make the key of a new profile and tell the person all about it; do nothing for one that has a key.

    Returns:
        Whether the profile is new.

    Raises:
        KeyUnavailableError: the key cannot be kept, or there is a database whose key is missing.
    """
    keyholder = keyholder_of(config)
    if keyholder.exists():
        return False
    created = keyholder.create()
    note("First start: a key and an encrypted database are made for you.", BOLD)
    note(WHAT_IS_KEPT_WHERE)
    note(f"Files: {config.paths.data_dir}")
    note(f"The database key is protected by {_PROTECTED_BY[created.protection]}.")
    show_recovery_key(created.recovery_key)
    return True


def require_key(config: "EdgeConfig") -> None:
    """Check that the profile has been made.

    Raises:
        KeyUnavailableError: it is new; a daemon makes no key by itself, since nobody would see the recovery key.
    """
    if not keyholder_of(config).exists() and not config.paths.database.exists():
        next_step = "Run `keepmum up`, or `keepmum serve --init` where you can see its output."
        raise KeyUnavailableError("this profile has not been made yet", next_step)


def show_recovery_key(recovery_key: str) -> None:
    """Show a recovery key once: on stdout if that is a terminal, else on stderr, so that no pipe collects it."""
    stream = sys.stdout if sys.stdout.isatty() else sys.stderr
    print("\nRecovery key. Write it down now; it is shown once and kept nowhere:", file=stream)
    print(f"\n    {coloured(recovery_key, BOLD, stream)}\n", file=stream, flush=True)
