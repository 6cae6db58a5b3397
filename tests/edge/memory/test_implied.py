"""What texts imply by their meaning, read with the real models."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_edge.daemon.retrieval.meaning import load_head
from keepmum_edge.memory.classify import Classifier
from keepmum_edge.memory.implied import MOST_PIECES, NOTHING, EmbeddedAttributes
from keepmum_inference.errors import ArtefactError, SessionError
from keepmum_shared.view import shipped_policy
from shipped_embedding import shipped_embedder, shipped_meaning

POLICY = shipped_policy()
TOLD = "They walked me to the door with a cardboard box, my badge no longer works."
DULL = "The bus stops at the library and then goes on to the lake. "


class Counting:
    """The real embedding; counts what it reads."""

    def __init__(self) -> None:
        self.read: list[str] = []
        self.model_id = shipped_embedder().model_id
        self.dimension = shipped_embedder().dimension
        self.query, self.passages = shipped_embedder().query, shipped_embedder().passages

    def states(self, text: str):
        self.read.append(text)
        return shipped_embedder().states(text)


def test_one_telling_sentence_in_a_long_text_is_enough() -> None:
    for at in (0, 30, 60):
        found = shipped_meaning().read(DULL * at + TOLD + " " + DULL * (60 - at))
        assert found is not None
        assert "job_loss" in found.implied


def test_a_sentence_longer_than_what_is_read_at_once_is_read_to_its_end() -> None:
    endless = ", ".join(["the bus stops at the library"] * 40)
    found = shipped_meaning().read(f"{endless}, and they walked me to the door with a cardboard box for good")
    assert found is not None
    assert "job_loss" in found.implied


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 9_999_999), st.integers(1, 9_999_999))
def test_numbers_of_placeholders_play_no_part(one: int, other: int) -> None:
    read = shipped_meaning().read
    assert read(f"<NAME_{one}> met <NAME_{other}> at the clinic") == read("<NAME_1> met <NAME_2> at the clinic")


def test_a_text_is_read_once() -> None:
    counting = Counting()
    meaning = EmbeddedAttributes(lambda: (counting, load_head()), "h")
    first = meaning.read("My cat is called <NAME_1>.")
    assert meaning.read("My cat is called <NAME_7>.") == first
    assert first is not None
    assert first.implied == frozenset()
    assert first.sure == frozenset()
    assert counting.read == ["My cat is called <NAME_1>."]
    assert meaning.read("") == NOTHING


def test_a_document_may_imply_anything_and_is_not_read() -> None:
    counting = Counting()
    assert EmbeddedAttributes(lambda: (counting, load_head()), "h").read(DULL * (MOST_PIECES + 1)) is None
    assert counting.read == []


@pytest.mark.parametrize("error", [ArtefactError("model.onnx", "is gone"), ImportError("no runtime")])
def test_without_the_embedding_anything_may_be_implied_and_another_judge_judges(error: Exception) -> None:
    def load():
        raise error

    meaning = EmbeddedAttributes(load, "h")
    classifier = Classifier(POLICY, meaning)
    before = classifier.judge_id
    found = classifier.judge("My favourite colour is teal", lambda _: None)
    assert (found.slot, found.attributes) == ("other", POLICY.layout.attributes.keys())
    assert classifier.judge_id != before


def test_without_a_head_or_with_another_embedding_anything_may_be_implied() -> None:
    class Other(Counting):
        def __init__(self) -> None:
            super().__init__()
            self.model_id = "another"

    def no_head():
        raise ArtefactError("model.onnx", "is altered")

    assert EmbeddedAttributes(no_head, "h").read("tea") is None
    meaning = EmbeddedAttributes(lambda: (Other(), load_head()), "h")
    assert meaning.read("tea") is None
    assert meaning.reader_id == "none"


def test_a_failure_while_reading_leaves_that_text_unclear_and_the_next_is_read() -> None:
    class Failing(Counting):
        def states(self, text: str):
            if text == "tea":
                raise SessionError("out of memory")
            return super().states(text)

    meaning = EmbeddedAttributes(lambda: (Failing(), load_head()), "h")
    assert meaning.read("tea") is None
    read = meaning.read("My favourite colour is teal")
    assert read is not None
    assert read.implied == frozenset()


def test_lone_surrogates_and_odd_characters_are_read() -> None:
    for text in ("\ud800 tea", "\u202e tea \x00", "\U0001f600" * 50, "<NAME_", "\ufeff"):
        assert shipped_meaning().read(text) is not None


def test_threads_that_find_out_at_once_that_there_are_no_models_agree() -> None:
    def load():
        raise ImportError("no runtime")

    meaning = EmbeddedAttributes(load, "h")
    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(meaning.read, ["tea"] * 64)) == {None}


def test_what_was_read_in_another_text_is_not_read_again() -> None:
    counting = Counting()
    meaning = EmbeddedAttributes(lambda: (counting, load_head()), "h")
    meaning.read("I take the bus to the library. My cat is called <NAME_4>, as you know.")
    meaning.read("My cat is called <NAME_1>, as you know.")
    assert len(counting.read) == 2
