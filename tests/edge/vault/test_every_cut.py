"""For every cut of the model's text, what is shown is the same, and no more is held back than may be a token."""

import itertools
import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from keepmum_edge.errors import UnrestorableArgumentsError
from keepmum_edge.vault.address import AddressTracker, inside_address
from keepmum_edge.vault.fence import FenceTracker
from keepmum_edge.vault.restore import Kind, Restorable, Withheld, restore
from keepmum_edge.vault.stream import StreamRestorer
from keepmum_shared.placeholder import Placeholder
from keepmum_shared.taxonomy import EntityType
from private_texts import FORMS, hard_texts

quick = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])

MARKUP = (
    "![x](",
    "[x](<",
    "](",
    ")",
    "//evil.example/?q=",
    "https:",
    "//",
    "www.",
    "mailto:",
    "tel:",
    "<img src=",
    '<a href="',
    "'",
    '"',
    "`",
    "```\n",
    "\n",
    " ",
    "\\",
    "[x]: ",
    "url(",
    "@import ",
    ">",
    "&colon;",
    "&#58;",
    "a",
    '\\"',
    "\\u00",
    "<b ",
    '{"a":"',
    '",',
    ": ",
    "3",
    "\\n",
    "\\ud83d",
    "。",
    "=",
)
VALUES = {
    ("NAME", 1): Restorable('Ada "A" O\'Neil & <ops>'),
    ("EMAIL", 1): Restorable("ada+vet@example.org"),
    ("PHONE", 1): Restorable("19900001234", json_number=True),
    ("PROFILE_URL", 1): Restorable("https://ada.example/"),
    ("NAME", 10): Restorable("<NAME_1>"),
    ("PIN", 1): Withheld(),
}


def lookup(placeholder: Placeholder) -> Restorable | Withheld | None:
    return VALUES.get((str(placeholder.entity_type), placeholder.number))


def lookup_all(placeholder: Placeholder) -> Restorable | None:
    found = lookup(placeholder)
    return found if isinstance(found, Restorable) else None


tokens = st.builds(
    lambda form, name, n: form.format(t=name, n=n),
    st.sampled_from([*FORMS[:1] * 12, *FORMS]),
    st.sampled_from(["NAME", "EMAIL", "PHONE", "PROFILE_URL", "PIN", "API_KEY", "phone"]),
    st.sampled_from(["1", "10", "2"]),
)
model_texts = st.lists(
    st.one_of(tokens, tokens.map('"{}"'.format), st.sampled_from(MARKUP), hard_texts), max_size=10
).map("".join)


def shown(text: str, cuts: list[int], kind: Kind) -> str | None:
    """What a client gets; None: the call was withheld."""
    restorer = StreamRestorer(lookup_all if kind == "text" else lookup, kind=kind)
    borders = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    try:
        out = [restorer.feed(text[a:b]) for a, b in itertools.pairwise(borders)]
        return "".join(out) + restorer.flush()
    except UnrestorableArgumentsError:
        return None


@quick
@given(model_texts, st.lists(st.integers(0, 150), max_size=10))
@example('"\\"<PHONE_1>"', [1, 2])
@example('{"n":"<PHONE_1>"}', [5, 6, 7])
@example("NAME_1", [3])
@example("NAM\\NAME_1&gt;", [5])
@example("ＡNAME_1", [2])
def test_text_and_arguments_are_the_same_at_any_cut(text: str, cuts: list[int]) -> None:
    kinds: tuple[Kind, ...] = ("text", "tool_arguments")
    for kind in kinds:
        whole = shown(text, [], kind)
        assert shown(text, cuts, kind) == whole
        assert shown(text, list(range(len(text))), kind) == whole


