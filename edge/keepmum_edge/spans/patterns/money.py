"""Somebody's own income, savings and debts, with the amount; never prices, invoices and statistics."""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CONTEXT, Finding
from keepmum_edge.spans.normalise import Reading

_UNIT: Final = (
    r"(?:us dollars?|dollars?|euros?|pounds?|bucks|quid|francs?|rupees?|yen|usd|eur|gbp|chf|cad|aud|inr|lakhs?|crores?)"
)
_DIGITS: Final = r"[0-9]{1,3}(?:[,. ][0-9]{3}){1,3}(?:\.[0-9]{2})?|[0-9]{1,9}(?:\.[0-9]{1,2})?"
_SCALE: Final = r"(?: ?(?:k|m|mn|grand|thousand|million)(?![a-z]))"
_PERIOD: Final = (
    r"(?:,? ?(?:/ ?|an? |per |each |every )(?:year|month|week|hour|day|yr|mo|hr"
    r"|annum)(?![a-z])| (?:annually|monthly|yearly|p\.a\.))"
)
_MONEY: Final = (
    rf"(?:(?:us)?[$€£¥] ?(?:{_DIGITS}){_SCALE}?(?: ?{_UNIT}(?![a-z]))?"
    rf"|(?:{_DIGITS})(?:{_SCALE}(?: ?{_UNIT}(?![a-z]))?| ?{_UNIT}(?![a-z])|[€£$])"
    rf"|(?:usd|eur|gbp|chf) ?(?:{_DIGITS}){_SCALE}?){_PERIOD}?"
)
_BARE: Final = rf"(?:{_MONEY}|(?:[0-9]{{1,3}}(?:,[0-9]{{3}}){{1,3}}|[0-9]{{4,9}})(?![0-9,.]*[0-9%]){_PERIOD}?)"
_ABOUT: Final = (
    r"(?:(?:about|around|roughly|approximately|only|just|over|under|nearly|almost|at|some|exactly|now|still) ){0,2}"
)
_WEALTH: Final = (
    r"(?:(?:annual|monthly|yearly|gross|net|base|current|take-home|household|total"
    r"|credit[- ]card|student|car|home|tax|starting|mortgage) ){0,2}"
    r"(?:salary|income|wages?|pay(?:check)?|take-home|earnings|mortgage|debts?|savings"
    r"|net worth|bonus|pension|loans?|overdraft|balance"
    r"|compensation|inheritance|alimony|rent)"
)
_EARNED: Final = re.compile(
    rf"(?<![a-z])(?:i|we)(?:['’]m| am)? (?:now |currently |also |still |only )?(?:earn(?:ed"
    rf"|ing)?|bring home|take home|get paid)"
    rf" {_ABOUT}({_BARE})"
    rf"|(?<![a-z])(?:i|we) (?:now |currently )?ma[kd]e {_ABOUT}({_MONEY})"
    rf"|(?<![a-z])(?:my|our|his|her) (?:(?:wife|husband|partner|mother|father|mom|mum"
    rf"|dad)['’]s )?{_WEALTH}(?: (?:at|for|from|on|after) [a-z ]{{1,20}}?)?"
    rf"(?: (?:is|was|of|are|will be|went up to|dropped to|went from|comes to)|:| =)? {_ABOUT}({_BARE})"
    rf"|(?<![a-z])(?:i|we|and|still|also) owe (?:[a-z]+ ){{0,3}}?{_ABOUT}({_BARE}|[0-9]{{1,4}}k(?![a-z]))"
    rf"|(?<![a-z])(?:i|we)(?: have|['’]ve got|['’]ve| had) {_ABOUT}({_MONEY})(?= (?:in|of"
    rf"|left (?:on|in)) (?:my |our |the |a )?(?:[a-z-]+ ){{0,2}}?"
    r"(?:savings?|debts?|account|loans?|mortgage|pension|bank|401k|isa|credit card))"
    rf"|(?<![a-z])(?:i|we)(?:['’]m| am|['’]re| are) {_ABOUT}({_MONEY}) in (?:the red|debt)"
    rf"|(?<![a-z])my (?:bank |savings |checking |current )?account (?:has|holds|is at|shows) {_ABOUT}({_MONEY})"
)
_HINTS: Final = (
    *("earn", " mak", " mad", "salary", "income", "wage", " pay", "paid", "take", "bring home", "owe", "mortgage"),
    *("debt", "saving", "worth", "bonus", "pension", "loan", "balance", "overdraft", "account", "compensation"),
    *("inherit", "alimony", " red", "rent"),
)

