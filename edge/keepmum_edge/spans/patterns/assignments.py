"""`NAME = value` in code, configuration, JSON, YAML, flags, headers and logs, where the name says secret.

Each occurrence of a key word is looked at once: the name around it, the separator behind it, the value behind that;
all three are bounded, so the time is linear in the text.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CONTEXT, FORMED, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns import secrecy

_PASSWORD_WORD: Final = (
    r"pa?ss?wo?r?s?d|pass[_-]?phrase|pass[_-]?code|passwort|kennwort|contrase(?:ñ|n)a|senha|mot[_ ]de[_ ]passe"
    r"|пароль|패스워드|비밀번호|비번"
    r"|パスワード|密码|密碼|口令|(?<![a-z])pass(?!port|enger|age|ion|ive|ing|ed(?![a-z])|es(?![a-z])|over)|pass(?![a-z])|(?<![a-z])pw(?:d)?(?![a-z])|pwd|_pw(?![a-z])"
)
_SECRET_WORD: Final = (
    r"secret|credential|tokens?|api[_ .-]?key|app[_-]?key|auth[_-]?key|access[_ -]?key|account[_-]?key"
    r"|private[_ -]?(?:access[_ -]?)?(?:key|token)"
    r"|shared[_-]?access[_-]?(?:key|signature)|license[_-]?key|service[_-]?key|master[_-]?key|signing[_-]?key|encryption[_-]?key"
    r"|activation[_ ]?key|unseal[_ ]?key|ssh[_-]?key|webhook[_-]?url|sharedsecret|密钥|秘钥|密鑰|令牌|凭证|授权码"
)
_TRIGGER: Final = re.compile(
    rf"(?P<password>{_PASSWORD_WORD})|(?P<secret>{_SECRET_WORD})|(?P<weak>keys?(?![a-z]{{2}})|access|private|(?<![a-z])auth(?![a-z])|signature|(?<![a-z])sig(?![a-z])|(?<![a-z])sas(?![a-z])|keyword|otpauth)"
)
_NAME_TAIL: Final = re.compile(
    r"(?:[_-]?[A-Za-z][A-Za-z0-9]{0,24}|_+[0-9]{0,3}|[ _]?[0-9]{1,2}(?![0-9A-Za-z])|\.[A-Za-z]{2,16}(?= *[=:])){0,6}"
)
_NAME_HEAD: Final = re.compile(r"[A-Za-z0-9_.-]{0,40}\Z")
_SEPARATOR: Final = re.compile(
    r"(?P<tight>\\?[\"'`]?\s{0,3}[\])]?\s{0,3}"
    r"(?::\s{0,2}[A-Za-z_][\w\[\].<>|]{0,24}\s{0,2}(?==\s{0,2}[\"']))?"
    r"(?:===?|!==?|=>|:=|->|::|=|:|%3[dD]|\bis\b|≠)\s{0,8}=?\s{0,2})"
    r"|(?P<attribute>[\"'`]\s{1,4}value\s{0,2}=\s{0,2})|(?P<element>>)|(?P<comma>[\"'`]\s{0,2},\s{0,2}(?=\\?[\"'`]))"
    r"|(?P<loose>[ \t]{0,2}[是为為][ \t]{0,2}"
    r"|(?:[ \t]|\\t){1,8}(?:[:=]\s{0,4})?|[-.](?=[0-9A-Za-z])|[ \t]{0,2}[\"'`(\[]{1,2})"
)
_QUOTED: Final = re.compile(r"[bfru@$]{0,2}\\?(?:\"\"\"|'''|[\"'`])")
_DEFAULT: Final = re.compile(
    r"[\w.$]{0,40}(?:getenv|environ\.get|env|ENV\.fetch|getProperty|get)\(\s{0,2}[\"'][\w.-]{1,60}[\"']\s{0,2}(?:,|\)\s{0,2}(?:or|\|\||\?\?))\s{0,2}[\"'](?P<value>[^\"'\n]{3,200})[\"']"
    r"|[\w.$]{1,60}\s{0,2}(?:or|\|\||\?\?|\?:)\s{0,2}[\"'](?P<other>[^\"'\n]{3,200})[\"']"
)
_BARE: Final = re.compile(r"[^\s\"'`<>,;。、」』】]{1,600}")
_ODBC: Final = re.compile(r"\{((?:[^{}\n]|\}\}){1,200})\}(?=;|\s|\"|$)")
_NOT_NAMES: Final = re.compile(
    r"(?:id|ids|name|names|type|field|label|hint|policy|length|len|count|url|uri|path|file|files|filename|reset|placeholder|expires?|expiry|expiration|expir\w*"
    r"|ttl|size|min|max|limit|regex|pattern|rule|rules|index|version|format|prompt|form|page|text|error|message|confirm|confirmation|strength|manager|store"
    r"|provider|handler|class|function|method|service|enabled|required|changed|history|lifetime|age|validator|izer|ize|ized|ization|endpoint|location|arn|ref"
    r"|attempts|timeout|usage|algorithm|encoder|encoding|column|parameter|param|resource|group|scheme|header|issuer|audience|map|mode|alias|board|stroke|press|down|up|frame|s)$"
)
_NOT_HEADS: Final = re.compile(
    r"(?:^|[_\-. ])(?:public|primary|foreign|partition|sort|cache|hash|unique|composite|natural|index|row|map"
    r"|dict|translation|i18n|shard|max|num"
    r"|total|prompt|completion|input|output|pad|eos|bos|by|over|under|trans|forgot|no|of)[_\-. ]?$|(?:hot"
    r"|short|mon|don|tur|public|primary|foreign|hos|bypas|com|tres)$"
)
_TOKEN_NAME: Final = re.compile(
    r"access_?token|refresh_?token|id_?token|session|jwt|bearer|csrf|signature|(?<![a-z])sig(?![a-z])|oauth|shared_?access_?signature|令牌"
)
_FLAG: Final = re.compile(r"(?:^|\s)--?[\w-]*$")
_DIGIT_AND_LETTER: Final = re.compile(r"(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])")


class _Assignment(NamedTuple):
    """One name and the value it is given.

    Attributes:
        strength: `password`, `secret` or `weak`: what the name's key word says.
        word: The key word itself, lower case.
        kind: Of the separator: `tight` (`=`, `:`, a flag's blank), `attribute`, `element`, `comma` or `loose`.
        head, tail: The rest of the name before and after the key word, lower case.
        start, end: Of the value.
    """

    strength: str
    word: str
    kind: str
    head: str
    tail: str
    start: int
    end: int
    value: str
    before: str
    after: str

    @property
    def quoted(self) -> bool:
        """Whether the value stands in quotes."""
        return self.before in ("'", '"', "`")


def find_assignments(reading: Reading) -> Iterator[Finding]:
    """Values that a name such as `db_password`, `API_KEY`, `密码` or `client-secret` is given."""
    masked = 0
    for trigger in _TRIGGER.finditer(reading.lower):
        if trigger.start() < masked:
            continue
        found = next((a for a in _readings(reading, trigger) if _is_secret(a)), None)
        if found is not None:
            masked = found.end
            name = reading.text[trigger.start() - len(found.head) : trigger.end() + len(found.tail)]
            certainty = FORMED if found.kind == "tight" else CONTEXT
            yield Finding(found.start, found.end, _type(found, name), certainty, f"assigned-{found.strength}")


def _readings(reading: Reading, trigger: re.Match[str]) -> Iterator[_Assignment]:
    """Two ways to read a name: as long as it goes, or ending with its key word (`secret-5f4d...`)."""
    text, lower = reading.text, reading.lower
    tail = _NAME_TAIL.match(text, trigger.end())
    head = _NAME_HEAD.search(lower, max(0, trigger.start() - 40), trigger.start())
    is_flag = _FLAG.search(lower[max(0, trigger.start() - 40) : trigger.start()]) is not None
    for end in dict.fromkeys((tail.end() if tail else trigger.end(), trigger.end())):
        separator = _SEPARATOR.match(text, end)
        if separator is None:
            continue
        kind = separator.lastgroup or ""
        if kind == "loose" and is_flag and text[separator.start()] in " \t":
            kind = "tight"
        span = _value(text, separator.end(), kind)
        if span is not None:
            yield _Assignment(
                strength=trigger.lastgroup or "",
                word=trigger[0],
                kind=kind,
                head=head[0] if head else "",
                tail=lower[trigger.end() : end],
                start=span[0],
                end=span[1],
                value=text[span[0] : span[1]],
                before=text[span[0] - 1],
                after=text[span[1] : span[1] + 1],
            )


def _value(text: str, start: int, kind: str) -> tuple[int, int] | None:
    """The stretch of the value, without its quotes; None where there is none on this line or the next."""
    default = _DEFAULT.match(text, start)
    if default is not None:
        group = "value" if default["value"] else "other"
        return default.span(group)
    braced = _ODBC.match(text, start)
    if braced is not None and ";" in braced[0]:
        return braced.span(1)
    quote = _QUOTED.match(text, start)
    if quote is not None:
        mark = quote[0].lstrip("bfru@$")
        first = quote.end()
        last = _closing(text, first, mark)
        return (first, last) if last is not None and last > first else None
    bare = _BARE.match(text, start)
    if bare is None:
        return None
    first, last = bare.span()
    # `Password=a&b=c` in a query ends at the ampersand; `&amp;` too.
    if kind == "tight" and "&" in bare[0] and re.search(r"&[\w-]+=", bare[0]):
        last = first + bare[0].index("&")
    while last > first and text[last - 1] in ").]}:|\\" and not _balanced(text[first:last]):
        last -= 1
    return (first, last) if last > first else None


def _closing(text: str, start: int, mark: str) -> int | None:
    """Offset of the closing quote within 2,000 characters; a long value may run over lines."""
    place = start
    limit = min(len(text), start + 2000)
    while (place := text.find(mark, place, limit)) >= 0:
        if text[place - 1] != "\\" or mark[0] == "\\":
            return place
        place += 1
    line = text.find("\n", start, limit)
    return line if line > start else (len(text) if limit == len(text) else None)


def _balanced(value: str) -> bool:
    pairs = {")": "(", "]": "[", "}": "{"}
    opening = pairs.get(value[-1])
    return opening is not None and value.count(opening) >= value.count(value[-1])


def _is_secret(found: _Assignment) -> bool:
    value = found.value
    if len(value) < 4 or (found.strength == "weak" and len(set(value[:64])) < 5):
        return False
    random = secrecy.is_random(value)
    if _stands_for_another(found) or _is_other_name(found, random=random):
        return False
    if found.strength == "weak":
        return _is_weakly_named_secret(found, random=random)
    if found.kind == "comma":
        return len(value) >= 8 and secrecy.is_password(value) and any(map(str.isdigit, value))
    if found.kind == "loose":
        return _is_loosely_named_secret(found, random=random)
    if found.strength == "secret":
        return random or _is_named_secret(found)
    return _is_named_password(found)


def _stands_for_another(found: _Assignment) -> bool:
    bare = found.value[:100].strip("'\"\\")
    if not bare or secrecy.is_stand_in(bare) or secrecy.is_address(bare):
        return True
    # `"my.secret.word"` in quotes may be a password; without them it is an expression.
    return secrecy.is_code(bare) and not (found.quoted and found.strength == "password" and "(" not in bare)


def _is_other_name(found: _Assignment, *, random: bool) -> bool:
    """Whether the name is of something else: `password_policy`, `token_count`, `private_key_id`, `primary_key`."""
    tail = found.tail.strip("_-. ")
    if tail == "id" or (found.strength == "weak" and tail.endswith("id")):
        return True
    if found.strength == "weak" and _NOT_HEADS.search(found.head):
        return True
    return not random and (_NOT_NAMES.search(tail) is not None or _NOT_HEADS.search(found.head) is not None)


def _is_weakly_named_secret(found: _Assignment, *, random: bool) -> bool:
    value = found.value
    if "\n" in value or (secrecy.is_uuid(value) and not found.head) or secrecy.is_mail_address(value):
        return False
    if random:
        return True
    mixed = min(sum(map(str.isdigit, value)), sum(map(str.isalpha, value))) >= 3
    return found.kind == "tight" and bool(found.head) and mixed and len(value) >= 12 and value.isalnum()


def _is_loosely_named_secret(found: _Assignment, *, random: bool) -> bool:
    """No separator, only a blank or a quote: `SET password "x"`, `pwd x1y2z3`, `SECRET 9f8e...`."""
    value = found.value
    if any(c.isspace() for c in value):
        return False
    if found.strength == "password" and found.quoted:
        return True
    if found.strength == "password" and ("pw" in found.word or found.word == "passwd"):
        return random or (len(value) >= 6 and value.isascii() and _DIGIT_AND_LETTER.match(value) is not None)
    return random


def _is_named_secret(found: _Assignment) -> bool:
    value = found.value
    if len(value) < 6 or (" " in value and not found.quoted) or (value.isdigit() and len(value) < 10):
        return False
    if _DIGIT_AND_LETTER.match(value) or ("_" in found.head and found.before == "=" and len(value) >= 8):
        return True
    return found.quoted and len(value) >= 8 and re.search(r"[^A-Za-z_. ]", value) is not None


def _is_named_password(found: _Assignment) -> bool:
    value = found.value
    if "\n" in value or value.isspace():
        return False
    if found.quoted:
        return len(value) <= 120 and value.count(" ") <= 5
    if secrecy.is_password(value):
        return True
    # A bare word: `PASSWORD=whiteduke` in a file, but not `password = whiteduke`, which is a variable in code.
    return not found.after or (found.before in "=:" and found.after not in "([.{")


def _type(found: _Assignment, name: str) -> EntityType:
    if found.strength == "password":
        return EntityType.PASSWORD
    lower = name.lower()
    if re.search(r"private[ _-]?key", lower):
        return EntityType.PRIVATE_KEY
    if _TOKEN_NAME.search(lower) and "secret" not in lower:
        return EntityType.TOKEN
    if "token" in lower and not ("_TOKEN" in name and name.upper() == name):
        return EntityType.TOKEN
    return EntityType.API_KEY
