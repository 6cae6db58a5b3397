"""E-mail addresses (also internationalised, percent-encoded and spelled out), profile pages, names on services."""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CHECKED, FORMED, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns.labelled import Labelled

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


_PROFILES: Final = re.compile(
    r"(?:https?://)?(?:[a-z]{2,3}\.)?(?:"
    r"linkedin\.com/in/[\w%-]{3,100}|facebook\.com/(?:profile\.php\?id=[0-9]{5,20}|people/[\w%.-]{2,60}/[0-9]{5,20})"
    r"|instagram\.com/(?!p/|reel|explore|stories)[\w.]{3,30}|tiktok\.com/@[\w.]{2,30}|t\.me/(?!s/|joinchat)[a-z][\w]{4,31}"
    r"|weibo\.com/(?:u/)?[0-9]{8,12}|zhihu\.com/people/[\w%-]{2,60}|douban\.com/people/[\w-]{2,40}"
    r"|space\.bilibili\.com/[0-9]{3,12}|github\.com/users/[\w-]{1,39}|medium\.com/@[\w.-]{2,40}"
    r"|reddit\.com/u(?:ser)?/[\w-]{3,20}|keybase\.io/[\w]{2,20}|orcid\.org/[0-9x-]{19})/?"
)
_PROFILE_HINTS: Final = (
    "linkedin.", "facebook.", "instagram.", "tiktok.", "t.me/", "weibo.", "zhihu.", "douban.", "bilibili.",
    "github.com/users", "medium.com/@", "reddit.com/u", "keybase.", "orcid.",
)  # fmt: skip


def find_profiles(reading: Reading) -> Iterator[Finding]:
    """Addresses of one person's page on a service."""
    if "/" in reading.text and any(hint in reading.lower for hint in _PROFILE_HINTS):
        for found in _PROFILES.finditer(reading.lower):
            if found.start() == 0 or not re.match(r"[a-z0-9@]", reading.lower[found.start() - 1]):
                yield Finding(found.start(), found.end(), EntityType.PROFILE_URL, FORMED, "profile-url")


_HANDLE_GAP: Final = (
    r"(?:[ \t]{0,3}(?:handle|username|user name|account|id|name|号|账号|帐号|昵称))?[ \t]{0,3}"
    r"(?:(?:is|was|=|:|是|为)[ \t]{0,3}){1,2}[\"'`]?"
)
_HANDLES: Final = (
    Labelled(
        EntityType.USERNAME,
        "handle",
        (
            "twitter|instagram|insta|telegram|github|discord|reddit|skype|snapchat|tiktok|mastodon|"
            "handle|steam|line id|kakaotalk|signal|twitch|bluesky"
        ),
        r"(@?[A-Za-z0-9_][\w.#-]{2,31}(?:@[\w.-]{3,40})?)(?<![.,])",
        accept=lambda value: value[0] == "@" or any(c in "0123456789_#." for c in value),
        gap=_HANDLE_GAP,
    ),
    Labelled(
        EntityType.USERNAME,
        "username",
        "my username|my user name|my login|my handle|用户名|username for me|my screen name",
        r"@?([A-Za-z0-9_][\w.-]{2,31})(?<![.,])",
        gap=r"[ \t]{0,3}(?:(?:is|was|=|:|是|为)[ \t]{0,3}){1,2}[\"'`]?",
        accept=lambda value: value.lower() not in {"root", "admin", "not", "wrong", "the", "required", "taken"},
    ),
    Labelled(
        EntityType.USERNAME,
        "wechat",
        "微信|微信号|wechat|wechat id|wx|v信|vx|威信",
        r"([A-Za-z][A-Za-z0-9_-]{5,19})(?![A-Za-z0-9_-])",
        gap=r"(?:号|id|是|为|:|=|is|[ \t]){1,6}[\"'`]?",
    ),
    Labelled(
        EntityType.USERNAME,
        "qq",
        "qq|扣扣|q号",
        r"([1-9][0-9]{4,10})(?![0-9])",
        gap=r"(?:号码|号|是|为|:|=|is|群|[ \t]){0,6}[\"'`]?",
    ),
)


def find_handles(reading: Reading) -> Iterator[Finding]:
    """Names on services, where the words around say so."""
    for rule in _HANDLES:
        yield from rule.find(reading)
