"""Private keys: PEM and PGP blocks, whole or cut off, on many lines or on one; PuTTY files; WireGuard."""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CHECKED, FORMED, Finding
from keepmum_edge.spans.normalise import Reading

_BEGIN: Final = re.compile(r"-{3,5} ?begin [a-z0-9 ]{0,30}private key(?: block)? ?-{3,5}")
_END: Final = re.compile(r"-{3,5} ?end [a-z0-9 ]{0,30}private key(?: block)? ?-{3,5}")
_LONGEST: Final = 40_000
# What stands on a line of a block that has no end: base64, headers, quotes and escapes around them.
_BODY_LINE: Final = re.compile(
    r"[ \t>|#*+\"'`,\\nr]{0,20}(?:[A-Za-z0-9+/=\\]{8,}|[A-Za-z0-9+/]{1,120}={0,2}|(?:Proc-Type|DEK-Info"
    r"|Version|Comment|Hash|Charset):[^\n]{0,100})[\"'`,;\\nr)+ \t]{0,10}(?:\r?\n|$)"
    r"|[ \t\"'`]{0,20}\r?\n"
)
_PUTTY: Final = re.compile(r"private-lines: [0-9]{1,3}\r?\n(?:[a-z0-9+/=]{1,80}\r?\n?){1,200}")
_WIREGUARD: Final = re.compile(r"(?<![a-z])(?:private|preshared)key\s{0,2}=\s{0,2}([0-9a-z+/]{42,43}=)")


def find_private_keys(reading: Reading) -> Iterator[Finding]:
    """Blocks from their first dash to their last, or to the end of their base64 where they are cut off."""
    text, lower = reading.text, reading.lower
    if "private key" in lower:
        yield from _blocks(text, lower)
    if "private-lines" in lower:
        for found in _PUTTY.finditer(lower):
            yield Finding(found.start(), found.end(), EntityType.PRIVATE_KEY, CHECKED, "putty-key")
    if "key" in lower and "=" in lower:
        for found in _WIREGUARD.finditer(lower):
            yield Finding(found.start(1), found.end(1), EntityType.PRIVATE_KEY, FORMED, "wireguard-key")


def _blocks(text: str, lower: str) -> Iterator[Finding]:
    begins = list(_BEGIN.finditer(lower))
    ends = iter(_END.finditer(lower))
    end = next(ends, None)
    covered = 0
    for number, begin in enumerate(begins):
        if begin.start() < covered:
            continue
        while end is not None and end.start() < begin.end():
            end = next(ends, None)
        following = begins[number + 1].start() if number + 1 < len(begins) else len(text)
        if end is not None and end.start() < following and end.start() - begin.end() <= _LONGEST:
            covered = end.end()
        else:
            covered = _cut_off(text, begin.end(), following)
        yield Finding(begin.start(), covered, EntityType.PRIVATE_KEY, CHECKED, "private-key")


def _cut_off(text: str, start: int, limit: int) -> int:
    """Where the body of a block without an end stops."""
    place = start
    while place < limit:
        line = _BODY_LINE.match(text, place, limit)
        if line is None or line.end() == place:
            break
        place = line.end()
    rest = re.compile(r"(?:\\[nr]|[A-Za-z0-9+/=]){16,}").match(text, place, limit)
    place = rest.end() if rest else place
    while place > start and text[place - 1].isspace():
        place -= 1
    return place
