"""The detect cases: by the extractor that ships, and of those that have a form what the rules alone make of them."""

import time

import pytest
from detect_cases import CASES, DetectCase, detect_cases
from keepmum_edge.spans.extractor import SpanExtractor
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_shared.taxonomy import EntityType

BY_THE_MODEL = {
    EntityType.NAME, EntityType.ADDRESS, EntityType.HEALTH, EntityType.FINANCE, EntityType.ORGANIZATION,
}  # fmt: skip
MASKED, WRONG = 0.9, 3

ALL = detect_cases()
pytestmark = pytest.mark.skipif(not CASES.exists(), reason="the shared cases are not here; set KEEPMUM_CASES")


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.id)
def test_rules_find_what_has_a_form_and_nothing_that_must_stay(extractor: RuleExtractor, case: DetectCase) -> None:
    begin = time.perf_counter()
    spans = extractor.extract(case.text)
    assert time.perf_counter() - begin < case.seconds
    for wanted in case.wanted:
        if wanted.entity_type in BY_THE_MODEL:
            continue
        same = [(s.start, s.end) for s in spans if s.entity_type is wanted.entity_type]
        if wanted.exact:
            assert (wanted.start, wanted.end) in same
        else:
            assert any(start <= wanted.start and end >= wanted.end for start, end in same)
    assert not case.is_wrong(spans)


@pytest.mark.parametrize("case", [case for case in ALL if any(w.is_secret for w in case.wanted)], ids=lambda c: c.id)
def test_what_ships_masks_every_secret(shipped: SpanExtractor, case: DetectCase) -> None:
    masked = case.masked(shipped.extract(case.text))
    assert all(is_masked for is_masked, wanted in zip(masked, case.wanted, strict=True) if wanted.is_secret)


def test_what_ships_masks_nearly_everything_private_and_hardly_anything_else(shipped: SpanExtractor) -> None:
    found = [(case, shipped.extract(case.text)) for case in ALL]
    masked = [is_masked for case, spans in found for is_masked in case.masked(spans)]
    assert sum(masked) >= MASKED * len(masked)
    assert sum(case.is_wrong(spans) for case, spans in found) <= WRONG
