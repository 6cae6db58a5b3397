import pytest


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("card ⟦4111 1111 1111 1111⟧.com", "BANK_CARD"),
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
        "DE00370400440532013000",
        "ZZ89370400440532013000",
        "sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "order 4111111111111111",
        "the account was closed in 2024",
    ],
)
def test_other_numbers_stay(expect, text: str) -> None:
    expect(text)
