from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")

from keepmum_inference.labels import ALL_TYPES, LEVELS, OUTSIDE, SINGLE
from keepmum_models.dataset import NO_LEVEL, Piecewise, collate
from keepmum_models.labels import Targets
from keepmum_models.loss import LossWeights, SpanLoss
from keepmum_models.model import Shape, SpanModel
from keepmum_models.recipe import read_recipe
from keepmum_models.training import Run, rate_share
from keepmum_shared.taxonomy import EntityType

SHAPE = Shape(
    vocabulary=20,
    positions=32,
    hidden=16,
    layers=1,
    heads=2,
    inner=32,
    labels=ALL_TYPES.size,
    levels=len(LEVELS),
    epsilon=1e-12,
    dropout=0.0,
)


def item(ids: list[int], targets: list[int]) -> Piecewise:
    import numpy as np

    silent = np.full(len(ids), NO_LEVEL, dtype=np.int8)
    return Piecewise(ids=np.array(ids, np.int32), targets=np.array(targets, np.int32), levels=silent, kinds=silent)


def run(targets: Targets) -> Run:
    torch.manual_seed(1)
    weights = LossWeights(by_level=(1.0, 1.0, 1.0, 4.0), level_head=0.2)
    return Run(SpanModel(SHAPE), SpanLoss(targets, weights), read_recipe(), seconds=60)


def test_it_learns_and_a_checkpoint_goes_on_where_it_was(tmp_path: Path) -> None:
    targets = Targets()
    name = ALL_TYPES.label(EntityType.NAME, SINGLE)
    batch = collate([item([0, 7, 8, 2], [0, 0, name, 0]), item([0, 9, 2], [0, 0, 0])])
    first = run(targets)
    losses = [first.step(batch, used=0.06) for _ in range(60)]
    assert losses[-1] < losses[0] - 1
    first.progress.step = 60
    first.save(tmp_path / "checkpoint.pt")
    second = run(targets)
    second.load(tmp_path / "checkpoint.pt")
    assert second.progress.step == 60
    assert second.step(batch, used=0.06) == pytest.approx(first.step(batch, used=0.06), rel=1e-3)


def test_either_of_two_right_labels_is_right() -> None:
    targets = Targets()
    both = targets.number(frozenset({OUTSIDE, 1}))
    loss = SpanLoss(targets, LossWeights(by_level=(1.0, 1.0, 1.0, 1.0), level_head=0.0))
    logits = torch.full((1, 1, ALL_TYPES.size), -20.0)
    logits[0, 0, 1] = 20.0
    one = torch.ones(1, 1, dtype=torch.long)
    silent = one * NO_LEVEL
    corrections = torch.zeros(1, 1, len(LEVELS))
    assert float(loss(logits, corrections, one, one * both, silent, silent)) == pytest.approx(0.0, abs=1e-3)
    assert float(loss(logits, corrections, one, one * OUTSIDE, silent, silent)) > 10


def test_a_missed_secret_weighs_more_than_a_false_mask() -> None:
    targets = Targets()
    loss = SpanLoss(targets, LossWeights(by_level=(1.0, 1.0, 1.0, 4.0), level_head=0.0))
    secret = ALL_TYPES.label(EntityType.PASSWORD, SINGLE)
    assert float(loss.weights[secret]) == 4.0
    assert float(loss.weights[OUTSIDE]) == 1.0


def test_the_rate_warms_up_and_falls_with_the_time_used() -> None:
    recipe = replace(read_recipe().optimiser, warm_up=0.1, last_rate=0.05)
    assert rate_share(0.05, recipe) == pytest.approx(0.5)
    assert rate_share(0.1, recipe) == pytest.approx(1.0)
    assert rate_share(1.0, recipe) == pytest.approx(0.05)
    assert rate_share(1.2, recipe) == pytest.approx(0.05)


def test_padding_changes_nothing() -> None:
    torch.manual_seed(1)
    model = SpanModel(SHAPE).eval()
    ids = torch.tensor([[0, 7, 8, 2]])
    padded = torch.tensor([[0, 7, 8, 2, 1, 1]])
    alone, _ = model(ids, torch.ones_like(ids))
    beside, _ = model(padded, torch.tensor([[1, 1, 1, 1, 0, 0]]))
    assert torch.allclose(alone[0], beside[0, :4], atol=1e-5)
