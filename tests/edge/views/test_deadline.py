import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_edge.views.deadline import STEP_NS, missed, release_time

MS = 1_000_000


@pytest.mark.parametrize(("took", "left", "late"), [(0, 50, 0), (1, 50, 0), (50, 50, 0), (51, 100, 1), (149, 150, 2)])
def test_views_leave_at_fifty_milliseconds_or_the_next_multiple(took: int, left: int, late: int) -> None:
    assert release_time(7, 7 + took * MS) == 7 + left * MS
    assert missed(7, 7 + took * MS) == late


@given(st.integers(0, 10**18), st.integers(0, 10**12))
def test_no_view_leaves_before_it_is_ready_or_more_than_a_step_after(arrived: int, took: int) -> None:
    left = release_time(arrived, arrived + took)
    assert (left - arrived) % STEP_NS == 0
    assert left >= arrived + took
    assert left - (arrived + took) < STEP_NS or left == arrived + STEP_NS


def test_a_clock_that_ran_back_is_refused() -> None:
    with pytest.raises(ValueError, match="ready"):
        release_time(2, 1)
