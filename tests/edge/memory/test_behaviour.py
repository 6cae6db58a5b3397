"""What a message shows of its author's choices, and that nothing protected can ever be inferred."""

import pytest
from keepmum_edge.memory.behaviour import HALF, choices, matter_of, shipped_traits, told
from keepmum_edge.memory.classify import Classifier
from keepmum_edge.memory.propose import Moment, propose
from keepmum_shared.view import shipped_policy
from shipped_embedding import shipped_meaning

CLASSIFIER = Classifier(shipped_policy(), shipped_meaning())


def shown(message: str) -> set[str]:
    return {f"{choice.trait.id}: {choice.option}" for choice in choices(message, CLASSIFIER)}


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Briefly, how do I bake bread?", {"answer length: short", "topic: cooking", "writing language: english"}),
        ("用一句话解释黑洞是什么", {"answer length: short", "writing language: chinese"}),
        ("Please explain in detail how DNS works", {"answer length: detailed", "writing language: english"}),
        ("特别详细地讲讲量子力学", {"answer length: detailed", "writing language: chinese"}),
        ("Answer in German please: wie geht es?", {"answer language: german", "writing language: english"}),
        ("请用英文回答：这个词是什么意思", {"answer language: english", "writing language: chinese"}),
        ("How do I sort a dict in Python? Step by step.", {
            "answer format: steps", "programming language: python", "writing language: english",
        }),
        ("Quelle heure est-il à Paris maintenant?", set()),
    ],
)  # fmt: skip
def test_a_message_shows_what_it_asks_for_and_how_it_is_written(message: str, expected: set[str]) -> None:
    assert shown(message) == expected


@pytest.mark.parametrize(
    "message",
    ["no bullet points please", "don't explain in detail", "别用表格", "without a step by step guide", "不要用大白话"],
)
def test_a_choice_that_is_refused_is_not_shown(message: str) -> None:
    assert not {each for each in shown(message) if not each.startswith("writing")}


def test_a_refusal_can_be_a_choice_and_a_contradiction_is_none() -> None:
    assert "answer length: short" in shown("not too long please")
    assert "answer length: short" in shown("别太长")
    assert not {each for each in shown("in brief, no, in detail") if each.startswith("answer")}


def test_words_of_others_are_no_choice_of_the_owner() -> None:
    assert "answer length: short" not in shown("Translate this: be brief, keep it short, in short answers")
    assert shown("> keep it short\n> in Python") == set()
    assert shown("```\n# explain in detail\n```") == set()
    assert shown("Summarise briefly:\n\nWe cook every day. In detail: a recipe.") == {"answer length: short"}


def test_a_message_that_is_not_to_be_kept_shows_nothing() -> None:
    assert shown("Off the record: briefly, how does a telescope work?") == set()
    assert shown("别记住这个，简短回答") == set()


@pytest.mark.parametrize(
    "message",
    [
        "Briefly, what does my insulin do?",
        "In detail please: how do I pay off my debt?",
        "用一句话说明怎么治抑郁",
        "Keep it short: which mosque is near?",
        "Step by step, how do I tell them I am gay?",
        "Briefly, what about my <HEALTH_1>?",
    ],
)
def test_a_message_that_may_imply_something_protected_is_no_evidence_of_anything(message: str) -> None:
    assert shown(message) == set()


def test_all_that_can_be_inferred_is_ordinary_to_the_shipped_classifier_and_names_one_option() -> None:
    seen: set[str] = set()
    for trait in shipped_traits().values():
        for option in trait.wordings:
            english, chinese = (trait.wording(option, chinese=chinese) for chinese in (False, True))
            assert english.isascii()
            assert not {english, chinese} & seen
            seen |= {english, chinese}
            for text in (english, chinese):
                assert not CLASSIFIER.judge(text, lambda _: None).is_local_only
                assert trait.option_of(text) == option


def test_what_is_stated_has_the_topic_of_what_could_be_inferred() -> None:
    topics = {
        "Keep your answers short": "answer length",
        "I prefer detailed explanations": "answer length",
        "以后请简短回答": "answer length",
        "Please always answer in Chinese": "answer language",
        "I write Python": "programming language",
        "I like cooking": "topic cooking",
    }
    for text, topic in topics.items():
        (proposal,) = propose(text, Moment(at=0))
        assert proposal.topic == topic
        matter = matter_of(topic)
        assert matter is not None
        assert (matter.option is None) == (matter.trait.share == HALF)
    (longer,) = propose("From now on keep your answers detailed", Moment(at=0))
    assert longer.replaces_topic, "one length at a time"


def test_a_word_that_only_looks_alike_tells_nothing() -> None:
    for text in ("I go to the park and see a bookshop", "它的详细地址是什么", "How do I store JSON in a table?"):
        assert told(text) == ()
    assert told("My brother is a java man") != (), "the control"
