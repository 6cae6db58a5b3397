"""Looks over one profile and says what is well and what to do next. Makes and changes nothing.

Works beside a running daemon, since it reads through a connection of its own, and without one. Whether the cloud half
can be reached is the service's to say. Details name files, parts and counts; never a key, never a value.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from keepmum_inference.errors import InferenceError
from keepmum_shared.ids import is_id

from keepmum_edge.config import EdgeConfig, UnsafeFileError
from keepmum_edge.config.private_files import check_file, check_folder
from keepmum_edge.daemon.retrieval.meaning import load_head
from keepmum_edge.daemon.retrieval.model import LoadEmbedder, in_words
from keepmum_edge.daemon.store import PairingStore
from keepmum_edge.database import Database, find_holder
from keepmum_edge.errors import (
    DatabaseUnavailableError,
    ExtractorUnavailableError,
    KeyUnavailableError,
    UnavailableError,
)
from keepmum_edge.keys import Keyholder
from keepmum_edge.memory.sending import hindrance
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.spans.extractor import WHAT_IS_MISSED, SpanExtractor

_SWAPS: Final = Path("/proc/swaps")
_NAMED: Final = 10
"""Memories that are named one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One finding.

    Attributes:
        name: Stable: permissions, key, recovery, cipher, database, memories, pairing, extractor, retrieval, daemon,
            swap; the service adds views, cloud, cloud memory, forgetting.
        status: `warn` works and should be known; `fail` protects nothing or does not work.
        next_step: What the owner can do; empty if nothing is to be done.
    """

    name: str
    status: Literal["ok", "warn", "fail"]
    detail: str
    next_step: str = ""


def examine(
    config: EdgeConfig,
    keyholder: Keyholder,
    extractor: SpanExtractor | ExtractorUnavailableError,
    load_embedder: LoadEmbedder,
) -> tuple[Check, ...]:
    """Run every check; a failing one stops no other.

    Args:
        config: The settings.
        keyholder: Opens the key; may ask for the passphrase.
        extractor: The one that the daemon uses or would use, or why it cannot be loaded.
        load_embedder: Gives what finds memories by meaning.
    """
    return (
        _permissions(config),
        *_key_and_database(config, keyholder),
        _extractor(extractor),
        *_retrieval(load_embedder),
        _daemon(config),
        *_swap(),
    )


def _permissions(config: EdgeConfig) -> Check:
    paths = config.paths
    looked = 0
    for check, group in ((check_folder, (paths.data_dir, paths.state_dir)), (check_file, paths.private_files)):
        for path in group:
            try:
                check(path)
            except FileNotFoundError:
                continue
            except UnsafeFileError as unsafe:
                detail = f"{path} {unsafe.problem}"
                return Check(name="permissions", status="fail", detail=detail, next_step=unsafe.next_step)
            except OSError as error:
                detail = f"{path} cannot be examined ({error.strerror})"
                return Check(name="permissions", status="fail", detail=detail, next_step="Check the disk.")
            looked += 1
    return Check(name="permissions", status="ok", detail=f"{looked} files and folders are yours alone")


def _key_and_database(config: EdgeConfig, keyholder: Keyholder) -> Iterator[Check]:
    if not keyholder.exists() and not config.paths.database.exists():
        detail = "this profile has not been made yet"
        yield Check(name="key", status="warn", detail=detail, next_step="Run `keepmum up`.")
        return
    try:
        unlocked = keyholder.unlock()
    except KeyUnavailableError as error:
        yield _failed("key", error)
        yield _recovery(config)
        return
    yield _protection(config, unlocked.protection)
    yield _recovery(config)
    try:
        database = Database.open_to_read(config.paths.database, unlocked.key)
    except DatabaseUnavailableError as error:
        yield _failed("database", error)
        return
    try:
        yield from _database(database)
    except DatabaseUnavailableError as error:
        yield _failed("database", error)
    finally:
        database.close()


def _protection(config: EdgeConfig, protection: Literal["keyring", "passphrase", "file"]) -> Check:
    if protection == "keyring":
        return Check(name="key", status="ok", detail="in the system's keyring")
    if protection == "passphrase":
        return Check(name="key", status="ok", detail="in a key file under your passphrase")
    folder = config.paths.data_dir
    return Check(
        name="key",
        status="warn",
        detail=f"what opens the database lies beside it in {folder}: whoever reads this disk can read everything",
        next_step="Run `keepmum key passphrase` to set one.",
    )


def _recovery(config: EdgeConfig) -> Check:
    file = config.paths.recovery_file
    if file.is_file():
        return Check(name="recovery", status="ok", detail=f"{file.name} opens with your recovery key")
    detail = f"{file} is missing; your recovery key opens nothing"
    return Check(name="recovery", status="warn", detail=detail, next_step="Put a copy of it back.")


def _database(database: Database) -> Iterator[Check]:
    yield Check(name="cipher", status="ok", detail=f"SQLCipher {database.cipher_version()}")
    problems = database.integrity()
    if problems:
        detail = f"{len(problems)} problems, the first: {problems[0]}"
        yield Check(name="database", status="fail", detail=detail, next_step="Put back a backup of the database.")
    else:
        yield Check(name="database", status="ok", detail="every page and index is whole")
        yield _memories(database)
    pairing = PairingStore(database).get()
    if pairing is None:
        yield Check(name="pairing", status="warn", detail="no cloud half yet", next_step="Run `keepmum up` or `pair`.")
    else:
        detail = f"with {pairing.host}:{pairing.port} as {pairing.device}"
        yield Check(name="pairing", status="ok", detail=detail)


def _memories(database: Database) -> Check:
    """Name the memories that stay on this computer because they cannot be told to the cloud."""
    try:
        records = MemoryStore(database).select("cloud <> 'local_only' ORDER BY row")
    except ValueError:
        detail = "one is not as this program writes it"
        return Check(name="memories", status="fail", detail=detail, next_step="Put back a backup of the database.")
    stuck = [
        f"{record.id if is_id(record.id, 'mem') else 'one without a good id'} ({why})"
        for record in records
        if (why := hindrance(record)) is not None
    ]
    if not stuck:
        return Check(name="memories", status="ok", detail="none is kept from the cloud by a damaged field")
    more = f" and {len(stuck) - _NAMED} more" if len(stuck) > _NAMED else ""
    return Check(
        name="memories",
        status="warn",
        detail=f"{len(stuck)} can never go to the cloud and stay here: {', '.join(stuck[:_NAMED])}{more}",
        next_step="Tell it anew with `keepmum memory add`, and `keepmum forget` the old one, by its id or --matching.",
    )


def _extractor(extractor: SpanExtractor | ExtractorUnavailableError) -> Check:
    if isinstance(extractor, ExtractorUnavailableError):
        return _failed("extractor", extractor)
    return Check(name="extractor", status="ok", detail=f"{extractor.model_id}: {WHAT_IS_MISSED}")


def _retrieval(load: LoadEmbedder) -> Iterator[Check]:
    """Look at the sentence embedding, and at what reads protected attributes from its states."""
    again = "Install Keepmum again and restart it; nothing private is at risk."
    try:
        model_id = load().model_id
        detail = f"memories are found by meaning and words ({model_id})"
        yield Check(name="retrieval", status="ok", detail=detail)
    except (InferenceError, ImportError) as error:
        model_id, detail = None, f"memories are found by their words only: {in_words(error)}"
        yield Check(name="retrieval", status="warn", detail=detail, next_step=again)
    try:
        embedding, why = load_head().embedding, "it needs the sentence embedding that it was trained on"
    except (InferenceError, ImportError) as error:
        embedding, why = None, in_words(error)
    if model_id is None or embedding != model_id:
        detail = f"what new memories imply cannot be read, so all of them stay on this computer: {why}"
        yield Check(name="attributes", status="warn", detail=detail, next_step=again)
    else:
        yield Check(name="attributes", status="ok", detail="what memories imply is read by words and by meaning")


def _daemon(config: EdgeConfig) -> Check:
    try:
        holder = find_holder(config.paths.lock_file)
    except DatabaseUnavailableError as error:
        return _failed("daemon", error)
    if holder is None:
        return Check(name="daemon", status="ok", detail="not running")
    return Check(name="daemon", status="ok", detail=f"running at {holder.address or 'an address not yet known'}")


def _swap() -> Iterator[Check]:
    """Warn of swap that is not surely encrypted: what is in memory in clear can end up there. Linux only."""
    try:
        devices = [line.split()[0] for line in _SWAPS.read_text().splitlines()[1:]]
    except (OSError, IndexError):
        return
    plain = [device for device in devices if not device.startswith(("/dev/zram", "/dev/dm-", "/dev/mapper/"))]
    if plain:
        detail = f"memory can be swapped to {plain[0]}, which may not be encrypted"
        yield Check(name="swap", status="warn", detail=detail, next_step="Encrypt the swap space, or turn it off.")


def _failed(name: str, error: UnavailableError) -> Check:
    return Check(name=name, status="fail", detail=error.part, next_step=error.next_step)
