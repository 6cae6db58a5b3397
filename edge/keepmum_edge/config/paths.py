"""Where the edge keeps its files.

| file              | what                                                              | open to |
|-------------------|-------------------------------------------------------------------|---------|
| config.toml       | settings; no secret, but it decides what is masked                | others may read, not write |
| public_figures_file | names that may pass or not; decides what is masked, too         | others may read, not write |
| database          | SQLCipher; `-wal` and `-shm` beside it                            | owner   |
| key_file          | how the database key is protected, and the wrapped key            | owner   |
| unlock_file       | only without keyring and passphrase: what opens the key file      | owner   |
| recovery_file     | the database key wrapped under the recovery key                   | owner   |
| seal_file         | only without keyring: a second copy of the state of the ledger of views | owner |
| first_start_file  | empty; there until the database has been made                     | owner   |
| token_file        | the local access token of the API                                 | owner   |
| lock_file         | held by the running daemon; says where it listens                 | owner   |
| cloud_dir         | the cloud half's files, when `keepmum up` runs both here          | owner   |
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from keepmum_edge.config.private_files import ensure_folder

_APPLICATION = "keepmum"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    """Every path of one profile; absolute. Nothing is made until `prepare`."""

    config_file: Path
    data_dir: Path
    state_dir: Path

    @property
    def public_figures_file(self) -> Path:
        """The owner's additions to the list of public figures and removals from it."""
        return self.config_file.with_name("public_figures.txt")

    @property
    def database(self) -> Path:
        """The encrypted database."""
        return self.data_dir / "keepmum.db"

    @property
    def key_file(self) -> Path:
        """How the database key is protected."""
        return self.data_dir / "database.key"

    @property
    def unlock_file(self) -> Path:
        """What opens the key file when there is neither keyring nor passphrase."""
        return self.data_dir / "unlock"

    @property
    def recovery_file(self) -> Path:
        """The database key under the recovery key."""
        return self.data_dir / "recovery.key"

    @property
    def seal_file(self) -> Path:
        """The second copy of the state of the ledger of views, where the key is not in a keyring."""
        return self.data_dir / "ledger.seal"

    @property
    def first_start_file(self) -> Path:
        """There from when the key is made until the database is."""
        return self.data_dir / "first-start"

    @property
    def token_file(self) -> Path:
        """The local access token."""
        return self.data_dir / "token"

    @property
    def lock_file(self) -> Path:
        """Held by the running daemon. Beside the database, since that is what it guards."""
        return self.data_dir / "keepmum.lock"

    @property
    def cloud_dir(self) -> Path:
        """The cloud half's files, when it runs on this machine."""
        return self.data_dir / "cloud"

    @property
    def private_files(self) -> tuple[Path, ...]:
        """Every file that only the owner may reach, whether or not it is there."""
        beside = tuple(self.database.with_name(self.database.name + suffix) for suffix in ("-wal", "-shm"))
        keys = (self.key_file, self.unlock_file, self.recovery_file, self.seal_file)
        return (self.database, *beside, *keys, self.first_start_file, self.token_file, self.lock_file)

    def prepare(self) -> None:
        """Make the data and state folders, 0700, or check those that are there.

        Raises:
            UnsafeFileError: one of them is a symbolic link or open to others.
            OSError: one cannot be made.
        """
        ensure_folder(self.data_dir)
        ensure_folder(self.state_dir)


def locate(environ: Mapping[str, str]) -> Paths:
    """Return the paths: below KEEPMUM_HOME if that is set, else where the platform keeps such files."""
    home = environ.get("KEEPMUM_HOME")
    if home:
        root = Path(home).expanduser().absolute()
        return Paths(config_file=root / "config.toml", data_dir=root / "data", state_dir=root / "state")
    return Paths(
        config_file=platformdirs.user_config_path(_APPLICATION, appauthor=False) / "config.toml",
        data_dir=platformdirs.user_data_path(_APPLICATION, appauthor=False),
        state_dir=platformdirs.user_state_path(_APPLICATION, appauthor=False),
    )
