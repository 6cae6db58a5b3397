"""Patterns of sentences from which attributes are learnt, and that those by which they are measured are others."""

import random
import re
from pathlib import Path

import pytest
from keepmum_models.attributes.patterns import drawn, expansions, read_patterns, training_patterns
from keepmum_shared.view import shipped_policy

BENCH = Path(__file__).parents[1] / "bench"
PATTERNS = tuple(training_patterns())


def words(text: str) -> str:
    return re.sub(r"\W+", "", text).casefold()


def test_all_that_a_pattern_can_say_is_drawn_once() -> None:
    pattern = "I [|really ]like [tea|cake]"
    assert sorted(expansions(pattern)) == ["I like cake", "I like tea", "I really like cake", "I really like tea"]
    assert sorted(drawn(pattern, 9, random.Random(1))) == sorted(expansions(pattern))
    assert drawn(pattern, 2, random.Random(1)) == drawn(pattern, 2, random.Random(1))
    assert len(drawn(pattern, 2, random.Random(1))) == 2
    assert drawn("Plain", 3, random.Random(1)) == ["Plain"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_attribute_is_learnt_in_both_languages_and_beside_what_implies_nothing(language: str) -> None:
    of = [pattern.attribute for pattern in PATTERNS if pattern.language == language]
    assert set(of) == {None, *shipped_policy().layout.attributes}
    assert min(of.count(each) for each in set(of)) >= 100


def test_brackets_are_balanced() -> None:
    for pattern in PATTERNS:
        assert re.fullmatch(r"(?:[^\[\]]|\[[^\[\]]*\|[^\[\]]*\])+", pattern.text), pattern.id


def test_nothing_that_is_measured_is_learnt() -> None:
    learnt = {words(said) for pattern in PATTERNS for said in expansions(pattern.text)}
    for name in ("attribute_sentences.toml", "attribute_sentences_held_back.toml"):
        for pattern in read_patterns(BENCH / name):
            assert not learnt & {words(said) for said in expansions(pattern.text)}, pattern.id
