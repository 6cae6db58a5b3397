"""Cards, bank accounts and wallets: by check digit where there is one, else by the words around."""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans import checksums
from keepmum_edge.spans.finding import CHECKED, CONTEXT, FORMED, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns.labelled import Labelled, near

_CARD: Final = re.compile(
    r"(?<![0-9A-Za-z])(?<![0-9A-Za-z][-_.])(?<![0-9]\.)[2-9](?:[ -]{0,2}[0-9]){12,18}(?![0-9]|[-_][0-9A-Za-z])"
    r"|(?<![0-9A-Za-z])(?<![0-9A-Za-z][^\s0-9A-Za-z])[2-9][0-9]{3}(?P<mark>[^\s0-9A-Za-z])"
    r"(?:[0-9]{4}(?P=mark)[0-9]{4}(?P=mark)[0-9]{1,4}(?:(?P=mark)[0-9]{1,3})?|[0-9]{6}(?P=mark)[0-9]{4,5})"
    r"(?![0-9A-Za-z]|(?P=mark)[0-9A-Za-z])"
)
"""Any digits with blanks and dashes between, or the groups that are printed on a card with one other mark."""
_CARD_WORDS: Final = re.compile(
    r"(?<![a-z])(?:card|visa|mastercard|amex|american express|discover|maestro|unionpay|debit|credit|jcb|cc"
    r"|pan)(?![a-z])"
    r"|卡号|银行卡|信用卡|储蓄卡|借记卡|卡|カード|카드|银联|karte|tarjeta|carte"
)
_OTHER_WORDS: Final = re.compile(
    r"(?<![a-z])(?:order|invoice|tracking|ticket|trace|request|epoch|timestamp|isbn|sku|inventory)(?![a-z])|订单|单号|流水号|运单|编号"
)
_LENGTHS: Final = (
    (re.compile(r"4"), (13, 16, 19)),
    (re.compile(r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720"), (16,)),
    (re.compile(r"3[47]"), (15,)),
    (re.compile(r"30[0-5]|36|38|39"), (14, 16)),
    (re.compile(r"6011|65|64[4-9]"), (16, 19)),
    (re.compile(r"35(?:2[89]|[3-8])"), (16, 19)),
    (re.compile(r"62|81"), (16, 17, 18, 19)),
    (re.compile(r"220[0-4]"), (16,)),
    (re.compile(r"60|65|508|353|356"), (16,)),
)


_GROUPS: Final = re.compile(r"[2-9][0-9]{3}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{4}(?![0-9])")
"""The number alone, where the month of its expiry stands behind it like one more group."""
_BEHIND: Final = re.compile(
    r"(?: {0,2}[|,;:\t/])? {0,2}(?:(?:exp(?:iry|ires|\.)?|valid(?: thru| until)?|good thru|有效期)?[ :]{0,2}"
    r"(?:0[1-9]|1[0-2])[/|\-. ,;:]?(?:20)?[2-4][0-9](?![0-9]) {0,2}[|,;:\t/ ] {0,2}|(?P<bar>(?<=\|) ?))"
    r"(?:cvv2?|cvc2?|csc|安全码)?[ :]{0,2}(?P<code>[0-9]{3,4})(?![0-9A-Za-z]|[.,/:-][0-9])(?P<close> ?\|)?",
    re.IGNORECASE,
)
"""`| 09/27 | 447` behind a card, and `|447|` without a month."""


def find_cards(reading: Reading) -> Iterator[Finding]:
    """Payment cards: prefix, length and Luhn; with a word for cards nearby a typing error is forgiven."""
    if not reading.has_digit:
        return
    for found in _CARD.finditer(reading.text):
        digits, end = _digits(found[0]), found.end()
        said = near(reading, _CARD_WORDS, found.start(), end, before=24)
        denied = not said and near(reading, _OTHER_WORDS, found.start(), end, before=24)
        groups = None if _is_card(digits) else _GROUPS.match(reading.text, found.start(), end)
        if groups is not None and _is_card(_digits(groups[0])):
            digits, end = _digits(groups[0]), groups.end()
        if _is_card(digits) and not denied:
            yield Finding(found.start(), end, EntityType.BANK_CARD, CHECKED, "card")
            yield from _security_code(reading, end, digits)
        elif said and len(digits) >= 13:
            yield Finding(found.start(), found.end(), EntityType.BANK_CARD, CONTEXT, "card-context")


def _digits(value: str) -> str:
    return "".join(c for c in value if c.isdigit())


def _is_card(digits: str) -> bool:
    known = any(prefix.match(digits) and len(digits) in lengths for prefix, lengths in _LENGTHS)
    return known and checksums.luhn(digits)


def _security_code(reading: Reading, end: int, digits: str) -> Iterator[Finding]:
    """The code of a card in the field behind its number, where no word says what it is."""
    behind = _BEHIND.match(reading.text, end)
    if behind is None or len(behind["code"]) != (4 if digits.startswith(("34", "37")) else 3):
        return
    if behind["bar"] is None or behind["close"] or behind.end() == len(reading.text):
        yield Finding(*behind.span("code"), EntityType.PIN, FORMED, "card-code")


_IBAN: Final = re.compile(r"(?<![0-9A-Za-z])[A-Za-z]{2}[0-9]{2}(?=(?:(?: |[^\s0-9A-Za-z])?[0-9A-Za-z]){11})")
"""Only the beginning: how far it reaches is its country's matter, and one may stand right behind another."""
_IBAN_WORD: Final = re.compile(r"iban")


def find_ibans(reading: Reading) -> Iterator[Finding]:
    """IBAN by country length and MOD 97; after the word itself also one with a typing error."""
    if not reading.has_digit:
        return
    text = reading.text
    for found in _IBAN.finditer(text):
        length = checksums.IBAN_LENGTHS.get(found[0][:2].upper())
        end = _end_of(text, found.start(), length) if length else None
        if length is None or end is None or (text[end : end + 1].isascii() and text[end : end + 1].isalnum()):
            continue
        compact = "".join(c for c in text[found.start() : end] if c.isalnum()).upper()
        if checksums.iban(compact):
            yield Finding(found.start(), end, EntityType.BANK_ACCOUNT, CHECKED, "iban")
        elif near(reading, _IBAN_WORD, found.start(), end, before=16):
            yield Finding(found.start(), end, EntityType.BANK_ACCOUNT, CONTEXT, "iban-context")


def _end_of(text: str, start: int, length: int) -> int | None:
    seen = 0
    for place in range(start, min(len(text), start + 2 * length)):
        if text[place].isascii() and text[place].isalnum():
            seen += 1
        if seen == length:
            return place + 1
    return None


_ACCOUNTS: Final = (
    Labelled(
        EntityType.BANK_ACCOUNT,
        "bank-account",
        (
            "account number|account no|acct|acct no|bank account|a/c|a/c no|checking account|"
            "savings account|current account|kontonummer|konto|"
            "银行账号|银行账户|账号|帐号|账户|帳號|帳戶|銀行帳號|戶口號碼|联行号|"
            "口座番号|계좌번호|계좌|bsb|blz|bankleitzahl|account #|acc no|acc number|"
            "routing|routing number|routing no|aba|aba number|sort code|clabe|rib|bank account number|收款账号|对公账户"
        ),
        r"(?!(?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9](?![0-9-]))([0-9](?:[ -]?[0-9]){4,23})(?![0-9A-Za-z年])",
    ),
    Labelled(
        EntityType.PIN,
        "cvv",
        "cvv|cvc|cvv2|cvc2|security code on the back|安全码|csc",
        r"([0-9]{3,4})(?![0-9])",
        certainty=FORMED,
    ),
)
_SORT: Final = Labelled(EntityType.BANK_ACCOUNT, "sort-code", "sort|s/c", r"([0-9]{2}-[0-9]{2}-[0-9]{2})(?![0-9-])")
_IFSC: Final = Labelled(EntityType.BANK_ACCOUNT, "ifsc", "ifsc", r"([A-Z]{4}0[A-Z0-9]{6})(?![0-9A-Za-z])")
_SORT_AND_ACCOUNT: Final = re.compile(
    r"(?<![0-9A-Za-z.-])(?P<sort>[0-9]{2}([ -])[0-9]{2}\2[0-9]{2})[ ,;/|]{1,3}"
    r"(?P<label>(?:account|acct?|a/c)[ :#.]{1,3}(?:(?:number|no)[.: ]{1,3})?)?(?P<account>[0-9]{8})(?![0-9A-Za-z.-])"
)
_PLAIN_ACCOUNT: Final = re.compile(
    r"(?<![a-z])(?:accounts?|acct?|a/c)(?![0-9a-z])[ \t]{0,2}(?:(?:#|no\.?|is|:|=|to|ending)[ \t]{0,2}){0,2}"
    r"(?!(?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9](?![0-9-]))"
    r"(?P<value>[0-9](?:[ -]?[0-9]){5,17})(?![0-9A-Za-z]|[.:/][0-9]|-[0-9A-Za-z])"
)
_BANKING: Final = re.compile(
    r"(?<![a-z])(?:bank\w{0,3}|sort code|routing|aba|bsb|ifsc|blz|swift|bic|branch"
    r"|transfer\w{0,4}|wire\w?|deposit\w{0,3}"
    r"|pay(?:ment|ments|roll|ee)?|paid|send|sent|salary|direct debit|standing order|beneficiary|refund"
    r"|savings?|checking"
    r"|barclays|hsbc|lloyds|natwest|santander|monzo|revolut|chase|citi\w{0,4}|wells fargo)(?![a-z])"
)


def _plain_accounts(reading: Reading) -> Iterator[Finding]:
    """Find `account 55779911`, where words around are about a bank."""
    lower = reading.lower
    for found in _SORT_AND_ACCOUNT.finditer(lower):
        if found["label"] or near(reading, _BANKING, found.start(), found.end(), before=60, after=30):
            for group in ("sort", "account"):
                yield Finding(*found.span(group), EntityType.BANK_ACCOUNT, CONTEXT, "sort-and-account")
    for found in _PLAIN_ACCOUNT.finditer(lower):
        if near(reading, _BANKING, found.start(), found.end(), before=60, after=40):
            yield Finding(*found.span("value"), EntityType.BANK_ACCOUNT, CONTEXT, "bank-account-plain")


def find_accounts(reading: Reading) -> Iterator[Finding]:
    """Account numbers and card security codes after their label."""
    if reading.has_digit:
        for rule in (*_ACCOUNTS, _SORT, _IFSC):
            yield from rule.find(reading)
        if "acc" in reading.lower or "a/c" in reading.lower or "bank" in reading.lower:
            yield from _plain_accounts(reading)


_WALLET: Final = re.compile(
    r"(?<![0-9A-Za-z/_=+-])(?:(?P<eth>0x[0-9a-fA-F]{40})|(?P<base58>[13LMDTA][1-9A-HJ-NP-Za-km-z]{25,33})"
    r"|(?P<bech32>(?:bc|tb|ltc)1[02-9ac-hj-np-z]{11,71})|(?P<monero>[48][1-9A-HJ-NP-Za-km-z]{94})"
    r"|(?P<said>(?:addr1[0-9a-z]{50,100}|r[1-9A-HJ-NP-Za-km-z]{24,34}|cosmos1[0-9a-z]{38}|[1-9A-HJ-NP-Za-km-z]{43,44})))(?![0-9A-Za-z/_+-])"
)
_WALLET_WORDS: Final = re.compile(
    r"wallet|solana|(?<![a-z])sol(?![a-z])|xrp|ripple|cardano|cosmos|crypto|钱包|地址|deposit"
)


def find_wallets(reading: Reading) -> Iterator[Finding]:
    """Addresses of coins: by checksum, by an unmistakable form, or with a word for wallets nearby."""
    if not reading.has_digit:
        return
    for found in _WALLET.finditer(reading.text):
        kind = found.lastgroup
        good = (
            kind in ("eth", "monero")
            or (kind == "base58" and checksums.base58check(found[0]))
            or (kind == "bech32" and checksums.bech32(found[0]))
        )
        if good:
            yield Finding(found.start(), found.end(), EntityType.CRYPTO_WALLET, CHECKED, f"wallet-{kind}")
        elif near(reading, _WALLET_WORDS, found.start(), found.end(), before=32):
            yield Finding(found.start(), found.end(), EntityType.CRYPTO_WALLET, CONTEXT, "wallet-context")
