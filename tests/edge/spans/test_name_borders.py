import itertools

import pytest
from edge.spans.found import found_in
from hypothesis import given
from hypothesis import strategies as st
from keepmum_edge.spans.name_borders import with_whole_names
from keepmum_edge.spans.span import PrivateSpan
from keepmum_shared.taxonomy import EntityType, Level


def spans(text: str, *found: str, kind: EntityType = EntityType.NAME) -> list[PrivateSpan]:
    return found_in(text, *((surface, kind) for surface in found))


@pytest.mark.parametrize(
    ("text", "found", "whole"),
    [
        ("Tanaka's car", ["Tanaka's"], ["Tanaka"]),
        ("Tanaka’s car", ["Tanaka’s"], ["Tanaka"]),
        ("ask Anne-Marie now", ["Anne"], ["Anne-Marie"]),
        ("ask Anne-Marie now", ["Marie"], ["Anne-Marie"]),
        ("ask Tanaka now", ["Tana"], ["Tanaka"]),
        ("by Ann Lee.", ["Ann", "Lee"], ["Ann Lee"]),
        ("a page\nTanaka came", ["Tanaka"], ["Tanaka"]),
        ("by Ann, Lee.", ["Ann", "Lee"], ["Ann", "Lee"]),
        ("阿卜杜拉·穆罕默德来了", ["阿卜杜拉"], ["阿卜杜拉·穆罕默德"]),
        ("阿卜杜拉·穆罕默德的书", ["穆罕默德"], ["阿卜杜拉·穆罕默德"]),
        ("冠军亚历山大布尔格哈德特说", ["布尔格哈德特"], ["亚历山大布尔格哈德特"]),
        ("本报记者王颖春国家发改委通知", ["王颖"], ["王颖春"]),
        ("本报记者王颖报道", ["王颖"], ["王颖"]),
        ("我的朋友王颖春天来", ["王颖"], ["王颖"]),
        ("我喜欢王小明", ["王小明"], ["王小明"]),
        ("和 Adriana 想去", ["Adriana 想"], ["Adriana"]),
        ("这个周末Tanaka来", ["末Tanaka"], ["Tanaka"]),
        ("我和小Tanaka去", ["小Tanaka"], ["小Tanaka"]),
        ("我是李Tanaka明", ["李Tanaka明"], ["李Tanaka明"]),
        ("张三 李四", ["张三", "李四"], ["张三", "李四"]),
    ],
)
def test_borders(text: str, found: list[str], whole: list[str]) -> None:
    assert [s.surface for s in with_whole_names(text, spans(text, *found))] == whole


def test_only_names_move() -> None:
    (span,) = with_whole_names("ask Anne-Marie", spans("ask Anne-Marie", "Anne", kind=EntityType.USERNAME))
    assert span.surface == "Anne"


@given(st.text(alphabet="Aa é-'·张的 .,s’1", min_size=1, max_size=30), st.data())
def test_what_was_found_stays_covered_and_spans_stay_apart(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    found = [
        PrivateSpan(
            start=a, end=b, entity_type=EntityType.NAME, level=Level.PL2, source="t", certainty=50, surface=text[a:b]
        )
        for a, b in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    whole = list(with_whole_names(text, found))
    assert all(a.end <= b.start for a, b in itertools.pairwise(whole))
    assert all(text[s.start : s.end] == s.surface for s in whole)
    for span in found:
        bare = span.surface[:-2] if span.surface[-2:].lower() in ("'s", "’s") else span.surface
        assert any(w.start <= span.start and span.start + len(bare) <= w.end for w in whole)
