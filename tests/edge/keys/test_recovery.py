import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keepmum_edge.keys.recovery import SECRET_BYTES, MistypedError, format_recovery_key, parse_recovery_key

SECRETS = st.binary(min_size=SECRET_BYTES, max_size=SECRET_BYTES)


@given(SECRETS)
def test_a_recovery_key_reads_back_however_it_is_typed(secret: bytes) -> None:
    written = format_recovery_key(secret)
    for typed in (
        written,
        written.lower(),
        written.replace("-", ""),
        f"  {written.replace('-', ' ')}\n",
        written.replace("0", "O").replace("1", "l"),
    ):
        assert parse_recovery_key(typed) == secret


def test_it_has_nine_groups_of_four_and_no_letter_that_is_misread() -> None:
    written = format_recovery_key(bytes(range(SECRET_BYTES)))
    assert [len(group) for group in written.split("-")] == [4] * 9
    assert not set("ILOU") & set(written)


@settings(derandomize=True)  # the check has 20 bits: one example in a million would pass
@given(SECRETS, st.integers(0, 35), st.sampled_from("0123456789ABCDEFGHJKMNPQRSTVWXYZ"))
def test_one_wrong_letter_is_told_from_a_wrong_key(secret: bytes, place: int, letter: str) -> None:
    letters = format_recovery_key(secret).replace("-", "")
    if letters[place] == letter:
        return
    typed = letters[:place] + letter + letters[place + 1 :]
    with pytest.raises(MistypedError):
        parse_recovery_key(typed)


@pytest.mark.parametrize("typed", ["", "ABCD", "U" * 36, "0" * 35, "0" * 37, "零" * 36])
def test_what_is_no_recovery_key_is_refused_and_not_quoted(typed: str) -> None:
    with pytest.raises(MistypedError) as caught:
        parse_recovery_key(typed)
    assert typed == "" or typed not in str(caught.value)
