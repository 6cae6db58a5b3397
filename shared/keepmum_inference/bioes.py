"""The best legal BIOES path through label scores, and the stretches that it marks (pure).

Legal: after O, E or S comes O, B or S; after B or I of a type comes I or E of that type; the first label is O, B or S
and the last O, E or S. Where the best label of every piece already makes a legal path, that is the best path.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

_FAR: Final = np.float32(-1e9)


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
    if not _legal(path):
        path = _viterbi(biased)
    private = 1.0 - np.exp(log_probabilities[:, 0])
    return [
        Stretch(first, last, type_number, float(private[first : last + 1].mean()))
        for first, last, type_number in _runs(path)
    ]


def _legal(path: NDArray[np.int64]) -> bool:
    part = np.where(path > 0, (path - 1) % 4, -1)
    kind = np.where(path > 0, (path - 1) // 4, -1)
    opens = (part == 0) | (part == 1)
    continues = (part == 1) | (part == 2)
    if continues[0] or opens[-1]:
        return False
    return bool(np.all(opens[:-1] == continues[1:]) and np.all(~opens[:-1] | (kind[:-1] == kind[1:])))


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
