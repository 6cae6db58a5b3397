from collections.abc import Callable, Iterator
from random import Random

import pytest
from keepmum_models.corpus.scene import Scene
from keepmum_models.corpus.splits import Split, is_held_back
from keepmum_models.corpus.values import contacts, credentials, documents, money, names, network, places
from mnemonic import Mnemonic
from stdnum import iban, imei, luhn
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
    words = Mnemonic("english")
    assert all(words.check(phrase.replace(",", "")) for phrase in _drawn(credentials.seed_phrase))


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
    words = [f"word{number}" for number in range(6000)]
    assert 400 < sum(map(is_held_back, words)) < 600
    assert all(is_held_back(word) == is_held_back(word.upper()) for word in words)
    assert is_held_back("ａｂｃ １") == is_held_back("abc1")


def test_phones_carry_enough_digits() -> None:
    assert all(sum(mark.isdigit() for mark in number) >= 7 for number in _drawn(contacts.phone_en, count=300))
