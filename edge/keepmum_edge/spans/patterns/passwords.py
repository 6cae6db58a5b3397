"""Passwords in sentences, in several languages: `the password for the router is X`, `密码是X`, `X is my pw`."""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CONTEXT, FORMED, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns import secrecy

_WORD: Final = re.compile(
    r"(?<![a-z])(?:passwords?|passphrase|pass phrase|pass ?code|passwd|pwd|pw|login details|wifi key|wi-fi key|psw|p/w"
    r"|network key)(?![a-z])"
    r"|passwort|kennwort|contraseña|contrasena|senha|mot de passe|wachtwoord|hasło|lösenord|пароль|パスワード|비밀번호"
    r"|비번|密码|密碼|口令|暗号|提取码|访问码"
)
_LINK: Final = re.compile(
    r"['’]s[ \t]{1,2}|(?<![a-z])(?:is|was|are|to|as|with|lautet|ist|es|est|é|è|becomes|be|called"
    r"|называется)(?![a-z])(?: (?:now|still|just|currently|always|set to|changed to))?[ \t]*:?[ \t]*"
    r"|[:=→][ \t]*(?:it['’]s (?:now )?|this is )?|->[ \t]*"
    r"|(?:是|为|為|改成|改为|换成|设成|设为|设置[为成]|用的|设的|改的|は|은|는)了?(?:全?[小大][写寫]的?)?[ \t:]*"
)
_STOP: Final = re.compile(r"[.!?;\n。！？；](?:\s|$)|\n")
_TOKEN: Final = re.compile(
    r"(?:[!#-&(-;=?-~\u00a1-\u024f\u0370-\u05ff]|(?<=[0-9A-Za-z])[\"'](?=[0-9A-Za-z])){3,80}"
)  # a quote only between letters or digits: elsewhere it ends the value
_BETWEEN: Final = re.compile(
    r"[\u3040-\u9fff\uac00-\ud7a3]{0,8}"
    r"(?:[ \t/]{1,2}(?:[a-z0-9'’.&_#@$\u00e0-\u024f\u0430-\u044f\u3040-\u9fff\uac00-\ud7a3-]{1,24}"
    r"|\([^()\n]{1,24}\))){0,8}"
    r"(?:\([^()\n]{1,24}\))?[ \t]{0,3}"
)
_OTHER_THING: Final = re.compile(
    r" (?:managers?|polic(?:y|ies)|hints?|length|strength|fields?|resets?|generators?|hash(?:es)?|hashing|box|prompt"
    r"|rules?|requirements?|vault|app)(?![a-z])|管理|策略|强度|长度|规则|要求"
)
_QUOTES: Final = {
    '"': '"',
    "'": "'",
    "`": "`",
    "“": "”",
    "‘": "’",
    "「": "」",
    "『": "』",
    "«": "»",
    "„": "“",
    "‚": "‘",
}
_COUNTED: Final = re.compile(
    r"[ -]?(?:or more )?(?:char|digit|letter|symbol|word|day|time|minute|hour|week|month|year|attempt"
    r"|[位个次天字年月日号条种遍]|小时|分钟|多)"
)
_TECHNICAL: Final = re.compile(
    r"(?:(?:sha|md|aes|des|rsa|utf|base|http|https|ipv|wpa|win|windows|ios|android|oauth|pbkdf|argon|bcrypt|keepass|auth"
    r"|ssh|v|ver|version|part|step|mfa|level|tls|chapter)[-_ ]?[0-9][0-9a-z.]*|[0-9]?[1-9]fa"
    r"|[a-z]{2,8}[-_]?[0-9]{3,}(?:-[0-9]+)+)$"
)
"""Words with a digit that stand beside `password` in any manual."""
_APART: Final = re.compile(r"[ \t]{0,2}[ \t(](?=[0-9A-Za-z!#$%&*@_])")
_SHORT: Final = frozenset({"pw", "wd", "sw", "/w"})
"""Ends of the words that people use for giving a password, hardly for speaking of passwords."""
_OTHER_ONE: Final = re.compile(
    r"(?<![a-z])(?:changed from|used to be|"
    r"(?:old|new|newer|previous|current|other|first|second|third|last|earlier|original|correct|right)"
    r"(?: one)? (?:is|was)(?: now| still)?)(?![a-z])[ \t]*:?[ \t]*[\"'`“]?(?=[^\s])"
    r"|(?:以前|之前|先前|原来|旧|老|新|现在|前一个|上一个)(?:用)?的?(?:那个)?(?:就?是|为|用的)[ \t]*"
    r"|从(?=[!-~])|[改换]成了?(?=[!-~])[\"'`“「]?"
)
_ORDINARY_WORDS: Final = (
    "required wrong incorrect invalid expired missing correct empty blank weak strong secure safe unsafe "
    "insecure leaked compromised hacked stolen lost changed reset updated stored saved hashed encrypted "
    "salted sent shown visible hidden displayed needed necessary optional important stupid long short "
    "longer shorter same different unique random default still also only really very just never always "
    "too easy hard simple complex complicated good bad better fine okay used using being been getting "
    "going not what when where which that this there here written known unknown forgotten case sensitive "
    "something anything nothing everything someone anyone protected generated managed set ready active "
    "disabled enabled accepted rejected denied refused locked blocked valid part about above below based "
    "entered typed asked given temporary permanent public private secret confidential mine yours theirs "
    "ours his hers able unable likely supposed meant old new working broken wie was nicht falsch richtig "
    "vergessen correcta incorrecta obligatoire manager access login account you your user users them they "
    "have must should would could will can may might make please after before then change check verify "
    "email phone username name number code admin work home server database website site app"
)
_SUBJECT: Final = 120
"""Characters after the word within which `the old one` still means a password."""
_ORDINARY: Final = frozenset(_ORDINARY_WORDS.split())
_CJK_ORDINARY: Final = re.compile(
    r"什么|多少|几|错|不|对|忘|我|你|必|正确|空|一样|相同|过期|默认|加密|哪|谁|怎|由|用|可|需|在|被|很|太|安全|重要|初始|随机|自己|系统|生日|身份证|手机|位|数字|字母"
)
_CJK_VALUE: Final = re.compile(r"[\u4e00-\u9fff]{2,10}(?=[，。,.!！；;、\s]|$)")
_PHRASE: Final = re.compile(r"[a-z]{3,12}(?:[ -][a-z]{3,12}){3,11}(?=[ \t]*(?:[.,;!?\n\"'”)]|$))")
"""Four plain words or more up to the end of what is said: how such phrases are made."""
_FUNCTION_WORDS: Final = frozenset(
    """
    the and for with from that than but are has had did does its out off over under into onto about because since
    until while within without probably maybe perhaps somewhere somehow your
    """.split()  # noqa: SIM905 - a word a line would be a page
)
_REVERSE: Final = re.compile(
    r"(?<![^\s\"'`“(])([!#-&(-;=?-~]{4,64})[\"'`”)]{0,2} (?:is|was|as) (?:my|the|our|his|her|your"
    r"|their) (?:[a-z-]{2,14} ){0,3}(?:password|passphrase|passcode|pw|pwd)(?![a-z])"
)

