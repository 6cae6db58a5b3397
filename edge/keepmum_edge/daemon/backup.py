"""Backups of the records, and their key files, which every deletion rewrites.

A key file is written whole beside the old one, the old one's bytes are overwritten, and the new one takes its name: a
crash in between leaves a key file that opens, and the old keys are not left in the folder. A copy that somebody made,
or a disk that is not there, cannot be reached; those that this profile knows of are named in the receipt.
"""

import asyncio
import json
import os
import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from keepmum_shared.ids import MemoryId

from keepmum_edge.config import Paths, UnsafeFileError
from keepmum_edge.config.private_files import ensure_folder, read_private, replace_private
from keepmum_edge.daemon.arrivals import Added, Arrivals
from keepmum_edge.daemon.store import SettingStore
from keepmum_edge.daemon.writer import Writer
from keepmum_edge.errors import EdgeError, InvalidRequestError
from keepmum_edge.keys.key_file import DamagedFileError, RecoveryFile, read_recovery_file
from keepmum_edge.keys.record_keys import open_record, read_record_keys, seal_record, write_record_keys
from keepmum_edge.keys.recovery import MistypedError
from keepmum_edge.keys.wrapping import NONCE_BYTES, WrongSecretError
from keepmum_edge.memory.key_store import BackupPlace, RecordKeyStore
from keepmum_edge.memory.record import MemoryRecord
from keepmum_edge.memory.record_fields import DamagedRecordError
from keepmum_edge.memory.record_file import read_record, record_bytes
from keepmum_edge.memory.store import MemoryStore
from keepmum_edge.memory.transfer import parents_first

RECORD_FILE: Final = "keepmum-records.jsonl"
KEY_FILE: Final = "keepmum-records.key"
_KEY_BYTES: Final = 32
_GENERATION: Final = "record_keys_generation"
_MAX_FILE: Final = 1 << 30
_ANOTHER_COPY: Final = "use another copy of it, or make a new one with `keepmum backup` where its memories still are"
_IS_ONE: Final = f"give the folder that `keepmum backup` wrote, with {RECORD_FILE} and {KEY_FILE}"


class BackupError(EdgeError):
    """A backup cannot be written or read."""

    code = "backup_failed"


