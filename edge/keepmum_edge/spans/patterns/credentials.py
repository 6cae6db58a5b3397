"""A name and its password with a mark between: `root/toor1234`, `user/pass: ops / X`, `账号密码：ops/X`.

Without words around, only a well-known account name with a value that is no version, path, group or date.
"""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CONTEXT, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns import secrecy
from keepmum_edge.spans.patterns.labelled import near

_ACCOUNTS: Final = (
    "root|admin|administrator|sa|pi|ubuntu|debian|centos|postgres|oracle|sysadmin|ec2-user|superuser|sysdba|superadmin"
    "|user|test|guest|demo|deploy|operator|support|manager|service|tomcat|mysql|ftp|vagrant|jenkins|elastic|minioadmin"
)
_TELLING: Final = frozenset(_ACCOUNTS.split("|")[:13])
"""Accounts that need no word for logging in near them."""
_VALUE: Final = r"(?P<value>[!#-&(*-+\--.0-;=?-~]{4,64})"
_PAIR: Final = re.compile(rf"(?<![\w/.@:+=~-])(?P<account>{_ACCOUNTS})(?P<mark> ?[:/|] ?){_VALUE}(?![\w/@])")
_LOGGING_IN: Final = re.compile(
    r"(?<![a-z])(?:log(?:ged|ging|s)?[ -]?(?:in|on)|login|creds?|credentials?|ssh|rdp|vnc|telnet|sign[ -]?in|passwords?"
    r"|passwd|pwd|try|default password)(?![a-z])|登录|登錄|登陆|登入|账号|账户|帐号|帳號|密码|密碼|口令"
    r"|用户名|服务器|后台|数据库"
)
_PLACES: Final = re.compile(
    r"[ \t]?(?:pages?|routes?|endpoints?|folders?|director(?:y|ies)|images?|urls?|links?|views?|screens?)(?![a-z])"
)
_NOT_LOGGING_IN: Final = re.compile(
    r"(?:chown|chgrp|image|docker|pull|push|tag|from|branch|repo|git|folder|path|dir|directory|endpoint|uid|gid|group"
    r"|version|镜像|目录|路径|分支|版本)(?![a-z])[^\n]{0,16}$"
)
_ORDINARY: Final = re.compile(
    r"v?[0-9.:]+$|(?:pages?|users?|file|login|logs?|admin|root|api|app|test|group|usr|home|etc|var|config|bin|v|ver"
    r"|version|release|rev|build|py|python|alpine|node|nginx|php|java|go|mysql|postgres|redis|ubuntu|debian|id|index"
    r"|latest|stable|section|level|role|step|part|tab|view)[-_.]?[0-9][0-9.]*(?:[-_.][a-z0-9]*)?$|[0-9]+[-.]?[a-z]+$"
)
_WORD_AND_NUMBER: Final = re.compile(r"[a-z]{3,}[0-9]{1,2}$")
_LABEL: Final = re.compile(
    r"(?<![a-z])(?:(?:user(?: ?name)?|login|account|id|name|u)(?: ?(?:[/&+,|-]|and) ?)"
    r"(?:pass(?:word|code)?|passwd|pwd|pw|p)"
    r"|creds?|credentials?|login (?:details|info|data)|logins?)(?![a-z])"
    r"|(?:用户名?|使用者|账号|账户|帐号|帳號|登录名)[ /&+,、和及与]{0,3}(?:密码|密碼|口令)|登录信息|登入資訊"
)
_LABEL_HINTS: Final = (
    "/p",
    "& p",
    "+ p",
    "and p",
    "/ p",
    "-p",
    ", p",
    "pass",
    "pw",
    "cred",
    "login",
    "密",
    "口令",
    "登录信息",
    "登入資訊",
)
_LABEL_WORDS: Final = re.compile(
    r"(?:user(?:name)?|login|account|name|id|email|password|pass|pwd|pw|see|in|on|at|for|the|and)$", re.IGNORECASE
)
_LABEL_GAP: Final = re.compile(
    r"[\"'`]?(?: for [\w .-]{1,24}?)?\s?(?:[:=]|(?:is|are|was|were)(?![a-z])|->|分别是|是|为|為|\(|[ \t])[: ]{0,2}"
)
_LABELLED: Final = re.compile(
    rf"[\"'`]?(?P<account>[\w.@+-]{{2,40}})[\"'`]?(?P<mark>\s?[/:|,、]\s?| and |和|[ \t]{{1,3}})[\"'`]?{_VALUE}"
)
_LOGGED_IN_WITH: Final = re.compile(
    rf"(?<![a-z])(?:log(?:ged|ging)?|sign(?:ed|ing)?)[ -]?(?:in|on) (?:with|as|using) [\"'`]?"
    r"(?!(?:google|apple|facebook|github|gitlab|microsoft|twitter|e-?mail|phone|sso|my|your|the|an?) )"
    rf"(?P<account>[\w.@+-]{{2,40}})[\"'`]? (?:and|/|with) [\"'`]?{_VALUE}"
)
_CLOSING: Final = ".,;:?!)]}\"'"


