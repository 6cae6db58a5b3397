import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from artefact_copies import change_manifest
from keepmum_inference.embedder import FILES, SentenceEmbedder, artefact_folder, load_embedding_artefact
from keepmum_inference.errors import ArtefactError
from keepmum_inference.manifest import MANIFEST, MODEL, sha256
from keepmum_inference.placeholder_words import in_words


@pytest.fixture(scope="module")
def embedder() -> SentenceEmbedder:
    return SentenceEmbedder(load_embedding_artefact(artefact_folder()))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(artefact_folder(), tmp_path / "copy"))


@pytest.mark.parametrize(
    ("query", "near", "far"),
    [
        ("What is my dog called?", "Our puppy answers to Biscuit", "The train to Leeds leaves at nine"),
        (
            "Where did we go on holiday?",
            "We spent two weeks at the seaside in Portugal",
            "She repaired the old bicycle",
        ),
        ("我的猫叫什么名字？", "家里那只小猫名叫花花", "明天上午九点开会"),
        ("我们去哪里度假了？", "我们在海边住了两个星期", "他修好了旧自行车"),
        ("What does my cat eat?", "我的猫只吃鱼", "会议改到星期三"),
    ],
)
def test_what_means_the_same_is_nearer_also_across_languages(
    embedder: SentenceEmbedder, query: str, near: str, far: str
) -> None:
    first, second = embedder.passages([near, far]) @ embedder.query(query)
    assert first > second + 0.01


def test_vectors_have_length_one_and_depend_on_their_own_text_alone(embedder: SentenceEmbedder) -> None:
    texts = ["tea", "A much longer sentence about the weather, with 3 numbers, 12 and 7.", "", "喝茶\n\t", "\ud800"]
    together = embedder.passages(texts)
    assert together.shape == (5, embedder.dimension)
    assert np.linalg.norm(together, axis=1) == pytest.approx(np.ones(5), abs=1e-4)
    for text, vector in zip(texts, together, strict=True):
        assert (embedder.passages([text])[0] == vector).all()
    assert embedder.passages([]).shape == (0, embedder.dimension)


def test_queries_and_passages_are_told_apart(embedder: SentenceEmbedder) -> None:
    assert not np.allclose(embedder.query("tea"), embedder.passages(["tea"])[0], atol=1e-3)


def test_the_end_of_a_long_text_counts(embedder: SentenceEmbedder) -> None:
    filler = "We talked about the weather and the traffic for a while. " * 80
    plain, told = embedder.passages([filler, filler + "My violin teacher lives in Bergen. " * 40])
    asked = embedder.query("Where does the violin teacher live?")
    assert told @ asked > plain @ asked


def test_placeholders_are_read_as_words(embedder: SentenceEmbedder) -> None:
    assert in_words("<NAME_3> met <NAME_31> at <ADDRESS_2>, <DATE_OF_BIRTH_1>") == (
        "person 3 met person 31 at place 2, date of birth 1"
    )
    assert in_words("a < b, NAME_3, <NAME_03>") == "a < b, NAME_3, <NAME_03>"
    same = embedder.passages(["<NAME_3> likes tea", "person 3 likes tea"])
    assert (same[0] == same[1]).all()


@pytest.mark.parametrize("name", [MANIFEST, *FILES])
def test_a_missing_file_is_named(copy: Path, name: str) -> None:
    (copy / name).unlink()
    with pytest.raises(ArtefactError, match=name):
        load_embedding_artefact(copy)


@pytest.mark.parametrize("name", FILES)
def test_an_altered_file_is_refused(copy: Path, name: str) -> None:
    with (copy / name).open("ab") as file:
        file.write(b" ")
    with pytest.raises(ArtefactError, match="SHA-256"):
        load_embedding_artefact(copy)


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"window": 513},
        {"window": True},
        {"dimension": True},
        {"dimension": 0},
        {"query_prefix": None},
        {"files": None},
    ],
)
def test_another_format_is_refused(copy: Path, change: dict[str, object]) -> None:
    change_manifest(copy, **change)
    with pytest.raises(ArtefactError, match=MANIFEST):
        load_embedding_artefact(copy)


def test_a_model_of_another_dimension_is_refused(copy: Path) -> None:
    change_manifest(copy, dimension=512)
    with pytest.raises(ArtefactError, match="does not fit"):
        SentenceEmbedder(load_embedding_artefact(copy))


def test_a_model_of_another_kind_is_refused(copy: Path) -> None:
    spans = artefact_folder().parent / "spans" / MODEL
    shutil.copyfile(spans, copy / MODEL)
    sums = json.loads((copy / MANIFEST).read_text(encoding="utf-8"))["files"] | {MODEL: sha256(spans.read_bytes())}
    change_manifest(copy, files=sums)
    with pytest.raises(ArtefactError, match="output of a sentence embedding"):
        SentenceEmbedder(load_embedding_artefact(copy))


def test_the_artefact_stays_small() -> None:
    assert sum(path.stat().st_size for path in artefact_folder().iterdir() if path.is_file()) <= 45_000_000