@quick
@given(model_texts, st.lists(st.integers(0, 150), max_size=10), st.booleans())
def test_an_address_and_a_fence_are_the_same_at_any_cut(text: str, cuts: list[int], in_json: bool) -> None:
    borders = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    addresses, fences = AddressTracker(in_json=in_json), FenceTracker()
    whole = FenceTracker()
    whole.feed(text)
    for a, b in itertools.pairwise(borders):
        addresses.feed(text[a:b])
        fences.feed(text[a:b])
        assert addresses.inside == inside_address(text[:b], in_json=in_json)
    assert fences.inside == whole.inside


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sure, I'll mail <EMAIL_1> now.", "Sure, I'll mail ada+vet@example.org now."),
        ("if a < b and c > d", "if a < b and c > d"),
        ("<EMAIL_99> done", "<EMAIL_99> done"),
        (
            "&lt;EMAIL_1&gt; %3CEMAIL_1%3E \\u003cNAME_1\\u003e",
            ('ada+vet@example.org ada%2Bvet%40example.org Ada \\"A\\" O\'Neil & <ops>'),
        ),
        ("<NAME_10> once", "<NAME_1> once"),
        ("EMAIL_1", "ada+vet@example.org"),
        ("<email_\r\n 1>x", "ada+vet@example.orgx"),
    ],
)
def test_every_single_and_double_cut(text: str, expected: str) -> None:
    for first in range(len(text) + 1):
        for second in range(first, len(text) + 1):
            assert shown(text, [first, second], "text") == expected


def test_every_cut_of_arguments_gives_the_same_json() -> None:
    text = json.dumps({"to": "<EMAIL_1>", "phone": "<PHONE_1>", "who": "the <NAME_1> person"})
    expected = {"to": "ada+vet@example.org", "phone": 19900001234, "who": 'the Ada "A" O\'Neil & <ops> person'}
    for first in range(len(text) + 1):
        for second in range(first, len(text) + 1):
            out = shown(text, [first, second], "tool_arguments")
            assert out is not None
            assert json.loads(out) == expected


def held(text: str) -> str:
    restorer = StreamRestorer(lookup_all)
    return text[len(restorer.feed(text)) :]


@pytest.mark.parametrize(
    "text",
    [
        "if a <b ",
        "if a < b ",
        "if a < zip",
        "x <= y ",
        "<NAM3",
        "<zip",
        "NAMED",
        "EMAIL ",
        "50% ",
        "&amp;",
        "&l ",
        "\\n",
        "[1",
        "{x",
        "<div",
        "王",
        "\\u004",
        "%3D",
        "<NAME_1/",
        "Z",
        "NAMES",
        "name",
        "«Да",
        "<EMAIL_12345678",
    ],
)
def test_what_cannot_become_a_token_is_not_held(text: str) -> None:
    assert held(text) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <", "<"),
        ("a <EM", "<EM"),
        ("a EM", "EM"),
        ("x &l", "&l"),
        ("x \\u00", "\\u00"),
        ("x %3", "%3"),
        ("[NAME_1", "[NAME_1"),
        ("<NAME_1", "<NAME_1"),
        ("NAME_1", "NAME_1"),
        ("< ", "< "),
        ("<NAME_\n", "<NAME_\n"),
        ("a&#", "&#"),
    ],
)
def test_only_the_beginning_of_a_token_is_held(text: str, expected: str) -> None:
    assert held(text) == expected


@quick
@given(model_texts)
def test_little_is_ever_held(text: str) -> None:
    restorer = StreamRestorer(lookup_all)
    for character in text:
        restorer.feed(character)
        assert len(restorer._held) < 80


def test_the_rest_comes_with_the_flush() -> None:
    restorer = StreamRestorer(lookup_all)
    assert restorer.feed("by <EMAIL_1") == "by "
    assert restorer.flush() == "ada+vet@example.org"
    restorer = StreamRestorer(lookup_all)
    assert restorer.feed("by <EMA") == "by "
    assert restorer.flush() == "<EMA"
    assert restorer.flush() == ""


def test_a_value_is_never_read_again_nor_completed_by_what_follows() -> None:
    values = {
        Placeholder(EntityType.NAME, 1): Restorable("<EMAIL_"),
        Placeholder(EntityType.EMAIL, 1): Restorable("no"),
    }
    assert restore("<NAME_1>1> <NAME_1>", values.get).text == "<EMAIL_1> <EMAIL_"
