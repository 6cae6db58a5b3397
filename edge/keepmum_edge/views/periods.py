"""Which period a moment lies in. Periods turn by the calendar only, and their index never decreases.

A clock that went back stays in the period it had come to. A clock that leaps far ahead is not believed until the owner
confirms it: a period entered by mistake could not be left again. Until then views already drawn stay, and none is drawn
for a later period.
"""

from dataclasses import dataclass, replace
from typing import Final

DAY: Final = 86_400
LEAP_DAYS: Final = 180
BEFORE_FIRST: Final = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """What is known of time; Unix seconds.

    Attributes:
        first_date: When period 0 begins, fixed at first start.
        last_seen: The latest moment that was believed.
        period: Index reached, BEFORE_FIRST before the first date.
    """

    first_date: int
    last_seen: int
    period: int = BEFORE_FIRST


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """The calendar after looking at the clock, and words for the owner if the clock is odd."""

    calendar: Calendar
    notice: str | None = None


def first_calendar(now: int, first_period_days: int) -> Calendar:
    """Return the calendar of a profile that starts for the first time."""
    return _moved(Calendar(first_date=now + first_period_days * DAY, last_seen=now), now, 1)


def period_end(calendar: Calendar, period: int, period_days: int) -> int:
    """Return when a period ends, the date until which its views stay; of BEFORE_FIRST, the first date."""
    return calendar.first_date + (period + 1) * period_days * DAY


def advance(calendar: Calendar, now: int, period_days: int, *, confirmed: bool = False) -> Tick:
    """Look at the clock.

    Args:
        calendar: So far.
        now: Unix seconds.
        period_days: Length of a period.
        confirmed: The owner says that this is the right time.
    """
    ahead = (now - calendar.last_seen) // DAY
    if ahead >= LEAP_DAYS and not confirmed:
        return Tick(
            calendar=calendar, notice=f"the clock is {ahead} days ahead of the last turn; confirm that it is right"
        )
    notice = f"the clock went back by {-ahead} days; the period stays as it was" if ahead < -1 else None
    return Tick(calendar=_moved(calendar, now, period_days), notice=notice)


def _moved(calendar: Calendar, now: int, period_days: int) -> Calendar:
    index = max(BEFORE_FIRST, (now - calendar.first_date) // (period_days * DAY))
    return replace(calendar, last_seen=max(calendar.last_seen, now), period=max(calendar.period, index))
