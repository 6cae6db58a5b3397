"""Telephone numbers: a quick pattern proposes, the form or `phonenumbers` decides.

Numbers that need no context: E.164 and `+` forms, Chinese mobiles, Chinese landlines with their separators, North
American 3-3-4 groups, and grouped national numbers that are valid in one of the common regions. Bare digit runs
need a word that says telephone.
"""

import re
from collections.abc import Iterator
from typing import Final

import phonenumbers
from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CHECKED, CONTEXT, FORMED, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns.labelled import near

_CANDIDATE: Final = re.compile(
    r"(?<![0-9A-Za-z_])(?<![0-9A-Za-z][-_.])(?<!\$)(?:\+ ?|\+?\()?[0-9](?:[ .\-/()\u00b7]{0,3}[0-9]){5,16}(?![0-9])"
)
_CHINA_MOBILE: Final = re.compile(r"(?:(?:\+|00)?86[ -]?)?1[3-9][0-9][ -]?[0-9]{4}[ -]?[0-9]{4}")
_CHINA_LANDLINE: Final = re.compile(
    r"(?:(?:\+|00)?86[ -]?)?\(?0[1-9][0-9]{1,2}(?:(?:-|\) ?)[1-9][0-9]{2,3}[ -]?[0-9]{4}(?:-[0-9]{1,5})?"
    r"|(?<=0[1-9][0-9]) [1-9][0-9]{3} ?[0-9]{4})"
)
_NORTH_AMERICA: Final = re.compile(r"(?:\+?1[ .-]?)?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}([ .-]))[0-9]{3}[ .-][0-9]{4}")
_DATE: Final = re.compile(
    r"(?:19|20)[0-9]{2}([-/. ]?)(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12][0-9]|3[01])(?:[ -]?[0-9]{0,6})?$"
    r"|[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:[0-9]{4}|[0-9]{2})(?: [0-9]{1,2})?$"
    r"|[0-9]{4} ?[-–] ?[0-9]{4}$|[0-9]{4} [0-9]{4} [0-9]{4}$"
)
_FLOAT: Final = re.compile(r"[0-9]+\.[0-9]+$|(?:[0-9]{1,3}\.){3}[0-9]{1,3}$|[0-9]{1,3}(?: [0-9]{3})+$")
PHONE_WORDS: Final = re.compile(
    r"(?<![a-z])(?:phone|telephone|tele?\.?|tel|mobile|cell|cellphone|handy|call|calls|called|calling|ring"
    r"|dial|text (?:me|him|her|us|them)(?: at| on)?|sms|whatsapp|fax"
    r"|reach|contact|ph|mob|mobil|telefon|telefono|teléfono|celular|móvil|ligar|rufnummer|numéro|hotline|"
    r"landline|extension|handphone|number to reach|wa)(?![a-z])"
    r"|phone|mobile|电话|電話|手机|手機|联系方式|联络|致电|来电|拨打|打给|座机|热线|携帯|传真|전화|휴대폰|연락처|短信|换号|新号|打"
)
_BAN: Final = re.compile(
    r"(?<![a-z])(?:order|invoice|ticket|tracking|isbn|issn|doi|sku|part|case|ref|reference|serial|model|job|build|version|id|ids"
    r"|ssn|iban|card|account|acct|vat|cpf|cnpj|nhs|utr|aadhaar|pesel|bsn|tfn|sin|siren|siret|timestamp|epoch|imei)(?![a-z])"
    r"[^\n]{0,12}$|订单|单号|流水|编号|卡号|尾号|运单|税号|账号|帐号|帳號|帳戶|身份证"
)
_BEHIND: Final = re.compile(
    r"[\"'`)]{0,2}[ ,]{0,2}(?:is|was|are)? ?(?:my|his|her|their|our) (?:[a-z]{2,9} ){0,2}"
    r"(?:number|phone|mobile|cell|landline)(?![a-z])"
    r"|,? (?:es mi (?:móvil|movil|teléfono|número|celular)|è il mio (?:cellulare|numero)|ist meine? (?:handy)?nummer"
    r"|est mon (?:numéro|portable|téléphone)|é (?:o )?meu (?:celular|número|telefone))"
    r"|[ ,(]{0,3}(?:is mine, )?(?:on |via )?(?:whatsapp|mobile|cell)(?![a-z])"
    r"|[ ，,]{0,2}(?:是|为)?[我你他她]?的?(?:手机|手機|电话|電話|号码|號碼|微信同号)"
)
_MOBILE_GB: Final = re.compile(r"07[1-57-9][0-9]{8}$")
"""Eleven digits that little else begins like; other countries' mobiles without blanks are too short to tell."""
_REGIONS: Final = (
    "GB",
    "DE",
    "FR",
    "JP",
    "KR",
    "BR",
    "IT",
    "ES",
    "AU",
    "IN",
    "NL",
    "CN",
    "TW",
    "CH",
    "AT",
    "SE",
    "PL",
    "MX",
)
_RUNS_ON: Final = re.compile(r"[A-Za-z_]|[-.][A-Za-z]")
_EXTENSION: Final = re.compile(r"[ .]?(?:ext|x)\.?[ ]?[0-9]", re.IGNORECASE)
_GROUPS: Final = re.compile(r"[0-9][ )/-]{1,2}[0-9]")
_TRUNK: Final = re.compile(r"\(?0[1-9]|\([1-9]")


