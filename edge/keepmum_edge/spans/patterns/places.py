"""Postal addresses whose form leaves no doubt, in the West: number and street, post box, town with state and code."""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import FORMED, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns.labelled import Labelled
from keepmum_edge.spans.patterns.name_forms import LOWER, UPPER

_WORD: Final = rf"[{UPPER}][{LOWER}'’-]{{1,24}}"
_STATE: Final = (
    r"(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA"
    r"|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])"
)
_ZIP: Final = r"[0-9]{5}(?:-[0-9]{4})?(?![0-9])"
_UK: Final = r"[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][A-Z]{2}(?![A-Z0-9])"
_STREET: Final = (
    r"(?:Street|St|Road|Rd|Avenue|Ave|Court|Ct|Lane|Ln|Drive|Dr|Boulevard|Blvd|Terrace"
    r"|Crescent|Close|Way|Place|Pl|Highway|Hwy|Parkway|Pkwy"
    r"|Circle|Cir|Square|Sq|Grove|Gardens|Mews|Trail|Row|Alley|Loop|Quay|Hill|Walk)"
)
_UNIT: Final = (
    r"(?:,? {1,2}(?:Apt|Apartment|Unit|Suite|Ste|Flat|Floor|Room"
    r"|Rm)\.? ?#?[0-9A-Za-z]{1,6}(?:-[0-9A-Za-z]{1,4})?|,? #[0-9A-Za-z]{1,6})"
)
_TOWN: Final = rf"{_WORD}(?: {_WORD}){{0,2}}"
_TAIL: Final = (
    rf"(?:{_UNIT})?(?:,?\s{{1,2}}{_TOWN},?\s{{1,2}}(?:{_STATE}(?:,?\s{{1,2}}{_ZIP})?(?![A-Za-z])|{_UK})"
    rf"|,? {_UK}|, {_ZIP} {_TOWN}|, (?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day){_WORD}(?: {_WORD})?(?=[.,;\n]|$))?"
)
_LINE: Final = re.compile(
    rf"(?<![0-9A-Za-z.,$€£#/-])([0-9]{{1,5}}[A-Za-z]?(?:-[0-9]{{1,4}})? (?:[NSEW]{{1,2}}\.? )?"
    rf"((?:(?:{_WORD}|[0-9]{{1,3}}(?:st|nd|rd|th)) ){{1,4}}?){_STREET}(?![{UPPER}{LOWER}0-9])\.?)({_TAIL})"
)
_NO_STREET: Final = frozenset(
    [
        "google",
        "hard",
        "flash",
        "disk",
        "usb",
        "test",
        "cloud",
        "thumb",
        "one",
        "supreme",
        "district",
        "high",
        "federal",
        "food",
        "tennis",
        "times",
        "wall",
        "first",
        "second",
        "third",
        "easy",
        "long",
        "only",
        "milky",
        "best",
        "same",
        "dead",
        "dr",
        "mr",
        "st",
        "top",
        "million",
        "years",
        "people",
        "days",
        "hours",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ]
)
_GERMAN: Final = re.compile(
    rf"(?<![{UPPER}{LOWER}])(?:[{UPPER}][{LOWER}-]{{2,30}}(?:stra(?:ß|ss)e|str\.|gasse|allee"
    rf"|weg|platz|damm|ufer|straat|laan|gracht)"
    rf"|[{UPPER}][{LOWER}]{{2,20}}[- ](?:Stra(?:ß|ss)e|Str\.|Platz|Allee|Weg)) [0-9]{{1,4}} ?[a-z]?(?![0-9{LOWER}])"
    rf"(?:, ?(?:D-)?[0-9]{{4,5}} {_TOWN})?"
)
_FRENCH: Final = re.compile(
    rf"(?<![0-9A-Za-z.,])[0-9]{{1,4}}(?: ?bis| ?ter)?,? (?:rue|avenue|av\.|boulevard|bd"
    rf"|place|chemin|impasse|allée|quai)"
    rf"(?: (?:de|du|des|la|le|les)| (?:de )?l['’]| d['’]){{0,2}} ?{_WORD}(?:[ -](?:(?:de|du"
    rf"|des|la|le) ?)?{_WORD}){{0,3}}"
    rf"(?:, ?[0-9]{{5}} {_TOWN})?"
)
_SPANISH: Final = re.compile(
    rf"(?<![A-Za-z])(?:Calle|Avenida|Avda\.|C/|Plaza|Paseo|Via|Viale|Piazza|Rua)(?: (?:de"
    rf"|del|la|los|las|da|do|dos)){{0,2}} ?{_WORD}"
    rf"(?: {_WORD}){{0,2}},? (?:n[º°.] ?)?[0-9]{{1,4}}(?![0-9])(?:, ?[0-9]{{5}} {_TOWN})?"
)
_BOX: Final = re.compile(rf"(?<![A-Za-z])P\.? ?O\.? ?Box [0-9]{{1,6}}(?:,? {_TOWN},? {_STATE} {_ZIP})?")
_MILITARY: Final = re.compile(
    rf"(?:PSC|Unit" rf"|CMR) [0-9]{{3,5}},? Box [0-9]{{1,5}},?\s{{1,2}}[ADF]P[OP],? [A-Z]{{2}} {_ZIP}"
)
_TOLD: Final = re.compile(
    r"(?:[Aa]ddress(?: has changed to| is| to|:)|(?:[Ii]|[Ww]e)(?:['’]m| am|['’]ve| have"
    r"| now| currently)? (?:lived?|living|reside) at"
    r"|[Mm]oved to|[Dd]eliver(?:ed)? to|[Ss]hip(?:ped)? (?:it )?to):? "
    rf"([0-9]{{1,5}}[A-Za-z]?,? (?:[0-9]{{1,5}} )?{_WORD}(?:,? (?:{_WORD}"
    rf"|#?[0-9]{{1,5}}[A-Za-z]?|[A-Z]{{2}})(?![{UPPER}{LOWER}0-9])){{1,8}})"
)
_CITY: Final = re.compile(rf"(?<![{UPPER}{LOWER}0-9]){_WORD}(?: {_WORD}){{0,2}}, {_STATE} {_ZIP}")
_POSTCODE: Final = Labelled(
    EntityType.POSTCODE,
    "postcode",
    "zip code|zipcode|postcode|post code|postal code|plz|postleitzahl|code postal"
    "|código postal|邮编|邮政编码|郵遞區號|郵便番号",
    rf"({_UK}|[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]|[0-9]{{3}}-[0-9]{{4}}|[0-9]{{5}}-[0-9]{{4}}"
    rf"|[0-9]{{4,6}})(?![0-9A-Za-z]|-[0-9])",
)
_ZIP_ALONE: Final = Labelled(EntityType.POSTCODE, "postcode", "zip", r"([0-9]{5}(?:-[0-9]{4})?)(?![0-9A-Za-z]|-[0-9])")
"""`ZIP` without `code` is the American word, and has an American number."""


