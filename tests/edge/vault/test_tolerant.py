import pytest
from keepmum_edge.vault.restore import restore
from keepmum_edge.vault.tolerant import PENDING, Match, match_at, scan
from private_texts import lookup_in

LOOKUP = lookup_in(
    {
        "<NAME_1>": "O'Neil & Sons <ops>",
        "<EMAIL_1>": "ada+vet@example.org",
        "<NAME_10>": "Ola",
        "<IP_ADDRESS_1>": "10.0.0.1",
        "<DATE_OF_BIRTH_1>": "1990-01-02",
    }
)
NAME, MAIL = "O'Neil & Sons <ops>", "ada+vet@example.org"


@pytest.mark.parametrize(
    "form",
    [
        "<EMAIL_1>",
        "<email_1>",
        "<Email_1>",
        "<ＥＭＡＩＬ＿１>",
        "＜EMAIL_1＞",
        "<EMAIL_01>",
        "<EMAIL_000001>",
        "< EMAIL_1 >",
        "<EMAIL_ 1>",
        "<EMAIL _1>",
        "<EMAIL_\n1>",
        "<EMAIL_\r\n1>",
        "<\nEMAIL_1>",
        "<EMAIL_1\n>",
        "[EMAIL_1]",
        "{EMAIL_1}",
        "【EMAIL_1】",
        "«EMAIL_1»",
        "‹EMAIL_1›",
        "《EMAIL_1》",
        "〈EMAIL_1〉",
        "〔EMAIL_1〕",
        "［EMAIL_1］",
        "｛EMAIL_1｝",
        "[email_1]",
        "<EMAIL\\_1>",
        "EMAIL\\_1",
        "EMAIL_1",
        "<EMAIL_1",
        "EMAIL_1>",
        "<EMAIL_1]",
        "[EMAIL_1>",
        "<EMAIL\u00a0_1>",
        "<EMAIL_1\u3000>",
    ],
)
def test_a_tolerant_form_is_restored_as_a_whole(form: str) -> None:
    assert restore(f"，{form}，", LOOKUP).text == f"，{MAIL}，"


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ("&lt;NAME_1&gt;", "O'Neil &amp; Sons &lt;ops&gt;"),
        ("&#60;NAME_1&#62;", "O'Neil &amp; Sons &lt;ops&gt;"),
        ("&#x3C;NAME_1&#x3e;", "O'Neil &amp; Sons &lt;ops&gt;"),
        ("\\u003cNAME_1\\u003e", NAME),
        ("%3CEMAIL_1%3E", "ada%2Bvet%40example.org"),
        ("%3cEMAIL%5f1%3e", "ada%2Bvet%40example.org"),
        ("NAME_1&gt;", "O'Neil &amp; Sons &lt;ops&gt;"),
    ],
)
def test_a_value_is_encoded_as_its_token_was(form: str, shown: str) -> None:
    assert restore(form, LOOKUP).text == shown


@pytest.mark.parametrize(
    "text",
    [
        "<NAME_1/>",
        "</NAME_1>",
        "<EMAIL_1 />",
        "xEMAIL_1",
        "EMAIL_1x",
        "EMAIL_1_",
        "_EMAIL_1",
        "9EMAIL_1",
        "EMAIL 1",
        "email_1",
        "EMAIL1",
        "<EMAIL1>",
        "<EMAIL-1>",
        "EMAIL",
        "<EMAIL>",
        "EMAIL_",
        "<EMAIL_>",
        "EMAIL_01",
        "<EMAIL_0>",
        "<EMAIL_\n\n1>",
        "<E MAIL_1>",
        "<EMAIL__1>",
        "<XEMAIL_1>",
        "<EMAIL_1x>",
        '<PII type="EMAIL" id="1"/>',
        "my EMAIL _1",
        "a < b and c > d then EMAIL",
        "<емаил_1>",
        "<EMAIL_１x>",
        "<EMAIL_²>",
        "<EMAIL_99999999>",
    ],
)
def test_what_is_no_token_of_ours_stays(text: str) -> None:
    assert restore(text, LOOKUP).text == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[EMAIL_1](https://a.example)", f"[{MAIL}](https://a.example)"),
        ("(EMAIL_1)", f"({MAIL})"),
        ('"EMAIL_1"', f'"{MAIL}"'),
        ("[EMAIL_1", f"[{MAIL}"),
        ("EMAIL_1]", f"{MAIL}]"),
        ("`EMAIL_1`", f"`{MAIL}`"),
        ("**EMAIL_1**", f"**{MAIL}**"),
        ("EMAIL_1's", f"{MAIL}'s"),
        ("EMAIL_1.", f"{MAIL}."),
        ("王EMAIL_1王", f"王{MAIL}王"),
        ("<<EMAIL_1>>", f"<{MAIL}>"),
        ("<NAME_10><EMAIL_1>", f"Ola{MAIL}"),
        ("NAME_10", "Ola"),
        ("<NAME_1><NAME_10>", f"{NAME}Ola"),
        ("pre-<NAME_10>s'", "pre-Olas'"),
        ("<IP_ADDRESS_1>", "10.0.0.1"),
        ("<IP\\_ADDRESS\\_1>", "10.0.0.1"),
        ("IP_ADDRESS_1", "10.0.0.1"),
        ("<DATE_OF_\nBIRTH_1>", "1990-01-02"),
        ("[x][EMAIL_1]", f"[x]{MAIL}"),
        ("[EMAIL_1][x]", f"[{MAIL}][x]"),
        ("<NAME_10> est arrivé(e)", "Ola est arrivé(e)"),
        ("_<NAME_10>_", "_Ola_"),
        ("<EMAIL_1 >", MAIL),
    ],
)
def test_what_stands_around_a_token_is_kept(text: str, shown: str) -> None:
    assert restore(text, LOOKUP).text == shown


def test_the_strict_mode_reads_the_exact_form_only() -> None:
    text = "<EMAIL_1> <email_1> [EMAIL_1] EMAIL_1 &lt;EMAIL_1&gt; <EMAIL\\_1>"
    assert restore(text, LOOKUP, tolerant=False).text == text.replace("<EMAIL_1>", MAIL)


def test_a_longer_number_is_never_cut() -> None:
    assert [m.placeholder.number for m in scan("<NAME_10> NAME_100 <NAME_1000")] == [10, 100, 1000]


def test_unknown_tokens_stay_in_their_own_form_and_are_counted() -> None:
    done = restore("ask <NAME_99>, [PASSPORT_1] and <name_98>", LOOKUP)
    assert done.text == "ask <NAME_99>, [PASSPORT_1] and <name_98>"
    assert list(map(str, done.unresolved)) == ["<NAME_99>", "<PASSPORT_1>", "<NAME_98>"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<NAME_1", PENDING),
        ("<NAME_1>", Match),
        ("<NAM", PENDING),
        ("<NAX", None),
        ("<", PENDING),
        ("NAME_1", PENDING),
        ("NAME_1 ", Match),
        ("<NAME_1x", None),
        ("&lt;NAME_1&", PENDING),
        ("&lt;NAME_1&a", Match),
        ("[NAME_1]", PENDING),
        ("[NAME_1] ", Match),
    ],
)
def test_the_three_answers(text: str, answer: object) -> None:
    found = match_at(text, 0, before="", final=False)
    assert isinstance(found, Match) if answer is Match else found is answer
    assert match_at(text, 0, before="", final=True) is not PENDING
