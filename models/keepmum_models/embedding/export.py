"""From the packed source to the files that ship: ONNX with layers in int8 and words in 4 bits, tokenizer, manifest."""

import json
import tempfile
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch
from keepmum_inference.embedder import FILES
from keepmum_inference.manifest import FORMAT, MANIFEST, MODEL, TOKENIZER, sha256
from tokenizers import Tokenizer
from torch import Tensor

from keepmum_models.embedding.model import SentenceModel
from keepmum_models.embedding.pieces import build_tokenizer
from keepmum_models.export import OPSET, quantise_layers
from keepmum_models.packed import PackedModel
from keepmum_models.smoothing import smoothed

NAME: Final = "keepmum-embedding"
WINDOW: Final = 512
QUERY_PREFIX: Final = "query: "
PASSAGE_PREFIX: Final = "passage: "
STATES_AFTER: Final = 8
"""Layers after which states are given out, for heads that read on from there."""
_STATES: Final = "states"
_LAYER_END: Final = "/layers.{}/norm/LayerNormalization"


class PackedEmbedding(torch.nn.Module):
    """Word embeddings in the source's own 4 bits: no rounding is added, and a row takes 216 bytes instead of 1,536."""

    scales: torch.Tensor
    pairs: torch.Tensor

    def __init__(self, packed: PackedModel, kept: list[int]) -> None:
        super().__init__()
        scales, pairs = packed.blocks("emb.word", packed.hidden)
        self.register_buffer("scales", torch.from_numpy(np.ascontiguousarray(scales[kept])))
        self.register_buffer("pairs", torch.from_numpy(np.ascontiguousarray(pairs[kept])))

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return the embeddings of pieces (texts, pieces) as float32 (texts, pieces, hidden)."""
        pairs = self.pairs[ids]
        high = pairs >> 4
        low = pairs - (high << 4)
        halves = torch.cat([low, high], dim=3).to(torch.float32) - 8.0
        rows = halves * self.scales[ids].to(torch.float32)[:, :, :, None]
        return rows.flatten(start_dim=2)


def export_model(
    model: SentenceModel, words: PackedEmbedding, path: Path, examples: Iterable[tuple[Tensor, Tensor]]
) -> None:
    """Write the model as ONNX: inputs `ids` and `mask`, outputs `vectors` and `states`; layers in int8 per channel.

    Args:
        model: In float32; not changed.
        words: Its word embeddings as they are written.
        path: The file.
        examples: Pieces and masks of texts, by which the layers are made fit for int8.
    """
    model = smoothed(model, examples)
    model.words = words
    example = torch.tensor([[0, 5, 6, 2]])
    with tempfile.TemporaryDirectory() as scratch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter warns of its own future
        plain = Path(scratch) / "plain.onnx"
        axes = {0: "texts", 1: "pieces"}
        torch.onnx.export(
            model,
            (example, torch.ones_like(example)),
            str(plain),
            input_names=["ids", "mask"],
            output_names=["vectors"],
            dynamic_axes={"ids": axes, "mask": axes, "vectors": {0: "texts"}},
            opset_version=OPSET,
            dynamo=False,
        )
        quantise_layers(plain, path, same_everywhere=True)
    give_out_states(path)


def encoded_passage(tokenizer: Tokenizer, text: str) -> tuple[Tensor, Tensor]:
    """Return the pieces of a passage and their mask, as the model takes them: (1, pieces), at most WINDOW."""
    ids = torch.tensor([tokenizer.encode(" ".join((PASSAGE_PREFIX + text).split())).ids[:WINDOW]])
    return ids, torch.ones_like(ids)


def give_out_states(path: Path) -> None:
    """Add the output `states` to an exported model: (texts, pieces, hidden) after STATES_AFTER layers.

    Raises:
        StopIteration: the model has no such layer.
    """
    import onnx

    model = onnx.load(path)
    name = _LAYER_END.format(STATES_AFTER - 1)
    end = next(node for node in model.graph.node if node.name == name)
    shape = ["texts", "pieces", None]
    model.graph.node.append(onnx.helper.make_node("Identity", [end.output[0]], [_STATES], name=f"/{_STATES}"))
    model.graph.output.append(onnx.helper.make_tensor_value_info(_STATES, onnx.TensorProto.FLOAT, shape))
    onnx.save(model, path)


def write_artefact(
    folder: Path, model: SentenceModel, packed: PackedModel, kept: list[int], texts: Sequence[str], *, version: str
) -> None:
    """Write model, tokenizer and manifest.

    Args:
        folder: Where to; created.
        model: In float32, over the kept pieces.
        packed: The source.
        kept: Numbers of the pieces.
        texts: Some hundred passages like those it is for.
        version: Of the artefact.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = build_tokenizer([packed.pieces[i] for i in kept])
    examples = (encoded_passage(tokenizer, text) for text in texts)
    export_model(model, PackedEmbedding(packed, kept), folder / MODEL, examples)
    tokenizer.save(str(folder / TOKENIZER), pretty=False)
    manifest = {
        "format": FORMAT,
        "name": NAME,
        "version": version,
        "window": WINDOW,
        "dimension": packed.hidden,
        "query_prefix": QUERY_PREFIX,
        "passage_prefix": PASSAGE_PREFIX,
        "files": {name: sha256((folder / name).read_bytes()) for name in FILES},
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
