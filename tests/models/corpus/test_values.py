import re
from collections.abc import Callable, Iterator
from random import Random

import pytest
from keepmum_models.corpus.scene import Scene
from keepmum_models.corpus.splits import Split, is_held_back
from keepmum_models.corpus.values import (
    contacts,
    credentials,
    documents,
    foreign,
    money,
    monikers,
    names,
    network,
    places,
    references,
    streets,
    words,
)
from mnemonic import Mnemonic
from stdnum import ean, iban, imei, luhn
from stdnum.br import cpf
from stdnum.ch import ssn as ahv
from stdnum.cn import uscc
from stdnum.de import idnr
from stdnum.es import dni
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.in_ import aadhaar
from stdnum.iso7064 import mod_11_2
from stdnum.kr import rrn
from stdnum.nl import bsn
from stdnum.pl import pesel
from stdnum.se import personnummer


def _drawn(maker: Callable[[Scene], str], language: str = "en", count: int = 60) -> Iterator[str]:
    for seed in range(count):
        yield maker(Scene(language, Random(seed), Split.TRAINING))


CHECKED = [
    (documents.credit_code, uscc.is_valid),
    (documents.german_tax_id, idnr.is_valid),
    (documents._cpf, cpf.is_valid),
    (documents._dni, dni.is_valid),
    (documents._aadhaar, aadhaar.is_valid),
    (documents._pesel, pesel.is_valid),
    (documents._bsn, bsn.is_valid),
    (documents._nhs, nhs.is_valid),
    (documents._ahv, ahv.is_valid),
    (documents._french, nir.is_valid),
    (documents._korean, rrn.is_valid),
    (documents._personnummer, personnummer.is_valid),
    (documents.chinese_id, lambda number: mod_11_2.is_valid(number.upper())),
    (money.iban, lambda number: iban.is_valid(number, check_country=False)),
    (network.imei, imei.is_valid),
]


@pytest.mark.parametrize(("maker", "is_valid"), CHECKED)
def test_check_digits_are_right(maker: Callable[[Scene], str], is_valid: Callable[[str], bool]) -> None:
    assert [value for value in _drawn(maker) if not is_valid(value)] == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_cards_pass_luhn(language: str) -> None:
    assert all(luhn.is_valid("".join(filter(str.isdigit, card))) for card in _drawn(money.bank_card, language))


def test_seed_phrases_have_their_checksum() -> None:
    wordlist = Mnemonic("english")
    assert all(wordlist.check(phrase.replace(",", "")) for phrase in _drawn(credentials.seed_phrase))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_two_sides_share_no_name_and_no_address(language: str) -> None:
    address = places.address_zh if language == "zh" else places.address_en
    sides = []
    for split in Split:
        scenes = [Scene(language, Random(seed), split) for seed in range(400)]
        people = [names.person(scene) for scene in scenes]
        sides.append({p.full for p in people} | {p.given for p in people} | {address(scene) for scene in scenes})
    assert all(len(side) > 600 for side in sides)
    assert sides[0].isdisjoint(sides[1])


def test_most_names_are_distinct() -> None:
    for language in ("en", "zh"):
        drawn = [names.person(Scene(language, Random(seed), Split.TRAINING)).full for seed in range(1000)]
        assert len(set(drawn)) > 950


def test_the_split_is_one_in_twelve_and_blind_to_case_and_width() -> None:
    surfaces = [f"word{number}" for number in range(6000)]
    assert 400 < sum(map(is_held_back, surfaces)) < 600
    assert all(is_held_back(surface) == is_held_back(surface.upper()) for surface in surfaces)
    assert is_held_back("ａｂｃ １") == is_held_back("abc1")


def test_phones_carry_enough_digits() -> None:
    assert all(sum(mark.isdigit() for mark in number) >= 7 for number in _drawn(contacts.phone_en, count=300))


def test_a_wrong_card_is_never_a_card() -> None:
    assert not any(
        luhn.is_valid(number.replace(" ", "")) and len(number.replace(" ", "")) == 16
        for number in _drawn(references.wrong_card, count=300)
    )


def test_book_numbers_have_their_check_digit() -> None:
    assert all(ean.is_valid(number.replace("-", "")) for number in _drawn(references.book_number, count=100))


def test_the_two_sides_share_no_other_form_of_a_name() -> None:
    forms = (monikers.nickname, monikers.initialled, monikers.with_kin_word, monikers.tag)
    sides = []
    for split in Split:
        scenes = [Scene("en", Random(seed), split) for seed in range(300)]
        written = {form(scene, names.person(scene)).casefold() for scene in scenes for form in forms}
        sides.append(written | {monikers.stage_name(scene).casefold() for scene in scenes})
    assert all(len(side) > 600 for side in sides)
    assert sides[0].isdisjoint(sides[1])


@pytest.mark.parametrize("script", foreign.SCRIPTS)
def test_names_and_addresses_are_in_their_script(script: str) -> None:
    for maker in (foreign.name(script), foreign.address(script)):
        assert all(
            re.match(foreign.PATTERNS[script], text.lstrip("〒0123456789٠١٢٣٤٥٦٧٨٩-, ")) for text in _drawn(maker)
        )


def test_addresses_off_the_pattern_are_distinct() -> None:
    assert len(set(_drawn(streets.unusual_address, count=300))) > 290


def test_ordinary_words_name_nobody() -> None:
    scenes = [Scene("en", Random(seed), Split.TRAINING) for seed in range(2000)]
    people = {person.given.casefold() for person in map(names.western, scenes)}
    common = set(map(words.word, scenes))
    assert len(common) > 700
    assert len(common & people) < 0.05 * len(common)
