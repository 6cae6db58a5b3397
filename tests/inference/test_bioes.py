import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_inference.bioes import _illegal_joints, _repaired, _viterbi, best_stretches, log_softmax
from keepmum_inference.labels import ALL_TYPES, BEGIN, END, INSIDE, SINGLE, LabelScheme
from keepmum_shared.taxonomy import EntityType
from numpy.typing import NDArray

TWO = LabelScheme(types=(EntityType.NAME, EntityType.PHONE))


def scores(*labels: int, size: int = TWO.size) -> NDArray[np.float32]:
    logits = np.zeros((len(labels), size), dtype=np.float32)
    logits[np.arange(len(labels)), labels] = 8.0
    return log_softmax(logits)


def legal(path: tuple[int, ...]) -> bool:
    open_type: int | None = None
    for label in path:
        part, kind = ((label - 1) % 4, (label - 1) // 4) if label else (None, None)
        if (part in (INSIDE, END)) != (open_type is not None) or (open_type is not None and open_type != kind):
            return False
        open_type = kind if part in (BEGIN, INSIDE) else None
    return open_type is None


def test_a_legal_path_is_read_as_it_stands() -> None:
    name, phone = EntityType.NAME, EntityType.PHONE
    path = (0, TWO.label(name, BEGIN), TWO.label(name, INSIDE), TWO.label(name, END), TWO.label(phone, SINGLE), 0)
    found = best_stretches(scores(*path))
    assert [(s.first, s.last, TWO.types[s.type_number]) for s in found] == [(1, 3, name), (4, 4, phone)]
    assert all(0.9 < s.score <= 1 for s in found)


def test_an_open_end_is_closed() -> None:
    found = best_stretches(scores(TWO.label(EntityType.NAME, BEGIN), TWO.label(EntityType.NAME, INSIDE)))
    assert [(s.first, s.last) for s in found] == [(0, 1)]


@settings(deadline=None)
@given(st.lists(st.lists(st.floats(-4, 4, width=32), min_size=9, max_size=9), min_size=1, max_size=4))
def test_no_legal_path_is_better(rows: list[list[float]]) -> None:
    logs = log_softmax(np.array(rows, dtype=np.float32))
    best = max(
        (p for p in itertools.product(range(9), repeat=len(rows)) if legal(p)),
        key=lambda p: sum(float(logs[i, label]) for i, label in enumerate(p)),
    )
    value = sum(float(logs[i, label]) for i, label in enumerate(best))
    path = [0] * len(rows)
    for s in best_stretches(logs):
        for i in range(s.first, s.last + 1):
            part = SINGLE if s.first == s.last else BEGIN if i == s.first else END if i == s.last else INSIDE
            path[i] = 1 + 4 * s.type_number + part
    assert sum(float(logs[i, label]) for i, label in enumerate(path)) >= value - 1e-3


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.5, 2.0, 4.0, 8.0]), st.sampled_from([0.0, 4.0, 9.0]))
def test_searching_only_around_illegal_steps_finds_the_best_of_all(seed: int, spread: float, outside: float) -> None:
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, spread, (80, ALL_TYPES.size)).astype(np.float32)
    logits[:, 0] += np.float32(outside + 2 * spread) * rng.integers(0, 2, 80)
    logs = log_softmax(logits)
    path = logs.argmax(axis=1)
    joints = _illegal_joints(path)
    repaired = _repaired(logs, path, joints)
    assert legal(tuple(repaired.tolist()))
    at = np.arange(len(logs))
    assert logs[at, repaired].sum() >= logs[at, _viterbi(logs)].sum() - 1e-2


def test_less_weight_outside_finds_more() -> None:
    logits = np.zeros((1, TWO.size), dtype=np.float32)
    logits[0, 0], logits[0, TWO.label(EntityType.NAME, SINGLE)] = 1.0, 0.5
    assert best_stretches(log_softmax(logits)) == []
    assert len(best_stretches(log_softmax(logits), outside_bias=-1.0)) == 1


def test_nothing_gives_nothing() -> None:
    assert best_stretches(np.zeros((0, TWO.size), dtype=np.float32)) == []


def test_labels_of_the_whole_taxonomy_do_not_collide() -> None:
    labels = [ALL_TYPES.label(t, p) for t in ALL_TYPES.types for p in (BEGIN, INSIDE, END, SINGLE)]
    assert sorted(labels) == list(range(1, ALL_TYPES.size))
    assert all(ALL_TYPES.type_of(ALL_TYPES.label(t, END)) is t for t in ALL_TYPES.types)
