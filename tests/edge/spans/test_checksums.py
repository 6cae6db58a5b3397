from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from keepmum_edge.spans import checksums

digits = st.text("0123456789", min_size=12, max_size=18)


@given(digits)
def test_exactly_one_luhn_check_digit_fits(body: str) -> None:
    assert sum(checksums.luhn(body + d) for d in "0123456789") == 1


@given(st.text("0123456789", min_size=18, max_size=18))
def test_exactly_one_pair_of_iban_check_digits_fits(account: str) -> None:
    assert sum(checksums.iban(f"DE{n:02d}{account}") for n in range(2, 99)) == 1


@pytest.mark.parametrize(
    "value", ["", "DE", "ZZ89370400440532013000", "DE893704004405320130001", "DE8937040044053201300é"]
)
def test_what_is_no_iban(value: str) -> None:
    assert not checksums.iban(value)


@given(st.integers(0, 999), st.dates(date(1880, 1, 1), date(2100, 12, 31)))
def test_exactly_one_check_character_fits_a_chinese_id(order: int, born: date) -> None:
    body = f"110101{born:%Y%m%d}{order:03d}"
    fitting = sum(checksums.chinese_resident_id(body + c) for c in "0123456789X")
    assert fitting == 1


@pytest.mark.parametrize("born", ["19900230", "19901301", "18000101"])
def test_a_chinese_id_needs_a_real_birthday(born: str) -> None:
    assert not any(checksums.chinese_resident_id(f"110101{born}123{c}") for c in "0123456789X")


def test_hong_kong_and_taiwan_textbook_numbers() -> None:
    assert checksums.hong_kong_id("A1234563")
    assert not checksums.hong_kong_id("A1234564")
    assert checksums.taiwan_id("A123456789")
    assert not checksums.taiwan_id("A123456788")


def test_coin_addresses() -> None:
    genesis = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"
    assert checksums.base58check(genesis)
    assert not checksums.base58check(genesis[:-1] + "b")
    assert not checksums.base58check("z" * 60)
    segwit = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
    assert checksums.bech32(segwit)
    assert not checksums.bech32(segwit[:-1] + "5")
    assert not checksums.bech32("nothing")


def test_credit_code() -> None:
    assert checksums.chinese_credit_code("91110108MA01YBNX62")
    assert not checksums.chinese_credit_code("91110108MA01YBNX6A")


@pytest.mark.parametrize(
    "scheme", ["de.idnr", "es.dni", "br.cpf", "in_.aadhaar", "fr.nir", "it.codicefiscale", "us.itin"]
)
def test_stdnum_schemes_load_and_refuse_rubbish(scheme: str) -> None:
    assert not checksums.valid(scheme, "not a number")
