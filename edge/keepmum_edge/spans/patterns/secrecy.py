"""Is this value a secret, or a stand-in for one? What assignments, flags, headers and prose ask about a candidate."""

import math
import re
from collections import Counter
from typing import Final

_STAND_IN: Final = re.compile(
    r"[*•●xX.#_\-?=+\\0~]+$"
    r"|[\[<({].*[\])>}]$|&lt;.*|<.*|\\*\$\{[A-Za-z_][\w.:-]*\}?$|\\*\$[A-Z_]{4,}.*|\\*\$\w+(?:\[|->|\().*|0x[0-9a-fA-F]{1,16}$|\$[({].*|%[\w-]+%$|%[-#0-9.]{0,6}[a-z]$|%\(.*|\{\{.*|#\{.*|@\{.*|!.{1,3}$|!(?:ref|sub|env)\b.*"
    r"|(?i:[\"']?(?:your|insert|enter|replace|put|my|add|the|some|any|a|an|new|old|change|set|use"
    r"|fill)[-_ ]?(?:own[-_ ]?)?"
    r"(?:[a-z0-9]{1,16}[-_ ]){0,4}(?:api|auth|access|secret|private)?[-_ ]?(?:keys?|tokens?|secrets?"
    r"|passwords?|pass|passwd|pwd|pw|here|me|this|value|goes|it)[\"']?$)"
    r"|(?i:change[-_ ]?(?:me|this|it).*|.*(?:place[-_]?holder|redacted|removed|masked|hidden|censored|omitted"
    r"|changeme|xxxx|\*\*\*|\.\.\.|…).*)"
    r"|(?:同|和|跟|与|见|暂?无|没有|未设置?|不变|默认)[\u4e00-\u9fff]{0,8}$"
    r"|(?i:none|null|nil|undefined|nan|true|false|yes|no|on|off|string|str|text|bytes|int|bool|boolean|object|any|number|varchar.*|char.*"
    r"|optional|required|invalid|empty|todo|tbd|n/a|default|env|environ|input|prompt|stdin|ask|auto|basic|bearer|digest|negotiate|not[-_]?set"
    r"|password|passwd|pass|pwd|token|secret|key|apikey|api[-_]key|username|user|value|values|type|name|field|class|self|this|return|function|const|let|var"
    r"|private|public|static|final|async|await|new|import|from|in|of|and|or|if|else|for|with|unknown|mismatch|expired|missing|incorrect|wrong|ok|error)$",
    re.DOTALL,
)
_VARIABLE: Final = re.compile(r"\\*\$(?P<name>[A-Za-z_][\w.:]*)$")
_CODE: Final = re.compile(
    r"[A-Za-z_$\\][\w$.:>?-]*[(\[].*|[+.,]?\s*\+\s*\w+[\s(.].*",  # getenv(..., environ[..., " + variable + "
    re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(r"(?:[A-Za-z_$][\w$]*(?:\.|::|->|\?\.))+[A-Za-z_$][\w$]*$")  # settings.PASSWORD
_WORDS: Final = re.compile(r"[a-z]{3,12}(?:\.[a-z]{3,12}){2,4}$")
_OF_CODE: Final = re.compile(
    r"(?:self|this|app|args?|cfg|conf(?:ig)?|context|ctx|creds?|credentials|data|env|form|local|module|opts?|options|params"
    r"|process|props|request|req|res|response|row|secrets?|settings|spring|state|sys|user|values|var|vault|www|com|org|net"
    r"|internal|local|api|auth|db|key|name|pass|password|pwd|string|token|value)(?![a-z])"
)
_ADDRESS: Final = re.compile(
    r"(?:arn:|https?://|file:|/[a-z]+/|\./|\.\./|~/|[A-Za-z]:\\|#[a-z-]+$|@[a-z]+/|vault:|secretsmanager|projects/).*",
    re.DOTALL,
)
_MAIL_ADDRESS: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}$")
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){2,3}[0-9a-fA-F]{12}$")
_GROUPED: Final = re.compile(r"(?:[A-Z0-9]{4,8}-){2,7}[A-Z0-9]{4,8}$")
_RANDOM: Final = re.compile(r"[0-9A-Za-z+/=_.~%!@$&*:-]+$")
_ENOUGH: Final = 160
"""Characters that decide; a longer value is judged by its beginning."""
_TURN: Final = re.compile(r"[0-9](?=[A-Za-z])|[A-Za-z](?=[0-9])|[a-z](?=[A-Z])")


