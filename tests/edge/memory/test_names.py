import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_edge.memory.names import normalised, scope_named


@pytest.mark.parametrize("name", ["work", "日本", "проект", "हिन्दी", "v1.2", "a_b-c", "２０２６", "x" * 128])
def test_letters_and_digits_of_any_script_make_a_name(name: str) -> None:
    assert normalised(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../etc",
        ".a",
        "a.",
        "a..b",
        "a b",
        "a/b",
        "a\\b",
        "a\n",
        "\u200b",
        "a\u202eb",
        "\u0301a",
        "🙂",
        "x" * 129,
    ],
)
def test_what_could_be_a_path_or_cannot_be_seen_makes_none(name: str) -> None:
    with pytest.raises(ValueError, match="must be 1 to 128") as refused:
        normalised(name)
    assert len(name) < 2 or name not in str(refused.value)


def test_two_spellings_of_the_same_letters_are_one_name() -> None:
    assert normalised("cafe\u0301") == normalised("caf\u00e9") == "caf\u00e9"


@pytest.mark.parametrize("name", ["user", "USER", "User", "ＵＳＥＲ"])
def test_the_general_scope_is_one_however_it_is_written(name: str) -> None:
    assert scope_named(name) == "user"
    assert scope_named(name + "s") != "user"


@given(st.text(max_size=12))
def test_a_name_that_was_normalised_stays_as_it_is(name: str) -> None:
    try:
        kept = normalised(name)
    except ValueError:
        return
    assert normalised(kept) == kept
