"""Health of the writer or of somebody near: illnesses, medicines and laboratory values, in sentences that say whose.

A term alone is no secret ("side effects of ibuprofen"). One frame such as "I was diagnosed with" right before a term
makes all terms of its sentence private.
"""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CONTEXT, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns.condition_terms import CHINESE_TERMS, ENGLISH_TERM, is_term

_KIN: Final = (
    r"(?:brother|sister|mother|father|mom|mum|dad|wife|husband|partner|son|daughter|uncle"
    r"|aunt|cousin|girlfriend|boyfriend|friend|boss"
    r"|grandmother|grandfather|grandma|grandpa|nephew|niece|child|kid|baby|toddler|colleague|neighbou?r|roommate)"
)
_WHO: Final = rf"(?:(?:i|we|he|she)|(?:my|our|his|her) (?:[a-z]+ )?{_KIN}(?: [a-z'-]+)?)"
_SOFT: Final = r"(?:[a-z0-9'-]+ ){0,3}?"
_FRAME: Final = re.compile(
    r"(?<![a-z])(?:"
    rf"{_WHO}(?:['’](?:m|ve|s))?(?: also| still| now| recently| just| currently| only)?"
    r"(?: have| has| had| am| is| was| were| been| got| being| take[sn]?| taking| took"
    r"| suffers?| suffered| suffering| lives?| living"
    r"| tested| start(?:ed)?| developed| use[sd]?| need(?:ed)?| survived| beat| inject(?:s"
    r"|ed)?){1,3}(?: also| still| now| recently| just)?"
    r"(?: diagnosed with| diagnosed as| positive for| treated for| prescribed| put on| on"
    r"| with| from| allergic to| hospitali[sz]ed (?:for|with)| taking| had)?"
    r"|(?:i|he|she)['’](?:m|ve|s)(?: been)?(?: had| got)?(?: diagnosed with| prescribed| on| taking| positive for)?"
    r"|(?:diagnosed|prescribed|treated) (?:me|him|her|us)(?: with| for| on)?|start(?:ed"
    r"|s) (?:me|him|her) on|put (?:me|him|her) on"
    r"|gave me|my (?:diagnosis|doctor says it) (?:is|of)|my|for my|manage my"
    rf") (?:an? |the )?(?P<soft>{_SOFT})$"
)
_HINTS: Final = ("i ", "i'", "i’", "my ", " me ", "she ", "he ", "her ", "his ", "our ", "we ")
_NEGLIGIBLE: Final = re.compile(
    r"(?<![a-z])(?:about|question|article|research|paper|book|never|no|not|if|whether|study"
    r"|report|curious|app|project)(?![a-z])"
)
_BREAK: Final = re.compile(r"[.!?](?=\s|$)|\n|[。！？]")
_VALUE: Final = re.compile(
    r"(?: (?:level|count|score|reading|result))?(?: (?:is|was|came back(?: at)?|of|at"
    r"|went up to|dropped to|=)|:)? (?:at |around |about )?"
    r"[0-9]{1,4}(?:[./][0-9]{1,3})? ?(?:%|mmol/l|mg/dl|mmol/mol|ng/ml|mmhg|[a-z]/[a-z])?"
)
_DOSE: Final = re.compile(r",? ?[0-9]{1,4}(?:[.,][0-9]{1,2})? ?(?:mg|mcg|µg|ug|g|ml|iu|units?)(?![a-z])")
_WORD: Final = re.compile(r"[a-z][a-z0-9]+")
_REACH: Final = 70

_CHINESE_FRAME: Final = re.compile(
    "确诊|查出|诊断|患有|患了|患上|得了|得过|检查出|正在吃|在吃|吃着|服用|在用|开了|病史|有|是|的"
)
_CHINESE_OWN: Final = re.compile(
    "(?:我(?!国|市|省|县|区)|妈|爸|爷|奶|老公|老婆|丈夫|妻子|儿子|女儿|弟|妹|哥|姐|外婆|姥|外公|孩子|宝宝|舅|姑|叔|姨"
    "|男友|女友|男朋友|女朋友)+"
)
_CHINESE_ASKED: Final = re.compile("如果|是否|会不会|容易得|预防|科普|论文|文章|研究|项目|介绍")


def find_conditions(reading: Reading) -> Iterator[Finding]:
    """Illnesses, medicines with their dose and laboratory values in sentences about the writer or somebody near."""
    lower = reading.lower
    if any(map(lower.__contains__, _HINTS)) and any(map(is_term, _WORD.findall(lower))):
        yield from _english(lower)
    if not lower.isascii():
        yield from _chinese(lower)


def _english(lower: str) -> Iterator[Finding]:
    for start, end in _sentences(lower):
        terms = [found.span() for found in ENGLISH_TERM.finditer(lower, start, end)]
        if any(_is_framed(lower[max(start, place - _REACH) : place]) for place, _ in terms):
            for place, stop in terms:
                tail = _DOSE.match(lower, stop) or _VALUE.match(lower, stop)
                yield Finding(place, tail.end() if tail else stop, EntityType.HEALTH, CONTEXT, "health-own")


def _is_framed(before: str) -> bool:
    return bool(_FRAME.search(before)) and not _NEGLIGIBLE.search(before)


def _chinese(lower: str) -> Iterator[Finding]:
    first = CHINESE_TERMS.search(lower)
    if first is None:
        return
    for start, end in _sentences(lower):
        terms = [found.span() for found in CHINESE_TERMS.finditer(lower, start, end)]
        if not terms:
            continue
        before = lower[start : terms[0][0]]
        owned = _CHINESE_OWN.search(before)
        framed = _CHINESE_FRAME.search(before, owned.end()) if owned else None
        beside = owned and owned.end() == len(before)
        if owned and (framed or beside) and not _CHINESE_ASKED.search(lower, start, end):
            for place, stop in terms:
                yield Finding(place, stop, EntityType.HEALTH, CONTEXT, "health-own")


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for mark in _BREAK.finditer(text):
        yield start, mark.start()
        start = mark.end()
    yield start, len(text)
