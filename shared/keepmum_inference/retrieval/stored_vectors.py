"""How vectors lie in a database: half precision, by which a cosine changes by less than 0.001 (pure)."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

_STORED: Final = np.dtype("<f2")


def to_bytes(vector: NDArray[np.float32]) -> bytes:
    """Return a vector as it is stored: two bytes a dimension."""
    return vector.astype(_STORED).tobytes()


def from_bytes(stored: Sequence[bytes], *, dimension: int) -> NDArray[np.float32]:
    """Return stored vectors, one a row; shape (stored, dimension).

    Raises:
        ValueError: one is of another length.
    """
    if any(len(each) != dimension * _STORED.itemsize for each in stored):
        raise ValueError("a stored vector has another length")
    return np.frombuffer(b"".join(stored), dtype=_STORED).reshape(-1, dimension).astype(np.float32)
