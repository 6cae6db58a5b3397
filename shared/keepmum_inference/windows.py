"""Long inputs in overlapping windows: nothing is truncated, every piece is read with context (pure)."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A half-open stretch of pieces that one call reads, and the part of it whose answers count.

    Attributes:
        start, end: What is read.
        keep_start, keep_end: What counts; these parts of successive windows tile the input.
    """

    start: int
    end: int
    keep_start: int
    keep_end: int


def windows(length: int, *, size: int, overlap: int) -> Iterator[Window]:
    """Cut `length` pieces into windows of at most `size`; neighbours share `overlap`, half of it kept by each.

    Args:
        length: Pieces, >= 0.
        size: Most pieces of one window, > overlap.
        overlap: Pieces that two neighbours share, even, >= 0.

    Raises:
        ValueError: the sizes are out of range.
    """
    if length < 0 or not 0 <= overlap < size or overlap % 2:
        msg = "need length >= 0, size > overlap >= 0, overlap even"
        raise ValueError(msg)
    start = 0
    while start < length:
        end = min(start + size, length)
        last = end == length
        yield Window(
            start=start,
            end=end,
            keep_start=start + overlap // 2 if start else 0,
            keep_end=length if last else end - overlap // 2,
        )
        if last:
            return
        start = end - overlap
