"""How a span model is made: the TOML file `recipe.toml`, read into one frozen value. An unknown key is an error."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, TypeVar

from keepmum_models.loss import LossWeights

SHIPPED: Final = Path(__file__).with_name("recipe.toml")

_Part = TypeVar("_Part")


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseRecipe:
    """What is kept of the base model: encoder layers, pieces; dropout of the embedded pieces in training, in [0, 1)."""

    layers: int
    vocabulary: int
    dropout: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DataRecipe:
    """Windows and batches, in pieces, and what is read.

    Attributes:
        passes: How often one pass over everything reads a set.
        code: Stretches of Python's standard library, read as ordinary text.
        lower_case: Share of the texts that are read in lower case, in [0, 1].
        recast_sets: Share of the public sets' texts whose people get drawn names, in [0, 1].
        strangers_corpus, strangers_sets: Share of the names that are swapped for unheard-of ones, in [0, 1].
    """

    window: int
    overlap: int
    batch_pieces: int
    passes: Mapping[str, int]
    code: int
    lower_case: float
    recast_sets: float
    strangers_corpus: float
    strangers_sets: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimiserRecipe:
    """AdamW with linear warm-up and decay; rates per step, shares of the run in [0, 1]."""

    seed: int
    encoder_rate: float
    head_rate: float
    weight_decay: float
    warm_up: float
    last_rate: float
    clip: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecipe:
    """Minutes of wall clock for training and between checkpoints."""

    minutes: float
    checkpoint_minutes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Everything that decides what comes out, but for the data and the machine's speed."""

    base: BaseRecipe
    data: DataRecipe
    optimiser: OptimiserRecipe
    loss: LossWeights
    run: RunRecipe


def read_recipe(path: Path = SHIPPED) -> Recipe:
    """Read a recipe.

    Raises:
        ValueError: a key is missing or unknown, or it is not TOML.
    """
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    loss = dict(_table(raw, "loss"))
    loss["by_level"] = tuple(loss.get("by_level", ()))
    if set(raw) - {"base", "data", "optimiser", "loss", "run"} or len(loss["by_level"]) != 4:
        msg = "recipe: unknown table, or by_level is not four weights"
        raise ValueError(msg)
    return Recipe(
        base=_part(BaseRecipe, _table(raw, "base")),
        data=_part(DataRecipe, _table(raw, "data")),
        optimiser=_part(OptimiserRecipe, _table(raw, "optimiser")),
        loss=_part(LossWeights, loss),
        run=_part(RunRecipe, _table(raw, "run")),
    )


def _table(raw: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = raw.get(name)
    if not isinstance(table, dict):
        msg = f"recipe: table {name} is missing"
        raise ValueError(msg)
    return table


def _part(kind: type[_Part], table: Mapping[str, Any]) -> _Part:
    names = {f.name for f in fields(kind)}  # type: ignore[arg-type]
    if names != set(table):
        msg = f"recipe: {', '.join(sorted(names ^ set(table)))} missing or unknown"
        raise ValueError(msg)
    return kind(**table)
