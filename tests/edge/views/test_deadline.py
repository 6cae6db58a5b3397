import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_edge.views.deadline import STEP_NS, missed, release_time

MS = 1_000_000


@pytest.mark.parametrize(
    ("arrived", "took", "left", "late"),
    [
        (0, 0, 50, 0), (0, 50, 50, 0), (0, 51, 100, 1), (0, 149, 150, 2),
        (7, 0, 100, 0), (7, 93, 100, 0), (7, 94, 150, 1), (49, 1, 100, 0), (51, 0, 150, 0),
    ],
)  # fmt: skip
def test_views_leave_at_the_first_tick_a_step_after_arrival_or_a_later_one(
    arrived: int, took: int, left: int, late: int
) -> None:
    assert release_time(arrived * MS, (arrived + took) * MS) == left * MS
    assert missed(arrived * MS, (arrived + took) * MS) == late


@given(st.integers(0, 10**18), st.integers(0, 10**12))
def test_views_leave_at_ticks_after_they_are_ready_and_no_later_than_the_next(arrived: int, took: int) -> None:
    left = release_time(arrived, arrived + took)
    assert left % STEP_NS == 0
    assert left >= arrived + max(took, STEP_NS)
    assert left - (arrived + max(took, STEP_NS)) < STEP_NS


@given(st.integers(0, 10**18), st.integers(0, STEP_NS), st.integers(0, STEP_NS))
def test_how_long_it_took_to_be_ready_in_time_changes_nothing(arrived: int, took: int, other: int) -> None:
    assert release_time(arrived, arrived + took) == release_time(arrived, arrived + other)
    assert missed(arrived, arrived + took) == 0


def test_a_clock_that_ran_back_is_refused() -> None:
    with pytest.raises(ValueError, match="ready"):
        release_time(2, 1)
