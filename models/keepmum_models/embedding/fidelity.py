"""What cutting the vocabulary and quantising cost: cosines between what ships and the source in float32."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from keepmum_inference.embedder import SentenceEmbedder
from tokenizers import Tokenizer

from keepmum_models.embedding.export import encoded_passage
from keepmum_models.embedding.model import SentenceModel

TEXTS: Final = 60
_LONGEST: Final = 400
"""Characters: longer texts tell no more and take longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fidelity:
    """Cosines over the texts of one source, each between -1 and 1."""

    source: str
    texts: int
    mean: float
    lowest: float


def sample(texts: Iterable[str], *, most: int = TEXTS) -> list[str]:
    """Return some of the texts, always the same ones."""
    cut = {text[:_LONGEST] for text in texts if text.strip()}
    return sorted(cut, key=lambda text: hashlib.sha256(text.encode("utf-8", "replace")).digest())[:most]


def measure(
    source: str, texts: Sequence[str], shipped: SentenceEmbedder, whole: SentenceModel, tokenizer: Tokenizer
) -> Fidelity:
    """Compare the vectors of passages.

    Args:
        source: Where the texts are from.
        texts: At least one.
        shipped: The artefact.
        whole: The source's encoder with all its pieces, in float32.
        tokenizer: Of all pieces.
    """
    cosines = []
    for text, vector in zip(texts, shipped.passages(texts), strict=True):
        with torch.no_grad():
            expected = whole(*encoded_passage(tokenizer, text))[0].numpy()
        cosines.append(float(vector @ expected))
    return Fidelity(source=source, texts=len(texts), mean=float(np.mean(cosines)), lowest=min(cosines))