class Backups:
    """Makes backups of one profile, on the writer's thread.

    Args:
        key: The database key.
        arrivals: Takes back what a backup holds.
        now: Unix seconds.
    """

    def __init__(
        self,
        *,
        writer: Writer,
        transaction: Callable[[], AbstractContextManager[object]],
        paths: Paths,
        records: MemoryStore,
        keys: RecordKeyStore,
        settings: SettingStore,
        key: bytes,
        arrivals: Arrivals,
        now: Callable[[], float],
    ) -> None:
        self._writer = writer
        self._transaction = transaction
        self._paths = paths
        self._records = records
        self._keys = keys
        self._settings = settings
        self._key = key
        self._arrivals = arrivals
        self._now = now

    async def make(self, folder: Path) -> int:
        """Write a backup into a folder of its own, 0700; return how many records it holds.

        Raises:
            BackupError: it cannot be written, or this profile has no recovery file.
        """
        return await self._writer.run(lambda: self._make(folder))

    async def restore(self, folder: Path, recovery_key: str) -> Added:
        """Add the records of a backup that are not here; what was forgotten does not come back.

        The recovery key vouches for what the owner did, trust and consent; the rest is computed here (`arrivals`).

        Raises:
            BackupError: the files are missing, damaged, or another profile's.
            InvalidRequestError: the recovery key is mistyped.
        """
        found, total = await asyncio.get_running_loop().run_in_executor(
            None, lambda: self._read_backup(folder, recovery_key)
        )
        added = await self._arrivals.add(found, vouched=True)
        lost = total - len(found)  # their keys went when they were forgotten
        return replace(added, forgotten=added.forgotten + lost)

    def rewrite_key_files(self) -> tuple[str, ...]:
        """Write every key file anew with the keys that are left; return those that could not be reached."""
        places = self._keys.places()
        if not places:
            return ()
        try:
            recovery = self._recovery()
        except BackupError:
            return tuple(place.key_file for place in places)
        with self._transaction():
            generation = self._next_generation()
        stale = []
        for place in places:
            try:
                if not Path(place.key_file).exists():
                    raise FileNotFoundError
                self._write_keys(Path(place.key_file), recovery, generation)
            except (OSError, UnsafeFileError):
                stale.append(place.key_file)
        return tuple(stale)

    def _make(self, folder: Path) -> int:
        if not folder.is_absolute():
            raise InvalidRequestError("folder: must be an absolute path", param="folder")
        recovery = self._recovery()
        with self._transaction():
            self._keys.make_missing(lambda: secrets.token_bytes(_KEY_BYTES))
            generation = self._next_generation()
            keys = self._keys.keys()
            lines = [
                json.dumps({"id": record.id, "sealed": self._sealed(record, keys[record.id])})
                for record in self._records.list()
            ]
            place = BackupPlace(
                record_file=str(folder / RECORD_FILE), key_file=str(folder / KEY_FILE), made_at=int(self._now())
            )
            self._keys.put_place(place)
        try:
            ensure_folder(folder)
            replace_private(folder / RECORD_FILE, "".join(line + "\n" for line in lines).encode())
            self._write_keys(folder / KEY_FILE, recovery, generation)
        except UnsafeFileError as unsafe:
            raise BackupError(str(unsafe)) from None
        except OSError as error:
            raise BackupError(f"the backup cannot be written ({error.strerror}); check the folder") from None
        return len(lines)

    def _read_backup(self, folder: Path, recovery_key: str) -> tuple[tuple[MemoryRecord, ...], int]:
        """Return the records that the key file opens, and how many are sealed there; reads no database."""
        try:
            content = read_private(folder / KEY_FILE, limit=_MAX_FILE)
            lines = read_private(folder / RECORD_FILE, limit=_MAX_FILE).splitlines()
        except UnsafeFileError as unsafe:
            raise BackupError(str(unsafe)) from None
        except FileNotFoundError:
            raise BackupError(f"{folder} holds no backup, or not all of one; {_IS_ONE}") from None
        except OSError as error:
            raise BackupError(f"the backup cannot be read ({error.strerror}); {_IS_ONE}") from None
        try:
            keys = read_record_keys(content, recovery_key)
        except MistypedError as mistyped:
            raise InvalidRequestError(f"the recovery key is mistyped: {mistyped}", param="recovery_key") from None
        except WrongSecretError:
            raise BackupError(
                f"the recovery key does not open this backup: it is another profile's, or {KEY_FILE} is damaged; "
                "use the recovery key of the profile that made it, else another copy of the backup"
            ) from None
        except DamagedFileError:
            raise BackupError(f"{KEY_FILE} of the backup is damaged; {_ANOTHER_COPY}") from None
        sealed: dict[str, str] = {}
        found = []
        for number, line in enumerate(lines, start=1):
            try:
                plain = json.loads(line)
                memory, text = MemoryId(plain["id"]), plain["sealed"]
                sealed[memory] = text
                if memory in keys:
                    found.append(read_record(open_record(text, key=keys[memory], memory=memory), memory))
            except (WrongSecretError, DamagedRecordError, ValueError, KeyError, TypeError, RecursionError):
                raise BackupError(
                    f"the backup is damaged at record {number} of {RECORD_FILE}, and nothing was taken; {_ANOTHER_COPY}"
                ) from None
        try:
            return parents_first(found), len(sealed)
        except DamagedRecordError as error:
            raise BackupError(f"the backup is damaged ({error}), and nothing was taken; {_ANOTHER_COPY}") from None

    def _sealed(self, record: MemoryRecord, key: bytes) -> str:
        nonce = secrets.token_bytes(NONCE_BYTES)
        return seal_record(record_bytes(record), key=key, memory=record.id, nonce=nonce)

    def _next_generation(self) -> int:
        generation = int(self._settings.get(_GENERATION) or 0) + 1
        self._settings.put(_GENERATION, str(generation))
        return generation

    def _recovery(self) -> RecoveryFile:
        try:
            return read_recovery_file(read_private(self._paths.recovery_file))
        except (OSError, UnsafeFileError, DamagedFileError):
            raise BackupError("the recovery file cannot be read; `keepmum doctor` says why") from None

    def _write_keys(self, path: Path, recovery: RecoveryFile, generation: int) -> None:
        content = write_record_keys(
            {str(memory): key for memory, key in self._keys.keys().items()},
            database_key=self._key,
            recovery=recovery,
            generation=generation,
            nonce=secrets.token_bytes(NONCE_BYTES),
        )
        fresh = path.with_name(path.name + ".new")
        replace_private(fresh, content)
        _overwrite(path)
        os.replace(fresh, path)


def _overwrite(path: Path) -> None:
    """Overwrite the bytes of a file that is about to be replaced; one that is not there is no error."""
    with suppress(FileNotFoundError):
        descriptor = os.open(path, os.O_WRONLY | os.O_NOFOLLOW)
        with os.fdopen(descriptor, "wb") as file:
            file.write(bytes(path.stat().st_size))
            file.flush()
            os.fsync(file.fileno())
