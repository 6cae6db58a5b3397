"""HTTP headers that authenticate: Authorization, Bearer, API-key headers, Cookie and Set-Cookie."""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CHECKED, FORMED, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns import secrecy

_AUTHORIZATION: Final = re.compile(
    r"authorization[\"'`]?\s{0,2}[:=,]\s{0,2}[\"'`(]{0,2}(?P<scheme>[a-z][a-z0-9-]{2,20}[ =:]{1,2})?[\"'`]?"
    r"(?P<value>[^\s\"'`<>,;)]{6,4000})"
)
_BEARER: Final = re.compile(r"(?<![a-z])bearer[\"'`]?[ :=]{1,3}[\"'`]?(?P<value>[0-9a-z._~+/=|-]{12,4000})")
_BASIC: Final = re.compile(r"(?<![a-z])basic (?P<value>[0-9a-z+/]{8,400}={0,2})(?![0-9a-z])")
_KEY_HEADER: Final = re.compile(
    r"(?<![a-z])x-[a-z-]{0,24}(?:key|token|secret|auth|signature|password)[a-z-]{0,8}[\"'`]?\s{0,2}[:=,]\s{0,2}[\"'`]?(?P<value>[^\s\"'`<>,;)]{6,2000})"
)


def find_authorization(reading: Reading) -> Iterator[Finding]:
    """The credential alone: the header's name and its scheme word stay."""
    text, lower = reading.text, reading.lower
    if "authorization" in lower:
        for found in _AUTHORIZATION.finditer(lower):
            scheme = (found["scheme"] or "").strip(" =:")
            kind = EntityType.PASSWORD if scheme == "basic" else EntityType.TOKEN
            yield from _report(text, found, kind, "authorization")
    if "bearer" in lower:
        for found in _BEARER.finditer(lower):
            yield from _report(text, found, EntityType.TOKEN, "bearer")
    if "basic " in lower:
        for found in _BASIC.finditer(lower):
            if found["value"].endswith("=") or (any(c.isdigit() for c in found["value"]) and len(found["value"]) >= 12):
                yield from _report(text, found, EntityType.PASSWORD, "basic")
    if "x-" in lower:
        for found in _KEY_HEADER.finditer(lower):
            kind = EntityType.API_KEY if "key" in found[0][: found.start("value") - found.start()] else EntityType.TOKEN
            yield from _report(text, found, kind, "key-header")


def _report(text: str, found: re.Match[str], kind: EntityType, source: str) -> Iterator[Finding]:
    start, end = found.span("value")
    value = text[start:end]
    if secrecy.is_stand_in(value) or secrecy.is_code(value) or len(set(value)) < 4:
        return
    if any(c.isdigit() for c in value) or len(value) >= 20 or value.endswith("="):
        yield Finding(start, end, kind, CHECKED if len(value) >= 16 else FORMED, source)


_COOKIE: Final = re.compile(r"(?<![a-z])(?:set-)?cookie[\"'`]?\s{0,2}[:=]\s{0,2}[\"'`]?(?P<value>[^\n\"'`]{3,4000})")
_PAIR: Final = re.compile(r"(?P<name>[\w.$!%+-]{1,64})=(?P<value>[^;,\s\"']{1,4000})")
_NEXT: Final = re.compile(rf";[ ]?{_PAIR.pattern}")
_ATTRIBUTE: Final = re.compile(r"(?:path|domain|expires|max-age|samesite|priority|version|comment)$")
_LOGGED_IN: Final = re.compile(
    r"sess|sid$|token|auth|csrf|xsrf|jwt|login|user|remember|(?:^|_)id$|secret|key|passport|ticket"
)


def find_cookies(reading: Reading) -> Iterator[Finding]:
    """Values of cookies that log somebody in; names, attributes and settings such as a theme stay."""
    lower = reading.lower
    if "cookie" in lower:
        for header in _COOKIE.finditer(lower):
            for pair in _PAIR.finditer(lower, header.start("value"), header.end("value")):
                if _logs_in(pair):
                    yield Finding(pair.start("value"), pair.end("value"), EntityType.COOKIE, FORMED, "cookie")


def end_of_cookies(lower: str, end: int) -> int:
    """Return where a row of cookies ends of which one ends at `end`: others that log somebody in, behind a `;`."""
    while (following := _NEXT.match(lower, end)) and _logs_in(following):
        end = following.end()
    return end


def _logs_in(pair: re.Match[str]) -> bool:
    name, value = pair["name"], pair["value"]
    speaks = _LOGGED_IN.search(name) or (len(value) >= 12 and any(c.isdigit() for c in value))
    return not _ATTRIBUTE.match(name) and bool(speaks) and len(value) >= 4 and not secrecy.is_stand_in(value)