_TYPED: Final = re.compile(
    r"(?<![a-z])(?:typ(?:e|ed|ing)|enter(?:ed|ing)?|us(?:e|ed|ing)|try|tried|put(?: in)?|with|it was|it['’]s) [\"'`“]?"
    r"(?P<value>[!#-&(*-+\--.0-;=?-~]{6,64})[\"'`”]? (?:(?:when|where|whenever)(?![a-z])[^.!?:\n,;]{0,40}?(?<![a-z])"
    r"|(?:for|as|at|in|into|on) (?:(?:an?|the|my|our|his|her|your|their|all|every|that|this) (?:[a-z-]{2,14} ){0,2})?)"
    r"(?:passwords?|passcode|passphrase|pw|pwd)(?![a-z_-]| (?:stor|database|file|server|page|form|tip|field))"
    r"(?P<next>[^.!?\n]{0,12})"
)
_DRAWN_OR_NUMBERED: Final = re.compile(r"(?:[a-z]{3,}[0-9]{2,4}[^a-z]{0,3}|(?=.*[0-9])(?=.*[^0-9a-z]).+)\Z")


def find_passwords(reading: Reading) -> Iterator[Finding]:
    """Passwords that a sentence gives away."""
    lower = reading.lower
    reach = 0
    for word in _WORD.finditer(lower):
        yield from _after(reading, word.end())
        yield from _other_ones(reading, max(reach, word.end()), word.end() + _SUBJECT)
        reach = word.end() + _SUBJECT
    if reading.has_digit and "p" in lower and (" for" in lower or " when" in lower or " as" in lower or " at" in lower):
        yield from _typed(reading)
    if " my " in lower or " the " in lower or " our " in lower:
        for found in _REVERSE.finditer(reading.text):
            technical = _TECHNICAL.match(found[1].lower()) is not None
            if secrecy.is_password(found[1]) and not secrecy.is_code(found[1]) and not technical:
                yield Finding(found.start(1), found.end(1), EntityType.PASSWORD, CONTEXT, "password-reverse")


