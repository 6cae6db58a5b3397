"""Is this issued key, token or cookie an example? Asked of what only its form gives away, by rules and model alike.

A value is an example if it says so (`EXAMPLE`, `dummy`), if nobody's generator would draw it (it counts, repeats
itself, has two characters), if it is prose in base64, or if it is the token of every introduction to JWT. It is spared
only where nothing puts it to use: under a name (`API_KEY=`), in a header or an address, or where the words before it
speak of a key or of the writer, it is masked whatever it looks like. A drawn value of 100 characters of base62 passes
for an example with a chance of 10^-5 at most.
"""

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import Finding
from keepmum_edge.spans.normalise import Reading

ISSUED: Final = frozenset({EntityType.API_KEY, EntityType.TOKEN, EntityType.COOKIE, EntityType.PRIVATE_KEY})
"""Types whose values a machine draws; what people choose may well be the word `example`."""

_CONFIRMING: Final = ISSUED | {EntityType.PASSWORD}

BY_FORM: Final = frozenset({"provider-key", "provider-key-pair", "jwt"})
"""Sources of finds that no word around them confirms."""

_SAYS_SO: Final = re.compile(
    r"example|sample|sampling|placeholder"
    r"|dummy|not-?_?a-?_?real|notreal|test-?_?only|only-?_?testing|fake-?_?(?:key|token|secret)|(?<![0-9a-z])fake(?![0-9a-z])"
)
_LEAST: Final = 16
"""Characters under which a value is too short to tell."""
_MOST: Final = 400
"""Characters that decide; a longer value is judged by its beginning."""
_SEGMENT: Final = re.compile(r"[0-9A-Za-z]+")
_WORD_CHARACTER: Final = re.compile(r"[0-9A-Za-z_]")
_LONGEST_PERIOD: Final = 8
_LONG_RUN: Final = 7
_SHORT_RUN: Final = 5
_DIGITS_ONLY: Final = re.compile(r"[A-Za-z]{2,8}_[0-9]{20,}$")
_PROSE: Final = re.compile(r"(?<![a-z])(?:the|are|is|this|you|for|not|and|of|to)(?![a-z])")
_BASE64: Final = re.compile(r"[0-9A-Za-z+/_-]{24,}={0,2}$")
_FIRST_JWT: Final = ("John Doe", '"1234567890"')
_IN_USE: Final = re.compile(
    r"(?<![a-z])(?:my|our|mine|use[ds]?|using|try|log(?:in|ged)?|leaked|committed|pasted|live|prod(?:uction)?)(?![a-z])"
    r"|key|token|secret|pass|pwd|salt|hmac|credential|auth|bearer|cookie|session|密|钥|令牌|我|凭证|口令"
)
_OWNED: Final = re.compile(r"[\"'`)]{0,2} ?(?:(?:is|was|are) (?:my|our|the)|是我)")
_BEFORE: Final = 40
_NOT_REAL: Final = re.compile(
    r"(?<![a-z])(?:example|sample|dummy|fake|not a real|placeholder)(?![a-z])|示例|样例|例如|假的"
)


def without_examples(reading: Reading, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Drop the finds that only their form gave away and that are examples in nobody's use."""
    found = list(_without_parts(reading, findings))
    confirmed = bytearray(len(reading.text))
    for finding in found:
        if finding.source not in BY_FORM and finding.entity_type in _CONFIRMING:
            confirmed[finding.start : finding.end] = b"\1" * (finding.end - finding.start)
    for finding in found:
        by_form_alone = finding.source in BY_FORM and not confirmed[finding.start]
        if not by_form_alone or not is_example(reading, finding.start, finding.end):
            yield finding


def _without_parts(reading: Reading, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Drop what begins inside an issued value: the `KEY-` of `SWMKEY-1-...` is no name that is given a value."""
    found = list(findings)
    inside = bytearray(len(reading.text) + 1)
    for finding in found:
        if finding.source in BY_FORM:
            inside[finding.start + 1 : finding.end] = b"\1" * (finding.end - finding.start - 1)
    for finding in found:
        if finding.source in BY_FORM or finding.entity_type not in _CONFIRMING or not inside[finding.start]:
            yield finding


def is_example(reading: Reading, start: int, end: int) -> bool:
    """Whether the issued value around a stretch of a reading is an example, and nothing near puts it to use."""
    text = reading.text
    while start > 0 and end - start < _MOST and _WORD_CHARACTER.match(text, start - 1):
        start -= 1
    while end < len(text) and end - start < _MOST and _WORD_CHARACTER.match(text, end):
        end += 1
    return looks_like_example(text[start:end]) and not _is_in_use(reading.lower, start, end)


def _is_in_use(lower: str, start: int, end: int) -> bool:
    nearest = max(0, start - _BEFORE)
    before = lower[max(nearest, lower.rfind("\n", nearest, start) + 1) : start]
    if before.rstrip(" \"'`")[-1:] == "=":
        return True
    if _NOT_REAL.search(before):
        return False
    return _IN_USE.search(before) is not None or _OWNED.match(lower, end) is not None


def looks_like_example(value: str) -> bool:
    """Whether an issued value says of itself that it is none, or no generator would draw it."""
    if len(value) < _LEAST:
        return False
    value = value[:_MOST]
    return (
        _SAYS_SO.search(value.lower()) is not None
        or _DIGITS_ONLY.match(value) is not None
        or _is_monotonous(value)
        or _counts(value)
        or _is_prose(value)
        or _is_first_jwt(value)
    )


def _is_monotonous(value: str) -> bool:
    """Whether its longest part has two characters or repeats a short motif (chance below 10^-9)."""
    longest = max(_SEGMENT.findall(value), key=len, default="")
    if len(longest) < _LEAST:
        return False
    return len(set(longest)) <= 2 or any(longest[p:] == longest[:-p] for p in range(1, _LONGEST_PERIOD + 1))


def _counts(value: str) -> bool:
    """Whether it holds a run such as `1234567`, or two such as `abcdef` and `12345` (chance below 10^-6).

    Parts of digits alone do not count: accounts have such numbers.
    """
    runs: list[int] = []
    for part in _SEGMENT.findall(value.lower()):
        if part.isdigit():
            continue
        length = 1
        for left, right in zip(part, part[1:] + "\0", strict=True):
            if ord(right) - ord(left) == 1:
                length += 1
                continue
            runs += [length] if length >= _SHORT_RUN else []
            length = 1
    return len(runs) >= 2 or any(run >= _LONG_RUN for run in runs)


def _is_prose(value: str) -> bool:
    """Whether it is base64 of a sentence."""
    if _BASE64.match(value) is None:
        return False
    words = _decoded(value).lower()
    return "".join(words.split()).isprintable() and len(set(_PROSE.findall(words))) >= 2


def _is_first_jwt(value: str) -> bool:
    parts = value.split(".")
    if len(parts) < 2:
        return False
    claims = _decoded(parts[1])
    return all(mark in claims for mark in _FIRST_JWT)


def _decoded(value: str) -> str:
    """Return the ASCII text that base64 or base64url holds, as far as it can be read; empty where it cannot."""
    body = value.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(body[: len(body) // 4 * 4]).decode("ascii")
    except (binascii.Error, UnicodeDecodeError):
        return ""
