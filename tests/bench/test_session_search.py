"""The benchmark's own machinery: it finds what it should, in both halves, and its figures are right."""

import numpy as np
import pytest
from bench_retrieval import compare, targets
from histories import History, Question, Session
from keepmum_edge.spans.rules import RuleExtractor
from keepmum_inference.embedder import SentenceEmbedder, artefact_folder, load_embedding_artefact
from masking import Masker, Privacy
from ranking_quality import DEPTHS, Quality, difference, quality
from session_search import RememberingVectors, System, halves, rankings

HISTORY = History(
    id="h",
    sessions=(
        Session(id="a", time=1_683_554_160, turns=("My name is Sigrid Tanaka.", "I bake bread on Sundays.")),
        Session(id="b", time=1_688_256_300, turns=("My e-mail is sigrid@example.org.", "I was diagnosed with asthma.")),
        Session(id="c", time=1_690_000_000, turns=("The boat leaks again.", "Mail sigrid@example.org about it.")),
    ),
    questions=(
        Question(
            id="1", text="Did sigrid@example.org hear of the leak in the boat?", evidence=frozenset({"c"}), kind="x"
        ),
        Question(id="2", text="Which illness do I have, asthma?", evidence=frozenset({"b"}), kind="x"),
        Question(id="3", text="What happened in July 2023?", evidence=frozenset({"b", "c"}), kind="y"),
    ),
)


@pytest.fixture(scope="module")
def vectors() -> RememberingVectors:
    return RememberingVectors(SentenceEmbedder(load_embedding_artefact(artefact_folder())), say=lambda _: None)


def test_masking_keeps_a_value_its_number_across_conversations_until_it_is_taken_away() -> None:
    masker = Masker(RuleExtractor())
    typed = masker.masked(HISTORY, Privacy.TYPED)
    assert typed.sessions[2].turns[1] == "Mail <EMAIL_1> about it."
    assert typed.questions[0].text == "Did <EMAIL_1> hear of the leak in the boat?"
    untyped = masker.masked(HISTORY, Privacy.UNTYPED)
    token = untyped.questions[0].text.split()[1]
    assert token.startswith("<LITERAL_")
    assert token in untyped.sessions[2].turns[1]
    assert masker.masked(HISTORY, Privacy.STARS).sessions[2].turns[1] == "Mail *** about it."
    assert masker.masked(HISTORY, Privacy.OFF) == HISTORY


def test_what_one_conversation_told_is_masked_in_later_ones() -> None:
    told = History(
        id="t",
        sessions=(Session(id="a", time=None, turns=("My passport number is C01X00T47.",)),),
        questions=(Question(id="1", text="Where is C01X00T47 kept?", evidence=frozenset({"a"}), kind="x"),),
    )
    masker = Masker(RuleExtractor())
    assert masker.masked(told, Privacy.TYPED).questions[0].text == "Where is <PASSPORT_1> kept?"
    alone = History(id="t", sessions=(Session(id="a", time=None, turns=("Hello.",)),), questions=told.questions)
    assert masker.masked(alone, Privacy.TYPED) == alone


def test_every_system_finds_in_both_halves_what_the_question_names(vectors: RememberingVectors) -> None:
    masker = Masker(RuleExtractor())
    assert [masker.stays(turn) for turn in HISTORY.sessions[1].turns] == [False, True]
    for privacy, stays in ((Privacy.OFF, lambda _: False), (Privacy.TYPED, masker.stays)):
        parts = halves(masker.masked(HISTORY, privacy), HISTORY, stays, vectors)
        assert len(parts) == (1 if privacy is Privacy.OFF else 2)
        for system in System:
            first, second, third = rankings(parts, ["a", "b", "c"], vectors, system)
            assert sorted(first) == ["a", "b", "c"]
            assert second[0] == "b"
            if system is not System.DENSE:  # a date is nothing that a vector knows
                assert set(third[:2]) == {"b", "c"}
        assert rankings(parts, ["a", "b", "c"], vectors, System.FUSED)[0][0] == "c"


def test_figures_of_a_ranking() -> None:
    judged = quality([["a", "b", "c"], ["c", "b", "a"]], [frozenset({"a", "c"}), frozenset({"b"})])
    assert judged.means() == {"recall@1": 25.0, "recall@3": 100.0, "recall@5": 100.0, "recall@10": 100.0, "mrr": 75.0}


def test_targets_are_judged_and_shown() -> None:
    def figures(mrr: float) -> Quality:
        return Quality(recall={depth: np.full(50, mrr) for depth in DEPTHS}, reciprocal_rank=np.full(50, mrr))

    found = {(Privacy.OFF, System.FUSED): figures(0.9), (Privacy.TYPED, System.FUSED): figures(0.894)}
    for privacy in (Privacy.OFF, Privacy.TYPED):
        found |= {(privacy, System.BM25): figures(0.5), (privacy, System.DENSE): figures(0.95)}
    judged = {rule["name"]: rule["met"] for rule in targets(found, compare(found), locomo=True)}
    assert judged["loss of mrr by masking, mean"] is False
    assert judged["loss of mrr by masking, upper end"] is True
    assert judged["mrr above bm25 alone"] is True
    assert judged["mrr above dense alone"] is False
    assert judged["mrr, privacy typed"] is True
    assert judged["recall@10, privacy typed"] is False


def test_a_difference_and_its_interval() -> None:
    better, worse = np.array([1.0, 1.0, 0.0, 1.0] * 50), np.array([1.0, 0.0, 0.0, 1.0] * 50)
    gap = difference(better, worse)
    assert gap.mean == 25.0
    assert 15 < gap.low < 22
    assert 28 < gap.high < 35
    assert difference(worse, worse).high == 0.0
