"""The detect cases that rules can answer; those of names, addresses, health and money in free text wait for a model."""

import ast
import gzip
import json
import os
import re
import time
from pathlib import Path
from typing import Any

import pytest
from keepmum_edge.spans.rules import RuleExtractor

CASES = Path(os.environ.get("KEEPMUM_CASES", Path(__file__).parents[4] / "shared" / "cases" / "cases.jsonl.gz"))
OLDER = {"ID_NUMBER": "NATIONAL_ID", "SSN": "NATIONAL_ID", "IBAN": "BANK_ACCOUNT", "HANDLE": "USERNAME", "JWT": "TOKEN"}
WAITING = {"NAME", "ADDRESS", "HEALTH", "FINANCE", "ORGANIZATION"}


def load() -> list[dict[str, Any]]:
    if not CASES.exists():
        return []
    with gzip.open(CASES, "rt", encoding="utf-8") as lines:
        return [case for case in map(json.loads, lines) if case["area"] == "detect"]


def text_of(case: dict[str, Any]) -> str:
    given = case["input"]
    if isinstance(given, str):
        return given
    recipe = given["generate"]
    unit, times = re.match(r"\(?('[^']*') \* (\d+)", recipe).groups()
    text = ast.literal_eval(unit) * int(times)
    if tail := re.search(r"\+ '([^']*)'$", recipe):
        return text + tail[1]
    first, middle, last = re.findall(r"' ?([^' ]+@[^' ]+) ?'", recipe)
    return f"{first} {text[:107_970]} {middle} {text[107_970:]} {last}"


pytestmark = pytest.mark.skipif(not CASES.exists(), reason="the shared cases are not here; set KEEPMUM_CASES")


@pytest.mark.parametrize("case", load(), ids=lambda case: case["id"])
def test_detect_case(extractor: RuleExtractor, case: dict[str, Any]) -> None:
    text, expected = text_of(case), case["expected"]
    begin = time.perf_counter()
    spans = extractor.extract(text)
    assert time.perf_counter() - begin < expected.get("max_seconds_rule_layer", 2.0)
    for wanted in expected.get("must_find", ()):
        assert any(s.surface == wanted["text"] and s.entity_type == wanted["type"] for s in spans)
    for wanted in expected.get("spans", ()):
        kind = OLDER.get(wanted["type"], wanted["type"])
        if kind in WAITING:
            continue
        at = (wanted["start"], wanted["end"])
        same = [s for s in spans if s.entity_type == kind]
        if wanted["match"] == "exact":
            assert at in [(s.start, s.end) for s in same]
        else:
            assert any(s.start <= at[0] and s.end >= at[1] for s in same)
    for banned in expected.get("must_not", ()):
        kinds = banned["types"]
        touching = [s for s in spans if s.start < banned["end"] and s.end > banned["start"]]
        assert not [s for s in touching if kinds == "any" or s.entity_type in kinds]
    if expected.get("spans") == [] and "must_not" not in expected:
        assert spans == ()
