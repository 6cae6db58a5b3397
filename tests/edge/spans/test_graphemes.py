import itertools
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_edge.daemon.turn import find_spans
from keepmum_edge.spans.combined import CombinedExtractor
from keepmum_edge.spans.extractor import TextKind
from keepmum_edge.spans.graphemes import with_whole_graphemes
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.vault.conversation import ConversationVault
from keepmum_shared.taxonomy import EntityType, Level


def span(text: str, start: int, end: int) -> PrivateSpan:
    return PrivateSpan(
        start=start,
        end=end,
        entity_type=EntityType.NAME,
        level=Level.PL2,
        source="t",
        certainty=70,
        surface=text[start:end],
    )


@pytest.mark.parametrize(
    ("text", "found", "whole"),
    [
        ("e\u0301 ", "e", "e\u0301"),
        ("4\ufe0f\u20e3 ", "4", "4\ufe0f\u20e3"),
        ("x\u0301\u200d ", "x", "x\u0301\u200d"),
        ("👩🏽‍🚒!", "👩", "👩🏽‍🚒"),
        ("👩‍🚒!", "🚒", "👩‍🚒"),
        ("शर्मा है", "शर्म", "शर्मा"),
        ("\u1112\u1161\u11ab.", "\u1112", "\u1112\u1161\u11ab"),
        ("Z\u200bo", "Z", "Z"),
        ("\u0301a", "a", "a"),
        ("ab \u0301c", "ab ", "ab \u0301"),
        ("ab\n\u0301c", "\u0301c", "\u0301c"),
    ],
)
def test_a_border_moves_out_to_the_end_of_a_character(text: str, found: str, whole: str) -> None:
    at = text.index(found)
    (moved,) = with_whole_graphemes(text, [span(text, at, at + len(found))])
    assert moved.surface == whole


@settings(max_examples=1000)
@given(st.text("ae\u0301\u200d\ufe0f👩🏽🚒 1", max_size=12), st.sets(st.integers(0, 12), max_size=6))
def test_spans_stay_sorted_and_disjoint_and_lose_nothing(text: str, places: set[int]) -> None:
    cuts = sorted(place for place in places if place <= len(text))
    spans = [span(text, a, b) for a, b in itertools.pairwise(cuts)][::2]
    moved = list(with_whole_graphemes(text, spans))
    assert all(a.end <= b.start for a, b in itertools.pairwise(moved))
    assert all(text[s.start : s.end] == s.surface for s in moved)
    assert all(m.start <= s.start and s.end <= m.end for s, m in zip(spans, moved, strict=True))
    starts = {s.start for s in moved}
    for each in moved:
        assert each.end == len(text) or each.end in starts or not unicodedata.combining(text[each.end])
    assert list(with_whole_graphemes(text, moved)) == moved


@pytest.mark.parametrize(
    "text", ["my pin is 4\ufe0f\u20e34\ufe0f\u20e37\ufe0f\u20e31\ufe0f\u20e3", "email ann@x.org\ufe0f"]
)
def test_what_is_found_is_found_to_the_end_of_its_last_character(text: str) -> None:
    extractor = CombinedExtractor(RuleExtractor())
    (found,) = extractor.extract(text)
    assert found.end == len(text)
    again = f"so {found.surface}"
    spans = find_spans(
        [(text, TextKind.PROSE), (again, TextKind.PROSE)],
        lambda text, kind: extractor.extract(text) if text != again else (),
        ConversationVault(profile_scope=True, volatile_all=False),
    )[again]
    assert [s.surface for s in spans] == [found.surface]
