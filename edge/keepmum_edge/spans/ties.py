"""Whether anything beside a name ties it to the owner or to a private person (pure).

"My neighbour Taylor Swift", "I am Michael Jordan", "Dr. ..., who prescribed me", a telephone number in the sentence, a
field of a form, a signature: such a name is that of somebody private who is called like somebody public. Each form is
looked for right beside the name, so that "my essay on Albert Einstein" and "is my favourite singer" tie nothing. Where
it is unclear the answer is yes: then a public name is masked, which costs quality and tells nobody anything.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.normalise import read
from keepmum_edge.spans.patterns.people import find_people
from keepmum_edge.spans.patterns.people_chinese import find_chinese_people
from keepmum_edge.spans.span import PrivateSpan

_NEAR: Final = 90
"""Characters on either side of a name that are looked at."""
_ROLE: Final = (
    r"(?:neighbou?r|friend|buddy|mate|pal|colleague|co-?worker|team-?mate|class-?mate|room-?mate|flat-?mate"
    r"|house-?mate|boss|manager|supervisor|assistant|intern|employee|landlord|landlady|tenant|client|customer|patient"
    r"|student|pupil|teacher|tutor|professor|coach|doctor|gp|physician|dentist|nurse|therapist|psychiatrist|surgeon"
    r"|vet|lawyer|attorney|accountant|agent|recruiter|babysitter|nanny|cleaner|plumber|mechanic|hairdresser|pastor"
    r"|priest|partner|husband|wife|spouse|fianc[ée]e?|ex|boyfriend|girlfriend|crush|date|brother|sister|mother|father"
    r"|mom|mum|dad|son|daughter|kid|child|baby|uncle|aunt|cousin|nephew|niece|grand(?:mother|father|ma|pa"
    r"|son|daughter)"
    r"|godfather|godmother|guest|host|contact|dog|cat|puppy|kitten|pet|horse)(?:-in-law)?"
)
_BEFORE: Final = (
    rf"\b(?:my|our|your|his|her|their)(?: [\w'’-]+){{0,2}}[ -]{_ROLE}(?:,| is| was|,? (?:named|called))?[ ,:\"“(]*",
    r"\b(?:my|our)[ \"“]+",
    (
        r"\b(?:patient|client|customer|tenant|employee|applicant|claimant|defendant|plaintiff|neighbou?r|colleague"
        r"|co-?worker|classmate|landlord|landlady|cardholder|account holder|resident|suspect|witness|student|pupil) "
    ),
    r"\b(?:i am|i['’]?m|this is|my name is|name['’]?s|call me|called|named|me and|i and|myself and) [\"“]?",
    r"\b(?:mr|mrs|ms|miss|mx|dr|doctor|prof|professor|nurse|herr|frau|mme|monsieur|madame)\.? ",
    (
        r"\b(?:i|we)(?:['’](?:ve|d|ll|m|re))?(?: \w+){0,2} (?:met|meet|meeting|married|marrying|dating|dated"
        r"|hired|fired"
        r"|called|phoned|texted|emailed|e-mailed|messaged|visited|invited|owe|owed|paid|lent|sued|asked"
        r"|live with|lived with"
        r"|work(?:ed|ing)? (?:with|for)|talk(?:ed|ing)? (?:to|with)|sp(?:eak|oke|eaking) (?:to|with)"
        r"|sat (?:next to|with)"
        r"|sit(?:ting)? (?:next to|with)|grew up with|study with|studied with|(?:had|have|having|went|going"
        r"|go|share|shared)"
        r"(?: \w+){1,3} with) "
    ),
    r"(?:^|[.!?\n] ?)(?:please )?(?:call|email|e-mail|text|message|remind|contact|phone|invite|reply to) ",
    r"\b(?:meeting|appointment|lunch|dinner|coffee|call) with ",
    (
        r"(?:^|[\n,;|{(\[>])[ \t\"'*>-]*(?:(?:full|first|last|legal|customer|patient|contact|recipient"
        r"|client|employee"
        r"|cardholder|applicant|account)?[ _-]?name|surname|from|attn|attention"
        r"|(?:emergency )?contact(?: person)?|patient"
        r"|client|customer|tenant|employee|recipient|sender|payee|payer|signed|signed[ -]off[ -]by|co-authored-by"
        r"|committer|cardholder|applicant|account ?holder|beneficiary|manager|assignee|reporter|user|owner|host|guest"
        r"|member|student|teacher|doctor|physician|witness|landlord|insured|policy ?holder|passenger"
        r"|guardian|parent|spouse"
        r"|next of kin)[\"'*]{0,3}[ \t]?[:=|][ \t\"'*]*"
    ),
    r"(?:^|\n)[ \t>*]*(?:to|cc|bcc|attendees|participants|invited)[ \t]?:[^\n]*",
    (
        r"(?:姓名|联系人|收件人|收货人|寄件人|发件人|患者|病人|户名|持卡人|开户人|申请人|签收人|经办人|客户"
        r"|员工|学生|家长"
        r"|监护人|负责人|乘客|投保人|被保险人|业主|住户|房东|租客|被告|原告|同事|邻居|同学"
        r"|室友)[\"* ]{0,3}[:=：|]?[ \"*]*"
    ),
    (
        r"(?:我叫|我是|我名叫|本人|名字(?:是|叫)|叫我|鄙人|我(?:们)?(?:昨天|今天|明天|刚才|刚刚|上周|经常|要|想|去)?"
        r"(?:和|跟|同|与|约|联系|认识|给|陪|请|嫁给?|娶)了?)[ “\"']?"
    ),
    (
        r"(?:我|我们|咱|咱们|他|她|你|您)(?:们)?(?:的|家)?[\u3400-\u9fff]{0,3}(?:同事|朋友|邻居|老板|同学"
        r"|室友|舍友|老师"
        r"|班主任|导师|客户|房东|租客|经理|领导|上司|下属|助理|秘书|医生|大夫|律师|会计|爸|妈|父亲|母亲|哥"
        r"|姐|弟|妹|老公"
        r"|老婆|丈夫|妻子|男友|女友|儿子|女儿|孩子|侄子|外甥|叔叔|阿姨|舅舅|姑姑|姨妈|爷爷|奶奶|外公|外婆"
        r"|岳父|岳母|前任"
        r"|前夫|前妻|闺蜜|哥们|搭档|合伙人|徒弟|师傅|教练|保姆|猫|狗)(?:是|叫|名叫)?[ ,，:：“\"]*"
    ),
)
_PRAISE: Final = (
    r"(?! (?:all-time |own |personal |childhood |new )?(?:fav|idol|hero|role|insp|go-to|all|top|number|guilty))"
)
_AFTER: Final = (
    rf"[,(–— -]{{0,3}}(?:who )?(?:is|was|has been|will be)? ?(?:my|our|mine)\b{_PRAISE}",
    rf",? (?:is|was) (?:an? |the )?(?:[\w'’-]+ )?{_ROLE} (?:of (?:mine|ours)|at my|in my|at our|in our)\b",
    (
        r" (?:\w+ ){0,2}(?:called|told|asked|texted|emailed|e-mailed|messaged|phoned|met|visited|invited"
        r"|helped|hired|fired"
        r"|owes|owed|paid|married|wrote|sent|prescribed|diagnosed|treated|examined|referred|drove|picked"
        r"|reminded|hit|hurt"
        r"|bullied|bullies|dumped|harassed|sued|prescribes|sees) (?:\w+ )?me\b"
    ),
    r" (?:called|texted|emailed|phoned|visited|invited|hired|fired|owes|prescribed|diagnosed|treated|examined) us\b",
    r" and (?:i|me|my|myself)\b",
    (
        r"['’]s (?:phone|number|cell|mobile|e-?mail|mail|address|apartment|flat|appointment|account|password"
        r"|salary|ssn"
        r"|passport|insurance|prescription|results|invoice|lease|rent|room|desk|extension)\b"
    ),
    (
        r" (?:lives?|works?|sits|moved) (?:\w+ )?(?:next door|across|with (?:me|us)|at my|at our|in my"
        r"|in our|for (?:me|us)"
        r"|upstairs|downstairs|here)\b"
    ),
    r",? (?:here|speaking|calling)(?=[,.!\n]|$)",
    r" (?:\S+ )?wrote:",
    r",? (?:next door|upstairs|downstairs|(?:from )?across the (?:street|road|hall))\b",
    r",? from (?:work|my|our|school|church|accounting|hr|sales|next door|the office|down the)\b",
    (
        r" ?(?:先生|女士|小姐|太太|同学|同事|老师|医生|大夫|经理|阿姨|叔叔|的(?:手机|电话|号码|邮箱|地址"
        r"|住址|身份证|微信"
        r"|银行卡|护照|工资|病历|预约))"
    ),
    (
        r"(?:昨天|今天|刚才|刚刚|明天|上周|也|还|就|都|总|老|经常){0,2}(?:(?:给|跟|和|找|约|告诉|问|借|欠|打"
        r"|骂|帮|陪|请|叫)我"
        r"(?!们)|是我(?!的?(?:偶像|最|男神|女神|英雄|榜样)|最|喜欢|心|们?最))"
    ),
)
_BEFORE_ANY: Final = re.compile(rf"(?:{'|'.join(_BEFORE)})\Z", re.IGNORECASE)
_AFTER_ANY: Final = re.compile("|".join(_AFTER), re.IGNORECASE)
_SENTENCE_END: Final = re.compile(r"[!?。！？\n]|(?<=[^\W\d_]{3})\.(?=\s|$)|(?<=[\d)])\.(?=\s|$)")
_BREAK: Final = re.compile("\n")
_AFTER_SIGNATURE: Final = " \t\r\n.,!-"
_NO_TIE: Final = frozenset({"name-form"})
"""Rules for names that say only that it is one."""


class Ties:
    """What in one text can tie a name; prepared once, so that a text of many names is read in time linear in it."""

    def __init__(self, text: str, spans: Sequence[PrivateSpan]) -> None:
        """Prepare a text.

        Args:
            text: The whole text.
            spans: Everything private that was found in it, sorted by `start`, not overlapping; a value in the same
                sentence ties.
        """
        self._text = text
        values = [span for span in spans if span.entity_type is not EntityType.NAME]
        self._value_starts, self._value_ends = [s.start for s in values], [s.end for s in values]
        marks = list(_SENTENCE_END.finditer(text))
        self._sentence_ends, self._sentence_starts = [m.start() for m in marks], [m.end() for m in marks]
        self._breaks = [m.start() for m in _BREAK.finditer(text)]
        self._last_telling = len(text.rstrip(_AFTER_SIGNATURE))

    def tied(self, start: int, end: int) -> bool:
        """Say whether the name at [start, end) is tied to the owner or to a private person.

        Args:
            start, end: Where the name stands, without a title that is not part of it.
        """
        text = self._text
        before, after = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
        if _BEFORE_ANY.search(before) or _AFTER_ANY.match(after):
            return True
        return self._is_signature(start, end) or _is_said(text, start, end) or self._is_beside_a_value(start, end)

    def _is_beside_a_value(self, start: int, end: int) -> bool:
        """Whether a private value stands in the sentence, or beside a line that is the name alone."""
        number = bisect_right(self._sentence_starts, start)
        first = self._sentence_starts[number - 1] if number else 0
        number = bisect_left(self._sentence_ends, end)
        last = self._sentence_ends[number] if number < len(self._sentence_ends) else len(self._text)
        line_start, line_end = self._line(start, end)
        if self._is_bare(line_start, start, " \t>*-#") and self._is_bare(end, line_end, " \t,.:*"):
            first = min(first, self._line(max(line_start - 1, 0), end)[0])
            last = max(last, self._line(start, line_end + 1)[1])
        number = bisect_right(self._value_ends, first)
        return number < len(self._value_starts) and self._value_starts[number] < last

    def _is_signature(self, start: int, end: int) -> bool:
        """Whether the name is all of the last line: below a letter, or as the answer of whoever was asked for it."""
        return end >= self._last_telling and self._is_bare(self._line(start, end)[0], start, " \t-—–~>")

    def _line(self, start: int, end: int) -> tuple[int, int]:
        """Return where the line of `start` begins and that of `end` ends."""
        number = bisect_left(self._breaks, start)
        line_start = self._breaks[number - 1] + 1 if number else 0
        number = bisect_left(self._breaks, end)
        return line_start, self._breaks[number] if number < len(self._breaks) else len(self._text)

    def _is_bare(self, start: int, end: int, marks: str) -> bool:
        """Whether a stretch is nothing but a few marks."""
        return end - start <= _NEAR and not self._text[start:end].strip(marks)


def _is_said(text: str, start: int, end: int) -> bool:
    """Whether a form that gives a name away (`patterns.people`) gave this one."""
    first, last = max(0, start - _NEAR), end + _NEAR
    reading = read(text[first:last])
    for find in (find_people, find_chinese_people):
        for found in find(reading):
            at, to = reading.original(found.start, found.end)
            if found.source not in _NO_TIE and first + at < end and first + to > start:
                return True
    return False
