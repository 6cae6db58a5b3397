"""The head that reads protected attributes: its files, and what it makes of states."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from artefact_copies import change_manifest
from keepmum_inference.attribute_head import (
    FILES,
    AttributeHead,
    artefact_folder,
    load_attribute_artefact,
)
from keepmum_inference.errors import ArtefactError, SessionError
from keepmum_inference.manifest import MANIFEST, MODEL
from keepmum_shared.view import shipped_policy
from shipped_embedding import shipped_embedder


@pytest.fixture(scope="module")
def head() -> AttributeHead:
    return AttributeHead(load_attribute_artefact(artefact_folder()))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(artefact_folder(), tmp_path / "copy"))


def test_it_was_trained_on_the_shipped_embedding_and_knows_the_attributes_of_the_shipped_policy(
    head: AttributeHead,
) -> None:
    assert head.embedding == shipped_embedder().model_id
    thresholds = load_attribute_artefact(artefact_folder()).thresholds
    assert thresholds.keys() == shipped_policy().layout.attributes.keys()


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("They walked me to the door with a cardboard box, my badge no longer works", "job_loss"),
        ("昨天人事找我谈话，今天就让我收拾东西走人", "job_loss"),
        ("Two men in suits rang again about what I still owe them", "unsecured_debt"),
        ("I have not had a drop for ninety days and carry the chip in my pocket", "addiction"),
        ("Every second Tuesday I report to my officer and may not leave the county", "criminal_record"),
        ("我们努力了三年，医生建议下个月取卵", "fertility"),
    ],
)
def test_what_no_key_term_says_is_read(head: AttributeHead, text: str, attribute: str) -> None:
    assert attribute in head.implied(head.chances(shipped_embedder().states(text)))


@pytest.mark.parametrize(
    "text",
    [
        "My favourite colour is teal",
        "Set an alarm for six tomorrow morning",
        "The meeting with <NAME_1> moved to Thursday",
        "我家的猫叫团子",
        "周末想去爬山，帮我看看天气",
    ],
)
def test_ordinary_texts_imply_nothing(head: AttributeHead, text: str) -> None:
    assert head.implied(head.chances(shipped_embedder().states(text))) == frozenset()


def test_chances_are_chances_and_padding_of_neighbours_plays_no_part(head: AttributeHead) -> None:
    states = shipped_embedder().states("I have used a wheelchair since the accident")
    chances = head.chances(states)
    assert chances.shape == (len(shipped_policy().layout.attributes),)
    assert ((chances >= 0) & (chances <= 1)).all()
    assert (head.chances(states) == chances).all()
    assert head.sure(chances) <= head.implied(chances)
    assert "disability" in head.implied(chances)


def test_states_of_another_size_are_refused(head: AttributeHead) -> None:
    with pytest.raises(SessionError):
        head.chances(np.zeros((3, 7), dtype=np.float32))


@pytest.mark.parametrize("name", [MANIFEST, *FILES])
def test_a_missing_file_is_named(copy: Path, name: str) -> None:
    (copy / name).unlink()
    with pytest.raises(ArtefactError, match=name):
        load_attribute_artefact(copy)


def test_an_altered_model_is_refused(copy: Path) -> None:
    (copy / MODEL).write_bytes((copy / MODEL).read_bytes() + b"x")
    with pytest.raises(ArtefactError, match=MODEL):
        load_attribute_artefact(copy)


@pytest.mark.parametrize(
    "changed",
    [
        {"attributes": {}},
        {"attributes": ["religion"]},
        {"attributes": {"religion": 0.0}},
        {"attributes": {"religion": 1.0}},
        {"attributes": {"religion": "0.5"}},
        {"attributes": {"religion": float("nan")}},
        {"embedding": None},
        {"format": 2},
    ],
)
def test_a_manifest_that_says_no_threshold_or_embedding_is_refused(copy: Path, changed: dict[str, object]) -> None:
    change_manifest(copy, **changed)
    with pytest.raises(ArtefactError, match=MANIFEST):
        load_attribute_artefact(copy)
