"""From a trained head to the files that ship: ONNX with layers in int8, and the manifest."""

import json
import tempfile
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import torch
from keepmum_inference.attribute_head import FILES
from keepmum_inference.manifest import FORMAT, MANIFEST, MODEL, sha256
from torch import Tensor, nn

from keepmum_models.attributes.model import AttributeModel
from keepmum_models.attributes.training import Trained
from keepmum_models.export import OPSET, quantise_layers
from keepmum_models.smoothing import smoothed

NAME: Final = "keepmum-attributes"
_DIGITS: Final = 6
"""Of a threshold."""


class _Chances(nn.Module):
    """Chances instead of logits."""

    def __init__(self, model: AttributeModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        result: Tensor = torch.sigmoid(self.model(states, mask))
        return result


def write_artefact(
    folder: Path, trained: Trained, texts: Iterable[tuple[Tensor, Tensor]], *, embedding: str, version: str
) -> None:
    """Write model and manifest.

    Args:
        folder: Where to; created.
        trained: The head.
        texts: States and masks of some hundred texts, by which its layers are made fit for int8.
        embedding: Model id of the sentence embedding that it reads on from.
        version: Of the artefact.
    """
    folder.mkdir(parents=True, exist_ok=True)
    example = (torch.zeros(1, 4, trained.model.mean.in_features), torch.ones(1, 4, dtype=torch.int64))
    with tempfile.TemporaryDirectory() as scratch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter warns of its own future
        plain = Path(scratch) / "plain.onnx"
        axes = {0: "texts", 1: "pieces"}
        torch.onnx.export(
            _Chances(smoothed(trained.model, texts)).eval(),
            example,
            str(plain),
            input_names=["states", "mask"],
            output_names=["chances"],
            dynamic_axes={"states": axes, "mask": axes, "chances": {0: "texts"}},
            opset_version=OPSET,
            dynamo=False,
        )
        quantise_layers(plain, folder / MODEL, same_everywhere=True)
    manifest = {
        "format": FORMAT,
        "name": NAME,
        "version": version,
        "embedding": embedding,
        "attributes": {name: round(value, _DIGITS) for name, value in trained.thresholds.items()},
        "files": {name: sha256((folder / name).read_bytes()) for name in FILES},
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
