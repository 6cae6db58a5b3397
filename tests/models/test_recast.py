from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_models.corpus.splits import is_held_back
from keepmum_models.examples import Example, Marked
from keepmum_models.recast import Recaster


def example(source: str, text: str, *marked: tuple[str, str]) -> Example:
    spans = []
    at = 0
    for surface, label in marked:
        start = text.index(surface, at)
        at = start + len(surface)
        spans.append(Marked(start=start, end=at, label=label, level=None))
    return Example(source=source, id="1", lang="en", is_dev=False, text=text, spans=tuple(spans))


def surfaces(found: Example) -> list[str]:
    return [found.text[s.start : s.end] for s in found.spans]


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_everything_but_the_people_stays(seed: int) -> None:
    read = example(
        "en_wnut17", "so Ann Lee met Lee in Oslo !", ("Ann Lee", "person"), ("Lee", "person"), ("Oslo", "location")
    )
    played = Recaster(share=1.0, rng=Random(seed)).recast(read)
    first, again, place = surfaces(played)
    assert [s.label for s in played.spans] == ["person", "person", "location"]
    assert played.text == f"so {first} met {again} in {place} !"
    assert place == "Oslo"
    assert first != "Ann Lee"
    assert again in first
    assert not is_held_back(first)


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_a_chinese_name_stays_one(seed: int) -> None:
    read = example("zh_aishell_ner", "记者张小明说老王来了", ("张小明", "PER"))
    played = Recaster(share=1.0, rng=Random(seed)).recast(read)
    (name,) = surfaces(played)
    assert played.text == f"记者{name}说老王来了"
    assert len(name) >= 2


def test_a_share_of_nothing_changes_nothing() -> None:
    read = example("zh_aishell_ner", "记者张小明说", ("张小明", "PER"))
    assert Recaster(share=0.0, rng=Random(1)).recast(read) is read


def test_lower_case_and_user_names_keep_their_kind() -> None:
    read = example("en_wnut17", "thanks tom and @sky9", ("tom", "person"), ("@sky9", "person"))
    lower, handle = surfaces(Recaster(share=1.0, rng=Random(5)).recast(read))
    assert lower == lower.lower()
    assert handle.startswith("@")
