"""Short codes that open a door now: one-time codes, PINs, door codes, answers to security questions."""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CONTEXT, FORMED, Finding
from keepmum_edge.spans.normalise import Reading

OTP_WORD: Final = (
    r"(?:(?:verification|verify|security|authentication|authenticator|auth|confirmation|login|log-in|sign-in"
    r"|signin|access|activation|one[- ]?time|2fa|mfa|sms"
    r"|two[- ]factor|reset|recovery|backup|whatsapp|telegram|google|registration) (?:pass)?codes?"
    r"|one[- ]time (?:pass(?:word|code)?|pin|code)|(?<![a-z])otps?(?![a-z])|passcode|(?<![a-z])totp(?![a-z])"
    r"|(?<![a-z])tan(?![a-z])|2fa|mfa|verification number|código de verificaci[oó]n|code de vérification"
    r"|bestätigungscode|sicherheitscode|código de verificação"
    r"|код подтверждения|验证码|驗證碼|校验码|动态码|动态密码|动态口令|動態密碼|動態碼|簡訊碼"
    r"|短信码|认证码|确认码|一次性密码"
    r"|登录码|激活码|取件码|取餐码|確認コード|認証コード|인증번호)"
)
_CODE: Final = (
    r"(?P<code>[0-9]{3}[ -][0-9]{3}(?![0-9])|[0-9]{2} [0-9]{2} [0-9]{2}(?![0-9])"
    r"|[A-Za-z]-[0-9]{4,8}|[0-9]{4,8}(?![0-9])"
    r"|(?-i:(?=[A-Z0-9]*[0-9])[A-Z0-9]{5,8})(?![A-Za-z0-9]))(?!\s{0,2}(?:minutes|mins|seconds|hours|days|分钟|秒|小时|%|px))(?![0-9A-Za-z]|[-./:][0-9])"
)
_OTP_AFTER: Final = re.compile(
    rf"(?i:{OTP_WORD})(?:[^\n0-9。！？!?,;{{}}]|,(?![\s\\]*[\"'])){{0,40}}?(?<![0-9A-Za-z+#$€£¥./-]){_CODE}"
)
_OTP_BEFORE: Final = re.compile(
    rf"(?<![0-9A-Za-z.#/-]){_CODE}[\"'*)】」]{{0,3}}\s{{0,3}}(?i:\((?:your )?{OTP_WORD}|(?:is|as|-|:"
    rf"|—)\s{{0,2}}(?:your|the|my|our)?\s{{0,2}}(?:[A-Za-z]{{1,20}}\s{{1,2}}){{0,3}}{OTP_WORD}|(?:是|为|作为|\(|\s)?(?:您|你|我)?的?(?:本次)?(?:[A-Za-z\u4e00-\u9fff]{{0,8}})?{OTP_WORD})"
)
_YOUR_CODE: Final = re.compile(
    r"(?i:(?:your (?:[a-z]{2,16} ){0,2}code(?: is|:)|(?:enter|use|type|input|with) (?:the |this )?(?:code|pin)"
    r"|code sent to [^\n0-9]{0,30}is|the code (?:is|i got is|was)"
    r"|(?:^|(?<=[\n.,;!>] ))code(?: is|:))\s{0,2}:?\s{0,2})[\"'*]?"
    r"(?P<code>[0-9]{3}[ -][0-9]{3}|[A-Za-z]-[0-9]{4,8}|[0-9]{4,8})(?![0-9A-Za-z]|[-./:][0-9])"
)
_SPARE: Final = r"(?=[0-9A-Za-z-]{0,40}[0-9])[0-9A-Za-z]{4,12}(?:-[0-9A-Za-z]{4,8}){0,3}"
_SPARE_CODES: Final = re.compile(
    r"(?i:(?:backup|recovery|rescue|emergency|scratch|spare) codes?(?: are| is)?|备用码|备份码|恢复码)"
    rf"\s{{0,3}}[:=是为]?\s{{0,3}}(?P<code>{_SPARE}(?:(?:\s{{0,2}}[,;/、]\s{{0,2}}|\s{{1,3}}){_SPARE}){{0,19}})"
    r"(?![0-9A-Za-z-])"
)
_OTP_HINTS: Final = (
    "code", "otp", "2fa", "mfa", "one-time", "one time", "passcode", "verification number", "tan", "código", "код",
    "码", "碼",
    "密码", "口令", "コード", "인증",
)  # fmt: skip
_OTP_PARTS: Final = (
    "code", "one-t", "one t", "otp", "tan", "2fa", "mfa", "number", "cód", "код", "验证码", "驗證碼", "校验码", "动态",
    "動態", "簡訊", "短信码", "认证码", "确认码", "一次性密码", "登录码",
    "激活码", "取件码", "取餐码", "コード", "인증번호",
)  # fmt: skip
"""One of these stands in every OTP_WORD, in lower case."""
_OTP_DENY: Final = re.compile(
    r"order|invoice|订单|单号|error|http|status|zip|postal|promo|coupon|discount|area code|country code|source code"
)

