"""Training of the span model: a run folder with checkpoints, which can be resumed, and its metrics.

A run is bounded by minutes, not by passes: the learning rate follows the share of the minutes that is used, so that the
same recipe ends well on a slow machine and on a fast one. CUDA is used where there is some.
"""

import json
import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from keepmum_inference.subwords import Subwords

from keepmum_models.base import SHAPE, TOKENIZER, build_base, load_base
from keepmum_models.dataset import Batch, Piecewise, batches, cut
from keepmum_models.examples import CORPUS, Example, lowered
from keepmum_models.labels import Targets
from keepmum_models.loss import SpanLoss
from keepmum_models.model import SpanModel
from keepmum_models.recast import Recaster
from keepmum_models.recipe import OptimiserRecipe, Recipe
from keepmum_models.strangers import Strangers

CHECKPOINT: Final = "checkpoint.pt"
WEIGHTS: Final = "weights.pt"
METRICS: Final = "metrics.json"
BASE: Final = "base"

_REPORT_SECONDS: Final = 20.0

Report = Callable[[str], None]


@dataclass(slots=True, kw_only=True)
class Progress:
    """How far a run is; stored with each checkpoint."""

    step: int = 0
    pieces: int = 0
    passes: float = 0.0
    seconds: float = 0.0
    loss: float = math.nan


def train(
    folder: Path, examples: Sequence[Example], recipe: Recipe, *, minutes: float, resume: bool, report: Report
) -> Progress:
    """Train, and leave WEIGHTS and METRICS in the run folder.

    Args:
        folder: The run folder; with `resume` it holds a checkpoint to go on from.
        examples: Those that are not kept for calibration are trained on.
        recipe: How.
        minutes: Wall clock of all training of this run, those before a resume included.
        resume: Go on from the checkpoint instead of starting afresh.
        report: Called with lines of progress, which hold numbers only.
    """
    torch.manual_seed(recipe.optimiser.seed)
    learnt = [e for e in examples if not e.is_dev]
    if not resume:
        build_base(
            folder / BASE,
            (e.text for e in learnt),
            layers=recipe.base.layers,
            vocabulary=recipe.base.vocabulary,
            dropout=recipe.base.dropout,
        )
    targets = Targets()
    items = _items(learnt, folder, targets, recipe)
    report(f"{len(learnt)} texts, {len(items)} windows, {sum(len(i.ids) for i in items)} pieces a pass")
    run = Run(load_base(folder / BASE), SpanLoss(targets, recipe.loss), recipe, seconds=minutes * 60)
    if resume:
        run.load(folder / CHECKPOINT)
    _loop(run, items, folder, recipe, report)
    torch.save(run.model.state_dict(), folder / WEIGHTS)
    metrics = {
        "recipe": asdict(recipe),
        "shape": json.loads((folder / BASE / SHAPE).read_text(encoding="utf-8")),
        "texts": len(learnt),
        "by_source": {s: sum(e.source == s for e in learnt) for s in sorted({e.source for e in learnt})},
        "windows": len(items),
        "device": run.device.type,
        "losses": run.losses,
        **asdict(run.progress),
    }
    (folder / METRICS).write_text(json.dumps(metrics, indent=1), encoding="utf-8")
    return run.progress


def load_trained(folder: Path) -> SpanModel:
    """Read the model of a finished run."""
    model = load_base(folder / BASE)
    model.load_state_dict(torch.load(folder / WEIGHTS, weights_only=True, map_location="cpu"))
    model.eval()
    return model


class Run:
    """A model while it learns: optimiser, schedule by the clock, checkpoint."""

    def __init__(self, model: SpanModel, loss: SpanLoss, recipe: Recipe, *, seconds: float) -> None:
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model.to(self.device).train()
        self.loss = loss.to(self.device)
        self.recipe = recipe.optimiser
        self.seconds = seconds
        self.progress = Progress()
        self.losses: list[tuple[int, float]] = []
        self.optimiser = torch.optim.AdamW(_groups(model, recipe.optimiser), fused=True)
        self._rates = [group["lr"] for group in self.optimiser.param_groups]

    def step(self, batch: Batch, *, used: float) -> float:
        """Learn one batch; `used` is the share of the run's time that is over, in [0, 1]. Returns the loss."""
        for group, rate in zip(self.optimiser.param_groups, self._rates, strict=True):
            group["lr"] = rate * rate_share(used, self.recipe)
        tensors = [
            torch.from_numpy(part).to(self.device)
            for part in (batch.ids, batch.mask, batch.targets, batch.levels, batch.kinds)
        ]
        with torch.autocast(self.device.type, dtype=torch.bfloat16):
            logits, corrections = self.model(tensors[0], tensors[1])
        loss = self.loss(logits, corrections, *tensors[1:])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.recipe.clip)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        return float(loss.detach())

    def save(self, path: Path) -> None:
        """Write a checkpoint; a crash while writing leaves the one before."""
        state = {
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "progress": asdict(self.progress),
            "losses": self.losses,
        }
        torch.save(state, path.with_suffix(".new"))
        path.with_suffix(".new").replace(path)

    def load(self, path: Path) -> None:
        """Go on from a checkpoint."""
        state: dict[str, Any] = torch.load(path, weights_only=True, map_location=self.device)
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.progress = Progress(**state["progress"])
        self.losses = [(int(step), float(loss)) for step, loss in state["losses"]]


