"""From a run folder to the artefact that is shipped: ONNX int8, tokenizer, labels, thresholds, sums, model card."""

import copy
import json
import logging
import shutil
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import torch
from keepmum_inference.artefact import FILES, LABELS, THRESHOLDS, Thresholds
from keepmum_inference.labels import ALL_TYPES
from keepmum_inference.manifest import FORMAT, MANIFEST, MODEL, TOKENIZER, sha256

from keepmum_models.base import TOKENIZER as BASE_TOKENIZER
from keepmum_models.model import SpanModel
from keepmum_models.training import BASE

NAME: Final = "keepmum-spans"
OPSET: Final = 17
WINDOW: Final = 254
OVERLAP: Final = 30
UNCALIBRATED: Final = {"outside_bias": 0.0, "levels": {"PL2": 0.5, "PL3": 0.5, "PL4": 0.5}, "types": {}}


def export_model(model: SpanModel, path: Path, *, quantise: bool = True) -> None:
    """Write the model as ONNX: inputs `ids` and `mask`, outputs `labels` and `levels`.

    Args:
        model: Trained; not changed.
        path: The file.
        quantise: int8 weights, per channel; else float32.
    """
    model = copy.deepcopy(model).eval().cpu()
    if quantise:
        model.words = ByteEmbedding(model.state_dict()["words.weight"])
    example = torch.tensor([[0, 5, 6, 2]])
    with tempfile.TemporaryDirectory() as scratch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter warns of its own future
        plain = Path(scratch) / "plain.onnx"
        axes = {0: "windows", 1: "pieces"}
        torch.onnx.export(
            model,
            (example, torch.ones_like(example)),
            str(plain),
            input_names=["ids", "mask"],
            output_names=["labels", "levels"],
            dynamic_axes=dict.fromkeys(("ids", "mask", "labels", "levels"), axes),
            opset_version=OPSET,
            dynamo=False,
        )
        if quantise:
            quantise_layers(plain, path)
        else:
            shutil.copyfile(plain, path)


class ByteEmbedding(torch.nn.Module):
    """Embeddings in int8 with a scale for each row; the quantiser knows one scale for all, which costs accuracy."""

    rows: torch.Tensor
    scales: torch.Tensor

    def __init__(self, weight: torch.Tensor) -> None:
        super().__init__()
        scales = weight.detach().abs().amax(dim=1, keepdim=True).clamp(min=1e-8) / 127
        self.register_buffer("rows", (weight.detach() / scales).round().to(torch.int8))
        self.register_buffer("scales", scales)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return the embeddings of pieces as float32."""
        return self.rows[ids].to(torch.float32) * self.scales[ids]


def quantise_layers(plain: Path, path: Path, *, same_everywhere: bool = False) -> None:
    """Write an ONNX file again with the weights of its matrix products in int8, one scale a channel.

    Args:
        plain: The file.
        path: Where to.
        same_everywhere: Weights take 7 bits, so that no sum of two products overflows 16 bits on processors without
            dot-product instructions, whose results would else differ from those of newer ones.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic

    logging.getLogger().setLevel(logging.ERROR)  # it advises pre-processing, which changes nothing here
    quantize_dynamic(
        str(plain),
        str(path),
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=same_everywhere,
        op_types_to_quantize=["MatMul"],
    )


def write_artefact(run: Path, folder: Path, model: SpanModel, *, version: str, thresholds: Mapping[str, Any]) -> None:
    """Write everything but the model card.

    Args:
        run: The run folder the model comes from.
        folder: Where to; created.
        model: Trained.
        version: Of the artefact.
        thresholds: As `keepmum_inference.artefact` describes `thresholds.json`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    export_model(model, folder / MODEL)
    shutil.copyfile(run / BASE / BASE_TOKENIZER, folder / TOKENIZER)
    _write(folder / LABELS, {"types": [t.value for t in ALL_TYPES.types]})
    _write(folder / THRESHOLDS, thresholds)
    seal(folder, version=version)


def rewrite_thresholds(folder: Path, thresholds: Thresholds, *, version: str) -> None:
    """Put calibrated thresholds into an artefact and seal it again."""
    _write(
        folder / THRESHOLDS,
        {
            "outside_bias": thresholds.outside_bias,
            "levels": {level.name: value for level, value in thresholds.by_level.items()},
            "types": {entity_type.value: value for entity_type, value in thresholds.by_type.items()},
        },
    )
    seal(folder, version=version)


def seal(folder: Path, *, version: str) -> None:
    """Write the manifest over the files as they are."""
    sums = {name: sha256((folder / name).read_bytes()) for name in FILES}
    manifest = {"format": FORMAT, "name": NAME, "version": version, "window": WINDOW, "overlap": OVERLAP, "files": sums}
    _write(folder / MANIFEST, manifest)


def _write(path: Path, value: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
