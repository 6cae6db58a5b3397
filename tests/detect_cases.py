"""The cases of area detect, which come from public bug reports: a text, what must be found in it, what must not.

They lie outside the repository, at `KEEPMUM_CASES` (default: shared/cases beside it). A stretch counts as masked when
every letter and digit of it is; a case is wrong when a letter or digit is masked that its `must_not` names, or, where
it says that nothing is private, any at all.
"""

import ast
import gzip
import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from keepmum_edge.spans.span import PrivateSpan
from keepmum_shared.taxonomy import EntityType

CASES: Final = Path(os.environ.get("KEEPMUM_CASES", Path(__file__).parents[2] / "shared" / "cases" / "cases.jsonl.gz"))
_OLDER: Final = {
    "ID_NUMBER": "NATIONAL_ID", "SSN": "NATIONAL_ID", "IBAN": "BANK_ACCOUNT", "HANDLE": "USERNAME", "JWT": "TOKEN",
}  # fmt: skip
"""Names of types that are older than the design."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A stretch that must be found; `exact`: with these borders."""

    start: int
    end: int
    entity_type: EntityType
    exact: bool
    is_secret: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectCase:
    """One case.

    Attributes:
        banned: Stretches that must stay, with the types that they must not be masked as; None: as anything.
        or_whole: They need not stay where the connection string that they are part of is masked whole.
        is_empty: Nothing in the text is private.
        seconds: What the rules may take.
    """

    id: str
    text: str = field(repr=False)
    wanted: tuple[Wanted, ...]
    banned: tuple[tuple[int, int, frozenset[str] | None], ...]
    or_whole: bool
    is_empty: bool
    seconds: float

    def masked(self, spans: Iterable[PrivateSpan]) -> list[bool]:
        """Say of each wanted stretch whether it is masked."""
        covered = _covered(spans)
        return [all(i in covered or not self.text[i].isalnum() for i in range(w.start, w.end)) for w in self.wanted]

    def is_wrong(self, spans: Iterable[PrivateSpan]) -> bool:
        """Whether something is masked that must stay."""
        spans = tuple(s for s in spans if not self.or_whole or s.entity_type is not EntityType.CONNECTION_STRING)
        if self.is_empty and spans:
            return True
        for start, end, types in self.banned:
            covered = _covered(s for s in spans if types is None or s.entity_type in types)
            if any(self.text[i].isalnum() for i in covered.intersection(range(start, end))):
                return True
        return False


def detect_cases(path: Path = CASES) -> list[DetectCase]:
    """Read the cases; none where the file is not there."""
    if not path.exists():
        return []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [_case(raw) for raw in map(json.loads, lines) if raw["area"] == "detect"]


def _covered(spans: Iterable[PrivateSpan]) -> set[int]:
    return {i for span in spans for i in range(span.start, span.end)}


def _case(raw: dict[str, Any]) -> DetectCase:
    text, expected = _text(raw["input"]), raw["expected"]
    wanted = [_wanted(span) for span in expected.get("spans", ())]
    for found in expected.get("must_find", ()):
        start = text.index(found["text"])
        wanted.append(_wanted({**found, "start": start, "end": start + len(found["text"]), "match": "exact"}))
    banned = tuple(
        (one["start"], one["end"], None if one["types"] == "any" else frozenset(one["types"]))
        for one in expected.get("must_not", ())
    )
    return DetectCase(
        id=raw["id"],
        text=text,
        wanted=tuple(wanted),
        banned=banned,
        or_whole="drop the must_not" in raw["why"],
        is_empty=expected.get("spans") == [] and "must_not" not in expected,
        seconds=expected.get("max_seconds_rule_layer", 2.0),
    )


def _wanted(raw: dict[str, Any]) -> Wanted:
    return Wanted(
        start=raw["start"],
        end=raw["end"],
        entity_type=EntityType(_OLDER.get(raw["type"], raw["type"])),
        exact=raw["match"] == "exact",
        is_secret=raw.get("level") == "PL4",
    )


def _text(given: str | dict[str, str]) -> str:
    """Return a text as it is given, or made by its recipe."""
    if isinstance(given, str):
        return given
    recipe = given["generate"]
    repeated = re.match(r"\(?('[^']*') \* (\d+)", recipe)
    assert repeated is not None, recipe
    text = str(ast.literal_eval(repeated[1])) * int(repeated[2])
    if tail := re.search(r"\+ '([^']*)'$", recipe):
        return text + tail[1]
    first, middle, last = re.findall(r"' ?([^' ]+@[^' ]+) ?'", recipe)
    return f"{first} {text[:107_970]} {middle} {text[107_970:]} {last}"
