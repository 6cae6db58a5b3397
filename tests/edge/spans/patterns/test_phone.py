import pytest


@pytest.mark.parametrize(
    "text",
    [
        "⟦07700 900123⟧",
        "I am on ⟦07700900123⟧ after six",
        "⟦0049 151 23456789⟧",
        "⟦98765 43210⟧ is mine, WhatsApp only",
        "⟦612 345 678⟧ es mi móvil",
        "⟦0912345678⟧ 是我的手机",
        "call ⟦+44 7700 900123⟧ or ⟦020 7946 0958⟧",
        "⟦202-555-0199⟧ or ⟦(555) 123-4567⟧",
        "ring ⟦+1-555-123-4567⟧ now",
        "手机⟦13812345678⟧，座机⟦010-88886666⟧",
        "⟦+86-19900001234⟧或⟦86-19900005678⟧",
        "⟦186-1234-5678⟧",
        "有事打⟦一九九零零零零一二三四⟧",
        "Tel ⟦(020) 7946 0958⟧ / ⟦415-555-2671⟧ / ⟦07700 900123⟧",
        "手机 ⟦13800138000⟧/⟦13900139000⟧",
        "Tel ⟦030/1234567⟧",
        "电话：⟦１３８１２３４５６７８⟧",
        "my mobile is ⟦0151 23456789⟧",
        "전화번호 ⟦010-1234-5678⟧",
        "phone=⟦+14155550198⟧",
        "Tel. ⟦5551234567⟧",
        "+4\u200b4 first".replace("+4\u200b4 first", "mob ⟦+44\u200b 7700 900\u200b123⟧"),
    ],
)
def test_numbers_are_found(expect, text: str) -> None:
    expect(text, "PHONE")


@pytest.mark.parametrize(
    "text",
    [
        "job hosted-eu-20261120-09 failed",
        "on 2024-11-05 at 10:30, or 05.11.2024",
        "ts 1700000000.123 took 1,234,567,890 ns",
        "order number 20231118123456",
        "duplicate license text has 8827364 characters",
        "订单号：2024031512345678",
        "Part number: 555-123-4567-A",
        "build 10.0.19041.1",
        "ISBN 978-3-16-148410-0",
        "order 07700900123",
        "订单07700900123",
        "sku 07700900124",
        "tracking 07700900123456",
        "version 07.12.345.67890",
        "0612345678 rows",
        "1234567890 phones sold",
        "pages 1000-2000",
        "1381234567",
    ],
)
def test_other_numbers_stay(expect, text: str) -> None:
    expect(text)


@pytest.mark.parametrize("text", ["sent 08/10/2000 08:28 AM", "born to run", "on 04/26/2001 07:17"])
def test_a_date_with_a_time_is_no_number(expect, text: str) -> None:
    expect(text)


def test_a_lone_bracket_stays_outside(expect) -> None:
    expect("text to Emily (⟦555-123-4567⟧ or so)", "PHONE")
