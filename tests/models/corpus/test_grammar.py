from random import Random

import pytest
from keepmum_models.corpus import grammar, slots
from keepmum_models.corpus.compose import STYLES, STYLES_OF
from keepmum_models.corpus.grammar import Grammar, Slot, TemplateError
from keepmum_models.corpus.pieces import Piece
from keepmum_models.corpus.scenarios import FAMILIES, PREFERENCES, SCENARIOS

LANGUAGES = ("en", "zh")


def _texts(source: str) -> set[str]:
    rules = Grammar({"start": (grammar.parse(source),), "word": (grammar.parse("red"),)})

    def fill(slot: Slot) -> Piece | None:
        return Piece("V") if slot.name == "value" else None

    drawn = (rules.expand("start", fill, Random(seed)) for seed in range(40))
    return {"".join(piece.text for piece in pieces) for pieces in drawn}


def test_alternatives_nest_and_may_be_empty() -> None:
    assert _texts("a«b|c«d|»|»") == {"ab", "ac", "acd", "a"}


def test_a_slot_is_a_value_or_a_rule() -> None:
    assert _texts("‹value›-‹word›") == {"V-red"}


def test_a_bar_outside_alternatives_is_text() -> None:
    assert _texts("| ‹word› |") == {"| red |"}


@pytest.mark.parametrize("source", ["«a", "‹a", "a»", "›"])
def test_marks_that_do_not_pair_are_refused(source: str) -> None:
    with pytest.raises(TemplateError):
        grammar.parse(source)


def test_an_unknown_slot_is_refused() -> None:
    with pytest.raises(TemplateError):
        _texts("‹nobody›")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_slot_of_every_template_is_defined(language: str) -> None:
    rules = grammar.load(language)
    named = {slot.name for rule in rules.names for template in rules.rules(rule) for slot in grammar.slots_of(template)}
    assert {name for name in named if not slots.is_value(name)} <= rules.names


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_family_style_request_and_phrase_has_a_rule(language: str) -> None:
    composed = {"chat", "speech", "negative", "long"}
    wanted = {f"fact.{family}" for family in FAMILIES} | {f"ask.{scenario.label}" for scenario in SCENARIOS}
    wanted |= {f"pref.{kind}" for kind in PREFERENCES} | {f"style.{style}" for style in STYLES.keys() - composed}
    wanted |= {f"style.{style}" for style in STYLES_OF[language]}
    wanted |= {f"words.{phrase}" for phrase in (*slots.PHRASES, *slots.PUBLIC_PHRASES)}
    assert wanted <= grammar.load(language).names


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_rule_of_negatives_reaches_a_private_slot(language: str) -> None:
    rules = grammar.load(language)
    seen: set[str] = set()
    waiting = ["neg.any", "opener", "filler", *(f"pref.{kind}" for kind in PREFERENCES)]
    waiting += ["style.ordinary", "wiki.plain", "news.plain"] if language == "zh" else []
    while waiting:
        rule = waiting.pop()
        if rule in seen:
            continue
        seen.add(rule)
        for template in rules.rules(rule):
            for slot in grammar.slots_of(template):
                if not slots.is_value(slot.name):
                    waiting.append(slot.name)
                    continue
                value = slots.VALUES.get(slot.name)
                assert slot.name in slots.PUBLIC_PHRASES or (value and (value.public or value.entity_type is None)), (
                    f"{rule} names {slot.name}"
                )


def test_there_are_seven_categories_and_twenty_three_subcategories() -> None:
    assert len(SCENARIOS) == 23
    assert len({scenario.category for scenario in SCENARIOS}) == 7
    assert {family for scenario in SCENARIOS for family in scenario.families} <= {*FAMILIES, "debt"}
