"""What the owner is shown of views, and what the owner can say about them: the budget, silence, the clock.

On the writer's thread, and for the owner's eyes only: the sentences name attributes and released views.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from keepmum_shared.view import Policy, SlotId

from keepmum_edge.daemon.views.turn_views import TurnViews
from keepmum_edge.errors import InvalidRequestError
from keepmum_edge.views.account import Account, accounts
from keepmum_edge.views.ledger import Cause
from keepmum_edge.views.log_audit import audit_log
from keepmum_edge.views.periods import BEFORE_FIRST, DAY, LEAP_DAYS, Calendar, advance, period_end
from keepmum_edge.views.release import Releaser
from keepmum_edge.views.store import Adopted

WHAT_IT_BOUNDS = (
    "The bounds are for what views tell, over their lifetime. Not in them: what your own messages say or show, and the"
    " views of other profiles of yours, which add up."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockAhead:
    """A clock that is too far ahead to be believed, and the period that believing it would begin; Unix seconds."""

    now: int
    days: int
    period: int
    until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What was spent and released, and until when; Unix seconds.

    Attributes:
        in_force: The policy, and how it is used.
        clock: What confirming a clock that is far ahead would do; None if it is not.
        silenced: Slots whose views are generic by the owner's word.
        notices: What is out of the ordinary, in words.
    """

    in_force: Adopted = field(repr=False)
    calendar: Calendar
    until: int
    clock: ClockAhead | None
    accounts: tuple[Account, ...] = field(repr=False)
    silenced: tuple[SlotId, ...]
    notices: tuple[str, ...]


class ViewsOverview:
    """The owner's side of views.

    Args:
        transaction: Opens a transaction.
        now: Unix seconds.
    """

    def __init__(
        self,
        *,
        releaser: Releaser,
        turns: TurnViews,
        transaction: Callable[[], AbstractContextManager[object]],
        now: Callable[[], float],
    ) -> None:
        self._releaser = releaser
        self._turns = turns
        self._transaction = transaction
        self._now = now

    def budget(self) -> Budget:
        """Return the state of every ledger.

        Raises:
            UnavailableError: there is none, or it cannot be read.
        """
        adopted, calendar = self._turns.look()
        store, policy = self._releaser.store, adopted.policy
        return Budget(
            in_force=adopted,
            calendar=calendar,
            until=period_end(calendar, calendar.period, policy.period_days),
            clock=_doubted(calendar, int(self._now()), policy.period_days),
            accounts=accounts(
                policy,
                store,
                calendar,
                store.releases(),
                self._releaser.scores.touches(),
                rolled_back=self._was_rolled_back(),
            ),
            silenced=tuple(slot for slot in policy.layout.slots if store.silenced(slot)),
            notices=tuple(self._notices(adopted, calendar)),
        )

    def silence(self, slot: str) -> None:
        """Make a slot's views generic from now on.

        Raises:
            InvalidRequestError: there is no such slot.
            UnavailableError: it could not be stored.
        """
        wanted = self._slot(slot)
        with self._transaction():
            self._releaser.store.silence(wanted, int(self._now()))

    def unsilence(self, slot: str) -> None:
        """Take back that a slot is silenced. Raises as `silence`."""
        wanted = self._slot(slot)
        with self._transaction():
            self._releaser.store.unsilence(wanted)

    def confirm_clock(self) -> Calendar:
        """Believe the clock: the owner says that it is right. Raises UnavailableError."""
        return self._turns.look(confirmed=True)[1]

    def wrong_log(self) -> tuple[str, ...]:
        """Return what an independent reading of the log finds wrong with it; nothing if all is well.

        Raises:
            PolicyError, UnavailableError: it cannot be read.
        """
        store = self._releaser.store
        policies = [each.for_audit() for each in store.adopted()]
        return audit_log(policies, [stored for stored, _, _ in store.releases()], store.charges()).words

    def _was_rolled_back(self) -> bool:
        return any(charge.cause is Cause.ROLLBACK for charge in self._releaser.store.charges())

    def _slot(self, slot: str) -> SlotId:
        slots = self._turns.look()[0].policy.layout.slots
        if slot not in slots:
            raise InvalidRequestError(f"slot: must be one of {', '.join(slots)}", param="slot")
        return SlotId(slot)

    def _notices(self, adopted: Adopted, calendar: Calendar) -> Iterator[str]:
        policy, store = adopted.policy, self._releaser.store
        if calendar.period == BEFORE_FIRST:
            yield f"until {_day(calendar.first_date)} every view is generic, and nothing is drawn or charged"
        if self._turns.clock_notice is not None:
            until = _day(period_end(calendar, calendar.period, policy.period_days))
            ahead = int(self._now()) > calendar.last_seen
            hint = " (`keepmum budget confirm-clock`)" if ahead else f", until {until}: a period never ends early"
            yield self._turns.clock_notice + hint
        if store.frozen(calendar.period):
            until = _day(period_end(calendar, calendar.period, policy.period_days))
            yield f"an older ledger was found (was a backup of the database put back?); no view is drawn before {until}"
        if self._was_rolled_back():
            yield "what an older ledger may have forgotten was charged to every attribute"
        newest = store.adopted()[-1]
        if newest.from_period > calendar.period:
            yield f"from the next period on: {in_words(newest)}"
        yield from policy.warnings()


def _doubted(calendar: Calendar, now: int, period_days: int) -> ClockAhead | None:
    days = (now - calendar.last_seen) // DAY
    if days < LEAP_DAYS:
        return None
    believed = advance(calendar, now, period_days, confirmed=True).calendar
    until = period_end(believed, believed.period, period_days)
    return ClockAhead(now=now, days=days, period=believed.period, until=until)


def in_words(adopted: Adopted) -> str:
    """Name a policy and how it is used."""
    policy: Policy = adopted.policy
    return f"policy {policy.version} ({policy.digest[:12]}), {adopted.release}, {adopted.mechanism}"


def _day(at: int) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at))
