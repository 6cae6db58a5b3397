import pytest


@pytest.mark.parametrize(
    "text",
    [
        "My ⟦HbA1c was 8.1%⟧ and they started me on ⟦metformin 500 mg⟧ for ⟦type 2 diabetes⟧.",
        "I was diagnosed with ⟦bipolar disorder⟧ last year",
        "I've had ⟦epilepsy⟧ since 2019",
        "my mother has ⟦breast cancer⟧",
        "I take ⟦sertraline 50 mg⟧ daily",
        "she is on ⟦warfarin⟧",
        "妈妈上周确诊⟦乙肝⟧，正在吃⟦恩替卡韦⟧",
        "我妈⟦糖尿病⟧很多年",
        "我有⟦抑郁症⟧",
    ],
)
def test_health_of_somebody_near_is_found(expect, text: str) -> None:
    expect(text, "HEALTH")


@pytest.mark.parametrize(
    "text",
    [
        "What are the usual side effects of ibuprofen in adults?",
        "how does metformin work?",
        "type 2 diabetes is common",
        "I have a question about epilepsy",
        "I learn my stroke order",
        "I'm in depression-era studies",
        "my paper on lung cancer",
        "乙肝怎么传染？",
        "糖尿病患者能吃什么",
        "我想写一篇关于抑郁症的文章",
    ],
)
def test_general_questions_stay(expect, text: str) -> None:
    expect(text)
