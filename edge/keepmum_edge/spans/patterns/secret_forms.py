"""Can this stretch be a secret of the type that the model gives it? Asked of the model's finds; rules know their forms.

The model sees that a line is about passwords; what it marks may be the variable, the address without credentials, the
region or the identifier beside it. Only what cannot be the secret is refused.
"""

import re
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns.examples import ISSUED, is_example
from keepmum_edge.spans.patterns.headers import end_of_cookies
from keepmum_edge.spans.patterns.secrecy import is_code_in_prose, is_stand_in, is_uuid
from keepmum_edge.spans.patterns.urls import is_url_stand_in

_WRITTEN_OUT: Final = frozenset({EntityType.PASSWORD, EntityType.API_KEY, EntityType.TOKEN})
"""Secrets that code and templates have stand-ins for."""

_MARKS: Final = " \t=:\"'`"
_LEAST: Final = 4
"""Characters of the shortest password that rules and model report."""
_MARKS_BEFORE: Final = re.compile(r"(?<![!-~])[@#$%^&*+~!]{1,4}\Z")
_MARKS_AFTER: Final = re.compile(r"(?P<marks>[@#$%^&*+~!]{1,4})(?![!-~])")
_SIGNED: Final = re.compile(r"(?:%3a|:)[0-9a-z_-]{16}")
_TYPED_IN: Final = frozenset({EntityType.PIN, EntityType.OTP})
_SPACED: Final = re.compile(r"[0-9](?: [0-9]){2}(?![0-9])")
_SPACED_REST: Final = re.compile(r"(?: [0-9]){1,4}(?![0-9A-Za-z.,:/-]?[0-9A-Za-z])")
_DATE: Final = re.compile(r"[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}\Z")
_OTHER_NUMBER: Final = re.compile(
    r"(?<![a-z])(?:zip|post(?:al )?code|port|room|page|line|version|build|order|invoice|ticket|flight|gate|bus|route"
    r"|chapter|section|issue|year|population)s?(?: code| number| no\.?)?(?: is|:|#| #)? ?\Z"
    r"|(?:邮编|端口|房间|页码|行号|版本|订单号?|工单号?|航班)(?:是|为|：|:)? ?\Z"
)
"""What a number is that nobody would call a code to get in with."""
_REGION: Final = re.compile(
    r"(?:us|eu|ap|ca|sa|me|af|cn|il)-(?:gov-)?(?:north|south|east|west|central)[a-z]{0,5}-[0-9]\Z"
)
_LINK: Final = re.compile(r"(?i:https?(?:://|%3a%2f%2f))[^\s:@]*\Z")
"""An address that nobody logs in with."""
_STARS_BEFORE: Final = re.compile(r"[*•]{3,12}[-_.]?\Z")
_STARS_AFTER: Final = re.compile(r"[-_.]?[*•]{3,12}")
"""What is left of a value that somebody masked already."""
_NAMED_RESOURCE: Final = re.compile(r"(?:/|(?<![a-z])(?:key)?_?id[\"'`]?\s{0,2}[:=]\s{0,2}[\"'`]?)\Z")
_LOGIN: Final = re.compile(r"://[^\s:/@]*:(?P<url>[^\s@]+)@|://(?P<token>[^\s:/@]{16,})@")
_PASSWORD_FIELD: Final = re.compile(
    r"(?i:passw(?:or)?d|pass|pwd|pw|accountkey|sharedaccesskey|sig|secret|token|key)\s{0,2}=\s{0,2}(?P<value>[^\s;&\"']{3,})"
)
_BLANK: Final = re.compile(r"[\s\"'`]")
_AROUND: Final = 300


def can_be_secret(reading: Reading, start: int, end: int, entity_type: EntityType) -> bool:
    """Whether a stretch of a reading may be a secret of this type; True for every type that is no secret."""
    value = reading.text[start:end]
    if entity_type is EntityType.CONNECTION_STRING:
        return _logs_in(reading.text, start, end)
    if entity_type in _TYPED_IN:
        return _DATE.match(value) is None and not _OTHER_NUMBER.search(reading.lower, max(0, start - 24), start)
    if entity_type in ISSUED:
        if is_example(reading, start, end):
            return False
        if is_uuid(value) and _NAMED_RESOURCE.search(reading.lower, max(0, start - 16), start):
            return False
    if entity_type not in _WRITTEN_OUT:
        return True
    if len(value.strip(_MARKS)) < _LEAST or _REGION.match(value) or _LINK.match(value):
        return False
    if _STARS_BEFORE.search(reading.text, max(0, start - 24), start) or _STARS_AFTER.match(reading.text, end):
        return False
    return not is_stand_in(value) and not is_code_in_prose(value)


def whole_secret(reading: Reading, start: int, end: int, entity_type: EntityType) -> tuple[int, int]:
    """Return a stretch that the model found with what belongs to the secret and stands outside of it.

    A password's marks: `7995lazy` of `7995lazy^ ` is not all of it. The other cookies of a row, and the `s` of a signed
    one. The rest of a code that is written digit by digit. A connection string's last semicolon.
    """
    text = reading.text
    if entity_type is EntityType.PASSWORD:
        before = _MARKS_BEFORE.search(text, max(0, start - 8), start)
        after = _MARKS_AFTER.match(text, end)
        return (before.start() if before else start), (after.end("marks") if after else end)
    if entity_type is EntityType.COOKIE:
        signed = _SIGNED.match(reading.lower, start) and reading.lower[start - 1 : start] == "s"
        return (start - 1 if signed else start), end_of_cookies(reading.lower, end)
    if entity_type in _TYPED_IN and (rest := _SPACED_REST.match(text, end)) and _SPACED.match(text, start):
        return start, rest.end()
    if entity_type is EntityType.CONNECTION_STRING and text.startswith(";", end):
        return start, end + 1  # which is not worth a token of its own
    return start, end


def _logs_in(text: str, start: int, end: int) -> bool:
    """Whether the address around a stretch holds a password or key that is no stand-in."""
    while start > 0 and end - start < _AROUND and not _BLANK.match(text, start - 1):
        start -= 1
    while end < len(text) and end - start < _AROUND and not _BLANK.match(text, end):
        end += 1
    address = text[start:end]
    logins = (login["url"] or login["token"] for login in _LOGIN.finditer(address))
    fields = (field["value"] for field in _PASSWORD_FIELD.finditer(address))
    return not all(map(is_url_stand_in, logins)) or not all(map(is_stand_in, fields))
