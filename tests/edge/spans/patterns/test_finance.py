import pytest


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("card ⟦4111 1111 1111 1111⟧.com", "BANK_CARD"),
        *((f"pay with ⟦4111{m}1111{m}1111{m}1111⟧ now", "BANK_CARD") for m in "_./·*|,'~+"),
        ("pay with ⟦3782_822463_10005⟧ now", "BANK_CARD"),
        ("pay with ⟦4111 11\u06dd11 1111 1111⟧ now", "BANK_CARD"),
        *((f"to ⟦DE89{m}3704{m}0044{m}0532{m}0130{m}00⟧ now", "BANK_ACCOUNT") for m in "_./*+"),
        ("amex ⟦3782 822463 10005⟧ exp 09/29", "BANK_CARD"),
        ("⟦5500-0000-0000-0004⟧ approved", "BANK_CARD"),
        ("建行卡 ⟦6217 0012 3456 7890⟧", "BANK_CARD"),
        ("IBAN ⟦DE89 3704 0044 0532 0130 00⟧ BIC", "BANK_ACCOUNT"),
        ("pay ⟦NL91ABNA0417164300⟧ please", "BANK_ACCOUNT"),
        ("iban: ⟦DE89 3704 0044 0532 0130 01⟧", "BANK_ACCOUNT"),
        ("from ⟦GB82 WEST 1234 5698 7654 32⟧ to ⟦DE89370400440532013000⟧", "BANK_ACCOUNT"),
        ("⟦NL91ABNA0417164300⟧ ⟦DE89 3704 0044 0532 0130 00⟧", "BANK_ACCOUNT"),
        ("routing ⟦021000021⟧", "BANK_ACCOUNT"),
        ("account number: ⟦12345678⟧", "BANK_ACCOUNT"),
        ("收款账号：⟦6225 8801 2345 678⟧", "BANK_ACCOUNT"),
        ("ETH ⟦0x52908400098527886E0F7030069857D2E4169EE7⟧", "CRYPTO_WALLET"),
        ("⟦1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa⟧ got it", "CRYPTO_WALLET"),
        ("⟦bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4⟧", "CRYPTO_WALLET"),
        ("sort code ⟦20-00-00⟧ account ⟦55779911⟧", "BANK_ACCOUNT"),
        ("acc no ⟦83920174⟧, sort ⟦20-45-77⟧", "BANK_ACCOUNT"),
        ("s/c ⟦20-00-00⟧ a/c ⟦55779911⟧", "BANK_ACCOUNT"),
        ("my bank details are ⟦20-00-00⟧ ⟦55779911⟧", "BANK_ACCOUNT"),
        ("routing ⟦021000021⟧ acct ⟦123456789⟧", "BANK_ACCOUNT"),
        ("ABA routing #: ⟦021000021⟧, account # ⟦000123456789⟧", "BANK_ACCOUNT"),
        ("transfer it to account ⟦12345678⟧ please", "BANK_ACCOUNT"),
        ("BSB ⟦062-000⟧ account ⟦12345678⟧", "BANK_ACCOUNT"),
        ("IFSC ⟦HDFC0001234⟧ a/c ⟦50100123456789⟧", "BANK_ACCOUNT"),
        ("账号：⟦55779911⟧，户名张三", "BANK_ACCOUNT"),
        ("銀行帳號 ⟦012-345678901⟧", "BANK_ACCOUNT"),
        ("卡号⟦6222 0210 0111 6245 703⟧", "BANK_CARD"),
        ("CVV ⟦123⟧", "PIN"),
    ],
)
def test_money_identifiers_are_found(expect, text: str, kind: str) -> None:
    expect(text, kind)


@pytest.mark.parametrize(
    "text",
    [
        "4111 1111 1111 1112 fails Luhn",
        "Inventory code 1234567890123456",
        "Number 411111111111111 is too short",
        "[4111,1111,1111,1111,2222] and 4111_1111.1111_1111",
        "4.111111111111111 and 1.4111.1111.1111.1111",
        "DE00370400440532013000",
        "ZZ89370400440532013000",
        "sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "order 4111111111111111",
        "account 4 of 5 is closed, pay account 12 first",
        "the bank account 2026-11-30 statement",
        "account manager 20260101",
        "sort the code 20-00-00; bank holiday 25-12-26",
        "we paid 123456 to the account",
        "账号2026年注册，账户余额123456元",
        "the account was closed in 2024",
    ],
)
def test_other_numbers_stay(expect, text: str) -> None:
    expect(text)


@pytest.mark.parametrize(
    "text",
    [
        "⟦4111 1111 1111 1111⟧ | 09/27 | ⟦447⟧",
        "⟦4111111111111111⟧|09|2027|⟦447⟧",
        "⟦4111111111111111⟧|⟦447⟧|",
        "⟦4111111111111111⟧,09/27,⟦447⟧",
        "⟦4111 1111 1111 1111⟧ 09/27 ⟦447⟧",
        "⟦4111-1111-1111-1111⟧ exp 09/27 cvv ⟦447⟧",
        "⟦4111 1111 1111 1111⟧ valid thru 09/2027, cvc: ⟦447⟧",
        "⟦3782 822463 10005⟧ | 09/27 | ⟦4471⟧",
        "卡号⟦4111111111111111⟧，有效期09/27 ⟦447⟧",
    ],
)
def test_the_code_behind_a_card_is_found(expect, text: str) -> None:
    expect(text, "BANK_CARD", "PIN")


@pytest.mark.parametrize(
    "text",
    [
        "⟦4111 1111 1111 1111⟧, 100 euros",
        "⟦4111 1111 1111 1111⟧ 09/27/2024",
        "⟦4111 1111 1111 1111⟧ | 09/27 | 4471",
        "⟦4111 1111 1111 1111⟧ 09/27",
        "⟦4111 1111 1111 1111⟧ | 447 points",
        "⟦3782 822463 10005⟧ | 09/27 | 447",
    ],
)
def test_other_numbers_behind_a_card_stay(expect, text: str) -> None:
    expect(text, "BANK_CARD")


def test_no_code_stands_behind_what_is_no_card(expect) -> None:
    expect("1234 5678 9012 3456 | 09/27 | 447")
