import pytest


@pytest.mark.parametrize(
    "text",
    [
        "I earn ⟦84,500 euros a year⟧ and still owe ⟦12k⟧ on the car; the median in Oslo is 62,000.",
        "My salary is ⟦$95k⟧",
        "my wife's salary is about ⟦4,200 per month⟧",
        "I have ⟦$30,000⟧ in savings",
        "we owe the bank ⟦£12,000⟧",
        "我⟦月薪两万三⟧，⟦房贷还剩86万⟧",
        "我⟦年薪30万⟧左右",
        "我还⟦欠信用卡5万⟧",
    ],
)
def test_own_incomes_and_debts_are_found(expect, text: str) -> None:
    expect(text, "FINANCE")


@pytest.mark.parametrize(
    "text",
    [
        "the median in Oslo is 62,000",
        "the average salary is $62,000 in Oslo",
        "the laptop costs $1,200",
        "invoice 2026-1187 over 400 EUR",
        "I make 3 cakes a week",
        "we paid 123456 to the account",
        "how much tax on a salary of 50k?",
        "招聘：月薪2万",
        "我想知道平均工资8000元够不够",
    ],
)
def test_prices_and_statistics_stay(expect, text: str) -> None:
    expect(text)
