"""The span model: the first layers of a BERT encoder and two linear heads, labels (BIOES) and level corrections."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderShape:
    """Sizes of an encoder."""

    vocabulary: int
    positions: int
    hidden: int
    layers: int
    heads: int
    inner: int
    epsilon: float
    dropout: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape(EncoderShape):
    """Sizes of a span model: its encoder's and those of its heads."""

    labels: int
    levels: int


class Layer(nn.Module):
    """One encoder layer, norm after each part, as in BERT."""

    def __init__(self, shape: EncoderShape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.query = nn.Linear(shape.hidden, shape.hidden)
        self.key = nn.Linear(shape.hidden, shape.hidden)
        self.value = nn.Linear(shape.hidden, shape.hidden)
        self.mix = nn.Linear(shape.hidden, shape.hidden)
        self.mix_norm = nn.LayerNorm(shape.hidden, eps=shape.epsilon)
        self.widen = nn.Linear(shape.hidden, shape.inner)
        self.narrow = nn.Linear(shape.inner, shape.hidden)
        self.norm = nn.LayerNorm(shape.hidden, eps=shape.epsilon)

    def forward(self, states: Tensor, bias: Tensor) -> Tensor:
        """Map (batch, pieces, hidden) to the same; `bias` is added to attention scores, -inf where nothing is."""
        batch, pieces, hidden = states.shape

        def split(part: Tensor) -> Tensor:
            return part.view(batch, pieces, self.heads, hidden // self.heads).transpose(1, 2)

        query, key, value = split(self.query(states)), split(self.key(states)), split(self.value(states))
        # Plain operators: the exporter and the quantiser know them, and on a CPU their backward pass is the faster one.
        scores = query @ key.transpose(-1, -2) * (hidden // self.heads) ** -0.5 + bias.to(query.dtype)
        mixed = scores.softmax(dim=-1).to(value.dtype) @ value
        mixed = mixed.transpose(1, 2).reshape(batch, pieces, hidden)
        states = self.mix_norm(states + self.mix(mixed))
        result: Tensor = self.norm(states + self.narrow(functional.gelu(self.widen(states))))
        return result


class SpanModel(nn.Module):
    """Pieces to label logits and level corrections. Word embeddings are frozen: training sees too few of them."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        words = nn.Embedding(shape.vocabulary, shape.hidden)
        words.weight.requires_grad = False
        self.words: nn.Module = words
        self.places = nn.Embedding(shape.positions, shape.hidden)
        self.norm = nn.LayerNorm(shape.hidden, eps=shape.epsilon)
        self.dropout = nn.Dropout(shape.dropout)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.labels = nn.Linear(shape.hidden, shape.labels)
        self.levels = nn.Linear(shape.hidden, shape.levels)
        nn.init.normal_(self.labels.weight, std=0.02)
        nn.init.zeros_(self.labels.bias)
        nn.init.zeros_(self.levels.weight)
        nn.init.zeros_(self.levels.bias)

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return label logits (batch, pieces, labels) and level corrections (batch, pieces, levels).

        Args:
            ids: (batch, pieces), begin and end marks included, at most `positions` pieces.
            mask: 1 where there is a piece, 0 where there is padding.
        """
        place = torch.arange(ids.shape[1], device=ids.device)
        states = self.dropout(self.norm(self.words(ids) + self.places(place)))
        bias = (1.0 - mask[:, None, None, :].to(torch.float32)) * -1e4
        for layer in self.layers:
            states = layer(states, bias)
        return self.labels(states), self.levels(states)
