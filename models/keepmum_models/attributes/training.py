"""Training of the head, and its thresholds by what it has not seen.

It learns from all folds but one. Each attribute gets the threshold from which on a fixed share of that fold's texts
that imply nothing would count; its own sentences in it tell the recall.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from keepmum_models.attributes.examples import Example, States
from keepmum_models.attributes.model import AttributeModel

EPOCHS: Final = 4
BATCH: Final = 32
_LAYER_RATE: Final = 1e-4
_HEAD_RATE: Final = 1e-3
_DECAY: Final = 1e-2
_CLIP: Final = 1.0
_WARM_UP: Final = 100
_SORTED_TOGETHER: Final = 40
"""Batches whose texts are sorted by length, so that little of a batch is padding."""
_PRESENT: Final = 2.0
"""Weight of an attribute that a text implies, which is a rare one."""

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What a head learns.

    Attributes:
        attributes: In the order of the output.
        untrained: Returns a fresh head.
        share: Of texts that imply nothing, how many may count for each attribute.
    """

    attributes: tuple[str, ...]
    untrained: Callable[[], AttributeModel]
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    """A head with its thresholds.

    Attributes:
        thresholds: For each attribute.
        recall: For each attribute, of unseen sentences.
        taken: Share of unseen texts that imply nothing for which any attribute counts, by source.
    """

    model: AttributeModel
    thresholds: dict[str, float]
    recall: dict[str, float]
    taken: dict[str, float]


def train(task: Task, texts: Sequence[Example], states: States, report: Report) -> Trained:
    """Train a head on all folds but the first, and choose its thresholds by the first."""
    targets = np.array([[text.attribute == each for each in task.attributes] for text in texts], dtype=np.float32)
    is_held = np.array([text.fold == 0 for text in texts])
    model = _fit(task, np.flatnonzero(~is_held), targets, states, report)
    held = np.flatnonzero(is_held)
    unseen = chances(model, held, states)
    harmless = targets[held].sum(axis=1) == 0
    thresholds = np.quantile(unseen[harmless], 1 - task.share, axis=0)
    counts = unseen >= thresholds
    sources = np.array([texts[int(each)].source for each in held])
    return Trained(
        model=model,
        thresholds={name: float(value) for name, value in zip(task.attributes, thresholds, strict=True)},
        recall={name: float(counts[targets[held, at] > 0, at].mean()) for at, name in enumerate(task.attributes)},
        taken={
            str(source): float(counts[harmless & (sources == source)].any(axis=1).mean())
            for source in np.unique(sources[harmless])
        },
    )


def chances(model: AttributeModel, texts: NDArray[np.int64], states: States) -> NDArray[np.float32]:
    """Return the chances of these texts (texts, attributes)."""
    found = np.zeros((len(texts), model.mean.out_features), dtype=np.float32)
    places = {int(text): at for at, text in enumerate(texts)}
    with torch.no_grad():
        for batch in _batches(texts, states, None):
            found[[places[int(text)] for text in batch]] = torch.sigmoid(model(*_padded(batch, states))).numpy()
    return found


def some_of(states: States, batches: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield some batches of texts as a head reads them: states and masks."""
    texts = np.arange(len(states.starts) - 1)
    for batch in itertools.islice(_batches(texts, states, np.random.default_rng(0)), batches):
        yield _padded(batch, states)


def _fit(
    task: Task, texts: NDArray[np.int64], targets: NDArray[np.float32], states: States, report: Report
) -> AttributeModel:
    torch.manual_seed(0)
    order = np.random.default_rng(0)
    model = task.untrained()
    model.train()
    rates = (_LAYER_RATE, _HEAD_RATE)
    head = [*model.weigh.parameters(), *model.mean.parameters(), model.read]
    groups = [{"params": list(model.layers.parameters())}, {"params": head}]
    optimiser = torch.optim.AdamW(groups, weight_decay=_DECAY)
    weights = np.where(targets > 0, _PRESENT, 1.0)
    steps, step = EPOCHS * math.ceil(len(texts) / BATCH), 0
    for epoch in range(EPOCHS):
        total = 0.0
        for batch in _batches(texts, states, order):
            for group, rate in zip(optimiser.param_groups, rates, strict=True):
                group["lr"] = rate * min(1.0, step / _WARM_UP) * (1 - step / (steps + _WARM_UP))
            logits = model(*_padded(batch, states))
            weight = torch.from_numpy(weights[batch].astype(np.float32))
            loss = functional.binary_cross_entropy_with_logits(logits, torch.from_numpy(targets[batch]), weight)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), _CLIP)
            optimiser.step()
            step, total = step + 1, total + loss.item()
        report(f"  epoch {epoch + 1} of {EPOCHS}, loss {total * EPOCHS / steps:.4f}")
    model.eval()
    return model


def _batches(
    texts: NDArray[np.int64], states: States, order: np.random.Generator | None
) -> Iterator[NDArray[np.int64]]:
    """Yield batches of texts of about one length, shuffled if there is an order."""
    texts = texts.copy() if order is None else order.permutation(texts)
    lengths = states.lengths()
    found = []
    for start in range(0, len(texts), BATCH * _SORTED_TOGETHER):
        chunk = texts[start : start + BATCH * _SORTED_TOGETHER]
        chunk = chunk[np.argsort(lengths[chunk], kind="stable")]
        found += [chunk[at : at + BATCH] for at in range(0, len(chunk), BATCH)]
    if order is not None:
        order.shuffle(found)
    yield from found


def _padded(batch: NDArray[np.int64], states: States) -> tuple[Tensor, Tensor]:
    rows = [torch.from_numpy(states.of(int(text))) for text in batch]
    mask = nn.utils.rnn.pad_sequence([torch.ones(len(each), dtype=torch.int64) for each in rows], batch_first=True)
    return nn.utils.rnn.pad_sequence(rows, batch_first=True), mask
