"""Check digits: Luhn, IBAN, Chinese and Hong Kong and Taiwanese identity cards, coin addresses; others by `stdnum`.

Each function takes the bare characters or the usual separators and answers yes or no; none raises.
"""

import hashlib
import importlib
from datetime import date
from functools import lru_cache
from typing import Any, Final, cast

_BASE58: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BECH32: Final = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_PROVINCES: Final = frozenset(
    [
        "11",
        "12",
        "13",
        "14",
        "15",
        "21",
        "22",
        "23",
        "31",
        "32",
        "33",
        "34",
        "35",
        "36",
        "37",
        "41",
        "42",
        "43",
        "44",
        "45",
        "46",
        "50",
        "51",
        "52",
        "53",
        "54",
        "61",
        "62",
        "63",
        "64",
        "65",
        "71",
        "81",
        "82",
        "83",
    ]
)
_TAIWAN_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVXYWZIO"
_CREDIT_CODE: Final = "0123456789ABCDEFGHJKLMNPQRTUWXY"

IBAN_LENGTHS: Final = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28,
    "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
    "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22,
    "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20,
    "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18,
    "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SC": 31, "SE": 24,
    "SI": 19, "SK": 24, "SM": 27, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24,
    "XK": 20,
}  # fmt: skip
"""Characters of an IBAN by country."""


def luhn(digits: str) -> bool:
    """Whether the last of these ASCII digits is their Luhn check digit."""
    total = sum(int(d) for d in digits[-1::-2]) + sum(int(d) * 2 - 9 * (d > "4") for d in digits[-2::-2])
    return total % 10 == 0


def iban(compact: str) -> bool:
    """Whether upper-case characters without blanks are an IBAN: known country, its length, mod 97."""
    if IBAN_LENGTHS.get(compact[:2]) != len(compact) or not (compact.isascii() and compact.isalnum()):
        return False
    return int("".join(str(int(c, 36)) for c in compact[4:] + compact[:4])) % 97 == 1


def real_date(year: int, month: int, day: int) -> bool:
    """Whether the Gregorian date exists."""
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def chinese_resident_id(number: str) -> bool:
    """18 characters: province, a date of birth that exists, ISO 7064 MOD 11-2 check."""
    if len(number) != 18 or not number.isascii() or not number[:17].isdigit() or number[:2] not in _PROVINCES:
        return False
    if not 1880 <= int(number[6:10]) <= 2100 or not real_date(
        int(number[6:10]), int(number[10:12]), int(number[12:14])
    ):
        return False
    total = sum(int(d) * pow(2, 17 - i, 11) for i, d in enumerate(number[:17]))
    return "10X98765432"[total % 11] == number[17].upper()


def chinese_credit_code(code: str) -> bool:
    """18 characters of the unified social credit code, MOD 31."""
    if len(code) != 18 or any(c not in _CREDIT_CODE for c in code):
        return False
    total = sum(_CREDIT_CODE.index(c) * pow(3, i, 31) for i, c in enumerate(code[:17]))
    return _CREDIT_CODE[-total % 31] == code[17]


def hong_kong_id(number: str) -> bool:
    """One or two letters, six digits, check character, without brackets."""
    if not 8 <= len(number) <= 9 or not number.isascii() or not number[:-7].isalpha() or not number[-7:-1].isdigit():
        return False
    values = [36] * (9 - len(number)) + [int(c, 36) for c in number[:-1]]
    check = 10 if number[-1] == "A" else int(number[-1], 36)
    return (sum(v * w for v, w in zip(values, range(9, 1, -1), strict=True)) + check) % 11 == 0


def taiwan_id(number: str) -> bool:
    """A letter and nine digits, MOD 10."""
    if len(number) != 10 or not number.isascii() or number[0] not in _TAIWAN_LETTERS or not number[1:].isdigit():
        return False
    county = _TAIWAN_LETTERS.index(number[0]) + 10
    values = [county // 10, county % 10, *(int(d) for d in number[1:])]
    return sum(v * w for v, w in zip(values, (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1), strict=True)) % 10 == 0


def base58check(address: str) -> bool:
    """Bitcoin, Litecoin, Dogecoin, Tron: 21 bytes and the first four of a double SHA-256."""
    number = 0
    for character in address:
        place = _BASE58.find(character)
        if place < 0:
            return False
        number = number * 58 + place
    if number >= 1 << 200:
        return False
    raw = number.to_bytes(25, "big")
    return hashlib.sha256(hashlib.sha256(raw[:21]).digest()).digest()[:4] == raw[21:]


def bech32(address: str) -> bool:
    """Segwit addresses (BIP 173 and 350), lower case."""
    prefix, _, data = address.rpartition("1")
    if not prefix or any(c not in _BECH32 for c in data):
        return False
    values = [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix] + [_BECH32.index(c) for c in data]
    check = 1
    for value in values:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ value
        for i, generator in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            check ^= generator if top >> i & 1 else 0
    return check in (1, 0x2BC830A3)


@lru_cache(maxsize=64)
def _scheme(name: str) -> Any:
    return importlib.import_module(f"stdnum.{name}")


def valid(scheme: str, number: str) -> bool:
    """Whether `number` passes a scheme of python-stdnum, for example `de.idnr`; loaded when first asked."""
    return cast("bool", _scheme(scheme).is_valid(number))
