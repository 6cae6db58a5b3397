from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from keepmum_models.corpus import generate, lexicon
from keepmum_models.corpus.scene import Scene
from keepmum_models.corpus.splits import Split, is_held_back
from keepmum_models.corpus.values import chinese_text, figures, transliteration
from keepmum_shared.taxonomy import EntityType


def _drawn(maker: Callable[[Scene], str], split: Split, count: int = 400) -> list[str]:
    return [maker(Scene("zh", Random(seed), split)) for seed in range(count)]


NAMES = [
    figures.citizen,
    figures.nickname,
    figures.ancient,
    figures.courtesy,
    figures.cleric,
    figures.neighbour,
    figures.steppe,
    figures.surname,
    figures.somebody,
    figures.anybody,
    transliteration.family,
    transliteration.given,
    transliteration.full,
    transliteration.spoken,
    transliteration.mentioned,
]


@pytest.mark.parametrize("maker", NAMES)
def test_names_belong_to_their_side(maker: Callable[[Scene], str]) -> None:
    assert not any(is_held_back(name) for name in _drawn(maker, Split.TRAINING))
    assert all(is_held_back(name) for name in _drawn(maker, Split.HELD_BACK, 60))


@pytest.mark.parametrize("maker", [figures.citizen, transliteration.full, figures.neighbour, figures.anybody])
def test_hardly_any_name_comes_twice(maker: Callable[[Scene], str]) -> None:
    names = _drawn(maker, Split.TRAINING)
    assert len(set(names)) > 0.85 * len(names)


def test_print_joins_foreign_names_and_speech_does_not() -> None:
    assert all(any(mark in name for mark in "·•．・‧-") for name in _drawn(transliteration.full, Split.TRAINING))
    assert all(name.isalpha() for name in _drawn(transliteration.spoken, Split.TRAINING))


def test_given_names_are_of_one_or_two_characters_and_of_many() -> None:
    names = _drawn(figures.citizen, Split.TRAINING, 2000)
    assert Counter(map(len, names)).keys() <= {2, 3, 4}
    assert len({name[-1] for name in names}) > 500


def test_the_word_list_is_wide_and_holds_words_that_begin_like_names() -> None:
    words = lexicon.words()
    assert len(words["noun"]) > 40_000
    assert len(words["common verb"]) > 5_000
    assert {"高兴", "任何", "方式"} <= set(words["trap"])
    assert all(set(words[f"common {kind}"]) <= set(words[kind]) for kind in ("noun", "verb", "trap", "place"))


def test_serial_numbers_are_no_records() -> None:
    serials = set(_drawn(chinese_text.serial, Split.TRAINING))
    assert serials.isdisjoint(_drawn(chinese_text.record_number, Split.TRAINING))


def test_chinese_users_write_news_records_and_plain_prose() -> None:
    messages = [message for message in generate.training(4000, seed=11) if message.language == "zh"]
    styles = Counter(message.style for message in messages)
    assert min(styles[style] for style in ("news", "encyclopaedia", "ordinary", "clinic", "ledger", "fragment")) > 25
    assert not any(message.labelled.private for message in messages if message.style == "ordinary")
    health = [
        message.style
        for message in messages
        for span in message.labelled.private
        if span.entity_type is EntityType.HEALTH
    ]
    assert Counter(health)["clinic"] > 100
