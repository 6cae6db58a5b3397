"""Dates of birth: a date counts only with a word for birth right before or right after it."""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CONTEXT, Finding
from keepmum_edge.spans.normalise import Reading

_MONTH: Final = (
    r"(?:jan(?:uary|uar|vier|v)?|feb(?:ruary|ruar)?|févr(?:ier)?|mar(?:ch|s|zo)?|märz|apr(?:il)?|avril|abril|may|mai|mayo|jun[ei]?"
    r"|juin|junio|jul[yi]?|juillet|julio|aug(?:ust)?|août|agosto|sept?(?:ember|embre|iembre)?|o[ck]t(?:ober|obre|ubre)?"
    r"|nov(?:ember|embre|iembre)?|de[cz](?:ember|embre|iembre)?|déc(?:embre)?|enero|febrero)\.?"
)
_DAY: Final = r"(?:3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th)?"
_YEAR: Final = r"(?:19|20)[0-9]{2}"
_CJK_NUMBER: Final = r"[0-9一二三四五六七八九十廿]{1,3}"
_DATE: Final = (
    rf"(?:(?:18|19|20)[0-9]{{2}} ?[-/. ] ?[01]?[0-9] ?[-/. ] ?[0-3]?[0-9]"
    rf"|[0-3]?[0-9] ?[-/.] ?[0-3]?[0-9] ?[-/.] ?(?:{_YEAR}|[0-9]{{2}})"
    rf"|{_DAY}(?: of)? {_MONTH}(?:,? (?:de |del )?{_YEAR})?|{_MONTH} {_DAY}(?:,? {_YEAR})?"
    rf"|{_DAY}-{_MONTH}-{_YEAR}|{_MONTH},? {_YEAR}"
    rf"|(?:{_YEAR}|[0-9]{{2}}) ?[年년] ?{_CJK_NUMBER} ?[月월] ?{_CJK_NUMBER} ?[日号號일]?"
    rf"|农?历?{_CJK_NUMBER}月{_CJK_NUMBER}[日号號]?"
    rf"|(?:18|19|20)[0-9]{{2}}[01][0-9][0-3][0-9])(?![0-9])"
)
_LABEL: Final = (
    r"(?:(?<![a-z])(?:d\.?o\.?b\.?|date[ _-]?of[ _-]?birth|birth[ _-]?da(?:te|y)|b-?day|born|birthdate"
    r"|geburtsdatum|geboren|geb\.?"
    r"|date de naissance|née?|nacid[oa]|fecha de nacimiento|data de nascimento|nascid[oa]|nat[oa] il)(?![a-z])"
    r"|dateofbirth|出生日期|出生年月日?|出生于|出生|生日|(?<![发產产])生于|诞生|生年月日|생년월일|誕生日)"
)
_GAP: Final = (
    r"[\"'`\])*]{0,3}[ \t]{0,3}(?:\([a-z/ .-]{0,16}\)[ \t]{0,2})?"
    r"(?:(?:is|was|on|the|in|le|el|am|den|at|:|=|-|是|为|在|于|\||,)[ \t]{0,3}){0,4}[\"'`*]{0,2}[ \t]{0,2}"
)
_BEFORE: Final = re.compile(f"{_LABEL}{_GAP}({_DATE})")
_AFTER: Final = re.compile(
    rf"(?<![0-9])({_DATE})[ ]?(?:出生|生(?![0-9a-z一-鿿])|诞生|是我的?生日"
    rf"|,? (?:is|was) (?:my|his|her|their) (?:birthday"
    rf"|date of birth|dob))"
)
_HINTS: Final = (
    "dob", "d.o.b", "birth", "bday", "b-day", "born", "geb", "naissance", "né",
    "nacid", "nacimiento", "nasc", "nato", "nata",
    "生", "생년",
)  # fmt: skip


def find_births(reading: Reading) -> Iterator[Finding]:
    """Dates that are said to be somebody's birth."""
    if not any(hint in reading.lower for hint in _HINTS):
        return
    for pattern in (_BEFORE, _AFTER):
        for found in pattern.finditer(reading.lower):
            yield Finding(found.start(1), found.end(1), EntityType.DATE_OF_BIRTH, CONTEXT, "date-of-birth")
