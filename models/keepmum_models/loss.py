"""The loss: what a piece's right labels lack in probability, more for a secret that is missed than for a false mask."""

from dataclasses import dataclass

import numpy as np
import torch
from keepmum_inference.labels import LEVEL_PRIOR, LEVELS
from keepmum_shared.taxonomy import default_level
from torch import Tensor, nn
from torch.nn import functional

from keepmum_models.dataset import NO_LEVEL
from keepmum_models.labels import Targets


@dataclass(frozen=True, slots=True, kw_only=True)
class LossWeights:
    """Weight of a private piece by its level (PL1..PL4; 1 is that of a piece outside), and of the level head."""

    by_level: tuple[float, float, float, float]
    level_head: float


class SpanLoss(nn.Module):
    """Negative log of the summed probability of the right labels, averaged over pieces by weight.

    Where several labels are right (see `labels`) the model may share its probability among them as it likes.
    """

    allowed: Tensor
    weights: Tensor
    priors: Tensor

    def __init__(self, targets: Targets, weights: LossWeights) -> None:
        super().__init__()
        allowed = np.zeros((len(targets.allowed), targets.scheme.size), dtype=bool)
        for number, labels in enumerate(targets.allowed):
            allowed[number, sorted(labels)] = True
        by_target = [
            1.0 if not (level := targets.level(n)) else weights.by_level[level - 1] for n in range(len(allowed))
        ]
        priors = [
            [LEVEL_PRIOR if level is default_level(entity_type) else 0.0 for level in LEVELS]
            for entity_type in targets.scheme.types
        ]
        self.register_buffer("allowed", torch.from_numpy(allowed))
        self.register_buffer("weights", torch.tensor(by_target))
        self.register_buffer("priors", torch.tensor(priors))
        self.level_head = weights.level_head

    def forward(
        self, logits: Tensor, corrections: Tensor, mask: Tensor, targets: Tensor, levels: Tensor, kinds: Tensor
    ) -> Tensor:
        """Return the scalar loss; shapes (windows, pieces, ...)."""
        present = mask.bool()
        right = targets[present]
        probabilities = functional.log_softmax(logits[present].float(), dim=-1)
        reached = probabilities.masked_fill(~self.allowed[right], -1e4).logsumexp(dim=-1)
        weight = self.weights[right]
        loss = -(reached * weight).sum() / weight.sum()
        taught = (levels != NO_LEVEL) & present
        if self.level_head and bool(taught.any()):
            scores = corrections[taught].float() + self.priors[kinds[taught]]
            loss = loss + self.level_head * functional.cross_entropy(scores, levels[taught])
        return loss
