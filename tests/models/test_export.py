import pytest

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")

from keepmum_models.export import ByteEmbedding


def test_byte_embeddings_are_near_the_real_ones_row_by_row() -> None:
    torch.manual_seed(1)
    weight = torch.randn(50, 16) * torch.logspace(-3, 1, 50)[:, None]
    near = ByteEmbedding(weight)(torch.arange(50))
    assert ((near - weight).abs().amax(dim=1) <= weight.abs().amax(dim=1) / 250).all()