def find_credential_pairs(reading: Reading) -> Iterator[Finding]:
    """The password of a pair; the account's name stays."""
    text, lower = reading.text, reading.lower
    if reading.has_digit and ("/" in text or ":" in text or "|" in text):
        for pair in _PAIR.finditer(lower):
            start, value = pair.start("value"), text[pair.start("value") : pair.end("value")].rstrip(_CLOSING)
            if _is_pair(reading, pair, value):
                yield Finding(start, start + len(value), EntityType.PASSWORD, CONTEXT, "credential-pair")
    if reading.has_digit and (" with " in lower or " as " in lower or " using " in lower):
        for pair in _LOGGED_IN_WITH.finditer(lower):
            start, value = pair.start("value"), text[pair.start("value") : pair.end("value")].rstrip(_CLOSING)
            if _is_numbered(value) and not (_ORDINARY.match(value.lower()) or secrecy.is_mail_address(value)):
                yield Finding(start, start + len(value), EntityType.PASSWORD, CONTEXT, "credential-pair")
    if not any(map(lower.__contains__, _LABEL_HINTS)):
        return
    for label in _LABEL.finditer(lower):
        gap = _LABEL_GAP.match(lower, label.end())
        labelled = _LABELLED.match(text, gap.end()) if gap else None
        if labelled is None:
            continue
        start, value = labelled.start("value"), labelled["value"].rstrip(_CLOSING)
        if _is_labelled(label[0] + gap[0] if gap else "", labelled, value):
            yield Finding(start, start + len(value), EntityType.PASSWORD, CONTEXT, "credential-pair-labelled")


def _is_pair(reading: Reading, pair: re.Match[str], value: str) -> bool:
    lower = value.lower()
    if len(value) < 6 or not secrecy.is_password(value) or "/" in value or value.count(":") > 1:
        return False
    if not any(c.isdigit() for c in value) or not any(c.isalpha() for c in value):
        return False
    if _NOT_LOGGING_IN.search(reading.lower, max(0, pair.start() - 28), pair.start()):
        return False
    if _PLACES.match(reading.lower, pair.start("value") + len(value)):
        return False
    tight, telling = " " not in pair["mark"], pair["account"] in _TELLING
    if near(reading, _LOGGING_IN, pair.start(), pair.end(), before=40, after=24):
        if tight and telling and lower.startswith(pair["account"]):
            return True
        return not _ORDINARY.match(lower) and (telling or not _WORD_AND_NUMBER.match(lower))
    strong = re.search(r"[!@#$%^&*]", value) is not None
    return telling and (tight or strong) and not _ORDINARY.match(lower) and "." not in value


def _is_labelled(label: str, labelled: re.Match[str], value: str) -> bool:
    if len(value) < 4 or secrecy.is_stand_in(value) or secrecy.is_code(value) or secrecy.is_address(value):
        return False
    if not secrecy.is_password(value) or _ORDINARY.match(value.lower()):
        return False
    name = labelled["account"]
    if _LABEL_WORDS.match(name):
        return False
    both = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    if labelled["mark"].strip() in ("/", ":", "|"):
        return name.isascii() and (both or not label.endswith((" ", "\t")) or label[-2:-1] in ":=")
    if label.startswith("cred"):
        return name.isascii() and _is_numbered(value)
    return name.isascii() and both and "=" not in value and (not label.isascii() or "/" in label)


def _is_numbered(value: str) -> bool:
    """Whether a value is a word with a number of its own: what only a blank or `and` joins to a name must be one."""
    digits = sum(map(str.isdigit, value))
    return len(value) >= 7 and digits >= 2 and sum(map(str.isalpha, value)) >= 4 and "=" not in value
