import itertools
import json
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from keepmum_edge.errors import ExtractorUnavailableError
from keepmum_edge.spans import encoder as encoder_source
from keepmum_edge.spans import namesakes
from keepmum_edge.spans.combined import CombinedExtractor
from keepmum_edge.spans.encoder import EncoderExtractor, artefact_folder
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_edge.spans.span import GUESSES
from keepmum_inference.artefact import FILES, LABELS
from keepmum_inference.manifest import MANIFEST, sha256
from keepmum_shared.taxonomy import NOT_A_LEVEL, EntityType, Level


@pytest.fixture(scope="module")
def encoder() -> EncoderExtractor:
    return EncoderExtractor()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(artefact_folder(), tmp_path / "copy"))


def surfaces(extractor: EncoderExtractor | CombinedExtractor, text: str, entity_type: EntityType) -> list[str]:
    return [s.surface for s in extractor.extract(text) if s.entity_type is entity_type]


def test_a_missing_model_is_said_and_never_passed_over(tmp_path: Path) -> None:
    with pytest.raises(ExtractorUnavailableError, match=MANIFEST):
        EncoderExtractor(tmp_path)


@pytest.mark.parametrize("name", FILES)
def test_an_altered_file_is_refused(copy: Path, name: str) -> None:
    with (copy / name).open("ab") as file:
        file.write(b"\n")
    with pytest.raises(ExtractorUnavailableError, match=name):
        EncoderExtractor(copy)


def test_labels_that_do_not_fit_the_model_are_refused(copy: Path) -> None:
    (copy / LABELS).write_text(json.dumps({"types": ["NAME"]}), encoding="utf-8")
    manifest = json.loads((copy / MANIFEST).read_text(encoding="utf-8"))
    manifest["files"][LABELS] = sha256((copy / LABELS).read_bytes())
    (copy / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(ExtractorUnavailableError, match=LABELS):
        EncoderExtractor(copy)


def test_the_shipped_model_is_small(encoder: EncoderExtractor) -> None:
    assert sum((artefact_folder() / name).stat().st_size for name in FILES) <= 40_000_000
    assert sha256((artefact_folder() / MANIFEST).read_bytes()) in encoder.model_id


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("My name is Sigrid Tanaka and I need help with my flat.", "Sigrid Tanaka"),
        ("Please tell Rajesh Okonkwo that I will be late.", "Rajesh Okonkwo"),
        ("我叫欧阳雪梅，最近睡不好。", "欧阳雪梅"),
        ("麻烦你转告张建国，明天我不去了。", "张建国"),
    ],
)
def test_names_are_found_in_both_languages(encoder: EncoderExtractor, text: str, name: str) -> None:
    assert surfaces(encoder, text, EntityType.NAME) == [name]


@pytest.mark.parametrize(
    "text",
    ["", " ", "a", "\x00", "\ud800", "😀👩‍👩‍👧", "\n\n\t", "\u200b", "what is the capital of France?"],
)
def test_text_without_anything_private_gives_nothing(encoder: EncoderExtractor, text: str) -> None:
    assert encoder.extract(text) == ()


def test_the_end_of_a_long_text_is_read(encoder: EncoderExtractor) -> None:
    text = "The weather was fine and the train was on time. " * 120 + "My name is Sigrid Tanaka."
    assert "Sigrid Tanaka" in surfaces(encoder, text, EntityType.NAME)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.one_of(st.text(max_size=8), st.sampled_from(["My name is ", "Ann Lee", "我叫", "李明", "\u200b", "\ud800"]))
    )
)
def test_spans_are_sorted_disjoint_and_say_what_stands_there(encoder: EncoderExtractor, parts: list[str]) -> None:
    text = "".join(parts)
    spans = encoder.extract(text)
    assert all(text[s.start : s.end] == s.surface for s in spans)
    assert all(a.end <= b.start for a, b in itertools.pairwise(spans))
    assert all(s.entity_type not in NOT_A_LEVEL and s.level is not Level.PL1 and s.certainty < 100 for s in spans)
    assert spans == encoder.extract(text)


def test_an_invisible_mark_inside_a_name_hides_nothing(encoder: EncoderExtractor) -> None:
    text = "My name is Sig\u200brid Tanaka and I need help."
    assert surfaces(encoder, text, EntityType.NAME) == ["Sig\u200brid Tanaka"]


def test_together_a_checked_number_keeps_its_type_and_the_name_is_found(encoder: EncoderExtractor) -> None:
    both = CombinedExtractor(RuleExtractor(), encoder)
    text = "I am Sigrid Tanaka, my card is 4111 1111 1111 1111."
    assert [(s.surface, s.entity_type) for s in both.extract(text)] == [
        ("Sigrid Tanaka", EntityType.NAME),
        ("4111 1111 1111 1111", EntityType.BANK_CARD),
    ]
    assert both.model_id == f"{RuleExtractor().model_id}+{encoder.model_id}"


@pytest.mark.parametrize("stand_in", ["os.environ.get('DB_PASSWORD')", "${DB_PASSWORD}", "********", "<your password>"])
def test_a_stand_in_for_a_secret_is_no_secret(encoder: EncoderExtractor, stand_in: str) -> None:
    assert surfaces(encoder, f"password = {stand_in}", EntityType.PASSWORD) == []


def test_no_repr_shows_a_surface(encoder: EncoderExtractor) -> None:
    (span,) = encoder.extract("My name is Sigrid Tanaka.")
    assert "Tanaka" not in repr(span)


def test_what_the_model_finds_counts_as_a_guess() -> None:
    assert {encoder_source.SOURCE, namesakes.SOURCE} == GUESSES
