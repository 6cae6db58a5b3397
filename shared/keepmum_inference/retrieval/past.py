"""Whether a question is about what was, so that facts which hold no longer may answer it (pure).

Only words that speak of another time than now count. A past tense alone does not: "what was my address again?" asks for
the one of today. "Used to" tells of the past where somebody used to do something; a hammer is used to drive nails, and
people get used to the cold. "Before" and "之前" look back only where something was: one also packs before one leaves.
"""

import re
from typing import Final

_THINGS: Final = (
    "address|job|name|number|flat|house|home|employer|company|phone|doctor|dentist|preference|favou?rite|car|bike|school"
    "|boss|manager|team|city|town|editor|laptop|hobby|hobbies|diet|schedule|plan|plans|password|email"
)
_WAS: Final = r"(?:did|was|were|had|wasn't|weren't|didn't|hadn't)"
_PEOPLE: Final = r"i|you|we|he|she|they|it|(?:my|our|his|her|their) [\w'-]+"
_ENGLISH: Final = (
    rf"(?:\b(?:{_PEOPLE}|that|what|which|who|there)|>) (?:\w+ly |always |often |never |all )?used to\b",
    rf"\b{_WAS} (?:{_PEOPLE})(?: \w+)? use to\b",
    r"\b(?:formerly|previously|back then|in the past|in those days|at one time|no longer)\b",
    r"(?:\bnot|n't|\bnever|\bstill)\b[^.?!\n]{0,40}\bany ?more\b",
    rf"\b(?:my|our|his|her|their) (?:old|older|former|previous|earlier|original) (?:\w+ )?(?:{_THINGS})\b",
    r"\bmy last (?:address|job|employer|company|boss|car|phone|flat|house)\b",
    rf"\b(?:previous|former|earlier) (?:{_THINGS})s?\b",
    rf"\b{_WAS}\b[^.?!\n]{{0,80}}\b(?:before|earlier|originally|at first|once|years ago|months ago|the last time)\b",
    rf"\b(?:before|earlier|originally|at first)\b[^.?!\n]{{0,40}}\b{_WAS} (?:i|my|we|our)\b",
    rf"\b{_WAS}\b[^.?!\n]{{0,80}}\b(?:in|during|until|back in) (?:19|20)\d\d\b",
    rf"\b(?:in|during|until|back in) (?:19|20)\d\d\b[^.?!\n]{{0,40}}\b{_WAS}\b",
    r"\bhow (?:has|have|did) (?:my|our) [^.?!\n]{1,60}\bchange",
    r"\b(?:did|have) i ever\b",
)
_CHINESE: Final = (
    r"(?<![点日号月周天期])以前|曾经|[我你他她]曾|从前|过去(?!找|看|吧|了|一下|接|拿|坐|玩)|当时|那时|往年|先前|早先|当初",
    r"(?:\d|[一二三四五六七八九十几两])(?:年|个月)前",
    r"(?:我|我们|你|他|她|咱)(?:的\w{0,6})?之前|(?:^|[，,。？?！!\s])之前(?:我|的|住|在|喜欢|用|做|是|那|有)",
    r"原来(?!如此|是这样|这样)(?:的|我|住|喜欢|用|在|叫|是)",
    r"(?:上一|前一)(?:个|份|任|家|台|部|次住)|旧(?:的|地址|号码|工作|手机|公司|房子|密码|邮箱)|老(?:地址|号码|公司|房子|手机)",
    r"不再|已经不|改变了(?:吗|什么|哪些)",
)
_PAST: Final = re.compile("|".join((*_ENGLISH, *_CHINESE)), re.IGNORECASE)


def asks_about_the_past(text: str) -> bool:
    """Say whether a text has words for what was and may be no more, in English or Chinese."""
    return _PAST.search(text.replace("\u2019", "'")) is not None
