import gzip
from pathlib import Path

import pytest
from keepmum_edge.errors import ExtractorUnavailableError
from keepmum_edge.spans import listed_names
from keepmum_edge.spans.listed_names import expected_names, shipped_names
from keepmum_edge.spans.normalise import read
from keepmum_edge.spans.shipped import load_shipped
from keepmum_shared.taxonomy import EntityType

NAMES = frozenset({"sigrid", "o'hara", "anne-marie"})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("We saw Sigrid there", ["Sigrid"]),
        ("WE SAW SIGRID", ["SIGRID"]),
        ("we saw sigrid there", ["sigrid"]),
        ("We saw sigrid there", []),  # whoever writes capitals would have written one
        ("Ask O’Hara and Anne-Marie", ["O’Hara", "Anne-Marie"]),
        ("Sigridsen is another", []),
    ],
)
def test_words_of_the_list(text: str, words: list[str]) -> None:
    assert [text[one.start : one.end] for one in expected_names(read(text), NAMES)] == words


def test_the_shipped_list_is_of_single_lower_case_names_that_are_no_everyday_words() -> None:
    names = shipped_names()
    assert len(names) > 50_000
    assert not any(name != name.lower() or " " in name for name in names)
    assert not {"will", "grace", "rose", "mark", "paris", "jordan", "israel"} & names


@pytest.mark.parametrize("text", ["I love what the gym did for Sarah when she works out.", "Jay and Trish are bored."])
def test_a_listed_name_that_the_model_half_believes_in_is_masked(text: str) -> None:
    found = {span.surface for span in load_shipped().extract(text) if span.entity_type is EntityType.NAME}
    assert found & {"Sarah", "Trish"}


@pytest.mark.parametrize(
    "text",
    [
        "We flew from Paris to Milan.",
        "Is Lyon bigger than Marseille?",
        "Ford and Mercedes raised prices.",
        "JUNK ada@example.org",
    ],
)
def test_a_listed_word_that_is_plainly_something_else_stays(text: str) -> None:
    assert not [span for span in load_shipped().extract(text) if span.entity_type is EntityType.NAME]


@pytest.mark.parametrize("content", [None, b"no gzip", gzip.compress(b"\xff\xfe"), gzip.compress(b"a" * 99)[:-9]])
def test_without_the_list_nothing_is_read(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "names.gz"
    if content is not None:
        path.write_bytes(content)
    monkeypatch.setattr(listed_names, "SHIPPED", path)
    shipped_names.cache_clear()
    with pytest.raises(ExtractorUnavailableError, match="list of names"):
        shipped_names()
    shipped_names.cache_clear()