PIN_WORD: Final = (
    r"(?:(?<![a-z])(?:(?:card|sim|atm|bank|debit|credit|phone|my|the|screen|unlock|device|puk|door"
    r"|security) ){0,2}(?:pin|puk)(?: (?:code|number|no\.?))?(?![a-z])"
    r"|(?<![a-z])(?:door|gate|alarm|garage|lock ?box|entry|building|safe|locker|keypad|lock|front door|access"
    r"|unlock|screen|house|bike|padlock|suitcase|gun safe)"
    r"(?: lock|['’]s)? (?:code|combination|combo|pin|keypad)s?(?![a-z])"
    r"|pin码|pin碼|取款密码|支付密码|银行卡密码|卡密码|锁屏密码|开门密码|门禁密码|门锁密码|门禁码|门禁|开锁密码|解锁密码|保险柜密码|保险箱密码|手机密码|暗証番号|비밀번호)"
)
_PIN_PARTS: Final = (
    "pin", "pın", "puk", "code", "comb", "keypad", "unlock", "门禁", "取款密码",
    "支付密码", "卡密码", "锁屏密码", "开门密码", "门锁密码",
    "开锁密码", "解锁密码", "保险柜密码", "保险箱密码", "手机密码", "暗証番号", "비밀번호",
)  # fmt: skip
"""One of these stands in every PIN_WORD, in lower case."""
_SPACED_CODE: Final = r"[0-9](?: [0-9]){3,7}|[0-9]{2} [0-9]{2}(?: [0-9]{2})?|[0-9]{4,8}"
_PIN: Final = re.compile(
    rf"(?i:{PIN_WORD})(?:['’]s(?![a-z]))?[\"'`]?\s{{0,3}}"
    rf"(?:(?i:i use|i set|i have|for|to|of|on|at|is|was|are|it's|its|the|my|our|still|now|=|:|=>|->|-|是|为"
    rf"|(?:改成|改为|设成|都是|就是)了?|[四六4-8]位(?:数字?)?)\s{{0,2}}[\"'*]?"
    rf"|(?i:atm|card|bank|phone|account|door|house|office|gate|front|back|sim|visa|alarm|building)\s{{1,2}}){{0,7}}"
    r"(?P<code>[0-9](?: [0-9]){3,7}|[0-9]{2} [0-9]{2}(?: [0-9]{2})?|[#*]?[0-9](?:[0-9]|-(?=[0-9])){3,11}[#*]?)"
    r"(?![0-9A-Za-z]|[./:][0-9])"
)
_PIN_FOR: Final = re.compile(
    r"(?<![a-z])pin (?:code |number )?(?:for|of|to|on) (?:[a-z'’]{2,12} ){0,3}[a-z'’]{2,12}"
    r"(?: is| was|:| =)\s{0,2}[\"']?"
    r"(?P<code>[0-9]{4,8})(?![0-9A-Za-z]|[./:-][0-9])"
)
_PIN_BEFORE: Final = re.compile(
    r"(?<![0-9A-Za-z.#/-])(?P<code>[0-9]{4,8}) (?i:is (?:my|the|our) (?:[a-z]{2,10} ){0,3}(?:pin|code"
    r"|combination))(?![a-z])"
)
_PIN_BEFORE_CHINESE: Final = re.compile(
    r"(?<![0-9a-z.#/-])(?P<code>[0-9]{4,8})是(?:我|他|她|咱|你)?(?:家|们)?的?"
    r"(?:取款密码|支付密码|银行卡密码|卡密码|锁屏密码|门禁密码|门锁密码|门禁(?:pin|码)|pin(?:码)?(?![a-z])|保险柜密码|手机密码)"
)
_UNLOCKS: Final = re.compile(
    r"unlocks? (?:my|the|his|her|our|your) (?:[a-z]{2,10} )?"
    r"(?:phone|iphone|ipad|tablet|laptop|card|door|safe|screen|alarm|locker|gate) (?:with|using|by entering)"
    r" (?:the code |code |pin )?(?P<code>[0-9]{4,8})(?![0-9A-Za-z]|[./:-][0-9])"
    rf"|(?:opens?|unlocks?) (?:with|by) (?:the |my |our )?(?:code|pin|combination) (?P<opens>{_SPACED_CODE})"
    r"(?![0-9A-Za-z]|[./:-][0-9])"
)
_HARDWARE: Final = re.compile(r"(?:gpio|arduino|header|connector|socket|chip|esp32|raspberry)[^\n]{0,10}$")
_ANSWER: Final = re.compile(
    r"(?i:(?:security|secret|recovery|challenge) (?:question )?answer(?: to [^\n:?]{0,60}| for [^\n:?]{0,60})?"
    r"|answer to (?:my|the|your) (?:security|secret|recovery) question"
    r"|(?:my |her |his |your )?mother'?s maiden name|maiden name of (?:my |the )?mother|(?:my |the )?(?:first"
    r"|childhood|favou?rite|elementary) (?:pet|teacher|school|street|car|friend|nickname)(?:'s name|'s| name)?"
    r"|密保答案|密保问题(?:的)?答案|安全问题(?:的)?答案|密码提示答案|母亲(?:的)?姓名|母亲(?:的)?婚前姓)"
    r"[\"'`]?[ \t]{0,2}(?:\?[ \t]{0,2})?(?:(?i:answer|a|is|was|called|named|=|:|-|->|是|为|叫)[ \t:]{1,2}"
    r"|[:=是为叫][ \t]{0,2}){1,3}[\"'`“「]?(?P<code>[^\n.,;!?\"'`”」。，；！？&]{2,40})"
)
_RESETS: Final = re.compile(
    r"(?:security|secret|recovery|challenge)[^\n]{0,40}answer|answer to|maiden"
    r"|(?:first|childhood|elementary|favou?rite) (?:pet|t|s|c|f|n)"
    r"|密保|答案|母亲"
)
_RESET_PARTS: Final = (
    "security", "secret", "recovery", "challenge", "answer to", "maiden", "first ", "childhood ", "elementary ",
    "favorite ", "favourite ", "密保", "答案", "母亲",
)  # fmt: skip
"""One of these stands in every match of _RESETS."""
_ANSWER_DENY: Final = re.compile(
    r"(?:a|an|the|not|used|required|wrong|incorrect|what|case|stored|needed|often|also|more|easy)\b", re.IGNORECASE
)
_QUESTION: Final = re.compile(r"security|secret|recover|answer|maiden|question|reset|密保|安全问题|答案")


