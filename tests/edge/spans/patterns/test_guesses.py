"""What the model's guesses cannot be, and what looks alike and stands."""

import time

import pytest
from keepmum_edge.spans.normalise import read
from keepmum_edge.spans.patterns.guesses import can_be
from keepmum_shared.taxonomy import EntityType as T


def stands(text: str, value: str, entity_type: T) -> bool:
    start = text.index(value)
    return can_be(read(text), start, start + len(value), entity_type)


@pytest.mark.parametrize(
    ("text", "value", "entity_type"),
    [
        ("The duplicate license text has 8827364 characters.", "8827364", T.DRIVER_LICENSE),
        ("student numbers rose to 1234567 people", "1234567", T.PHONE),
        ("这份护照申请表有128374个字", "128374", T.PASSPORT),
        ("Part number: 555-123-4567-A", "555-123-4567-A", T.PHONE),
        ("see section 8827364", "8827364", T.NATIONAL_ID),
        ("1) 4471829\n2) 4471830", "4471830", T.PHONE),
        ("My lucky numbers are 4 8 15 16 23 42", "4 8 15 16 23 42", T.PHONE),
        ("取消我的每天早上7点服药的提醒", "每天早上7点", T.HEALTH),
        ("提醒我下班后去取面包", "下班后去取", T.LOCATION_TRACE),
        ("She arrives at 9 PM on the 28th.", "at 9 PM on the 28th", T.LOCATION_TRACE),
        ("god gave rock and roll to you", "god", T.NAME),
        ("send email to my daddy", "my daddy", T.NAME),
        ("how is the weather on St. Patrick's day", "St. Patrick", T.NAME),
        ("播放周杰伦的歌", "播放", T.NAME),
    ],
)
def test_what_cannot_be_the_value_is_no_find(text: str, value: str, entity_type: T) -> None:
    assert not stands(text, value, entity_type)


@pytest.mark.parametrize(
    ("text", "value", "entity_type"),
    [
        ("driver licence 8827364 is mine", "8827364", T.DRIVER_LICENSE),
        ("身份证8827364人民银行", "8827364", T.NATIONAL_ID),
        ("Your order #HK987654321 has been confirmed", "HK987654321", T.ACCOUNT_ID),
        ("Case No. 24-CR-00382", "24-CR-00382", T.ACCOUNT_ID),
        ("1) phone 4471829\n2) 4471830", "4471830", T.PHONE),
        ("call 06 12 34 56 78", "06 12 34 56 78", T.PHONE),
        ("69035522 格日勒", "69035522", T.PHONE),
        ("seen at 9 PM at the Longquan Road stop", "at 9 PM at the Longquan Road stop", T.LOCATION_TRACE),
        ("她每天早上7点打胰岛素", "每天早上7点打胰岛素", T.HEALTH),
        ("tell daddy Tanaka", "daddy Tanaka", T.NAME),
        ("Patrick's daughter", "Patrick", T.NAME),
        ("希望小学的李明", "李明", T.NAME),
        ("the safe: 482913 people", "482913", T.PIN),
        ("I work at Boss", "Boss", T.ORGANIZATION),
    ],
)
def test_where_it_is_unclear_a_guess_stands(text: str, value: str, entity_type: T) -> None:
    assert stands(text, value, entity_type)


@pytest.mark.parametrize("unit", ["一", "1", "1 ", "12:", "at ", "每天"])
@pytest.mark.parametrize("entity_type", [T.HEALTH, T.PHONE, T.PIN, T.NAME])
def test_long_guesses_are_judged_quickly(unit: str, entity_type: T) -> None:
    text = unit * 20_000 + "x"
    begin = time.process_time()
    can_be(read(text), 0, len(text), entity_type)
    assert time.process_time() - begin < 1
