"""The model card of the head."""

from pathlib import Path
from typing import Final

from keepmum_models.attributes.training import Trained
from keepmum_models.card import CARD

_HEAD: Final = """# Protected attributes of Keepmum

Says which protected attributes a text may imply, English and Chinese, where no word of a list says it. The edge asks it
before a memory may leave the computer, of placeholder text, sentence by sentence. Runs with onnxruntime, without torch.

## Made from

The last {layers} layers of the sentence embedding that ships beside it (multilingual-e5-small; MIT), trained further on
the states of the layer before, with one attention pooling an attribute. Learnt from {sentences:,} sentences of
{patterns:,} patterns that were written for this purpose by several authors: what implies an attribute, a third of it
without any key term, ordinary texts and near misses; and, as texts that imply nothing, from {other:,} plain facts with
rare words and texts of the public `train` files that the card of the span model names. None of their text is in the
files here. One fifth of all was held back and sets the thresholds.

## Thresholds

An attribute counts from the chance on that {share:.0%} of unseen texts reach which imply nothing. Recall is of unseen
patterns, by the model alone; the product asks word lists as well
(`tests/bench/bench_classify.py` measures both together, on sentences of other authors).

| attribute | threshold | recall |
|---|---|---|
"""

_MIDDLE: Final = """
Unseen texts that imply nothing, of which any attribute was taken:

| texts of | share |
|---|---|
"""

_TAIL: Final = """
## Known failures

- What only knowledge of the speaker tells, or several sentences together, is missed.
- Sentences that stand near an attribute in words or theme are taken for it; then a memory stays on this computer.
- Other languages than English and Chinese are read poorly.
"""


def write_card(
    folder: Path, trained: Trained, *, layers: int, sentences: int, patterns: int, other: int, share: float
) -> None:
    """Write the card beside the artefact."""
    head = _HEAD.format(layers=layers, sentences=sentences, patterns=patterns, other=other, share=share)
    found = "".join(
        f"| {name} | {trained.thresholds[name]:.4f} | {recall:.3f} |\n" for name, recall in trained.recall.items()
    )
    taken = "".join(f"| {source} | {share:.3f} |\n" for source, share in trained.taken.items())
    (folder / CARD).write_text(head + found + _MIDDLE + taken + _TAIL, encoding="utf-8")
