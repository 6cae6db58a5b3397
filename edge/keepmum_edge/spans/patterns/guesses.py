"""Can this stretch be what the model takes it for? Asked of its guesses that are no secrets; see also `secret_forms`.

The model goes by how a sentence sounds, so it takes a count for an identifier, a time for a place, "mom" for a name.
Only what cannot be such a value is refused: where it is unclear, a guess stands.
"""

import re
from typing import Final

from keepmum_shared.taxonomy import EntityType as T

from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns.labelled import near
from keepmum_edge.spans.patterns.phone import PHONE_WORDS

_NUMBERS: Final = frozenset({
    T.PHONE, T.POSTCODE, T.DEVICE_ID, T.ACCOUNT_ID, T.NATIONAL_ID, T.PASSPORT, T.DRIVER_LICENSE, T.TAX_ID,
    T.BANK_ACCOUNT, T.BANK_CARD, T.USERNAME, T.VEHICLE_PLATE,
})  # fmt: skip
_NUMBER: Final = re.compile(r"[0-9][0-9,. ]*\Z")
_COUNTED: Final = re.compile(
    r" ?(?:characters?|letters|words?|bytes?|lines?|rows?|items?|people|persons?|users?|customers?"
    r"|visitors?|views?|likes?|followers|votes?|copies|times|points?|pages?|pieces?|units?|entries|records|requests?"
    r"|applications?|inhabitants|residents|students|employees|members|patients|cases|miles|km|metres|meters|feet|years?"
    r"|months?|days?|hours?|minutes?|seconds?|percent)(?![a-z])|[个個字次条條件份张張页頁行名位篇台辆輛只万亿億]|人(?!民)"
)
"""What is counted, right behind a number."""
_OF_A_THING: Final = re.compile(
    r"(?<![a-z])(?:part|product|model|item|sku|isbn|issn|version|build|commit|flight|gate|page|chapter|section|article"
    r"|lot|batch)s?(?: (?:id|no|nr|number|code|ref|reference))?\.?(?: is| was)?[ :#.(]{0,4}\Z"
    r"|(?:型号|航班|版本|批次)号?(?:是|为|:| |#){0,3}\Z"
)
"""What a number right behind it names: a thing. Not orders and cases: whoever knows the shop knows the customer."""
# Possessive, or a long row of numerals could be read in very many ways.
_TIME: Final = re.compile(
    r"(?:(?:at|on|by|until|from|every|the|this|next|am|pm|a\.m\.|p\.m\.|o'clock|noon|midnight|morning|afternoon|evening"
    r"|night|today|tonight|tomorrow|day|week|month|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march"
    r"|april|may|june|july|august|september|october|november|december)(?![a-z])"
    r"|[0-9]{1,4}(?:st|nd|rd|th|am|pm)?(?![a-z0-9])|[:,./ -])++\Z"
    r"|(?:每[天日周月年]|今天|明天|后天|昨天|早上|上午|中午|下午|晚上|凌晨|周[一二三四五六日末]|下班后|上班前|[0-9一二三四五六七八九十两半]{1,4}"
    r"[点點分时時号日月年]?半?|[ :])++(?:再?[去来回](?:取|拿|买|接)?)?\Z"
)
_NO_TIMES: Final = frozenset({T.HEALTH, T.LOCATION_TRACE, T.ADDRESS, T.ORGANIZATION})
_FAR: Final = 200
_LISTED: Final = re.compile(r"(?:^|\n)[ \t]{0,3}[0-9]{1,2}[.)] ?\Z")
"""What stands before an item of a numbered list."""
_SERIES: Final = re.compile(r"(?=.*[^0-9][0-9]{2}(?![0-9]))[1-9][0-9]?(?:[ ,]{1,2}[0-9]{1,2}){3,}\Z")
"""Small numbers in a row."""
_NOBODY: Final = frozenset(
    """
    mom mum mommy mummy mama momma dad daddy papa mother father bro brother sis sister daughter wife husband
    grandma grandpa granny grandmother grandfather auntie aunt uncle baby kid kids honey darling dear god lord president
    boss sir madam doctor teacher coach captain officer nurse the my a dear your our his her their and
    """.split()  # noqa: SIM905
)
"""Words, lower case, that call somebody and name nobody."""
_A_DAY: Final = re.compile(r"['’]s[ -]day(?![a-z])")
"""What makes a feast of a name."""
_WORD: Final = re.compile(r"[a-z]+")
_NO_CHINESE_NAME: Final = frozenset(
    """
    播放 暂停 继续 停止 打开 关闭 开启 启动 退出 设置 设定 调整 调高 调低 增加 减少 添加 加入 删除 取消 修改
    更新 保存 创建 新建 编辑 预订 预定 预约 订购 购买 查找 搜索 查询 查看 显示 列出 读取 播报 推荐 提醒 通知
    告诉 发送 回复 转发 拨打 呼叫 联系 导航 翻译 计算 记录 评价 打分 评分 希望 需要 想要 想听 想看 请问 麻烦
    帮我 帮忙 给我 听到 看到 今天 明天 后天 昨天 早上 上午 中午 下午 晚上 现在 以后 之后 之前 天气 闹钟 音乐
    """.split()  # noqa: SIM905
)
"""Words that commands are made of; Chinese has no capitals to tell them from names."""


def can_be(reading: Reading, start: int, end: int, entity_type: T) -> bool:
    """Say whether a stretch of a reading may be a value of this type."""
    value = reading.lower[start:end]
    if entity_type is T.PHONE and (_LISTED.search(reading.text, max(0, start - 8), start) or _SERIES.match(value)):
        return near(reading, PHONE_WORDS, start, end, before=_FAR, after=_FAR)
    if entity_type in _NUMBERS:
        if _NUMBER.match(value) and _COUNTED.match(reading.lower, end):
            return False
        return not _OF_A_THING.search(reading.lower, max(0, start - 40), start)
    if entity_type in _NO_TIMES:
        return _TIME.match(value) is None
    if entity_type is T.NAME:
        if _A_DAY.match(reading.lower, end):
            return False
        words = _WORD.findall(value) if value.isascii() else ()
        return value not in _NO_CHINESE_NAME and not (words and _NOBODY.issuperset(words))
    return True
