"""Which questions are about what was."""

import pytest
from keepmum_inference.retrieval.past import asks_about_the_past

PAST = (
    "What did I use to prefer?",
    "what did i use to drink in the morning",
    "Where did I live before Lyon?",
    "What used to be my favourite colour?",
    "Which editor did my team use to work with?",
    "Do I still drink coffee, or not any more?",
    "What was my previous job?",
    "What\u2019s my old address?",
    "Who was my boss at first?",
    "Where did I work in 2019?",
    "In 2021, where was I living?",
    "What did I formerly believe about tea?",
    "Before I moved, what was my street?",
    "How has my diet plan changed?",
    "Did I ever like jazz?",
    "What <NAME_1> used to like",
    "Which city did my brother use to live in?",
    "Who was it that my sister always used to visit?",
    "Where was my last job?",
    "我以前喜欢什么？",
    "我之前住在哪里？",
    "我曾经用过哪个编辑器？",
    "我过去的工作是什么",
    "我原来的地址是什么？",
    "我上一份工作在哪？",
    "我旧手机是什么牌子？",
    "那时我住哪",
    "三年前我在哪里工作？",
)
NOW = (
    "What do I prefer?",
    "Which editor do I use to write code?",
    "This is used to it, and so is he",
    "What is a hammer used to drive?",
    "I am used to cold weather, what should I wear?",
    "How do I get used to a new keyboard?",
    "What should I pack before I leave?",
    "Remind me before that meeting",
    "What was my address again?",
    "Where do I live?",
    "Can we meet earlier tomorrow?",
    "How old is my house?",
    "What is my last name?",
    "Will it rain in 2030?",
    "What is the oldest company?",
    "我喜欢什么？",
    "周五之前要交什么？",
    "吃饭之前要洗手吗",
    "我过去找你",
    "原来如此，谢谢",
    "我现在住在哪里？",
    "十点以前能到吗？",
    "曾孙是什么意思",
    "Do you have any more ideas?",
    "提醒我出门之前带伞",
)


@pytest.mark.parametrize("question", PAST)
def test_a_question_about_what_was_asks_about_the_past(question: str) -> None:
    assert asks_about_the_past(question)


@pytest.mark.parametrize("question", NOW)
def test_a_question_about_what_is_does_not(question: str) -> None:
    assert not asks_about_the_past(question)
