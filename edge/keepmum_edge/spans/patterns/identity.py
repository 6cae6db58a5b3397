"""National and tax identifiers that their own form or check digit gives away, no label needed."""

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans import checksums
from keepmum_edge.spans.finding import CHECKED, FORMED, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns.labelled import near

_ALONE: Final = r"(?<![0-9A-Za-z])(?<![0-9A-Za-z][-_.])"
_END: Final = r"(?![0-9A-Za-z]|[-_.][0-9A-Za-z])"


class _Form(NamedTuple):
    """An identifier by form.

    Attributes:
        shape: The pattern without what must stand in front of it.
        check: On the compact upper-case value.
        words: A context that must stand nearby, because the check is weak; or None.
        mark: A literal without which the pattern cannot match.
    """

    source: str
    entity_type: EntityType
    pattern: re.Pattern[str]
    shape: str
    check: Callable[[str], bool]
    certainty: int = CHECKED
    words: re.Pattern[str] | None = None
    mark: str = ""


def _ssn(value: str) -> bool:
    area, group, serial = value[:3], value[3:5], value[5:]
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000"


def _itin(value: str) -> bool:
    return value[0] == "9" and checksums.valid("us.itin", value)


def _korean(value: str) -> bool:
    century = 1900 if value[6] in "1256" else 2000
    return checksums.real_date(century + int(value[:2]), int(value[2:4]), int(value[4:6]))


def _swedish(value: str) -> bool:
    short = value[-10:]
    return 1 <= int(short[2:4]) <= 12 and 1 <= int(short[4:6]) <= 31 and checksums.luhn(short)


def _form(source: str, kind: EntityType, pattern: str, check: Callable[[str], bool], **more: object) -> _Form:
    return _Form(source, kind, re.compile(_ALONE + pattern + _END), pattern + _END, check, **more)  # type: ignore[arg-type]


def _scheme(name: str) -> Callable[[str], bool]:
    return lambda value: checksums.valid(name, value)


