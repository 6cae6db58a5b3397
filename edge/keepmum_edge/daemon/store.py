"""What the edge keeps about its cloud half: the pairing, the key of each scope, deletions not yet done there. SQL only.

Never opens, commits or closes. Settings that the program itself remembers are here too; those of the owner are in the
configuration file.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from keepmum_shared.ids import DeviceId, MemoryId, ScopeKey, new_scope_key

from keepmum_edge.database import Database

EVERYTHING: Final = MemoryId("*")
"""Stands among ids that wait for their deletion for all that the cloud holds of this device, whatever its id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """The cloud half that this edge is paired with.

    Attributes:
        device: The id under which it knows this edge.
        certificate_pem: Its certificate; no other is accepted.
        private_key: Ed25519, 32 raw bytes; signs every request.
        paired_at: Unix seconds.
    """

    device: DeviceId
    host: str
    port: int
    certificate_pem: str = field(repr=False)
    private_key: bytes = field(repr=False)
    paired_at: int


class PairingStore:
    """The one pairing of a profile."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def put(self, pairing: Pairing) -> None:
        """Store the pairing in the place of an older one."""
        self._db.execute(
            "INSERT OR REPLACE INTO pairing VALUES (1, ?, ?, ?, ?, ?, ?)",
            *(pairing.device, pairing.host, pairing.port),
            *(pairing.certificate_pem, pairing.private_key, pairing.paired_at),
        )

    def get(self) -> Pairing | None:
        """Return the pairing, or None if there is none."""
        row = self._db.row("SELECT device, host, port, certificate_pem, private_key, paired_at FROM pairing")
        if row is None:
            return None
        device, host, port, certificate_pem, private_key, paired_at = row
        return Pairing(
            device=DeviceId(device),
            host=host,
            port=port,
            certificate_pem=certificate_pem,
            private_key=private_key,
            paired_at=paired_at,
        )

    def remove(self) -> None:
        """Forget the pairing; the cloud half has to be told apart."""
        self._db.execute("DELETE FROM pairing")


class ScopeStore:
    """Under which key the cloud keeps each scope.

    Args:
        db: The database of the profile.
        new_key: Draws a key.
    """

    def __init__(self, db: Database, *, new_key: Callable[[], ScopeKey] = new_scope_key) -> None:
        self._db = db
        self._new_key = new_key

    def key_of(self, scope: str) -> ScopeKey:
        """Return the key of a scope; a scope that has none gets one, and that needs a transaction."""
        found = self.find(scope)
        if found is None:
            found = self._new_key()
            self._db.execute("INSERT INTO scope (name, key) VALUES (?, ?)", scope, found)
        return found

    def find(self, scope: str) -> ScopeKey | None:
        """Return the key of a scope, or None: the cloud never heard of it."""
        key = self._db.value("SELECT key FROM scope WHERE name = ?", scope)
        return None if key is None else ScopeKey(key)

    def forget(self, scope: str | None) -> None:
        """Delete the key of a scope, or of all; the next memory there gets another, so that nothing links the two."""
        self._db.execute("DELETE FROM scope WHERE ?1 IS NULL OR name = ?1", scope)

    def names(self) -> tuple[str, ...]:
        """Return the scopes that have a key, sorted."""
        return tuple(str(row[0]) for row in self._db.rows("SELECT name FROM scope ORDER BY name"))


class OutboxStore:
    """Memories still to be deleted at the cloud: ids alone, no text; `EVERYTHING` may be among them."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, memories: Iterable[MemoryId], *, forget: bool) -> None:
        """Queue deletions; in the transaction that deletes them here.

        Args:
            memories: Ids.
            forget: They stay forbidden at the cloud; False takes back a write that may be made again.
        """
        self._db.execute_each(
            "INSERT INTO cloud_deletion (memory, forget) VALUES (?, ?)"
            " ON CONFLICT (memory) DO UPDATE SET forget = max(forget, excluded.forget)",
            [(memory, int(forget)) for memory in memories],
        )

    def waiting(self, limit: int = 1000, *, forget: bool | None = None) -> tuple[MemoryId, ...]:
        """Return what is still to be deleted; `forget` as in `add`, None for both. `EVERYTHING` comes last."""
        query = (
            "SELECT memory FROM cloud_deletion WHERE ?1 IS NULL OR forget = ?1 ORDER BY memory = ?3, memory LIMIT ?2"
        )
        wanted = None if forget is None else int(forget)
        return tuple(MemoryId(row[0]) for row in self._db.rows(query, wanted, limit, EVERYTHING))

    def is_empty(self) -> bool:
        """Say whether nothing waits."""
        return self._db.value("SELECT 1 FROM cloud_deletion LIMIT 1") is None

    def holds(self, memory: MemoryId) -> bool:
        """Say whether the deletion of one waits."""
        return self._db.value("SELECT 1 FROM cloud_deletion WHERE memory = ?", memory) is not None

    def remove(self, memories: Iterable[MemoryId]) -> None:
        """Take off what the cloud has confirmed, as deleted or as absent."""
        self._db.execute_each("DELETE FROM cloud_deletion WHERE memory = ?", [(memory,) for memory in memories])


class SettingStore:
    """Short texts by name that the program remembers about itself."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def get(self, name: str) -> str | None:
        """Return a value, or None."""
        value = self._db.value("SELECT value FROM setting WHERE name = ?", name)
        return None if value is None else str(value)

    def put(self, name: str, value: str) -> None:
        """Store a value in the place of an older one."""
        self._db.execute("INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", name, value)
