"""Values of the profile are found in new texts as wholes; what could mean anything is not looked for."""

import time

import pytest
from keepmum_edge.spans.profile_values import ProfileValue, ProfileValues
from keepmum_shared.placeholder import Placeholder
from keepmum_shared.taxonomy import EntityType, Level

T = EntityType


def holding(*values: tuple[EntityType, str]) -> ProfileValues:
    held = ProfileValues()
    for number, (entity_type, surface) in enumerate(values, 1):
        held.add(ProfileValue(placeholder=Placeholder(entity_type, number), entity_type=entity_type, surface=surface))
    return held


def found(entity_type: EntityType, surface: str, text: str) -> bool:
    standing = holding((entity_type, surface)).standing_in(text)
    assert {value[0] for value in standing} <= {surface}
    return bool(standing)


@pytest.mark.parametrize(
    ("entity_type", "surface", "text"),
    [
        (T.NAME, "Clara Berg", "weather in Bath for Clara Berg?"),
        (T.NAME, "Clara Berg", "is clara berg in, or BERG, CLARA"),
        (T.NAME, "Clara Berg", "Berg, Clara: absent"),
        (T.NAME, "Clara Berg", "Cla\u200bra Berg"),
        (T.NAME, "Dr. Clara Berg", "ask Clara Berg"),
        (T.NAME, "Anne-Marie O'Neill", "annemarie oneill called"),
        (T.NAME, "clara fischer", "ask Clara Fischer"),
        (T.NAME, "Hello Clara Berg", "ask Clara Berg"),
        (T.NAME, "José Núñez", "JOSÉ NÚÑEZ"),
        (T.NAME, "Rose Parker", "tell Rose Parker"),
        (T.NAME, "Clara King", "ask Clara King"),
        (T.NAME, "欧阳建国", "请问欧阳建国在吗"),
        (T.NAME, "王小川", "给王小川发消息"),
        (T.NAME, "阿依古丽·买买提", "阿依古丽•买买提来了"),
        (T.PHONE, "+49 170 5550 123", "call +49-170-5550123 now"),
        (T.BANK_ACCOUNT, "00 4471 9921", "is 0044719921 mine"),
        (T.PASSPORT, "X4471992", "x4471992?"),
        (T.VEHICLE_PLATE, "BA-K4471", "the car BA K4471"),
        (T.USERNAME, "clara_berg", "who is clara_berg"),
        (T.ADDRESS, "12 Harbour Street", "a taxi to 12 harbour street please"),
        (T.ADDRESS, "建国路88号", "到建国路８８号"),
    ],
)
def test_a_whole_value_is_found_in_other_spellings(entity_type: EntityType, surface: str, text: str) -> None:
    assert found(entity_type, surface, text)


@pytest.mark.parametrize(
    ("entity_type", "surface", "text"),
    [
        (T.NAME, "Clara Berg", "Clara Bergmann, Clara and Berg"),
        (T.NAME, "Clara", "Clara is here"),
        (T.NAME, "Dr Berg", "Dr Berg is here"),
        (T.NAME, "Rose Parker", "a rose parker"),
        (T.NAME, "J. B", "j.b"),
        (T.NAME, "house tonite", "a house tonite"),
        (T.NAME, "Manager Berg, Clara", "Manager Berg, Clara"),
        (T.NAME, "Hello Clara", "Hello Clara"),
        (T.NAME, "Clara and Team Berg", "Clara and Team Berg"),
        (T.NAME, "小行星", "一颗小行星"),
        (T.NAME, "王伟", "王伟大的梦想"),
        (T.PHONE, "112 358", "112358"),
        (T.PHONE, "5550123", "15550123 and 55501234"),
        (T.ACCOUNT_ID, "2024-01-31", "on 2024-01-31"),
        (T.ACCOUNT_ID, "A-17", "seat A-17"),
        (T.USERNAME, "dragon", "a dragon"),
        (T.ADDRESS, "Bath", "weather in Bath"),
        (T.ADDRESS, "Harbour Street", "Harbour Street"),
        (T.ORGANIZATION, "Acme Robotics", "shares of Acme Robotics"),
        (T.DATE_OF_BIRTH, "4 March 1990", "on 4 March 1990"),
        (T.POSTCODE, "SW1A 1AA", "SW1A 1AA"),
        (T.HEALTH, "type 2 diabetes", "what is type 2 diabetes"),
    ],
)
def test_what_could_mean_anything_is_not(entity_type: EntityType, surface: str, text: str) -> None:
    assert not found(entity_type, surface, text)


def test_a_value_comes_with_its_type_and_level() -> None:
    held = holding((T.NAME, "Clara Berg"), (T.BANK_ACCOUNT, "0044719921"))
    assert held.standing_in("Clara Berg, 0044719921") == {
        ("Clara Berg", T.NAME, Level.PL2),
        ("0044719921", T.BANK_ACCOUNT, Level.PL3),
    }


def test_a_forgotten_value_is_gone_and_its_namesake_stays() -> None:
    held = holding((T.NAME, "Clara Berg"), (T.NAME, "CLARA BERG"), (T.NAME, "Clara Bern"), (T.NAME, "王小川"))
    held.forget([Placeholder(T.NAME, 1), Placeholder(T.NAME, 4), Placeholder(T.PHONE, 2), Placeholder(T.NAME, 77)])
    assert {value[0] for value in held.standing_in("Clara Berg, Clara Bern, 王小川")} == {"CLARA BERG", "Clara Bern"}
    held.forget([Placeholder(T.NAME, 2), Placeholder(T.NAME, 3)])
    assert held.standing_in("Clara Berg, Clara Bern, 王小川") == set()
    assert "berg" not in repr(vars(held))


def test_no_representation_shows_a_value() -> None:
    held = holding((T.NAME, "Clara Berg"))
    value = ProfileValue(placeholder=Placeholder(T.NAME, 1), entity_type=T.NAME, surface="Clara Berg")
    assert "Clara" not in repr(held) + str(held) + repr(value)


def test_time_does_not_grow_with_the_number_of_values() -> None:
    text = "the market in canada was nice and mara told every anna about it " * 40

    def seconds(held: ProfileValues) -> float:
        best = 1.0
        for _ in range(7):
            began = time.thread_time()
            held.standing_in(text)
            best = min(best, time.thread_time() - began)
        return best

    few, many = (
        holding(
            *((T.NAME, f"Mar{chr(97 + i % 26)} {chr(97 + i // 26 % 26)}{chr(97 + i // 676)}o") for i in range(count))
        )
        for count in (100, 15_000)
    )
    assert seconds(many) < 10 * seconds(few)
