"""Secrets in commands, SQL and calls, told by their position: `-p X`, `-u user:X`, `IDENTIFIED BY 'X'`."""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import FORMED, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns import secrecy

_ARGUMENT: Final = r"(?:\"([^\"\n]{2,200})\"|'([^'\n]{2,200})'|([^\s\"'`|;]{2,200}))"
# (a word that must occur, pattern): the value is the first group that took part.
_RULES: Final = tuple(
    (hint, re.compile(pattern, re.IGNORECASE))
    for hint, pattern in (
        ("mysql", rf"(?<![\w-])(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;]{{0,200}}?\s-p(?![\s=]){_ARGUMENT}"),
        ("sshpass", rf"(?<![\w-])sshpass\s{{1,3}}-p\s{{0,3}}{_ARGUMENT}"),
        (
            "login",
            rf"(?<![\w-])(?:docker|podman|oc|az|npm|heroku|argocd) login\b[^\n|;]{{0,200}}?\s-p[\s=]{{1,3}}{_ARGUMENT}",
        ),
        ("psexec", rf"(?<![\w-])psexec(?:64)?(?:\.exe)?\b[^\n]{{0,200}}?\s-p\s{{1,3}}{_ARGUMENT}"),
        ("winrm", rf"(?<![\w-])evil-winrm\b[^\n|;]{{0,200}}?\s-p\s{{1,3}}{_ARGUMENT}"),
        ("plink", rf"(?<![\w-])(?:plink|pscp)(?:\.exe)?\b[^\n|;]{{0,200}}?\s-pw\s{{1,3}}{_ARGUMENT}"),
        ("redis-cli", rf"(?<![\w-])redis-cli\b[^\n|;]{{0,200}}?\s-a\s{{1,3}}{_ARGUMENT}"),
        ("zip", rf"(?<![\w-])(?:7z|7za|zip|unzip|unrar)\b[^\n|;]{{0,100}}?\s-p(?![\s=]){_ARGUMENT}"),
        ("unseal", rf"vault operator unseal\s{{1,3}}{_ARGUMENT}"),
        ("echo", r"echo\s{1,3}[\"']?([^\s\"'|]{4,100})[\"']?\s{0,3}\|\s{0,3}(?:sudo -S|passwd|chpasswd|kinit|su\b)"),
        ("net user", r"net user\s{1,3}[\w.-]{1,40}\s{1,3}(?![/*])([^\s/]{4,100})"),
        (
            "securestring",
            r"convertto-securestring(?:\s{1,3}-(?:string|asplaintext|force))*\s{1,3}(?:\\?[\"']([^\"'\\\n]{3,200})\\?[\"']|(?![-$(\"'])([^\s\"']{3,200}))",
        ),
        (
            "directoryentry",
            r"directoryentry\(\s{0,10}\"[^\"\n]{1,200}\",\s{0,20}\"[^\"\n]{1,200}\",\s{0,20}\"([^\"\n]{3,200})\"",
        ),
        (
            "identified",
            (
                r"identified\s{1,4}(?:with\s{1,4}[\"'`]?\w{1,40}[\"'`]?\s{1,4})?(?:by|as)\s{1,4}(?:password\s{1,4})?"
                r"(?:\\?[\"']([^\"'\n]{2,200}?)\\?[\"']|(?=\S*[0-9\\;])([^\s\"';)]{4,200}))"
            ),
        ),
        (
            "password",
            r"(?:user|role|login|encrypted|with)\b[^\n;]{0,120}?\bpassword\s{0,4}=?\s{0,4}(?:N?'([^'\n]{2,200})'|(?!expire|history|reuse|require|policy|null|valid|on\b|for\b|is\b|as\b|to\b)([A-Za-z0-9!-&*-/:@^_~-]{6,100})(?=\s{0,4};))",
        ),
        ("password", r"\bpassword\s{0,2}\(\s{0,2}'([^'\n]{2,200})'\s{0,2}\)"),
        ("pass:", r"(?:-pass(?:in|out|word)?|-passwd)\s{1,3}[\"']?pass:([^\s\"']{3,200})"),
        ("sqlplus", r"sqlplus(?: -[a-z]{1,2})?\s{1,3}[\w.-]{1,40}/([^\s@/\"']{2,100})"),
        ("stream_key", r"stream_key\s{0,2}[=:]\s{0,2}[\"']?([\w-]{16,100})"),
        (
            "login_with_api_key",
            r"login_with_api_key[\"']\s{0,4},\s{0,4}[\"']params[\"']\s{0,4}:\s{0,4}\[\s{0,8}[\"']([^\"'\n]{16,200})[\"']",
        ),
    )
)
_USER: Final = re.compile(
    r"(?:(?<![\w-])(?:curl|wget|http|https|xh|lftp|ncftp|ldapsearch)\b[^\n|]{0,400}?)\s(?:-u|--user|-a|--auth|--basic)[\s=]{0,3}[\"']?[^\s:\"']{1,80}:([^\s\"'@]{2,200})",
    re.IGNORECASE,
)


def find_command_secrets(reading: Reading) -> Iterator[Finding]:
    """Arguments of well-known commands, statements and calls."""
    text, lower = reading.text, reading.lower
    for hint, pattern in _RULES:
        if hint in lower:
            yield from _values(text, pattern, "command")
    if "-u" in lower or "--user" in lower or "-a " in lower:
        yield from _values(text, _USER, "command-user")


def _values(text: str, pattern: re.Pattern[str], source: str) -> Iterator[Finding]:
    for found in pattern.finditer(text):
        group = next((i for i in range(1, pattern.groups + 1) if found[i] is not None), 0)
        if not group:
            continue
        start, end = found.span(group)
        value = found[group]
        if (secrecy.is_stand_in(value) and value.lower() not in ("password", "secret")) or value.startswith(
            ("$", "%", "<")
        ):
            continue
        yield Finding(start, end, EntityType.PASSWORD, FORMED, source)
