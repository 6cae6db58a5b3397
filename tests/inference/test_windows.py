import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_inference.windows import windows


@given(length=st.integers(0, 3000), size=st.integers(1, 300), half=st.integers(0, 60))
def test_every_piece_counts_once_and_is_read_where_it_counts(length: int, size: int, half: int) -> None:
    overlap = min(2 * half, (size - 1) // 2 * 2)
    cut = list(windows(length, size=size, overlap=overlap))
    assert [i for w in cut for i in range(w.keep_start, w.keep_end)] == list(range(length))
    assert all(w.start <= w.keep_start < w.keep_end <= w.end and w.end - w.start <= size for w in cut)
    assert all(b.keep_start - b.start == overlap // 2 for _, b in itertools.pairwise(cut))


@pytest.mark.parametrize(("size", "overlap"), [(4, 4), (4, 5), (4, 1), (4, -2)])
def test_sizes_that_cannot_work_are_refused(size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="overlap"):
        list(windows(10, size=size, overlap=overlap))
