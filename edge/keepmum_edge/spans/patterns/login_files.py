r"""Passwords of files and codes that logins are kept in: `.netrc`, the QR code of a Wi-Fi network, XML of tools.

The form says that it is one, so the value may be a word: `machine git.tallow.net login orrin password rose`,
`WIFI:T:WPA;S:Home;P:rose;;`, `<password>rose</password>`.
"""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CHECKED, FORMED, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns import secrecy

_VALUE: Final = r"(?:\"(?P<quoted>[^\"\n]{1,200})\"|(?P<value>[^\s\"]{1,200}))"
_NETRC: Final = re.compile(
    r"(?:(?<![\w.-])machine\s{1,8}(?:[\w-]{1,60}(?:\.[\w-]{1,60}){1,8}|localhost)(?::[0-9]{1,5})?"
    r"|(?:^|(?<=\n))[ \t]{0,8}(?:machine[ \t]{1,8}[\w-]{1,60}(?=[ \t]{0,8}\r?\n)|default(?=\s{1,8}login\s)))"
    r"(?:\s{1,8}(?:login|account)\s{1,8}\S{1,100}){0,2}\s{1,8}password\s{1,8}" + _VALUE
)
"""The name of a machine has a dot, or stands alone in its line: a machine may also be one that people talk about."""
_WIFI: Final = re.compile(r"(?<![a-z0-9])wifi:(?=(?:[a-z0-9]{1,3}:(?:\\.|[^\\;\n]){0,128};){1,8})")
_WIFI_FIELD: Final = re.compile(r"(?P<name>[A-Za-z0-9]{1,3}):(?P<value>(?:\\.|[^\\;\n]){0,128});")
_ELEMENT: Final = re.compile(
    r"<(?P<name>(?:[a-z]\w{0,20}[:._-])?(?:password|passphrase|passwd|pwd|pass|secret[-_]?key|api[-_]?key"
    r"|client[-_]?secret|secret))(?: [^<>\n]{1,80})?>\s{0,40}(?P<value>[^\s<>&]{3,120})\s{0,40}</(?P=name)>"
)
_SURE: Final = re.compile(r"(?:password|passphrase|passwd|pwd)\Z")
"""Names of elements that hold nothing else; `<pass>` may be for boarding."""
_NAME_OF_ONE: Final = re.compile(
    r"(?:pass\w{0,5}|secret\w{0,3}|contrase\w+|senha|kennwort|mot|wachtwoord|密码|密碼|口令|パスワード|пароль"
    r"|(?:xs[d:]?:?)?(?:string|text|token)|optional|required|hidden|masked|encrypted|plain)[!?:.]?\Z",
    re.IGNORECASE,
)
"""What stands in such an element where a form is labelled or a type declared."""


def find_login_files(reading: Reading) -> Iterator[Finding]:
    """Passwords of these files; names of machines, networks and users stay."""
    lower = reading.lower
    if "password" in lower and ("machine" in lower or "default" in lower):
        for found in _NETRC.finditer(lower):
            start, end = found.span("quoted" if found["quoted"] else "value")
            if not secrecy.is_stand_in(reading.text[start:end]):
                yield Finding(start, end, EntityType.PASSWORD, FORMED, "netrc")
    if "wifi:" in lower:
        for found in _WIFI.finditer(lower):
            yield from _network(reading.text, found.end())
    if "</" in lower:
        for found in _ELEMENT.finditer(lower):
            start, end = found.span("value")
            value = reading.text[start:end]
            is_key = "key" in found["name"] or "secret" in found["name"]
            if secrecy.is_stand_in(value) or secrecy.is_code(value) or _NAME_OF_ONE.match(value):
                continue
            if _SURE.search(found["name"]) or (secrecy.is_password(value) and len(value) >= (8 if is_key else 4)):
                yield Finding(start, end, EntityType.API_KEY if is_key else EntityType.PASSWORD, FORMED, "xml-element")


def _network(text: str, start: int) -> Iterator[Finding]:
    """Read `T:WPA;S:name;P:password;H:true;;` in any order."""
    while (field := _WIFI_FIELD.match(text, start)) is not None:
        value = field["value"].strip('"')
        if field["name"].upper() == "P" and len(value) >= 3 and not secrecy.is_stand_in(value):
            yield Finding(*field.span("value"), EntityType.PASSWORD, CHECKED, "wifi-code")
        start = field.end()
