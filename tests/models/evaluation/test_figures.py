import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_models.evaluation.bootstrap import intervals
from keepmum_models.evaluation.figures import (
    ALL,
    Answer,
    f1,
    masked_by_type,
    percent,
    summary,
    summary_by_language,
    summary_of_counts,
)
from keepmum_models.evaluation.marked import marked_text
from keepmum_models.evaluation.masks import Mask
from keepmum_models.evaluation.scoring import Counts
from keepmum_models.evaluation.sets import EvaluationSet
from keepmum_shared.taxonomy import EntityType, Level

SPEC = EvaluationSet(name="x", types={"PER": (EntityType.NAME,), "KEY": (EntityType.TOKEN,)})
RECORDS = (
    {"id": 1, "lang": "en", "text": "Ann rang.", "spans": [{"start": 0, "end": 3, "label": "PER"}]},
    {"id": 2, "lang": "zh-Hans", "text": "李明来电。", "spans": [{"start": 0, "end": 2, "label": "PER"}]},
    {"id": 3, "lang": "en", "text": "Use k9k9 now", "spans": [{"start": 4, "end": 8, "label": "KEY"}]},
    {"id": 4, "lang": "en", "text": "Nobody rang.", "spans": []},
)
TEXTS = [marked_text(SPEC, record) for record in RECORDS]
NAME = {"kind": EntityType.NAME, "level": Level.PL2}
ANSWERS = [
    Answer(masks=(Mask(start=0, end=3, **NAME),), milliseconds=1.0),
    Answer(masks=(), milliseconds=2.0),
    Answer(masks=(Mask(start=4, end=8, kind=EntityType.TOKEN, level=Level.PL4),), milliseconds=3.0),
    Answer(masks=(Mask(start=0, end=6, **NAME),), milliseconds=4.0),
]


def test_the_figures_of_four_texts_by_hand() -> None:
    row = summary(SPEC, TEXTS, ANSWERS)
    assert (row["texts"], row["private"], row["negatives"]) == (4, 3, 1)
    assert row["leak"] == row["uncovered"] == 33.3  # of Ann, 李明 and the key the second
    assert row["recall"] == row["precision"] == row["f1"] == row["f1_exact"] == 66.7  # 2 of 3 masks, 2 of 3 spans
    assert row["paper_precision"] == row["paper_recall"] == row["paper_f1"] == row["typed"] == 66.7
    assert row["negatives_masked"] == 100
    assert row["overmask"] == 25
    assert row["false_per_1k"] == round(1000 * 6 / (9 + 5 + 12 + 12), 2)
    assert (row["p50_ms"], row["p95_ms"]) == (2.5, 3.85)
    assert row["levels"] == {
        "PL2": {"private": 2, "leak": 50.0, "uncovered": 50.0, "recall": 50.0, "typed": 50.0, "paper_recall": 50.0},
        "PL4": {"private": 1, "leak": 0.0, "uncovered": 0.0, "recall": 100.0, "typed": 100.0, "paper_recall": 100.0},
    }


def test_what_is_masked_is_counted_by_type() -> None:
    types = (EntityType.NAME, EntityType.TOKEN, EntityType.PIN)
    assert masked_by_type(SPEC, TEXTS, ANSWERS, types) == {EntityType.NAME: (2, 1), EntityType.TOKEN: (1, 1)}


def test_languages_are_told_apart() -> None:
    row = summary_by_language(SPEC, TEXTS, ANSWERS)
    assert {name: part["leak"] for name, part in row["languages"].items()} == {"en": 0.0, "zh": 100.0}
    assert "languages" not in summary_by_language(SPEC, TEXTS[:1], ANSWERS[:1])


def test_an_incomplete_set_has_no_precision_and_an_untyped_one_no_score_of_types() -> None:
    counts = [Counts(private=2, leaked=1, masks=3, paired=1, characters=10)]
    partial = summary_of_counts(EvaluationSet(name="x", complete=False), counts)
    assert {name for name in ALL if partial[name] is not None} == {
        "leak",
        "uncovered",
        "recall",
        "typed",
        "paper_recall",
    }
    untyped = summary_of_counts(EvaluationSet(name="x", typed=False), counts)
    assert {name for name in ALL if untyped[name] is None} == {
        "typed", "paper_recall", "paper_precision", "paper_f1", "negatives_masked",
    }  # fmt: skip


def test_nothing_private_gives_no_share() -> None:
    assert percent(0, 0) is None
    assert f1(0, 5, 0) is None
    assert f1(0, 0, 4) == 0


def leak(counts: Counts) -> float | None:
    return percent(counts.leaked, counts.private)


@settings(deadline=None)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=20), st.integers(0, 3))
def test_an_interval_is_repeatable_and_lies_within_the_extremes(leaks: list[int], seed: int) -> None:
    counts = [Counts(private=3, leaked=n) for n in leaks]
    found = intervals(counts, {"leak": leak}, draws=50, seed=seed)
    assert found == intervals(counts, {"leak": leak}, draws=50, seed=seed)
    ends = found["leak"]
    assert 100 * min(leaks) / 3 - 1e-9 <= ends[0] <= ends[1] <= 100 * max(leaks) / 3 + 1e-9


def test_an_interval_has_the_width_that_theory_gives() -> None:
    counts = [Counts(private=1, leaked=n % 2) for n in range(400)]
    ends = intervals(counts, {"leak": leak})["leak"]
    # Half of 400: a standard error of 2.5 points, so 95 % lie within 4.9 of 50; 1,000 draws blur the ends by some 0.4.
    assert ends == (pytest.approx(45.1, abs=1), pytest.approx(54.9, abs=1))


def test_without_two_texts_or_a_defined_figure_there_is_no_interval() -> None:
    assert intervals([Counts(private=1)], {"leak": leak}) == {}
    assert intervals([Counts(), Counts()], {"leak": leak}) == {}