def _typed(reading: Reading) -> Iterator[Finding]:
    """`Just type X when it asks for the password`: a word and a number, or something drawn."""
    for found in _TYPED.finditer(reading.lower):
        start, value = found.start("value"), _trim(reading.text[found.start("value") : found.end("value")])
        if not _is_mixed(value) or not _DRAWN_OR_NUMBERED.match(value.lower()) or _OTHER_THING.match(found["next"]):
            continue
        if not (secrecy.is_code(value) or secrecy.is_address(value) or secrecy.is_mail_address(value)):
            yield Finding(start, start + len(value), EntityType.PASSWORD, CONTEXT, "password-typed")


def _after(reading: Reading, start: int) -> Iterator[Finding]:
    text, lower = reading.text, reading.lower
    limit = min(len(text), start + 72)
    stop = _STOP.search(lower, start, limit)
    if stop is not None:
        limit = stop.start()
    if re.match(r"[A-Za-z0-9_$]", text[start : start + 1]) and text[start].isascii():
        direct = _TOKEN.match(text, start)
        if direct is not None and not text[start - 1].isascii():
            value = _trim(direct[0])
            end = start + len(value)
            if secrecy.is_password(value) and not _TECHNICAL.match(value.lower()) and not _is_counted(text, end):
                yield Finding(start, end, EntityType.PASSWORD, CONTEXT, "password-adjacent")
        return
    apart = _apart(text, start)
    if apart is not None:
        yield Finding(*apart, EntityType.PASSWORD, CONTEXT, "password-apart")
        return
    for link in _LINK.finditer(lower, start, limit):
        between = _BETWEEN.fullmatch(lower, start, link.start())
        if between is None or _OTHER_THING.match(between[0]) or ("=" in link[0] and between[0].strip()):
            return
        is_plain = "=" in link[0] or lower.endswith(("passphrase", "pass phrase"), 0, start)
        if (phrase := _phrase_at(text, link.end(), plain=is_plain)) is not None:
            yield Finding(*phrase, EntityType.PASSWORD, CONTEXT, "password-phrase")
            return
        found = _value_at(text, link.end(), soft=link[0].strip(" :") in ("to", "as", "with"))
        if found is not None:
            yield Finding(
                *found, EntityType.PASSWORD, FORMED if ":" in link[0] or "=" in link[0] else CONTEXT, "password-prose"
            )
            return


def _apart(text: str, start: int) -> tuple[int, int] | None:
    """Find what stands behind the word with only a blank between: `密码 Snow-77`, `wifi password Snow-77`."""
    gap = _APART.match(text, start)
    token = _TOKEN.match(text, gap.end()) if gap else None
    if gap is None or token is None:
        return None
    value = _trim(token[0])
    end = gap.end() + len(value)
    chinese = not text[start - 1].isascii()
    least = 1 if chinese or text[start - 2 : start].lower() in _SHORT else 2
    if value.isdigit():
        good = chinese and 6 <= len(value) <= 12
    else:
        good = len(value) >= 6 and _is_mixed(value) and sum(map(str.isdigit, value)) >= least
    if not good or secrecy.is_stand_in(value) or secrecy.is_code(value) or secrecy.is_address(value):
        return None
    return None if _is_counted(text, end) or "/" in value else (gap.end(), end)


