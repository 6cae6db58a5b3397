import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_shared import ids, placeholder
from keepmum_shared.placeholder import FIRST_CONVERSATION_NUMBER, LAST_PROFILE_NUMBER, MAX_NUMBER, Placeholder
from keepmum_shared.taxonomy import NOT_A_LEVEL, EntityType, Level, default_level

KINDS = {
    "turn": ids.new_turn_id,
    "mem": ids.new_memory_id,
    "dev": ids.new_device_id,
    "scope": ids.new_scope_key,
    "conv": ids.new_conversation_id,
    "sess": ids.new_session_key,
}


@pytest.mark.parametrize("kind", KINDS)
def test_ids_have_their_form_and_never_repeat(kind: str) -> None:
    drawn = {KINDS[kind]() for _ in range(200)}
    assert len(drawn) == 200
    assert all(ids.is_id(each, kind) for each in drawn)
    assert not any(ids.is_id(each, other) for each in drawn for other in KINDS if other != kind)


@pytest.mark.parametrize(
    "text", ["", "turn_", "turn_" + "a" * 25, "turn_" + "A" * 26, "turn_" + "a" * 26 + "\n", "a" * 31]
)
def test_what_is_no_id(text: str) -> None:
    assert not ids.is_id(text, "turn")


placeholders = st.builds(Placeholder, st.sampled_from(list(EntityType)), st.integers(1, MAX_NUMBER))


@given(placeholders)
def test_a_placeholder_reads_back(token: Placeholder) -> None:
    assert placeholder.parse(str(token)) == token
    assert token.is_profile == (token.number <= 100_000)


@given(st.lists(placeholders | st.text(st.characters(exclude_characters="<>", exclude_categories=["Cs"]), max_size=9)))
def test_scan_finds_exactly_what_was_put_in(parts: list[Placeholder | str]) -> None:
    text = "".join(map(str, parts))
    found = list(placeholder.scan(text))
    assert [token for _, _, token in found] == [part for part in parts if isinstance(part, Placeholder)]
    assert all(text[start:end] == str(token) for start, end, token in found)


@pytest.mark.parametrize(
    "text",
    [
        "<NAME_0>",
        "<NAME_01>",
        "<name_1>",
        "NAME_1",
        "<NAME_1",
        "<NAME_12345678>",
        "<NOSUCH_1>",
        "<NAME_1> ",
        "<NAME_１>",
    ],
)
def test_what_is_no_exact_placeholder(text: str) -> None:
    with pytest.raises(ValueError, match="not a placeholder"):
        placeholder.parse(text)


@pytest.mark.parametrize("number", [0, -1, MAX_NUMBER + 1])
def test_a_number_out_of_range_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="outside"):
        Placeholder(EntityType.NAME, number)


def test_the_two_ranges_meet() -> None:
    assert LAST_PROFILE_NUMBER + 1 == FIRST_CONVERSATION_NUMBER


def test_a_longer_type_name_wins_over_its_beginning() -> None:
    assert placeholder.parse("<PRIVATE_MESSAGE_7>").entity_type is EntityType.PRIVATE_MESSAGE
    assert placeholder.parse("<PIN_7>").entity_type is EntityType.PIN


LEVELS = {
    Level.PL2: "NAME USERNAME EMAIL PHONE ADDRESS POSTCODE ORGANIZATION DATE_OF_BIRTH IP_ADDRESS DEVICE_ID "
    "VEHICLE_PLATE PROFILE_URL ACCOUNT_ID",
    Level.PL3: "NATIONAL_ID PASSPORT DRIVER_LICENSE TAX_ID BANK_ACCOUNT BANK_CARD CRYPTO_WALLET FINANCE HEALTH "
    "BIOMETRIC LOCATION_TRACE RELIGION ETHNICITY ORIENTATION POLITICS LEGAL_RECORD MINOR PRIVATE_MESSAGE",
    Level.PL4: "PASSWORD PIN OTP API_KEY TOKEN COOKIE PRIVATE_KEY SEED_PHRASE CONNECTION_STRING SECURITY_ANSWER "
    "INTERNAL_ACCESS",
}


def test_levels_are_those_of_the_design() -> None:
    by_level = {
        level: {str(each) for each in EntityType if each not in NOT_A_LEVEL and default_level(each) is level}
        for level in LEVELS
    }
    assert by_level == {level: set(names.split()) for level, names in LEVELS.items()}


@pytest.mark.parametrize("entity_type", sorted(NOT_A_LEVEL))
def test_literal_and_detail_have_no_level(entity_type: EntityType) -> None:
    with pytest.raises(ValueError, match="has no level"):
        default_level(entity_type)
