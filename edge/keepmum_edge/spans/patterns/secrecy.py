"""Is this value a secret, or a stand-in for one? What assignments, flags, headers and prose ask about a candidate."""

import math
import re
from collections import Counter
from typing import Final

_STAND_IN: Final = re.compile(
    r"[*•●xX.#_\-?=+\\0~]+$"
    r"|[\[<({].*[\])>}]$|&lt;.*|<.*|\$\{?[A-Za-z_][\w.:-]*\}?$|\$[({].*|%[\w-]+%?$|%\(.*|\{\{.*|#\{.*|@\{.*|!.{1,3}$|!(?:ref|sub|env)\b.*"
    r"|(?i:[\"']?(?:your|insert|enter|replace|put|my|add|the|some|any|a|an|new|old|change|set|use|fill)[-_ ]?(?:own[-_ ]?)?"
    r"(?:[a-z0-9]{1,16}[-_ ]){0,4}(?:api|auth|access|secret|private)?[-_ ]?(?:keys?|tokens?|secrets?|passwords?|pass|passwd|pwd|pw|here|me|this|value|goes|it)[\"']?$)"
    r"|(?i:change[-_ ]?(?:me|this|it).*|.*(?:place[-_]?holder|redacted|removed|masked|hidden|censored|omitted|changeme|xxxx|\*\*\*|\.\.\.|…).*)"
    r"|(?i:none|null|nil|undefined|nan|true|false|yes|no|on|off|string|str|text|bytes|int|bool|boolean|object|any|number|varchar.*|char.*"
    r"|optional|required|invalid|empty|todo|tbd|n/a|default|env|environ|input|prompt|stdin|ask|auto|basic|bearer|digest|negotiate|not[-_]?set"
    r"|password|passwd|pass|pwd|token|secret|key|apikey|api[-_]key|username|user|value|values|type|name|field|class|self|this|return|function|const|let|var"
    r"|private|public|static|final|async|await|new|import|from|in|of|and|or|if|else|for|with|unknown|mismatch|expired|missing|incorrect|wrong|ok|error)$",
    re.DOTALL,
)
_CODE: Final = re.compile(
    r"(?:[A-Za-z_$][\w$]*(?:\.|::|->|\?\.))+[A-Za-z_$][\w$]*(?:[(\[].*)?$"  # settings.PASSWORD, this.secret, cfg.get(...
    r"|[A-Za-z_$][\w$.:>-]*[(\[].*"  # getenv(..., environ[...
    r"|(?:arn:|https?://|file:|/[a-z]+/|\./|\.\./|~/|[A-Za-z]:\\|#[a-z-]+$|@[a-z]+/|vault:|secretsmanager|projects/).*",
    re.DOTALL,
)
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$")
_RANDOM: Final = re.compile(r"[0-9A-Za-z+/=_.~%!@$&*:-]{16,}$")
_TURN: Final = re.compile(r"[0-9](?=[A-Za-z])|[A-Za-z](?=[0-9])|[a-z](?=[A-Z])")


def is_stand_in(value: str) -> bool:
    """Whether a value is a template, a mask, a literal of a language or a word for the thing itself."""
    return _STAND_IN.match(value) is not None


def is_code(value: str) -> bool:
    """Whether a value is an expression that fetches the secret, or an address or a path."""
    return _CODE.match(value) is not None


def is_uuid(value: str) -> bool:
    """Whether a value is a UUID: an identifier, and a secret only where the name says so."""
    return _UUID.match(value) is not None


def is_random(value: str, least: int = 16) -> bool:
    """Whether nobody would write this as words: long, digits and letters mixed, many different characters."""
    if len(value) < least or _RANDOM.match(value) is None or is_code(value):
        return False
    letters = sum(c.isalpha() for c in value)
    digits = sum(c.isdigit() for c in value)
    longest = max((len(part) for part in re.split(r"[^0-9A-Za-z]", value)), default=0)
    if not letters and digits < 20:
        return False
    if digits < 2 and not (longest >= 20 and letters):
        return False
    return entropy(value) >= 2.5 and (longest >= 20 or len(_TURN.findall(value)) >= 3)


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