def _other_ones(reading: Reading, start: int, end: int) -> Iterator[Finding]:
    """`The old one was X`, after a word for passwords, in the same line."""
    line = reading.lower.find("\n", start, end)
    for other in _OTHER_ONE.finditer(reading.lower, start, end if line < 0 else line):
        token = _TOKEN.match(reading.text, other.end())
        value = _trim(token[0]).rstrip("\"'`”」") if token else ""
        if len(value) >= 6 and _is_mixed(value) and not secrecy.is_address(value) and not secrecy.is_code(value):
            yield Finding(other.end(), other.end() + len(value), EntityType.PASSWORD, CONTEXT, "password-other")


def _is_mixed(value: str) -> bool:
    """Digits and letters, and not the name of an algorithm, a version or a product number."""
    both = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    plain = re.match(r"[A-Z]{2,}[-_]?[0-9.-]+$|[a-z]+[-.]?v?[0-9]+\.[0-9.]+$|[a-z]+-[0-9]$", value)
    return both and plain is None and not _TECHNICAL.match(value.lower())


def _is_counted(text: str, end: int) -> bool:
    return _COUNTED.match(text[end : end + 20].lower()) is not None


def _phrase_at(text: str, start: int, *, plain: bool) -> tuple[int, int] | None:
    """Find a phrase of several words; `plain`: also of words that people use to speak about passwords."""
    phrase = _PHRASE.match(text, start)
    if phrase is None:
        return None
    unlikely = _FUNCTION_WORDS if plain else _FUNCTION_WORDS | _ORDINARY
    return phrase.span() if unlikely.isdisjoint(re.split("[ -]", phrase[0])) else None


def _value_at(text: str, start: int, *, soft: bool) -> tuple[int, int] | None:
    opening = text[start : start + 1]
    closing = _QUOTES.get(opening)
    if closing is not None:
        end = text.find(closing, start + 1, start + 120)
        return (start + 1, end) if end > 0 and _is_quoted_password(text[start + 1 : end]) else None
    token = _TOKEN.match(text, start)
    if token is None:
        hanzi = None if soft else _CJK_VALUE.match(text, start)
        return hanzi.span() if hanzi is not None and not _CJK_ORDINARY.search(hanzi[0]) else None
    value = _trim(re.split(r";(?=\w+=)|&(?=\w+=)", token[0])[0])
    if value.startswith("//"):
        return None
    end = start + len(value)
    if secrecy.is_stand_in(value) or secrecy.is_code_in_prose(value) or secrecy.is_address(value):
        return None
    if _is_counted(text, end):
        return None
    if secrecy.is_password(value) or (secrecy.is_code(value) and not soft):
        return start, end
    ends = end == len(text) or text[end : end + 1] in ".,;!?\n，。！；" or not text[end].isascii()
    plain = value.isalpha() and len(value) >= 5 and value.lower() not in _ORDINARY
    return (start, end) if plain and ends and not soft else None


def _is_quoted_password(value: str) -> bool:
    bare = value.strip("'\"")
    stands_for_another = (
        secrecy.is_stand_in(bare) or secrecy.is_address(bare) or (secrecy.is_code(bare) and "(" in bare)
    )
    return len(bare) >= 4 and "\n" not in value and not stands_for_another


def _trim(token: str) -> str:
    value = token.rstrip(".,;:?!\\")  # the sentence's own marks; a closing mark inside stays
    if token.endswith("!") and not token.endswith("!!") and any(c.isdigit() for c in value):
        value = token.rstrip(".,;:?")  # `Summer2024!` keeps its mark: better one character too many
    while (
        value
        and value[-1] in ")]}>"
        and value.count(value[-1]) > value.count({")": "(", "]": "[", "}": "{", ">": "<"}[value[-1]])
    ):
        value = value[:-1].rstrip(".,;:?")
    return value
