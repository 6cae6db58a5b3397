"""The first start of a profile: make its key, say what is kept where, show the recovery key once."""

import dataclasses
from typing import TYPE_CHECKING, Final, Literal

from keepmum_edge.database import ProfileLock
from keepmum_edge.errors import KeyUnavailableError
from keepmum_edge.interfaces.cli.key import ask, keyholder_of
from keepmum_edge.interfaces.cli.notices import WHAT_IS_KEPT_WHERE, show_recovery_key
from keepmum_edge.interfaces.cli.terminal import BOLD, YELLOW, note

if TYPE_CHECKING:
    from keepmum_edge.config import EdgeConfig

_PROTECTED_BY: Final = {
    "keyring": "this system's keyring",
    "passphrase": "your passphrase",
    "file": "a file that only your account can read",
}


def create_key_if_new(config: "EdgeConfig") -> "EdgeConfig":
    """Make the key of a new profile and tell the person all about it; do nothing for one that has a key.

    Returns:
        The settings, with the passphrase that was just chosen, so that it is not asked for again.

    Raises:
        KeyUnavailableError: the key cannot be kept, or there is a database whose key is missing.
    """
    chosen = config.passphrase

    def choose(purpose: Literal["new", "unlock"]) -> str | None:
        nonlocal chosen
        chosen = ask(purpose)
        return chosen

    keyholder = keyholder_of(config, choose)
    if keyholder.exists():
        return config
    config.paths.prepare()
    with ProfileLock.acquire(config.paths.lock_file):  # two first starts at once would mix their key files
        if keyholder.exists():
            return config
        created = keyholder.create()
    note("First start: a key and an encrypted database are made for you.", BOLD)
    note(WHAT_IS_KEPT_WHERE)
    note(f"Files: {config.paths.data_dir}")
    note(f"The database key is protected by {_PROTECTED_BY[created.protection]}.")
    if created.protection == "file":
        note(
            "Warning: this system has no keyring and no passphrase was given, so the key lies beside the database: "
            "whoever reads this disk can open it. `keepmum key passphrase` changes that.",
            YELLOW,
        )
    show_recovery_key(created.recovery_key)
    return dataclasses.replace(config, passphrase=chosen)


def require_key(config: "EdgeConfig") -> None:
    """Check that the profile has been made.

    Raises:
        KeyUnavailableError: it is new; a daemon makes no key by itself, since nobody would see the recovery key.
    """
    if not keyholder_of(config).exists() and not config.paths.database.exists():
        next_step = "Run `keepmum up`, `keepmum pair`, or `keepmum serve --init` where you can see its output."
        raise KeyUnavailableError("this profile has not been made yet", next_step)
