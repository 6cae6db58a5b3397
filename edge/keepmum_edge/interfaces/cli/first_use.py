"""The first start of a profile: make its key, say what is kept where, show the recovery key once."""

from typing import TYPE_CHECKING, Final

from keepmum_edge.database import ProfileLock
from keepmum_edge.errors import KeyUnavailableError
from keepmum_edge.interfaces.cli.key import keyholder_of
from keepmum_edge.interfaces.cli.notices import WHAT_IS_KEPT_WHERE, show_recovery_key
from keepmum_edge.interfaces.cli.terminal import BOLD, YELLOW, note

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
    config.paths.prepare()
    with ProfileLock.acquire(config.paths.lock_file):  # two first starts at once would mix their key files
        if keyholder.exists():
            return False
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
    return True


def require_key(config: "EdgeConfig") -> None:
    """Check that the profile has been made.

    Raises:
        KeyUnavailableError: it is new; a daemon makes no key by itself, since nobody would see the recovery key.
    """
    if not keyholder_of(config).exists() and not config.paths.database.exists():
        next_step = "Run `keepmum up`, or `keepmum serve --init` where you can see its output."
        raise KeyUnavailableError("this profile has not been made yet", next_step)
