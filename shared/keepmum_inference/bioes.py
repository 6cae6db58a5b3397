"""The best legal BIOES path through label scores, and the stretches that it marks (pure).

Legal: after O, E or S comes O, B or S; after B or I of a type comes I or E of that type; the first label is O, B or S
and the last O, E or S. Where the best label of every piece already makes a legal path, that is the best path; else only
the stretches around illegal steps are searched, between pieces that are surely O, and the result is still the best path
(see `_repaired`): the search costs a hundred times what the rest of decoding does.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

_FAR: Final = np.float32(-1e9)
_SURE: Final = 4.0
"""Nats by which O is ahead of every other label at a piece that is surely outside."""
_ROUNDS: Final = 2


class Stretch(NamedTuple):
    """A marked run of pieces.

    Attributes:
        first, last: Its pieces, inclusive.
        type_number: Place of the type in the label scheme.
        score: Mean probability, in [0, 1], that its pieces are private at all.
    """

    first: int
    last: int
    type_number: int
    score: float


def log_softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the logarithms of the probabilities along the last axis."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    result: NDArray[np.float32] = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return result


def best_stretches(log_probabilities: NDArray[np.float32], *, outside_bias: float = 0.0) -> list[Stretch]:
    """Decode one text.

    Args:
        log_probabilities: Shape (pieces, labels), labels as in `labels.LabelScheme`.
        outside_bias: Added to O before decoding; below 0 finds more.
    """
    if not len(log_probabilities):
        return []
    biased = log_probabilities
    if outside_bias:
        biased = log_probabilities.copy()
        biased[:, 0] += np.float32(outside_bias)
    path = biased.argmax(axis=1)
    if not path.any():
        return []
    if len(joints := _illegal_joints(path)):
        path = _repaired(biased, path, joints)
    private = 1.0 - np.exp(log_probabilities[:, 0])
    return [
        Stretch(first, last, type_number, float(private[first : last + 1].mean()))
        for first, last, type_number in _runs(path)
    ]


def _illegal_joints(path: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return each i in 0..length such that label i may not follow label i - 1; 0 and length are the ends."""
    part = np.where(path > 0, (path - 1) % 4, -1)
    kind = np.where(path > 0, (path - 1) // 4, -1)
    opens = np.concatenate(([False], (part == 0) | (part == 1)))
    continues = np.concatenate(((part == 1) | (part == 2), [False]))
    changes = np.concatenate(([False], kind[:-1] != kind[1:], [False]))
    return np.flatnonzero((opens != continues) | (opens & changes))


def _repaired(scores: NDArray[np.float32], path: NDArray[np.int64], joints: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the best legal path, searched only where `path`, the best label of every piece, is illegal.

    Pieces that are surely O divide the text into parts, each searched by itself. That misses nothing if O is ahead at
    every divider by more than the parts beside it lost when they were made legal: a path that is not O there loses the
    lead and can win back no more than those losses. Dividers for which this does not hold are given up, and the text
    is searched again; if that does not settle it, the whole is searched at once.
    """
    ahead = scores[:, 0] - scores[:, 1:].max(axis=1)
    dividers = np.flatnonzero(ahead > _SURE)
    for _ in range(_ROUNDS):
        result = path.copy()
        borders = np.concatenate(([-1], dividers, [len(path)]))
        lost = np.zeros(len(borders))
        for number in np.unique(np.searchsorted(borders, joints)):
            first, end = int(borders[number - 1]) + 1, int(borders[number])
            part = scores[first:end]
            result[first:end] = _viterbi(part)
            at = np.arange(end - first)
            lost[number] = (part[at, path[first:end]] - part[at, result[first:end]]).sum()
        weak = ahead[dividers] <= lost[1:-1] + lost[2:]
        if not weak.any():
            return result
        dividers = dividers[~weak]
    return _viterbi(scores)


def _viterbi(scores: NDArray[np.float32]) -> NDArray[np.int64]:
    length, labels = scores.shape
    number = (labels - 1) // 4
    parts = scores[:, 1:].reshape(length, number, 4)
    back = np.zeros((length, labels), dtype=np.int32)
    begins = 1 + 4 * np.arange(number)
    total = np.full(labels, _FAR, dtype=np.float32)
    closed, closed_from = np.float32(0.0), 0
    for t in range(length):
        opened_begin, opened_inside = total[1::4], total[2::4]
        stays = opened_inside >= opened_begin
        opened = np.where(stays, opened_inside, opened_begin)
        came_from = np.where(stays, begins + 1, begins)
        total = np.empty(labels, dtype=np.float32)
        total[0] = closed + scores[t, 0]
        total[1::4] = closed + parts[t, :, 0]
        total[4::4] = closed + parts[t, :, 3]
        total[2::4] = opened + parts[t, :, 1]
        total[3::4] = opened + parts[t, :, 2]
        back[t] = closed_from
        back[t, 2::4] = came_from
        back[t, 3::4] = came_from
        ends = np.concatenate((total[:1], total[3::4], total[4::4]))
        best = int(ends.argmax())
        closed = ends[best]
        closed_from = 0 if best == 0 else (3 + 4 * (best - 1) if best <= number else 4 + 4 * (best - 1 - number))
    path = np.zeros(length, dtype=np.int64)
    path[-1] = closed_from
    for t in range(length - 1, 0, -1):
        path[t - 1] = back[t, path[t]]
    return path


def _runs(path: NDArray[np.int64]) -> list[tuple[int, int, int]]:
    runs: list[tuple[int, int, int]] = []
    first = 0
    for place in np.flatnonzero(path):
        part, kind = (int(path[place]) - 1) % 4, (int(path[place]) - 1) // 4
        if part in (0, 3):
            first = int(place)
        if part in (2, 3):
            runs.append((first, int(place), kind))
    return runs
