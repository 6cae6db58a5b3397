"""The head: the upper layers of the sentence embedding, trained further, and one attention pooling an attribute."""

import copy
from typing import Final

import torch
from torch import Tensor, nn

from keepmum_models.embedding.model import SentenceModel

_NOTHING: Final = -1e4
_DROPOUT: Final = 0.1


class AttributeModel(nn.Module):
    """States of a middle layer in, a logit an attribute out.

    An attribute's logit is read from a mean of the last states that it weighs by itself, since a few words of a
    sentence may imply it, and from their plain mean.

    Args:
        upper: Layers of the encoder that come after those states.
        hidden: Length of a state.
        attributes: How many.
    """

    def __init__(self, upper: nn.ModuleList, hidden: int, attributes: int) -> None:
        super().__init__()
        self.layers = upper
        self.weigh = nn.Linear(hidden, attributes)
        self.read = nn.Parameter(torch.randn(attributes, hidden) * 0.02)
        self.mean = nn.Linear(hidden, attributes)
        self.dropout = nn.Dropout(_DROPOUT)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return logits (texts, attributes).

        Args:
            states: (texts, pieces, hidden).
            mask: 1 where there is a piece, 0 where there is padding.
        """
        weight = mask.to(torch.float32)
        bias = (1.0 - weight[:, None, None, :]) * _NOTHING
        states = self.dropout(states)
        for layer in self.layers:
            states = self.dropout(layer(states, bias))
        shares = (self.weigh(states) + (1.0 - weight[:, :, None]) * _NOTHING).softmax(dim=1)
        weighed = shares.transpose(1, 2) @ states
        mean = (states * weight[:, :, None]).sum(dim=1) / weight.sum(dim=1, keepdim=True)
        result: Tensor = (weighed * self.read).sum(dim=2) + self.mean(mean)
        return result


def attribute_model(encoder: SentenceModel, after: int, attributes: int) -> AttributeModel:
    """Return an untrained head on the states after so many layers of an encoder."""
    upper = nn.ModuleList(copy.deepcopy(layer) for layer in encoder.layers[after:])
    return AttributeModel(upper, encoder.shape.hidden, attributes)
