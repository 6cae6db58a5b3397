"""One-time codes told by what is done with them: `they texted me X`, `use X to sign in`, `code X, do not share`."""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CONTEXT, Finding
from keepmum_edge.spans.normalise import Reading

_END: Final = r"(?![0-9A-Za-z]|[-./:][0-9])"
_SENT: Final = re.compile(
    r"(?:(?:authenticator|google auth|authy|2fa|mfa|otp)(?: app| code)?(?: now| currently)?"
    r" (?:shows?|says|gives(?: me)?|displays|reads)"
    r"|(?:(?:texted|sms'?d)(?: me| us| you)?"
    r"|(?:sent|emailed|messaged)(?: (?:me|us|you)|(?= (?:a|the|this) (?:new )?code)))"
    r"(?: (?:a|the|this|another) (?:new )?code)?(?: is| was|:| as)?"
    r"|(?:got|received|get|have|given|gave me|read me) (?:a|the|this|another) (?:new |text )?code(?: is| of|:)?"
    r"|输入(?:验证码|驗證碼)?)\s{0,2}[\"'“]?"
    rf"(?P<code>[0-9]{{3}}[ -][0-9]{{3}}|[0-9]{{5,8}}|[0-9]{{4}}(?=[\s,.，。!])){_END}"
    r"(?! ?(?:dollars|euros|pounds|points|words|e?mails|letters|times|people|photos|messages|bucks"
    r"|元|字|个|块|次|人|条))"
)
_CODE: Final = r"(?P<code>[0-9]{3}[ -][0-9]{3}|[a-z]-[0-9]{4,8}|[0-9]{4,8})[\"'*”]{0,2}"
_IS_YOURS: Final = re.compile(rf"(?<![0-9a-z.#/$€£-]){_CODE} is your (?:[a-z]{{2,16}} ){{0,3}}code(?![a-z])")
_TO_ENTER: Final = re.compile(
    rf"(?:use|enter|type|input|with|code|otp|:|>)[ ]{{1,2}}[\"'*“]?{_CODE} "
    r"to (?:verify (?:your|it|the login|this)|sign[ -]?in|log[ -]?in|log on|authenticate|reset your|access your"
    r"|confirm (?:your|the|this|it'?s)|complete (?:your|the) (?:sign|log|regist|verif|purchase|payment)"
    r"|finish (?:signing|logging))"
)
_NOT_TO_SHARE: Final = re.compile(
    r"(?<![a-z])code(?: is)?\s{0,2}:?\s{0,2}[\"'“]?"
    rf"(?P<code>[0-9]{{3}}[ -][0-9]{{3}}|[0-9]{{4,8}}){_END}"
    r"(?=[^\n]{0,60}?(?:share|expire|valid for|if (?:this|it) (?:was|is)n'?t you|not you|didn'?t request"
    r"|do not (?:give|tell|forward)))"
)
_PICK_UP: Final = re.compile(r"取件码[是为:\s]{0,3}(?P<code>[0-9a-z]{1,3}(?:-[0-9]{1,6}){1,2})(?![0-9a-z-])")
_SENT_HINTS: Final = ("texted", "sms", "sent", "mailed", "messaged", "code", "auth", "2fa", "mfa", "otp", "输入")
_TO_ENTER_HINTS: Final = ("to ver", "to sign", "to log", "to con", "to auth", "to com", "to re", "to ac", "to fin")
_SUBJECT: Final = re.compile(
    r"code|sms|texted|log(?:in| in|on)|sign|verif|authenticat|authy|2fa|mfa|otp|登录|登陆|验证|注册|绑定"
)
_OTHER_CODE: Final = re.compile(
    r"order|invoice|订单|单号|error|http|status|zip|postal|promo|coupon|discount|area code|country code|source code"
    r"|dress|exit|return|voucher|gift|product|item|qr|bar ?code|colou?r"
)


def find_sent_codes(reading: Reading) -> Iterator[Finding]:
    """Codes that somebody received or is told to enter, where no name of such codes stands beside them."""
    if not reading.has_digit:
        return
    lower = reading.lower
    for hints, pattern in (
        (_SENT_HINTS, _SENT),
        (("is your",), _IS_YOURS),
        (_TO_ENTER_HINTS, _TO_ENTER),
        (("code",), _NOT_TO_SHARE),
        (("取件码",), _PICK_UP),
    ):
        if not any(map(lower.__contains__, hints)) or (pattern is _SENT and not _SUBJECT.search(lower)):
            continue
        for found in pattern.finditer(lower):
            start, end = found.span("code")
            if not _OTHER_CODE.search(lower, max(0, found.start() - 16), start):
                yield Finding(start, end, EntityType.OTP, CONTEXT, "otp-sent")
