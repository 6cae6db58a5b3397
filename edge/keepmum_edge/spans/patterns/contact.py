"""E-mail addresses (also internationalised, percent-encoded and spelled out)."""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CHECKED, FORMED, Finding
from keepmum_edge.spans.normalise import Reading

# Letters of scripts that put blanks between words; Chinese, Japanese and Korean text runs on into what follows.
_LETTER: Final = r"0-9A-Za-z\u00aa-\u02ff\u0300-\u1fff\ua640-\uabff"
_CJK: Final = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_LOCAL_EDGE: Final = re.compile(rf"[{_LETTER}_+%]")
_LOCAL: Final = re.compile(rf"[{_LETTER}_.+%'&~-]")
_LABEL: Final = rf"[{_LETTER}](?:[{_LETTER}_-]{{0,61}}[{_LETTER}])?"
_TOP: Final = rf"(?:xn--[0-9A-Za-z-]{{2,59}}|(?![0-9])(?:(?![0-9_])[{_LETTER}]){{2,24}})"
_DOMAIN: Final = re.compile(rf"(?:{_LABEL}\.){{1,8}}{_TOP}(?![{_LETTER}_])")
_CJK_DOMAIN: Final = re.compile(
    rf"[{_CJK}0-9A-Za-z-]{{1,40}}\.(?:[A-Za-z]{{2,12}}|中国|中國|公司|网络|网址|在线|香港|台湾|みんな|한국)(?![{_LETTER}])"
)
_FILES: Final = frozenset(
    [
        "png",
        "jpg",
        "jpeg",
        "gif",
        "webp",
        "svg",
        "css",
        "js",
        "mjs",
        "ts",
        "tsx",
        "jsx",
        "html",
        "htm",
        "xml",
        "json",
        "txt",
        "pdf",
        "yml",
        "yaml",
    ]
)
_TRANSPORT_USERS: Final = frozenset({"git", "hg", "svn"})
_SPOKEN_TOP: Final = r"(?:com|net|org|edu|gov|io|co|uk|de|cn|fr|it|es|me|info|app|dev|ai|us|ca|in|jp)(?![a-z])"
_SPELLED: Final = re.compile(
    rf"(?<![{_LETTER}])[a-z0-9][a-z0-9._+-]{{0,40}}(?:"
    r" ?[\[({] ?at ?[\])}] ?[a-z0-9-]{1,40}(?: ?(?:[\[({] ?dot ?[\])}]|\.) ?[a-z0-9-]{2,20}){1,4}"
    rf"|(?: at |@)[a-z0-9-]{{2,40}}(?: dot [a-z0-9-]{{2,20}}){{0,2}} dot {_SPOKEN_TOP})"
)
_ENCODED: Final = re.compile(
    r"(?<![0-9A-Za-z])[0-9A-Za-z][0-9A-Za-z._+-]{0,62}%40(?:[0-9A-Za-z-]{1,40}\.){1,4}[A-Za-z]{2,12}(?![0-9A-Za-z])"
)


def find_emails(reading: Reading) -> Iterator[Finding]:
    """Mail addresses. Not: `git@host`, package versions, the user part of a URL with a password."""
    text = reading.text
    at = text.find("@")
    while at >= 0:
        found = _email_around(text, at)
        if found is not None:
            yield Finding(*found, EntityType.EMAIL, CHECKED, "email")
        at = text.find("@", at + 1)
    lower = reading.lower
    if "%40" in lower:
        for encoded in _ENCODED.finditer(text):
            if not _in_authority(text, encoded.start()):
                yield Finding(encoded.start(), encoded.end(), EntityType.EMAIL, FORMED, "email-encoded")
    if "dot" in lower or "at]" in lower or "at)" in lower:
        for spelled in _SPELLED.finditer(lower):
            yield Finding(spelled.start(), spelled.end(), EntityType.EMAIL, FORMED, "email-spelled")


def _email_around(text: str, at: int) -> tuple[int, int] | None:
    domain = _DOMAIN.match(text, at + 1) or _CJK_DOMAIN.match(text, at + 1)
    if domain is None:
        return None
    start = at
    while start > max(0, at - 64) and _LOCAL.match(text[start - 1]):
        start -= 1
    while start < at and not _LOCAL_EDGE.match(text[start]):
        start += 1
    local = text[start:at]
    if not local or local.lower() in _TRANSPORT_USERS or _in_authority(text, start):
        return None
    if domain[0].rpartition(".")[2].lower() in _FILES:
        return None
    return start, domain.end()


def _in_authority(text: str, start: int) -> bool:
    """Whether a URL's `scheme://user:` stands right before, with no slash, blank or quote after the scheme."""
    window = text[max(0, start - 120) : start]
    scheme = window.rfind("://")
    return scheme >= 0 and not re.search(r"[/\s\"'<>?#]", window[scheme + 3 :])