_ID: Final = EntityType.NATIONAL_ID
_TAX: Final = EntityType.TAX_ID
_FORMS: Final = (
    _form(
        "cn-resident-id", _ID, r"[1-8][0-9]{5} ?[12][0-9]{3} ?[0-9]{4} ?[0-9]{3}[0-9Xx]", checksums.chinese_resident_id
    ),
    _form("us-ssn", _ID, r"[0-8][0-9]{2}-[0-9]{2}-[0-9]{4}", _ssn, certainty=FORMED, mark="-"),
    _form("us-itin", _TAX, r"9[0-9]{2}-[0-9]{2}-[0-9]{4}", _itin, certainty=FORMED, mark="-"),
    _form(
        "gb-nino",
        _ID,
        r"(?!BG|GB|NK|KN|TN|NT"
        r"|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]",
        lambda value: True,
        certainty=FORMED,
    ),
    _form(
        "fr-nir",
        _ID,
        r"[12] ?[0-9]{2} ?(?:0[1-9]|1[0-2]|[2-9][0-9]) ?(?:[0-9]{2}"
        r"|2[AB]) ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}",
        _scheme("fr.nir"),
    ),
    _form(
        "it-codice-fiscale",
        _TAX,
        r"[A-Za-z]{6}[0-9LMNP-Va-v]{2}[A-Ea-eHhLMPR-Tlmpr-t][0-9L-Vl-v]{2}[A-Za-z][0-9L-Vl-v]{3}[A-Za-z]",
        _scheme("it.codicefiscale"),
    ),
    _form("es-dni", _ID, r"[0-9]{8}-?[A-HJ-NP-TV-Z]", _scheme("es.dni")),
    _form("es-nie", _ID, r"[XYZ]-?[0-9]{7}-?[A-Z]", _scheme("es.nie")),
    _form("in-aadhaar", _ID, r"[2-9][0-9]{3}[ -][0-9]{4}[ -][0-9]{4}", _scheme("in_.aadhaar")),
    _form("in-pan", _TAX, r"[A-Z]{3}P[A-Z][0-9]{4}[A-Z]", lambda value: True, certainty=FORMED),
    _form("br-cpf", _TAX, r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}", _scheme("br.cpf"), mark="."),
    _form("br-cnpj", _TAX, r"[0-9]{2}\.[0-9]{3}\.[0-9]{3}/[0-9]{4}-[0-9]{2}", _scheme("br.cnpj"), mark="/"),
    _form("kr-rrn", _ID, r"[0-9]{6}-[1-8][0-9]{6}", _korean, certainty=FORMED, mark="-"),
    _form("se-personnummer", _ID, r"(?:19|20)?[0-9]{6}[-+][0-9]{4}", _swedish),
    _form("ch-ahv", _ID, r"756\.[0-9]{4}\.[0-9]{4}\.[0-9]{2}", _scheme("ch.ssn"), mark="756."),
    _form("fi-hetu", _ID, r"[0-3][0-9][01][0-9]{3}[-+A][0-9]{3}[0-9A-Y]", _scheme("fi.hetu")),
    _form("mx-curp", _ID, r"[A-Z]{4}[0-9]{6}[HMX][A-Z]{5}[0-9A-Z][0-9]", _scheme("mx.curp")),
    _form(
        "cn-credit-code",
        _TAX,
        r"[159Yy][1239][0-9]{6}[0-9A-HJ-NP-RT-UW-Ya-hj-np-rt-uw-y]{10}",
        checksums.chinese_credit_code,
    ),
    _form("hk-id", _ID, r"[A-Z]{1,2}[0-9]{6}\([0-9A]\)", checksums.hong_kong_id, mark="("),
    _form(
        "tw-id",
        _ID,
        r"[A-Z][1289][0-9]{8}",
        checksums.taiwan_id,
        words=re.compile(r"身份|身分|台湾|台灣|taiwan|证|證|居留|(?<![a-z])id(?![a-z])|national"),
    ),
    _form("nl-bsn", _ID, r"[0-9]{9}", _scheme("nl.bsn"), words=re.compile(r"bsn|burgerservice|sofi")),
    _form("pl-pesel", _ID, r"[0-9]{11}", _scheme("pl.pesel"), words=re.compile(r"pesel")),
    _form(
        "de-idnr",
        _TAX,
        r"[1-9][0-9] ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}",
        _scheme("de.idnr"),
        words=re.compile(r"steuer|idnr|(?<![a-z])tin(?![a-z])|tax"),
    ),
)


_STARTS: Final = re.compile(f"{_ALONE}(?={'|'.join(form.shape for form in _FORMS)})")
"""Where some form begins: one pass over the text for all of them."""
_ENOUGH_DIGITS: Final = re.compile(r"[0-9](?:[^0-9\n]{0,5}[0-9]){5}")


def _matches(pattern: re.Pattern[str], text: str, starts: list[int]) -> Iterator[re.Match[str]]:
    """Yield what `finditer` would, given where matches can begin."""
    reached = 0
    for start in starts:
        found = pattern.match(text, start) if start >= reached else None
        if found is not None:
            reached = found.end()
            yield found


def find_identifiers(reading: Reading) -> Iterator[Finding]:
    """Identifiers by form, checked."""
    if not reading.has_digit or not _ENOUGH_DIGITS.search(reading.text):
        return
    starts = [found.start() for found in _STARTS.finditer(reading.text)]
    if not starts:
        return
    for form in _FORMS:
        if form.mark not in reading.text or (form.words is not None and not form.words.search(reading.lower)):
            continue
        for found in _matches(form.pattern, reading.text, starts):
            compact = "".join(c for c in found[0] if c.isalnum()).upper()
            start, end = found.span()
            if form.words is not None and not near(reading, form.words, start, end, before=40, after=16):
                continue
            if form.check(compact):
                yield Finding(start, end, form.entity_type, form.certainty, form.source)
