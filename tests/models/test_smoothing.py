"""Smoothed layers give the same, and keep more of it in int8."""

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")

import numpy as np
import onnxruntime
from keepmum_models.export import OPSET, quantise_layers
from keepmum_models.model import EncoderShape, Layer
from keepmum_models.smoothing import smoothed
from torch import Tensor, nn

HIDDEN, PIECES = 32, 6
SHAPE = EncoderShape(vocabulary=1, positions=16, hidden=HIDDEN, layers=2, heads=2, inner=64, epsilon=1e-12, dropout=0.0)
LARGE = 100.0


class Stack(nn.Module):
    """Two encoder layers, one channel of whose first input is large."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(SHAPE) for _ in range(SHAPE.layers))
        self.layers[0].mix_norm.weight.data[3] = LARGE
        self.layers[0].widen.weight.data[:, 3] /= LARGE

    def forward(self, states: Tensor, bias: Tensor) -> Tensor:
        """Return the last states."""
        for layer in self.layers:
            states = layer(states, bias)
        return states


def examples(seed: int, count: int) -> list[tuple[Tensor, Tensor]]:
    torch.manual_seed(seed)
    return [(torch.randn(1, PIECES, HIDDEN), torch.zeros(1, 1, 1, PIECES)) for _ in range(count)]


def quantised(model: nn.Module, folder: Path) -> onnxruntime.InferenceSession:
    example = examples(1, 1)[0]
    torch.onnx.export(
        model, example, str(folder / "plain.onnx"), input_names=["states", "bias"], opset_version=OPSET, dynamo=False
    )
    quantise_layers(folder / "plain.onnx", folder / "model.onnx", same_everywhere=True)
    return onnxruntime.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])


def error_of(session: onnxruntime.InferenceSession, model: nn.Module) -> float:
    """Size of what a session gives wrongly, as a share of what a model gives."""
    wrong = whole = 0.0
    for states, bias in examples(2, 20):
        with torch.no_grad():
            right = model(states, bias).numpy()
        found = session.run(None, {"states": states.numpy(), "bias": bias.numpy()})[0]
        wrong, whole = wrong + float(np.square(found - right).sum()), whole + float(np.square(right).sum())
    return float(np.sqrt(wrong / whole))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning")
def test_a_smoothed_model_gives_the_same_and_in_int8_less_than_half_of_the_error(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = Stack().eval()
    smooth = smoothed(model, examples(3, 50))
    for example in examples(2, 20):
        with torch.no_grad():
            assert torch.allclose(model(*example), smooth(*example), atol=1e-3)
    errors = []
    for name, each in (("rough", model), ("smooth", smooth)):
        (tmp_path / name).mkdir()
        errors.append(error_of(quantised(each, tmp_path / name), model))
    assert errors[1] < errors[0] / 2
    assert errors[1] < 0.05