def rate_share(used: float, recipe: OptimiserRecipe) -> float:
    """Return the learning rate's share of its highest after a share of the run, both in [0, 1]."""
    if used < recipe.warm_up:
        return max(used / recipe.warm_up, 0.01)
    left = (1.0 - used) / (1.0 - recipe.warm_up)
    return recipe.last_rate + (1.0 - recipe.last_rate) * max(left, 0.0)


def _groups(model: SpanModel, recipe: OptimiserRecipe) -> list[dict[str, Any]]:
    groups: dict[tuple[bool, bool], list[torch.nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            head = name.startswith(("labels.", "levels."))
            groups.setdefault((head, parameter.ndim > 1), []).append(parameter)
    return [
        {
            "params": parameters,
            "lr": recipe.head_rate if head else recipe.encoder_rate,
            "weight_decay": recipe.weight_decay if decays else 0.0,
        }
        for (head, decays), parameters in groups.items()
    ]


def _items(examples: Sequence[Example], folder: Path, targets: Targets, recipe: Recipe) -> list[Piecewise]:
    subwords = Subwords((folder / BASE / TOKENIZER).read_text(encoding="utf-8"))
    rng = random.Random(recipe.optimiser.seed)  # noqa: S311 - a shuffle, no secret
    swaps = {
        own: Strangers(subwords.vocabulary, share=share, rng=rng)
        for own, share in ((True, recipe.data.strangers_corpus), (False, recipe.data.strangers_sets))
    }
    people = Recaster(share=recipe.data.recast_sets, rng=rng)
    items: list[Piecewise] = []
    for example in examples:
        for _ in range(recipe.data.passes.get(example.source, 1)):
            read = example if example.source == CORPUS else people.recast(example)
            read = lowered(read) if rng.random() < recipe.data.lower_case else read
            items += cut(
                read,
                subwords,
                targets,
                size=recipe.data.window,
                overlap=recipe.data.overlap,
                strangers=swaps[example.source == CORPUS],
            )
    return items


def _endless(items: Sequence[Piecewise], recipe: Recipe, *, first: int) -> Iterator[tuple[Batch, float]]:
    """Yield batches of pass after pass with the share of a pass that each is; pass `first` comes first."""
    number = first
    while True:
        rng = random.Random(recipe.optimiser.seed + 1 + number)  # noqa: S311 - a shuffle, no secret
        for batch in batches(items, pieces=recipe.data.batch_pieces, rng=rng):
            yield batch, len(batch.ids) / len(items)
        number += 1


def _loop(run: Run, items: Sequence[Piecewise], folder: Path, recipe: Recipe, report: Report) -> None:
    progress = run.progress
    before, began = progress.seconds, time.monotonic()
    reported = saved = began
    recent: list[float] = []
    for batch, share in _endless(items, recipe, first=math.ceil(progress.passes)):
        now = time.monotonic()
        progress.seconds = before + now - began
        if progress.seconds >= run.seconds:
            return
        recent.append(run.step(batch, used=progress.seconds / run.seconds))
        progress.step += 1
        progress.pieces += int(np.count_nonzero(batch.mask))
        progress.passes += share
        progress.loss = sum(recent) / len(recent)
        if now - reported >= _REPORT_SECONDS:
            reported, left = now, run.seconds - progress.seconds
            run.losses.append((progress.step, round(progress.loss, 5)))
            report(
                f"step {progress.step}  pass {progress.passes:.2f}  loss {progress.loss:.4f}  "
                f"{progress.pieces / max(progress.seconds, 1e-9):.0f} pieces/s  {left / 60:.1f} min left"
            )
            recent.clear()
        if now - saved >= recipe.run.checkpoint_minutes * 60:
            saved = now
            run.save(folder / CHECKPOINT)
