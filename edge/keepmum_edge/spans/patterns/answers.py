"""Secrets that answer a question: `what's the wifi password?` and below it `X`; `密码是多少？` and below it `X`.

The answer is all of its line but for who speaks (`B:`) and a word of answering (`it's`); a sentence is no answer.
"""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CONTEXT, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns import secrecy

_ASKED: Final = re.compile(
    r"(?:(?P<password>passwords?|passphrase|passwd|pass ?word|(?<![a-z])(?:pwd|pw|pass)(?![a-z])|密码|密碼|口令)"
    r"|(?P<pin>(?<![a-z])pin(?![a-z])|pin码|(?:door|safe|gate|alarm|unlock)(?:ing)? code)"
    r"|(?P<otp>(?<![a-z])(?:otp|code)(?![a-z])|验证码|驗證碼|动态码))"
    r"[^\n?？]{0,40}(?:[?？]|[:：](?=[ \t]*\n))[ \t]*\n[ \t]*"
)
_SPEAKER: Final = re.compile(
    r"(?:(?:[a-z]|me|you|[a-z]{2,12}|我|他|她|客服|[\u4e00-\u9fff]{1,4})[:：]|[-*>•])[ \t]*"
    r"|(?:yes|yeah|sure|ok|okay|好|好的|收到了?|嗯)[,，. ]{1,2}(?:it says )?"
    r"|(?:it['’]s|it is|try|use|就是|是|用)[: ]?[ \t]*"
)
_VALUE: Final = re.compile(r"[\"'`“「]?(?P<value>[!-~]{3,64}?)[\"'`”」]?[.,!?;。，；]?[ \t\r]*(?:\n|$)")
_CODE: Final = re.compile(r"(?:[0-9][ -]?){3,9}[0-9]$|[A-Z0-9]{5,8}$")
_SPACED: Final = re.compile(r"(?P<value>[0-9](?:[ -]?[0-9]){3,9})[.,!?;。，；]?[ \t\r]*(?:\n|$)")


def find_answers(reading: Reading) -> Iterator[Finding]:
    """The answer alone: a password that is no plain word, or a PIN or code of digits."""
    if "\n" not in reading.text:
        return
    for asked in _ASKED.finditer(reading.lower):
        start = asked.end()
        for _ in range(3):
            speaker = _SPEAKER.match(reading.lower, start)
            start = speaker.end() if speaker else start
        if asked.lastgroup == "password":
            answer, kind = _VALUE.match(reading.text, start), EntityType.PASSWORD
        else:
            answer = _SPACED.match(reading.text, start) or _VALUE.match(reading.text, start)
            kind = EntityType.PIN if asked.lastgroup == "pin" else EntityType.OTP
        if answer is not None and _is_answer(answer["value"], kind):
            yield Finding(answer.start("value"), answer.end("value"), kind, CONTEXT, "answer")


def _is_answer(value: str, kind: EntityType) -> bool:
    if kind is EntityType.PASSWORD:
        return secrecy.is_password(value) and not secrecy.is_code(value) and not secrecy.is_address(value)
    return _CODE.match(value) is not None and any(c.isdigit() for c in value)
