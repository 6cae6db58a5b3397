"""Session identifiers in logs, addresses, code and prose: `PHPSESSID=X`, `session=X`, `sid: X`, `会话ID：X`.

A framework's own cookie name is enough. `session` and `sid` are also words, so their value must look random.
"""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import FORMED, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns import secrecy
from keepmum_edge.spans.patterns.labelled import near

_HINTS: Final = ("sess", "sid", "csrftoken", "wordpress_", "bduss", "bili_jct", "__secure-", "__host-", "会话", "會話")
_NAME: Final = re.compile(
    r"(?<![a-z0-9])(?P<cookie>phpsessid|jsessionid|aspsessionid[a-z]{0,8}|asp\.net_sessionid|cfsessionid|connect\.sid"
    r"|_[a-z]{2,20}_session|sessionid|laravel_session|csrftoken|wordpress_(?:logged_in|sec)_[0-9a-f]{8,40}|sessdata|bili_jct|bduss|__secure-[\w-]{2,30}"
    r"|__host-[\w-]{2,30})"
    r"|(?<![a-z0-9])(?P<word>(?:sess(?:ion)?|sid)(?:[ _.-]?(?:id|key|token|cookie))?(?![a-z0-9]))"
    r"|(?P<said>(?:会话|會話)(?:id|标识|標識|编号|密钥|令牌)?)"
)
_SEPARATOR: Final = re.compile(
    r"[\"'`]?\s{0,2}(?:=|:|%3d|->|(?<=\s)(?:is|was|to)(?=\s)|是|为|為)\s{0,2}[\"'`]?|(?P<loose>[ \t]|(?=[0-9a-z]{16}))"
)
_VALUE: Final = re.compile(r"[^\s;,?\"'`&<>()\[\]{}，。；、]{8,4000}")
_COOKIE: Final = re.compile(r"cookie")
_ENOUGH: Final = 400
"""Characters that decide: a value may hold as many names as a text has, each with the rest of it for its value."""


def find_sessions(reading: Reading) -> Iterator[Finding]:
    """The identifier alone: a COOKIE after a cookie's name or near the word, else a TOKEN."""
    lower = reading.lower
    if not any(map(lower.__contains__, _HINTS)):
        return
    for name in _NAME.finditer(lower):
        separator = _SEPARATOR.match(lower, name.end())
        value = _VALUE.match(reading.text, separator.end()) if separator else None
        if separator is None or value is None:
            continue
        start, end = value.start(), value.start() + len(value[0].rstrip(".:!?|\\"))
        if _is_session(reading.text[start : min(end, start + _ENOUGH)], name, loose=separator.lastgroup == "loose"):
            is_cookie = name.lastgroup == "cookie" or near(reading, _COOKIE, start, end, before=60)
            yield Finding(start, end, EntityType.COOKIE if is_cookie else EntityType.TOKEN, FORMED, "session")


def _is_session(value: str, name: re.Match[str], *, loose: bool) -> bool:
    if len(value) < 8 or secrecy.is_stand_in(value) or secrecy.is_code(value):
        return False
    if name.lastgroup == "cookie" and not loose:
        return any(c.isdigit() for c in value) or len(value) >= 16
    if loose:
        return secrecy.is_random(value) and not secrecy.is_uuid(value) and "=" not in value[:-2]
    return secrecy.is_random(value, 12)
