"""Examples as windows of numbered pieces with targets, and batches of windows of like length (pure but for a clock).

Nothing is truncated: a long text becomes overlapping windows, all of which are trained on.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from keepmum_inference.labels import BEGIN, END, INSIDE, SINGLE
from keepmum_inference.subwords import Pieces, Subwords
from keepmum_inference.windows import windows
from numpy.typing import NDArray

from keepmum_models.examples import Example, Marked
from keepmum_models.labels import Targets
from keepmum_models.strangers import Strangers

NO_LEVEL: Final = -1
_BUCKET: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Piecewise:
    """One window ready to train on, marks included; the marks' target is O.

    Attributes:
        ids: Vocabulary numbers.
        targets: Numbers of `Targets`.
        levels: Column of the level head, NO_LEVEL where none is taught.
        kinds: Type number of the piece's only type, NO_LEVEL where there is no level.
    """

    ids: NDArray[np.int32] = field(repr=False)
    targets: NDArray[np.int32] = field(repr=False)
    levels: NDArray[np.int8] = field(repr=False)
    kinds: NDArray[np.int8] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Windows padded to one length; shape (windows, pieces)."""

    ids: NDArray[np.int64]
    mask: NDArray[np.int64]
    targets: NDArray[np.int64]
    levels: NDArray[np.int64]
    kinds: NDArray[np.int64]


def cut(
    example: Example,
    subwords: Subwords,
    targets: Targets,
    *,
    size: int,
    overlap: int,
    strangers: Strangers | None = None,
) -> Iterator[Piecewise]:
    """Yield the windows of one example, at most `size` pieces and the two marks; `strangers` may swap names in them."""
    pieces = subwords.encode(example.text)
    places = list(_places(example, pieces))
    marked, levels, kinds = _targets(example, len(pieces.ids), places, targets)
    ids = pieces.ids
    if strangers is not None:
        private = example.meaning.private
        ids = strangers.swap(ids, [(a, b, private[s.label][0]) for a, b, s in places if s.label in private])
    for window in windows(len(pieces.ids), size=size, overlap=overlap):
        inner = slice(window.start, window.end)
        yield Piecewise(
            ids=np.concatenate(([subwords.begin], ids[inner], [subwords.end])).astype(np.int32),
            targets=np.concatenate(([0], marked[inner], [0])).astype(np.int32),
            levels=np.concatenate(([NO_LEVEL], levels[inner], [NO_LEVEL])).astype(np.int8),
            kinds=np.concatenate(([NO_LEVEL], kinds[inner], [NO_LEVEL])).astype(np.int8),
        )


def _places(example: Example, pieces: Pieces) -> Iterator[tuple[int, int, Marked]]:
    """Yield the pieces of each span, half-open, blanks at either end left out."""
    for span in example.spans:
        first = int(np.searchsorted(pieces.ends, span.start, side="right"))
        stop = int(np.searchsorted(pieces.starts, span.end, side="left"))
        while first < stop and pieces.starts[first] == pieces.ends[first]:
            first += 1
        while stop > first and pieces.starts[stop - 1] == pieces.ends[stop - 1]:
            stop -= 1
        if first < stop:
            yield first, stop, span


def _targets(
    example: Example, count: int, places: Sequence[tuple[int, int, Marked]], targets: Targets
) -> tuple[NDArray[np.int32], NDArray[np.int8], NDArray[np.int8]]:
    meaning = example.meaning
    marked = np.full(count, targets.unmarked(meaning), dtype=np.int32)
    levels = np.full(count, NO_LEVEL, dtype=np.int8)
    kinds = np.full(count, NO_LEVEL, dtype=np.int8)
    for first, stop, span in places:
        if span.label in meaning.neutral:
            marked[first:stop] = targets.neutral(meaning.neutral[span.label])
            continue
        types = meaning.private.get(span.label)
        if types is None:  # a label that is not private, such as a date
            continue
        marked[first:stop] = targets.part(types, INSIDE)
        marked[stop - 1] = targets.part(types, END)
        marked[first] = targets.part(types, BEGIN if stop - first > 1 else SINGLE)
        if span.level is not None:
            levels[first:stop] = int(span.level) - 1
            kinds[first:stop] = targets.scheme.types.index(types[0])
    return marked, levels, kinds


def batches(items: Sequence[Piecewise], *, pieces: int, rng: random.Random) -> Iterator[Batch]:
    """Yield every window once, in batches of at most `pieces` pieces, padding included; in random order, by length."""
    order = list(range(len(items)))
    rng.shuffle(order)
    groups: list[list[int]] = []
    for start in range(0, len(order), _BUCKET * 32):
        near = sorted(order[start : start + _BUCKET * 32], key=lambda i: len(items[i].ids))
        group: list[int] = []
        for i in near:
            if group and (len(group) + 1) * len(items[i].ids) > pieces:
                groups.append(group)
                group = []
            group.append(i)
        if group:
            groups.append(group)
    rng.shuffle(groups)
    for group in groups:
        yield collate([items[i] for i in group])


def collate(items: Sequence[Piecewise]) -> Batch:
    """Pad windows to the longest of them."""
    shape = (len(items), max(len(item.ids) for item in items))
    ids, mask, targets = np.ones(shape, np.int64), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    levels, kinds = np.full(shape, NO_LEVEL, np.int64), np.full(shape, NO_LEVEL, np.int64)
    for row, item in enumerate(items):
        stop = len(item.ids)
        ids[row, :stop], mask[row, :stop], targets[row, :stop] = item.ids, 1, item.targets
        levels[row, :stop], kinds[row, :stop] = item.levels, item.kinds
    return Batch(ids=ids, mask=mask, targets=targets, levels=levels, kinds=kinds)
