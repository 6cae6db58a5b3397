import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_edge.spans.combined import CombinedExtractor
from keepmum_edge.spans.namesakes import Namesakes
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_edge.spans.span import PrivateSpan
from keepmum_shared.taxonomy import EntityType, Level


def named(text: str, surface: str, entity_type: EntityType = EntityType.NAME) -> PrivateSpan:
    start = text.index(surface)
    return PrivateSpan(
        start=start,
        end=start + len(surface),
        entity_type=entity_type,
        level=Level.PL2,
        source="test",
        certainty=90,
        surface=surface,
    )


def again(text: str, *names: str) -> list[str]:
    return [span.surface for span in Namesakes(names).added_to(text, ())]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Tell Tanaka that sigrid tanaka is ill, says Sigrid.", ["Tanaka", "sigrid tanaka", "Sigrid"]),
        ("Tanaka, Sigrid and TANAKA Sigrid", ["Tanaka, Sigrid", "TANAKA Sigrid"]),
        ("sigrid.tanaka and sigrid_tanaka", ["sigrid.tanaka", "sigrid_tanaka"]),
        ("SIGRID is ill", ["SIGRID"]),
        ("tell sigrid i am late\nTell her", ["sigrid"]),
        ("Sigrid's flat, Tanaka’s car", ["Sigrid", "Tanaka"]),
        ("Sigrid\nTanaka", ["Sigrid\nTanaka"]),
        ("Ｓｉｇｒｉｄ，在", ["Ｓｉｇｒｉｄ"]),
        ("请告诉Tanaka我病了", ["Tanaka"]),
        ("Sig\u200brid", ["Sig\u200brid"]),
    ],
)
def test_a_name_is_found_again_however_it_is_written(text: str, wanted: list[str]) -> None:
    assert again(text, "Sigrid Tanaka") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "I will plant a rose.",
        "i will plant a rose",
        "WILL A ROSE GROW?",
        "Rose petals fall. Will they?",
        "It fell.\nRose again",
    ],
)
def test_an_everyday_word_is_not_a_part_of_a_name(text: str) -> None:
    assert again(text, "Will Rose") == []


def test_an_everyday_word_with_a_capital_of_its_own_is_the_person() -> None:
    assert again("Then I saw Will and Mr Rose.", "Will Rose") == ["Will", "Rose"]


def test_a_lower_case_part_in_a_text_with_capitals_is_a_word() -> None:
    assert again("My first vocal lesson went well.", "Vocal Lin") == []


@pytest.mark.parametrize("text", ["Annette Leeds", "Ann-Kathrin", "Leeward", "an el"])
def test_a_part_inside_another_word_is_left_alone(text: str) -> None:
    assert again(text, "Ann Lee") == []


@pytest.mark.parametrize("name", ["Mr. Tanaka", "Dr Tanaka", "Prof. Tanaka"])
def test_a_title_is_no_part_of_a_name(name: str) -> None:
    assert again("the Dr and the Mr met Prof. Tanaka", name) == ["Tanaka"]


def test_particles_and_initials_are_no_parts() -> None:
    assert again("The van of der Vries, at J. and Q.", "Q. J. van der Vries") == ["Vries"]


def test_a_chinese_name_is_found_whole_and_by_its_surname_with_an_appellation() -> None:
    text = "建国大业。我陪张建国去找老张，张总和张女士也在，张开嘴。"
    assert again(text, "张建国") == ["张建国", "老张", "张总", "张女士"]
    assert again("阿卜杜拉·穆罕默德来了", "阿卜杜拉·穆罕默德") == ["阿卜杜拉·穆罕默德"]
    assert again("欧阳老师和老欧", "欧阳雪梅") == ["欧阳老师"]


@pytest.mark.parametrize(
    ("short", "long"), [("张伟", "张伟明"), ("佐藤", "佐藤健太"), ("김민", "김민수"), ("阿卜", "阿卜杜拉·穆罕默德")]
)
def test_a_name_with_which_a_longer_one_begins_is_found_at_the_end_of_a_text(short: str, long: str) -> None:
    assert again(f"{long}, {short}", long, short) == [long, short]
    assert again(f"\u200b{short}", long, short) == [short]


def test_what_is_found_keeps_its_borders_and_a_piece_of_a_name_becomes_whole() -> None:
    text = "with Zhang Weiming, Zhang Zixuan"
    found = (named(text, "Zhang Weiming"), named(text, "Zhang Zixuan"))
    assert Namesakes(["Zhang Weiming", "Zhang Zixuan"]).added_to(text, found) == found
    text = "Call Sigrid Tanaka"
    (whole,) = Namesakes(["Sigrid Tanaka"]).added_to(text, [named(text, "Tanaka")])
    assert whole.surface == "Sigrid Tanaka"


def test_another_type_is_not_touched() -> None:
    text = "tanaka@example.org and 12 Tanaka Street"
    others = (
        named(text, "tanaka@example.org", EntityType.EMAIL),
        named(text, "12 Tanaka Street", EntityType.ADDRESS),
    )
    assert Namesakes(["Sigrid Tanaka"]).added_to(text, others) == others


def test_no_name_finds_nothing() -> None:
    assert again("anything", "", "  ", "-", "7", "of") == []


names = st.one_of(
    st.text(max_size=12),
    st.lists(st.sampled_from(["Ann", "Lee", "van", "O'Neal", "Anne-Marie", "李", "明", "·", " ", "Dr.", "\u200b"])).map(
        " ".join
    ),
    st.text("张伟明·\u200b", max_size=5),
)


@given(st.lists(names, max_size=5), st.lists(names, max_size=8).map(" ".join))
def test_spans_are_sorted_disjoint_names_that_say_what_stands_there(known: list[str], text: str) -> None:
    spans = Namesakes(known).added_to(text, ())
    assert all(text[s.start : s.end] == s.surface for s in spans)
    assert all(s.entity_type is EntityType.NAME for s in spans)
    assert all(a.end <= b.start for a, b in itertools.pairwise(spans))


@given(st.lists(names, max_size=5), st.lists(names, max_size=8).map(" ".join))
def test_adding_twice_adds_nothing(known: list[str], text: str) -> None:
    once = Namesakes(known).added_to(text, ())
    assert Namesakes(known).added_to(text, once) == once


def test_thousands_of_names_in_a_text_of_thousands_of_names_take_linear_time() -> None:
    def seconds(count: int) -> float:
        known = [f"Anna Belle Name{chr(97 + i % 26)}{i}x Tanaka" for i in range(count)]
        text = ", ".join(known)
        begin = time.process_time()
        assert len(Namesakes(known).added_to(text, ())) >= count
        return time.process_time() - begin

    small, large = min(seconds(500) for _ in range(3)), min(seconds(4000) for _ in range(2))
    assert large < 8 * small * 3


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("My name is Sigrid Tanaka.\nThen TANAKA SIGRID wrote.", ["Sigrid Tanaka", "TANAKA SIGRID"]),
        ("我叫李明。后来李明走了", ["李明", "李明"]),
    ],
)
def test_what_one_extractor_found_is_found_again_once(text: str, wanted: list[str]) -> None:
    assert [s.surface for s in CombinedExtractor(RuleExtractor()).extract(text)] == wanted
