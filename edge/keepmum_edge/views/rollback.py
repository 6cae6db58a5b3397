"""Noticing that the database is older than it was: yesterday's file would have yesterday's ledger (pure).

A counter of draws and the sum of all charges are kept a second time, in the keyring, and a third time, signed, at the
cloud. A draw goes in this order: the keyring takes the intent; the transaction commits; the keyring takes it as
settled; the view leaves. So whatever is cut off, nothing left that was not charged and kept.

At start the database is compared:
    = settled, no intent        clean
    = intended                  the crash came after the commit: settle
    = settled, with an intent   the crash came before the commit: charge it; its key may be drawn once more
    ahead of the cloud's copy   send it again
    anything else               a rollback: stored views stay, nothing else is drawn until the next period, and every
                                attribute is charged what may be missing
"""

from dataclasses import dataclass, field, replace

from keepmum_edge.views.ledger import Charge


@dataclass(frozen=True, slots=True, order=True)
class Seal:
    """State of a ledger: how many draws, and the sum of all charges in nano-epsilon. Both only grow."""

    counter: int
    total: int


ZERO = Seal(0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """A draw about to be committed: the seal after it, and what it charges."""

    seal: Seal
    charges: tuple[Charge, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What the keyring holds."""

    settled: Seal
    intent: Intent | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Clean:
    """The database is as new as its copies. `settle`: the keyring must take the intent as done."""

    settle: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeIntent:
    """A draw was cut off before it was stored; charge it, then settle."""

    intent: Intent


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollback:
    """The database is not the newest.

    Attributes:
        known: The newest state that any copy shows; the database takes it.
        missing: Nano-epsilon that may be missing from any one attribute; None if there is no telling.
        words: For the owner.
    """

    known: Seal
    missing: int | None
    words: str = field(default="the ledger is older than it was (a backup was put back?); no view is drawn this period")


Verdict = Clean | ChargeIntent | Rollback


def at_start(database: Seal, kept: Kept | None, cloud: Seal | None = None) -> Verdict:
    """Compare the three copies.

    Args:
        database: Its own seal.
        kept: The keyring's; None if it holds none.
        cloud: The newest that the cloud holds under this edge's signature; None if unknown, or if it has none.
    """
    if kept is None:
        unused = database == ZERO and cloud in (None, ZERO)
        return Clean() if unused else replace(_rollback(database, cloud or ZERO), missing=None)
    verdict = _against_keyring(database, kept)
    reached = verdict.intent.seal if isinstance(verdict, ChargeIntent) else database
    if cloud is not None and not isinstance(verdict, Rollback) and not _follows(reached, cloud):
        return _rollback(database, kept.settled, cloud)
    return verdict


def tells_cloud(database: Seal, cloud: Seal | None) -> bool:
    """Say whether the cloud's copy is to be sent again."""
    return database != (cloud or ZERO)


def intended(seal: Seal, charges: tuple[Charge, ...]) -> Intent:
    """Return the intent of the next draw or draws, which are one transaction."""
    return Intent(seal=Seal(seal.counter + 1, seal.total + sum(each.epsilon for each in charges)), charges=charges)


def _against_keyring(database: Seal, kept: Kept) -> Verdict:
    if kept.intent is not None and database == kept.intent.seal:
        return Clean(settle=True)
    if database != kept.settled:
        return _rollback(database, kept.settled, kept.intent.seal if kept.intent else ZERO)
    return Clean() if kept.intent is None else ChargeIntent(intent=kept.intent)


def _follows(later: Seal, earlier: Seal) -> bool:
    """Say whether one ledger can be the other some draws later; a draw that was paid before costs nothing more."""
    if later.counter == earlier.counter:
        return later == earlier
    return later.counter > earlier.counter and later.total >= earlier.total


def _rollback(database: Seal, *copies: Seal) -> Rollback:
    known = Seal(
        max(database.counter, *(copy.counter for copy in copies))
        + 1,  # a state that no copy has, so none fits by chance
        max(database.total, *(copy.total for copy in copies)),
    )
    if database.total >= known.total:  # a ledger that says more than its copies is not ours to read
        return Rollback(known=known, missing=None)
    return Rollback(known=known, missing=known.total - database.total)
