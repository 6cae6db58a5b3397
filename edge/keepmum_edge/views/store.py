"""Ledger, released views, calendar and policies of one profile. SQL only; it implements `Books`.

Never opens, commits or closes: the caller owns the transaction. Rows of charges and releases are final; the database
itself refuses a draw that passes a cap, a charge that changes, and a period or seal that falls.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from keepmum_shared.view import AttributeId, FacetId, Layout, Policy, SlotId, ViewId, load_policy

from keepmum_edge.database import Database
from keepmum_edge.views.ledger import Cause, Charge, Ground, Stored
from keepmum_edge.views.log_audit import InForce
from keepmum_edge.views.periods import Calendar
from keepmum_edge.views.policy import MechanismName, ReleasePolicy
from keepmum_edge.views.rollback import Seal

_CHARGE = "attribute, slot, key, period, epsilon, cause"


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopted:
    """A policy and how it is used, from a period on. `listed`: what it newly lists was charged."""

    from_period: int
    policy: Policy
    release: ReleasePolicy
    mechanism: MechanismName
    file: str = field(repr=False)
    listed: bool

    def for_audit(self) -> InForce:
        """Return what `log_audit` reads."""
        return InForce(from_period=self.from_period, release=str(self.release), file=self.file)


class ViewStore:
    """What is kept about views."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._read: dict[str, Policy] = {}

    def stored(self, key: str) -> Stored | None:
        """Return what was released under a key."""
        row = self._db.row("SELECT key, unit, period, view, ground FROM view_release WHERE key = ?", key)
        return None if row is None else _stored(*row)

    def latest(self, unit: FacetId | SlotId) -> ViewId | None:
        """Return the newest view that was drawn for a facet or slot."""
        query = "SELECT view FROM view_release WHERE unit = ? AND ground = 'drawn' ORDER BY row DESC LIMIT 1"
        view = self._db.value(query, unit)
        return None if view is None else ViewId(view)

    def spent(self, attribute: AttributeId, period: int) -> int:
        """Return the sum of the charges of one period."""
        query = "SELECT coalesce(sum(epsilon), 0) FROM view_charge WHERE attribute = ? AND period = ?"
        return int(self._db.value(query, attribute, period))

    def lifetime(self, attribute: AttributeId) -> int:
        """Return the sum of all charges."""
        return int(self._db.value("SELECT coalesce(sum(epsilon), 0) FROM view_charge WHERE attribute = ?", attribute))

    def paid(self, key: str, period: int) -> bool:
        """Say whether a draw was charged under this key in this period and never stored."""
        query = (
            "SELECT EXISTS (SELECT 1 FROM view_charge WHERE key = ? AND period = ? AND cause = 'intent')"
            " AND NOT EXISTS (SELECT 1 FROM view_release WHERE key = ?)"
        )
        return bool(self._db.value(query, key, period, key))

    def silenced(self, slot: SlotId) -> bool:
        """Say whether the user silenced a slot."""
        return self._db.value("SELECT 1 FROM view_silence WHERE slot = ?", slot) is not None

    def frozen(self, period: int) -> bool:
        """Say whether nothing may be drawn in this period."""
        return period < int(self._db.value("SELECT frozen_before FROM view_state"))

    def charge(self, charges: Iterable[Charge], layout: Layout) -> None:
        """Add charges.

        Args:
            charges: New ones.
            layout: Names the caps that a draw may not pass; for an attribute that it has no more, the charge itself.

        Raises:
            DatabaseUnavailableError: a draw passes a cap, or is charged twice.
        """
        rows = []
        for each in charges:
            owner = layout.attributes.get(each.attribute)
            caps = (owner.cap, owner.lifetime_cap) if owner else (each.epsilon, each.epsilon)
            rows.append((each.attribute, each.slot, each.key, each.period, each.epsilon, str(each.cause), *caps))
        statement = f"INSERT INTO view_charge ({_CHARGE}, cap, lifetime_cap) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
        self._db.execute_each(statement, rows)

    def keep(self, stored: Stored, slot: SlotId, now: int) -> None:
        """Keep a released view under its key.

        Raises:
            DatabaseUnavailableError: the key has one.
        """
        self._db.execute(
            "INSERT INTO view_release (key, unit, period, view, ground, slot, released_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            *(stored.key, stored.unit, stored.period, stored.view, str(stored.ground)),
            *(slot, now),
        )

    def charges(self) -> tuple[Charge, ...]:
        """Return every charge, oldest first."""
        rows = self._db.rows(f"SELECT {_CHARGE} FROM view_charge ORDER BY row")  # noqa: S608
        return tuple(_charge(*row) for row in rows)

    def releases(self) -> tuple[tuple[Stored, SlotId, int], ...]:
        """Return every stored release with its slot and time, oldest first."""
        query = "SELECT key, unit, period, view, ground, slot, released_at FROM view_release ORDER BY row"
        return tuple((_stored(*row[:5]), SlotId(row[5]), int(row[6])) for row in self._db.rows(query))

    def begin(self, calendar: Calendar) -> None:
        """Write the state of a first start."""
        self._db.execute(
            "INSERT INTO view_state VALUES (1, ?, ?, ?, -1, 0, 0)",
            *(calendar.first_date, calendar.last_seen, calendar.period),
        )

    def calendar(self) -> Calendar | None:
        """Return the calendar; None before the first start."""
        row = self._db.row("SELECT first_date, last_seen, period FROM view_state")
        return None if row is None else Calendar(first_date=row[0], last_seen=row[1], period=row[2])

    def seal(self) -> Seal:
        """Return counter and total."""
        row = self._db.row("SELECT counter, total FROM view_state")
        return Seal(0, 0) if row is None else Seal(*row)

    def set_calendar(self, calendar: Calendar) -> None:
        """Move the calendar on."""
        statement = "UPDATE view_state SET last_seen = ?, period = ? WHERE last_seen <> ? OR period <> ?"
        self._db.execute(statement, *(calendar.last_seen, calendar.period) * 2)

    def set_seal(self, seal: Seal) -> None:
        """Move the seal on."""
        self._db.execute("UPDATE view_state SET counter = ?, total = ?", seal.counter, seal.total)

    def freeze_before(self, period: int) -> None:
        """Let nothing be drawn before a period."""
        self._db.execute("UPDATE view_state SET frozen_before = max(frozen_before, ?)", period)

    def silence(self, slot: SlotId, now: int) -> None:
        """Make a slot generic from now on."""
        self._db.execute("INSERT INTO view_silence VALUES (?, ?) ON CONFLICT DO NOTHING", slot, now)

    def unsilence(self, slot: SlotId) -> None:
        """Take back that a slot is silenced; what it was charged stays charged."""
        self._db.execute("DELETE FROM view_silence WHERE slot = ?", slot)

    def adopt(
        self, from_period: int, file: str, release: ReleasePolicy, mechanism: MechanismName, *, listed: bool = False
    ) -> None:
        """Take a policy file from a period on; one that waits for the same period gives way.

        Raises:
            PolicyError: the file breaks a rule.
        """
        policy = load_policy(file)
        self._db.execute(
            "INSERT OR REPLACE INTO view_policy VALUES (?, ?, ?, ?, ?, ?)",
            *(from_period, policy.digest, str(release), str(mechanism), file, int(listed)),
        )

    def adopted(self) -> tuple[Adopted, ...]:
        """Return every policy that was or will be in force, oldest first."""
        query = (
            "SELECT from_period, digest, release_policy, mechanism, file, listed FROM view_policy ORDER BY from_period"
        )
        return tuple(
            Adopted(
                from_period=start,
                policy=self._policy(digest, file),
                release=ReleasePolicy(release),
                mechanism=MechanismName(mechanism),
                file=file,
                listed=bool(listed),
            )
            for start, digest, release, mechanism, file, listed in self._db.rows(query)
        )

    def mark_listed(self, from_period: int) -> None:
        """Note that what a policy newly lists was charged."""
        self._db.execute("UPDATE view_policy SET listed = 1 WHERE from_period = ?", from_period)

    def _policy(self, digest: str, file: str) -> Policy:
        if digest not in self._read:
            self._read[digest] = load_policy(file)
        return self._read[digest]


def _stored(key: str, unit: str, period: int, view: str, ground: str) -> Stored:
    return Stored(key=key, unit=FacetId(unit), period=period, view=ViewId(view), ground=Ground(ground))


def _charge(attribute: str, slot: str, key: str, period: int, epsilon: int, cause: str) -> Charge:
    return Charge(
        attribute=AttributeId(attribute),
        slot=SlotId(slot),
        key=key,
        period=period,
        epsilon=epsilon,
        cause=Cause(cause),
    )