_CHINESE_AMOUNT: Final = (
    r"(?:[¥￥$]?[0-9][0-9,.]*(?:[万千亿wk]|百万)?|[一二两三四五六七八九十百千零半]{1,8}万?"
    r"|[一二两三四五六七八九十百千]{1,6}[万千])"
    r"[0-9一二两三四五六七八九十百千零半多]{0,6}(?:块钱?|元|人民币|美元|美金|欧元|港币|日元)?"
)
_CHINESE: Final = re.compile(
    r"(?:税前|税后|到手|每月|每年)?(?:月薪|年薪|工资|底薪|年收入|月收入|收入|存款|积蓄|房贷"
    r"|车贷|网贷|花呗|借呗|助学贷款|贷款|负债|欠款|债务"
    r"|信用卡欠款?|欠了?(?:银行|亲戚|朋友|别人|信用卡|网贷)?|公积金|年终奖|奖金|退休金"
    r"|养老金|余额|到手|(?:一个月|每个?月|一年|每年)(?:能|可以|大概|才|只)?[挣赚])"
    r"(?:每个?月|一个月|一年)?(?:里)?(?:还剩下?|还有|还欠|剩下?|只有|有|是|为|:|大概|大约"
    r"|差不多|约|共|总共|税前|税后|到手|要还|了){0,3} ?"
    rf"({_CHINESE_AMOUNT})"
)
_CHINESE_HINTS: Final = (
    *("薪", "工资", "收入", "存款", "积蓄", "贷", "负债", "欠", "债务", "花呗", "借呗"),
    *("公积金", "奖", "养老金", "退休金", "余额", "到手", "挣", "赚"),
)
_OWN: Final = re.compile("我(?!国|市|省|县|区|司)|咱")
_GENERAL: Final = re.compile("平均|中位|人均|招聘|统计|应该|如果|假如|假设|至少|最低")
_BREAK: Final = re.compile("[。！？!?\n]")
_REACH: Final = 60


def find_money(reading: Reading) -> Iterator[Finding]:
    """Amounts that a first person earns, has or owes; in Chinese with the word before them."""
    lower = reading.lower
    if reading.has_digit and any(map(lower.__contains__, _HINTS)):
        for found in _EARNED.finditer(lower):
            start, end = found.span(found.lastindex or 0)
            yield Finding(start, end, EntityType.FINANCE, CONTEXT, "money-own")
    if lower.isascii() or not any(map(lower.__contains__, _CHINESE_HINTS)):
        return
    for found in _CHINESE.finditer(lower):
        if _worth_hiding(found[1]) and _is_own(lower, found.start()):
            yield Finding(found.start(), found.end(), EntityType.FINANCE, CONTEXT, "money-own")


def _worth_hiding(amount: str) -> bool:
    """Whether an amount has a unit or three digits; "两个" has neither."""
    return any(unit in amount for unit in "万千百亿wk元块币金") or sum(map(str.isdigit, amount)) >= 3


def _is_own(text: str, start: int) -> bool:
    """Whether the sentence before speaks of the writer and of no statistics."""
    before = text[max(0, start - _REACH) : start]
    sentence = _BREAK.split(before)[-1]
    return bool(_OWN.search(sentence)) and not _GENERAL.search(sentence)
