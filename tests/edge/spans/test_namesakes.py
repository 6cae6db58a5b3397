from keepmum_edge.spans.namesakes import find_namesakes
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


def again(text: str, surface: str, entity_type: EntityType = EntityType.NAME) -> list[tuple[int, str]]:
    return [(s.start, s.surface) for s in find_namesakes(text, [named(text, surface, entity_type)])]


def test_a_part_of_a_name_that_stands_alone_is_the_person() -> None:
    text = "Sigrid Tanaka called. Tell Tanaka that sigrid tanaka is ill, says Sigrid."
    assert [s for _, s in again(text, "Sigrid Tanaka")] == ["sigrid tanaka", "Sigrid", "Tanaka"]


def test_an_ordinary_word_in_lower_case_is_not_a_part_of_a_name() -> None:
    assert again("Will Rose met me. I will plant a rose.", "Will Rose") == []


def test_a_part_inside_another_word_is_left_alone() -> None:
    assert again("Ann Lee met Annette Leeds.", "Ann Lee") == []


def test_a_chinese_name_is_found_again_whole() -> None:
    text = "李明病了。我陪李明去医院。"
    assert again(text, "李明") == [(7, "李明")]


def test_only_names_are_looked_for() -> None:
    assert again("12 Elm Street is near Elm Street", "12 Elm Street", EntityType.ADDRESS) == []
