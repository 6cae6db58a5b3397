import pytest

pytest.importorskip("onnxruntime", reason="the extra `edge` is not installed")

from keepmum_models.decode import Answer, Tally, _choose
from keepmum_models.matching import f_beta
from keepmum_shared.taxonomy import EntityType, Level


def test_a_type_whose_weak_answers_are_wrong_gets_a_higher_threshold() -> None:
    good = [Answer(EntityType.NAME, 0.9, True)] * 80
    bad = [Answer(EntityType.NAME, 0.5, False)] * 80
    thresholds, _ = _choose(Tally(answers=(*good, *bad), missed={}), 0.0)
    assert 0.5 < thresholds.of(EntityType.NAME) <= 0.9


def test_a_type_with_few_examples_takes_the_threshold_of_its_level() -> None:
    answers = [Answer(EntityType.API_KEY, 0.3, True)] * 80 + [Answer(EntityType.PIN, 0.3, True)]
    thresholds, _ = _choose(Tally(answers=tuple(answers), missed={}), 0.0)
    assert EntityType.PIN not in thresholds.by_type
    assert thresholds.of(EntityType.PIN) == thresholds.by_level[Level.PL4] <= 0.3


def test_f_beta_leans_to_what_is_found_as_beta_grows() -> None:
    assert f_beta(8, 10, 8, 1.0) == pytest.approx(16 / 18)
    assert f_beta(8, 16, 8, 2.0) > f_beta(4, 4, 8, 2.0)
    assert f_beta(0, 0, 0, 1.0) == 0
