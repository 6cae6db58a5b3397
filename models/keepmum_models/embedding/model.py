"""The encoder with its pooling: pieces in, one unit vector a text out."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from keepmum_models.base import fill_encoder
from keepmum_models.model import EncoderShape, Layer
from keepmum_models.packed import PackedModel


class SentenceModel(nn.Module):
    """Mean of the last layer's states over a text's pieces, begin and end marks included, scaled to length 1.

    Source: Wang et al. 2024, Multilingual E5 Text Embeddings (average pooling).
    """

    def __init__(self, shape: EncoderShape) -> None:
        super().__init__()
        self.shape = shape
        self.words: nn.Module = nn.Embedding(shape.vocabulary, shape.hidden)
        self.places = nn.Embedding(shape.positions, shape.hidden)
        self.norm = nn.LayerNorm(shape.hidden, eps=shape.epsilon)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return unit vectors (texts, hidden).

        Args:
            ids: (texts, pieces), at most `positions` pieces.
            mask: 1 where there is a piece, 0 where there is padding.
        """
        place = torch.arange(ids.shape[1], device=ids.device)
        states = self.norm(self.words(ids) + self.places(place))
        weight = mask.to(torch.float32)
        bias = (1.0 - weight[:, None, None, :]) * -1e4
        for layer in self.layers:
            states = layer(states, bias)
        pooled = (states * weight[:, :, None]).sum(dim=1) / weight.sum(dim=1, keepdim=True)
        return functional.normalize(pooled, dim=1)


def sentence_model(packed: PackedModel, kept: list[int]) -> SentenceModel:
    """Return the encoder with all its layers and the pieces of those numbers."""
    shape = EncoderShape(
        vocabulary=len(kept),
        positions=packed.positions,
        hidden=packed.hidden,
        layers=packed.layers,
        heads=packed.heads,
        inner=packed.inner,
        epsilon=packed.epsilon,
        dropout=0.0,
    )
    model = SentenceModel(shape)
    fill_encoder(model, packed, kept, layers=packed.layers)
    model.eval()
    return model