def find_one_time_codes(reading: Reading) -> Iterator[Finding]:
    """Codes of 4 to 8 digits or capitals, next to words that say they are one-time codes."""
    if not reading.has_digit or not any(hint in reading.lower for hint in _OTP_HINTS):
        return
    named = any(part in reading.lower for part in _OTP_PARTS)
    for pattern in (_OTP_AFTER, _OTP_BEFORE, _YOUR_CODE, _SPARE_CODES) if named else (_YOUR_CODE, _SPARE_CODES):
        for found in pattern.finditer(reading.text):
            start, end = found.span("code")
            if not _OTP_DENY.search(reading.lower, max(0, found.start() - 16), start):
                yield Finding(start, end, EntityType.OTP, FORMED, "otp")


def find_pins(reading: Reading) -> Iterator[Finding]:
    """PINs, and codes of doors, alarms, gates and safes."""
    lower = reading.lower
    if not reading.has_digit or not any(part in lower for part in _PIN_PARTS):
        return
    for pattern in (_PIN, _PIN_FOR, _PIN_BEFORE, _PIN_BEFORE_CHINESE, _UNLOCKS):
        for found in pattern.finditer(reading.text if pattern in (_PIN, _PIN_BEFORE) else lower):
            if _HARDWARE.search(lower, max(0, found.start() - 24), found.start()):
                continue
            yield Finding(*found.span(found.lastgroup or "code"), EntityType.PIN, FORMED, "pin")


def find_security_answers(reading: Reading) -> Iterator[Finding]:
    """What resets a password: the mother's maiden name, the first pet."""
    lower = reading.lower
    if not any(part in lower for part in _RESET_PARTS) or not _RESETS.search(lower):
        return
    for found in _ANSWER.finditer(reading.text):
        start, end = found.span("code")
        while end > start and reading.text[end - 1].isspace():
            end -= 1
        said = "maiden" in found[0].lower() or _QUESTION.search(lower, max(0, found.start() - 80), start)
        if end > start and said and not _ANSWER_DENY.match(reading.text, start):
            yield Finding(start, end, EntityType.SECURITY_ANSWER, CONTEXT, "security-answer")
