import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_edge.memory.classify import Category, Classifier
from keepmum_edge.memory.implied import Meaning
from keepmum_edge.memory.lexicon import Cues, fold
from keepmum_shared.placeholder import Placeholder
from keepmum_shared.taxonomy import EntityType, Level
from keepmum_shared.view import shipped_policy
from shipped_embedding import shipped_meaning

POLICY = shipped_policy()
CLASSIFIER = Classifier(POLICY, shipped_meaning())
HEALTH_ATTRIBUTES = {"type_2_diabetes", "pregnancy", "mental_health", "addiction", "disability", "fertility"}


def judge(text: str, **values: str):
    known = {
        Placeholder(EntityType(key.rpartition("_")[0]), int(key.rpartition("_")[2])): v for key, v in values.items()
    }
    return CLASSIFIER.judge(text, known.get)


@pytest.mark.parametrize(
    "text",
    [
        "I live in Lyon",
        "My favourite editor is vim",
        "My wife's birthday is on May 3",
        "My brother <NAME_1> plays the violin",
        "I prefer short answers in bullet points",
        "My email is <EMAIL_1>",
        "我住在杭州",
        "我的猫叫团子",
        "我下周三要去北京出差",
    ],
)
def test_ordinary_facts_may_go_to_the_cloud(text: str) -> None:
    assert judge(text).slot is None


@pytest.mark.parametrize(
    ("text", "attribute", "slot"),
    [
        ("I have type 2 diabetes", "type_2_diabetes", "diet_and_metabolism"),
        ("my HbA1c is high", "type_2_diabetes", "diet_and_metabolism"),
        ("我在吃二甲双胍", "type_2_diabetes", "diet_and_metabolism"),
        ("I am 12 weeks pregnant", "pregnancy", "reproduction"),
        ("我们在备孕", "fertility", "reproduction"),
        ("I was laid off in March", "job_loss", "work"),
        ("我上个月被裁员了", "job_loss", "work"),
        ("I maxed out three credit cards", "unsecured_debt", "money"),
        ("I see a therapist every week", "mental_health", "mind"),
        ("我得了抑郁症", "mental_health", "mind"),
        ("We go to church on Sundays", "religion", "faith_and_identity"),
        ("I am gay", "orientation", "faith_and_identity"),
        ("My asylum claim was accepted", "immigration_status", "status"),
        ("I am four months sober", "addiction", "substances"),
        ("I use a wheelchair", "disability", "body"),
        ("I have two felonies", "criminal_record", "status"),
    ],
)
def test_what_implies_an_attribute_lies_in_a_slot_listed_for_it(text: str, attribute: str, slot: str) -> None:
    found = judge(text)
    assert attribute in found.attributes
    assert found.slot == slot


def test_a_masked_value_never_decides_whether_a_text_may_leave() -> None:
    for value in ("a cold", "type 2 diabetes", ""):
        assert judge("I have <HEALTH_1>", HEALTH_1=value).is_local_only
    for value in ("Berlin", "Betty Ford rehab clinic"):
        assert not judge("I stayed at <ADDRESS_1>", ADDRESS_1=value).is_local_only


def test_a_masked_value_decides_the_slot_of_what_stays() -> None:
    assert judge("I have <HEALTH_1>", HEALTH_1="type 2 diabetes").slot == "diet_and_metabolism"
    unexplained = judge("I have <HEALTH_1>", HEALTH_1="Quxitis")
    assert (unexplained.slot, unexplained.attributes) == ("other", HEALTH_ATTRIBUTES)
    two = judge("<HEALTH_1> and <HEALTH_2>", HEALTH_1="type 2 diabetes", HEALTH_2="Quxitis")
    assert two.slot == "other"


def test_what_only_its_meaning_gives_away_stays_and_may_imply_any_attribute() -> None:
    found = judge("They walked me to the door with a cardboard box, my badge no longer works")
    assert (found.slot, found.attributes) == ("other", POLICY.layout.attributes.keys())


def test_what_is_meant_joins_what_words_name() -> None:
    class Meant:
        reader_id = "meant"

        def read(self, _: str) -> Meaning:
            return Meaning(implied=frozenset({"job_loss", "fertility"}), sure=frozenset({"job_loss"}))

    found = Classifier(POLICY, Meant()).judge("We go to church on Sundays", lambda _: None)
    assert found.attributes == {"religion", "job_loss"}


def test_a_text_between_classes_stays_and_may_imply_any_attribute() -> None:
    found = judge("I am on sick leave, nobody knows why")
    assert (found.slot, found.attributes) == ("other", POLICY.layout.attributes.keys())


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("I am allergic to peanuts", Category.HEALTH),
        ("My salary is <FINANCE_1>", Category.FINANCES),
        ("I voted for the greens", Category.POLITICS),
        ("I am in a trade union", Category.POLITICS),
        ("My account is <BANK_ACCOUNT_1>", Category.FINANCES),
        ("我对花生过敏", Category.HEALTH),
        ("我月薪两万", Category.FINANCES),
        ("我是党员", Category.POLITICS),
        ("我是回族", Category.ETHNICITY),
        ("I go to mass as a catholic", Category.RELIGION),
    ],
)
def test_categories_that_need_consent_are_named_and_stay_here(text: str, category: Category) -> None:
    found = judge(text)
    assert found.category is category
    assert found.is_local_only


def test_the_level_is_that_of_the_most_private_span() -> None:
    assert judge("I like tea").level is Level.PL1
    assert judge("<NAME_1> likes tea").level is Level.PL2
    assert judge("<NAME_1> has <HEALTH_1>").level is Level.PL3


def test_a_coarse_placeholder_may_hide_anything() -> None:
    assert judge("I have <DETAIL_1>").slot == "other"


@given(st.frozensets(st.sampled_from(sorted(POLICY.layout.attributes))))
def test_every_set_of_attributes_gets_a_slot_listed_for_all_of_them(attributes: frozenset[str]) -> None:
    slot = POLICY.layout.slot_for(attributes)
    assert attributes <= POLICY.layout.gamma(slot)
    fitting = [each for each in POLICY.layout.slots.values() if each.id != "other" and attributes <= each.attributes]
    assert (slot == "other") == (not attributes or not fitting)


@given(st.lists(st.sampled_from(["I", "have", "insulin", "church", "<HEALTH_1>", "tea", "佛教", "secret", "bank"])))
def test_a_kept_text_lies_in_a_slot_listed_for_all_it_may_imply(words: list[str]) -> None:
    found = judge(" ".join(words), HEALTH_1="flu")
    if found.slot is None:
        assert not found.attributes
        assert found.category is None
    else:
        assert found.attributes
        assert found.attributes <= POLICY.layout.gamma(found.slot)


def test_cues_are_whole_words_unless_open_and_cross_hyphens_case_and_width() -> None:
    cues = Cues([("gay*", "a"), ("sign language", "b"), ("x ray", "c"), ("debt", "d"), ("禅", "e")])
    assert cues.labels(fold("GAYS use Sign-Language")) == {"a", "b"}
    assert cues.labels(fold("Ｘ-Ｒａｙ 禅宗")) == {"c", "e"}
    assert cues.labels(fold("debtor indebted designlanguage")) == frozenset()


def test_another_policy_or_lexicon_is_another_judge() -> None:
    assert POLICY.digest[:16] in CLASSIFIER.judge_id