def find_places(reading: Reading) -> Iterator[Finding]:
    """Street lines, post boxes and labelled postcodes. Not: a street without a number, a year before a street."""
    if not reading.has_digit:
        return
    text = reading.text
    for found in _LINE.finditer(text):
        words = found[2].lower().split()
        year = found[1][:2] in {"19", "20"} and found[1][:4].isdigit()
        if not _NO_STREET.intersection(words) and not (year and not found[3]):
            yield Finding(found.start(), found.end(), EntityType.ADDRESS, FORMED, "address-street")
    for hints, pattern in _FORMS:
        if any(map(text.__contains__, hints)):
            for found in pattern.finditer(text):
                start, end = found.span(found.lastindex or 0)
                yield Finding(start, end, EntityType.ADDRESS, FORMED, "address-street")
    yield from _POSTCODE.find(reading)
    yield from _ZIP_ALONE.find(reading)


_TELLING: Final = ("ddress", " at ", "oved to", "eliver", "hip")
_FORMS: Final = (
    (("tra", "str.", "Str.", "asse", "llee", "eg ", "latz", "amm", "ufer", "laan", "gracht"), _GERMAN),
    (("rue", "aven", "av.", "boul", "bd", "place", "chemin", "impasse", "allée", "quai"), _FRENCH),
    (("Calle", "Aven", "Avda", "C/", "Plaza", "Paseo", "Via", "Piazza", "Rua"), _SPANISH),
    (("Box",), _BOX),
    (("Box",), _MILITARY),
    (_TELLING, _TOLD),
    ((", ",), _CITY),
)
