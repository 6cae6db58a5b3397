"""The head that reads attributes learns from states, and its thresholds keep to their share."""

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")

import numpy as np
from keepmum_inference.attribute_head import AttributeHead, load_attribute_artefact
from keepmum_models.attributes.examples import FOLDS, Example, States
from keepmum_models.attributes.export import write_artefact
from keepmum_models.attributes.model import AttributeModel
from keepmum_models.attributes.training import Task, chances, some_of, train
from keepmum_models.model import EncoderShape, Layer
from torch import nn

HIDDEN = 32
SHAPE = EncoderShape(vocabulary=1, positions=16, hidden=HIDDEN, layers=1, heads=2, inner=32, epsilon=1e-12, dropout=0.0)
ATTRIBUTES = ("faith", "debt")
SHARE = 0.1


def told(count: int) -> tuple[list[Example], States]:
    """Texts of noise; one piece of those that imply something is marked."""
    chance = np.random.default_rng(3)
    rows, texts = [], []
    for number in range(count):
        attribute = (None, *ATTRIBUTES)[number % 3]
        states = chance.normal(0, 0.3, (chance.integers(2, 9), HIDDEN)).astype(np.float16)
        if attribute is not None:
            states[chance.integers(len(states)), ATTRIBUTES.index(attribute)] += 8
        rows.append(states)
        texts.append(Example(attribute=attribute, source="patterns", fold=number // 3 % FOLDS, text=""))
    return texts, States(rows=np.concatenate(rows), starts=np.cumsum([0, *map(len, rows)]))


def test_what_one_piece_tells_is_learnt_and_shipped_with_its_threshold(tmp_path: Path) -> None:
    texts, states = told(6000)
    task = Task(
        attributes=ATTRIBUTES,
        untrained=lambda: AttributeModel(nn.ModuleList([Layer(SHAPE)]), HIDDEN, len(ATTRIBUTES)),
        share=SHARE,
    )
    trained = train(task, texts, states, lambda _: None)
    assert min(trained.recall.values()) >= 0.95
    assert trained.taken["patterns"] <= 2 * SHARE + 0.01
    write_artefact(tmp_path, trained, some_of(states, 4), embedding="e", version="1")
    head = AttributeHead(load_attribute_artefact(tmp_path))
    wanted = chances(trained.model, np.arange(6), states)
    for text in range(6):
        assert head.chances(states.of(text)) == pytest.approx(wanted[text], abs=0.05)
    assert [head.implied(head.chances(states.of(text))) for text in (1, 2)] == [{"faith"}, {"debt"}]


def test_the_order_and_padding_of_a_batch_play_no_part() -> None:
    _, states = told(40)
    model = AttributeModel(nn.ModuleList([Layer(SHAPE)]), HIDDEN, len(ATTRIBUTES)).eval()
    together = chances(model, np.arange(40), states)
    alone = np.concatenate([chances(model, np.array([text]), states) for text in range(40)])
    assert together == pytest.approx(alone, abs=1e-5)