def find_phones(reading: Reading) -> Iterator[Finding]:
    """Telephone numbers of people and of places, without the words around them."""
    if not reading.has_digit:
        return
    place = 0
    while found := _CANDIDATE.search(reading.text, place):
        place = _end_of_first(found[0]) + found.start()
        for finding in _decide(reading, found.start(), place):
            place = finding.end  # right behind one number may stand the next
            yield finding


def _end_of_first(value: str) -> int:
    """Where the first of two numbers with a slash between them ends; `030/1234567` is one."""
    for slash in re.finditer(r"[ ]?/", value):
        if min(sum(map(str.isdigit, part)) for part in (value[: slash.start()], value[slash.end() :])) >= 6:
            return slash.start()
    return len(value)


def _decide(reading: Reading, start: int, end: int) -> Iterator[Finding]:
    text = reading.text
    value = text[start:end]
    digits = sum(c.isdigit() for c in value)
    if value[0] == "(" and ")" not in value:
        start, value = start + 1, value[1:]
    if _RUNS_ON.match(text, end) and not _EXTENSION.match(text, end):
        return
    for pattern, source in ((_CHINA_MOBILE, "phone-cn"), (_CHINA_LANDLINE, "phone-cn"), (_NORTH_AMERICA, "phone-nanp")):
        whole = pattern.fullmatch(value) or (pattern.match(value) if " " in value or "/" in value else None)
        if whole and not re.match(r"[0-9]|[-.][0-9]", value[whole.end() :]) and not _is_banned(reading, start):
            yield Finding(start, start + whole.end(), EntityType.PHONE, FORMED, source)
            return
    if value.startswith("+") and 8 <= digits <= 15:
        if _possible(value):
            yield Finding(start, end, EntityType.PHONE, CHECKED, "phone-e164")
        return
    if (
        value.startswith("00")
        and 11 <= digits <= 16
        and _valid("+" + value[2:], None)
        and not _is_banned(reading, start)
    ):
        yield Finding(start, end, EntityType.PHONE, FORMED, "phone-e164")
        return
    if (
        _DATE.match(value)
        or not 7 <= digits <= 15
        or (digits < 9 and _FLOAT.match(value))
        or _is_banned(reading, start)
    ):
        return
    said_behind = digits >= 9 and _BEHIND.match(reading.lower, end)
    if said_behind or near(reading, PHONE_WORDS, start, end, before=24):
        yield Finding(start, end, EntityType.PHONE, CONTEXT, "phone-context")
    elif _MOBILE_GB.match(value):
        yield Finding(start, end, EntityType.PHONE, FORMED, "phone-gb")
    elif 9 <= digits <= 13 and _TRUNK.match(value) and _GROUPS.search(value) and _valid_somewhere(value):
        yield Finding(start, end, EntityType.PHONE, FORMED, "phone-national")


def _is_banned(reading: Reading, start: int) -> bool:
    before = reading.lower[max(0, start - 24) : start]
    banned = _BAN.search(before)
    return banned is not None and not PHONE_WORDS.search(before, banned.start())


def _valid_somewhere(value: str) -> bool:
    return any(_valid(value, region) for region in _REGIONS)


def _possible(value: str) -> bool:
    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(value, None))
    except phonenumbers.NumberParseException:
        return False


def _valid(value: str, region: str | None) -> bool:
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(value, region))
    except phonenumbers.NumberParseException:
        return False


def warm() -> None:
    """Load the metadata of the regions, so that the first message is not slow."""
    for region in ("US", *_REGIONS):
        _valid("0123456789", region)
