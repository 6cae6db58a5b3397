from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_edge.views.periods import BEFORE_FIRST, DAY, LEAP_DAYS, advance, first_calendar, period_end

START = 1_800_000_000


def test_the_first_period_starts_on_its_public_date_and_periods_follow_the_calendar() -> None:
    calendar = first_calendar(START, 14)
    for day, period in ((0, -1), (13, -1), (14, 0), (43, 0), (44, 1), (74, 2)):
        tick = advance(calendar, START + day * DAY, 30)
        assert tick.calendar.period == period
        assert tick.notice is None
        assert START + day * DAY < period_end(calendar, period, 30) <= START + (day + 30) * DAY
    assert period_end(calendar, BEFORE_FIRST, 30) == calendar.first_date
    assert first_calendar(START, 0).period == 0


def test_a_clock_that_goes_back_gives_no_period_a_second_time() -> None:
    calendar = advance(first_calendar(START, 0), START + 65 * DAY, 30).calendar
    back = advance(calendar, START + 2 * DAY, 30)
    assert back.calendar == calendar
    assert "went back by 63 days" in str(back.notice)
    assert advance(back.calendar, START + 66 * DAY, 30).calendar.period == 2


def test_a_clock_a_year_ahead_is_not_believed_until_the_owner_confirms_it() -> None:
    calendar = first_calendar(START, 14)
    ahead = advance(calendar, START + 365 * DAY, 30)
    assert ahead.calendar == calendar
    assert "365 days ahead" in str(ahead.notice)
    assert advance(ahead.calendar, START + 15 * DAY, 30).calendar.period == 0
    sure = advance(calendar, START + 365 * DAY, 30, confirmed=True)
    assert (sure.calendar.period, sure.notice) == (11, None)
    assert advance(calendar, START + (LEAP_DAYS - 1) * DAY, 30).notice is None


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(-400, 4000), st.booleans()), max_size=20))
def test_whatever_the_clock_does_the_period_and_the_day_never_fall(moves: list[tuple[int, bool]]) -> None:
    calendar = first_calendar(START, 14)
    for days, confirmed in moves:
        after = advance(calendar, START + days * DAY, 30, confirmed=confirmed).calendar
        assert after.period >= calendar.period
        assert after.last_seen >= calendar.last_seen
        assert after.first_date == calendar.first_date
        calendar = after
