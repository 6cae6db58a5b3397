import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_edge.views.cues import Cues, folded
from keepmum_edge.views.router import Router
from keepmum_shared.view import TopicId, ViewId, shipped_policy

ROUTER = Router(shipped_policy())


@pytest.mark.parametrize(
    ("text", "facets"),
    [
        ("What should I cook for dinner?", {"diet", "family_planning", "occasions", "spending", "belonging"}),
        ("晚饭吃什么好？", {"diet", "family_planning", "occasions", "spending", "belonging"}),
        ("Help me prepare for an interview", {"pace", "access", "career", "formalities"}),
        ("帮我写一份简历", {"pace", "access", "career", "formalities"}),
        ("Write a haiku about rivers", set()),
        ("", set()),
    ],
)
def test_a_message_names_the_facets_that_help_to_answer_it(text: str, facets: set[str]) -> None:
    assert set(ROUTER.route(text).facets) == facets


def test_a_food_question_releases_diet_and_reproduction_each_worded_for_food() -> None:
    found = ROUTER.route("A recipe for tonight, please")
    assert found.facets["diet"] == found.facets["family_planning"] == "food"


def test_a_message_without_a_topic_goes_on_with_the_topics_before() -> None:
    first = ROUTER.route("Plan a trip to Rome")
    assert ROUTER.route("and on the second day?", first.topics) == first
    assert ROUTER.route("and what to eat?", first.topics).topics == ("food",)
    assert ROUTER.route("and?", (TopicId("unheard-of"),)).facets == {}


def test_facets_come_in_the_order_of_the_policy_whatever_the_order_of_words() -> None:
    one, other = ROUTER.route("budget, job, trip, dinner"), ROUTER.route("dinner, trip, job, budget")
    assert one == other
    assert list(one.facets) == [facet for facet in shipped_policy().vocabulary.facets if facet in one.facets]


def test_placeholders_are_no_words_but_their_types_touch() -> None:
    assert ROUTER.route("<HEALTH_3> and <FINANCE_1>").facets == {}
    assert ROUTER.touched("my <HEALTH_3>") >= {"type_2_diabetes", "pregnancy"}
    assert ROUTER.touched("<RELIGION_2>") == {"religion"}
    assert ROUTER.touched("I was laid off") == {"job_loss"}
    assert ROUTER.touched("我怀孕了") == {"pregnancy"}
    assert ROUTER.touched("What is the capital of France?") == frozenset()


def test_relevance_is_read_from_the_message_and_stays_in_range() -> None:
    assert ROUTER.relevance("something sweet", ViewId("v011")) == 5
    assert ROUTER.relevance("low-carb, sugar-free and good for my glucose", ViewId("v011")) == 8
    many = " ".join(shipped_policy().vocabulary.view(ViewId("v011")).cues)
    assert ROUTER.relevance(many, ViewId("v011")) == 10


@settings(deadline=None)
@given(st.text())
def test_any_text_is_routed(text: str) -> None:
    found = ROUTER.route(text)
    vocabulary = shipped_policy().vocabulary
    for facet, topic in found.facets.items():
        assert all(vocabulary.expand(f"{view.id}/{topic}") for view in vocabulary.facets[facet].views)
    ROUTER.touched(text)


@pytest.mark.parametrize(
    ("cue", "text", "found"),
    [
        ("run*", "I was running", True),
        ("run", "I was running", False),
        ("cv", "我的CV在这里", True),
        ("cv", "recvd", False),
        ("blood sugar", "Blood\nsugar", True),
        ("ｇｌｕｃｏｓｅ", "glucose", True),
        ("吃", "好吃的", True),
        ("a1c", "A1C 7", True),
        ("a.c", "abc", False),
    ],
)
def test_cues(cue: str, text: str, found: bool) -> None:
    assert Cues([cue]).found(folded(text)) is found
    assert Cues([cue]).distinct(folded(text)) == int(found)


def test_no_cues_find_nothing() -> None:
    assert not Cues([]).found("anything")
    assert Cues([]).distinct("anything") == 0
