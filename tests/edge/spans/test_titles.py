import pytest
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.spans.titles import with_titles
from keepmum_shared.taxonomy import EntityType, Level


def span(text: str, surface: str, entity_type: EntityType = EntityType.NAME) -> PrivateSpan:
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


@pytest.mark.parametrize(
    ("text", "name", "wanted"),
    [
        ("Dear Mr. Tanaka, hello", "Tanaka", "Mr. Tanaka"),
        ("dr Okonkwo said so", "Okonkwo", "dr Okonkwo"),
        ("ask Prof. Lee", "Lee", "Prof. Lee"),
        ("the arms Lee bought", "Lee", "Lee"),
        ("Mr.\nLee", "Lee", "Lee"),
        ("Lee", "Lee", "Lee"),
    ],
)
def test_a_title_belongs_to_the_name_after_it(text: str, name: str, wanted: str) -> None:
    (found,) = with_titles(text, [span(text, name)])
    assert found.surface == wanted == text[found.start : found.end]


def test_only_names_have_titles_and_no_span_grows_into_another() -> None:
    text = "Ann Mr Lee"
    place = span(text, "Lee", EntityType.ADDRESS)
    assert list(with_titles(text, [place])) == [place]
    before = span(text, "Ann Mr")
    assert list(with_titles(text, [before, span(text, "Lee")])) == [before, span(text, "Lee")]