def is_stand_in(value: str) -> bool:
    """Whether a value is a template, a mask, a literal of a language or a word for the thing itself."""
    return is_variable(value) or _STAND_IN.match(value) is not None


def is_variable(value: str) -> bool:
    """Whether a value with a dollar is the name of a variable: `$pass2`, `$dbPass.x` are, `$zcWDm04`, `$Q4-8Ig` not.

    People name variables in words, and shells know no hyphen in them; drawn passwords change between cases and digits.
    """
    named = _VARIABLE.match(value)
    if named is None:
        return False
    name = named["name"]
    drawn = any(map(str.isupper, name)) and any(map(str.islower, name)) and any(map(str.isdigit, name))
    return not (drawn and (sum(map(str.isdigit, name)) >= 2 or len(_TURN.findall(name)) >= 3))


def is_code(value: str) -> bool:
    """Whether a value is an expression that fetches the secret."""
    if _ATTRIBUTE.match(value):
        return not (sum(c.isdigit() for c in value) >= 2 and len(_TURN.findall(value)) >= 4)
    return _CODE.match(value) is not None


def is_code_in_prose(value: str) -> bool:
    """Whether a value in prose is an expression: `maple.bean.ninja` is a password, `settings.db.host` is none."""
    words = _WORDS.match(value) is not None and not any(map(_OF_CODE.match, value.split(".")))
    return not words and is_code(value)


def is_address(value: str) -> bool:
    """Whether a value is an address, a path or a selector: where a secret is, not the secret."""
    return _ADDRESS.match(value) is not None


def is_mail_address(value: str) -> bool:
    """Whether a value is an e-mail address: private too, but an account's name rather than its key."""
    return _MAIL_ADDRESS.match(value) is not None


def is_uuid(value: str) -> bool:
    """Whether a value is a UUID: an identifier, and a secret only where the name says so."""
    return _UUID.match(value) is not None


def is_random(value: str, least: int = 16) -> bool:
    """Whether nobody would write this as words: long, digits and letters mixed, many different characters."""
    value = value[:_ENOUGH]
    letters = sum(map(str.isalpha, value))
    digits = sum(map(str.isdigit, value))
    if len(value) < least or (digits < 2 and letters < 20) or (digits < 2 and "-" in value):
        return False
    if _RANDOM.match(value) is None or is_code(value) or is_address(value):
        return False
    if is_uuid(value) or _GROUPED.match(value):
        return entropy(value) >= 2.2
    longest = max((len(part) for part in re.split(r"[^0-9A-Za-z]", value)), default=0)
    if not letters:
        return digits >= 20
    if digits < 2 and not (longest >= 20 and letters):
        return False
    mixed = longest >= 20 or len(_TURN.findall(value)) >= 3 or (longest >= 16 and min(letters, digits) >= 4)
    return mixed and entropy(value) >= 2.5


def entropy(value: str) -> float:
    """Shannon entropy of the characters, bits each."""
    return -sum(n / len(value) * math.log2(n / len(value)) for n in Counter(value).values())


def is_password(value: str) -> bool:
    """Whether an unquoted word could be a password and not a word of the sentence: digit, mark or inner capital."""
    if len(value) < 4 or is_stand_in(value):
        return False
    if any(c.isdigit() for c in value):
        return len(value) >= 4
    return bool(re.search(r"[!@#$%^&*_+=~|?](?=.)|[a-z][A-Z]", value)) or value.count("-") >= 2
