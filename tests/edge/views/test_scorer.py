from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_edge.views.scorer import MAX_SCORE, CueScorer, private_score, score_slot
from keepmum_shared.view import SlotId, View, ViewId, shipped_policy

POLICY = shipped_policy()
DIET = SlotId("diet_and_metabolism")


def scored(*texts: str) -> dict[ViewId, tuple[int, int]]:
    return score_slot(POLICY, DIET, texts, CueScorer())


def test_a_clear_record_outscores_generic_and_more_evidence_scores_more() -> None:
    one = scored("I was told that I have type-2 diabetes")
    two = scored("type-2 diabetes, takes metformin", "watches the blood sugar")
    assert private_score(one, ViewId("v011")) == 28 > POLICY.tau
    assert private_score(two, ViewId("v011")) > 28
    assert private_score(one, ViewId("v012")) == 0
    assert private_score(scored("对花生过敏"), ViewId("v013")) == 28


def test_an_empty_slot_scores_nothing_so_that_generic_is_its_best() -> None:
    assert set(scored().values()) == {(0, 0)}
    assert private_score({}, ViewId("v011")) == 0 < POLICY.tau


def test_every_view_of_the_slot_has_a_row_whatever_the_texts() -> None:
    assert scored().keys() == scored("diabetes", "x" * 10_000).keys() == {"v011", "v012", "v013"}
    assert score_slot(POLICY, SlotId("other"), ["diabetes"], CueScorer()) == {}


class Odd:
    def __init__(self, answer: object) -> None:
        self.answer = answer

    def score(self, texts: Sequence[str], view: View) -> tuple[int, int]:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (ValueError("diabetes"), (0, 0)),
        (None, (0, 0)),
        ((1, 2, 3), (0, 0)),
        ((float("nan"), 3), (0, 3)),
        (("8", True), (0, 0)),
        ((-5, 99), (0, 10)),
    ],
)
def test_a_scorer_that_fails_or_leaves_the_range_gives_a_score_in_it(answer: object, score: tuple[int, int]) -> None:
    assert set(score_slot(POLICY, DIET, ["x"], Odd(answer)).values()) == {score}


@settings(deadline=None)
@given(st.lists(st.text(), max_size=5))
def test_any_texts_score_within_the_range_that_the_sensitivity_assumes(texts: list[str]) -> None:
    table = scored(*texts)
    assert all(0 <= private_score(table, view) <= MAX_SCORE for view in table)
