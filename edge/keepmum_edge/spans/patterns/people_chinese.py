"""Names in Chinese and Japanese characters: said, labelled, signed, called; and Latin names said in Chinese."""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CONTEXT, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns.name_forms import NAME, is_name

_HAN: Final = r"\u3400-\u9fff"
CLEAR_SURNAMES: Final = (
    "王李张刘陈杨赵吴周徐孙胡朱林何郭罗梁宋郑谢韩唐冯于董萧曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶"
    "阎余潘杜戴夏钟汪田任姜范姚谭廖邹熊陆郝孔邵孟秦江尹侯雷龙段顾崔龚邱刁"
)
OTHER_SURNAMES: Final = "高马程白安金方文温常万毛史石黎贺武康钱汤易乔庞樊兰殷施陶洪翟严倪欧裴席卫柳骆严齐华俞柯"
DOUBLE_SURNAMES: Final = "欧阳|上官|司马|诸葛|东方|皇甫|尉迟|慕容|令狐|司徒|端木|夏侯"
_ANY: Final = f"(?:(?:{DOUBLE_SURNAMES})[{_HAN}]{{1,2}}|[{CLEAR_SURNAMES}{OTHER_SURNAMES}][{_HAN}]{{1,2}})"
_SURE: Final = f"(?:(?:{DOUBLE_SURNAMES})[{_HAN}]{{1,2}}|[{CLEAR_SURNAMES}][{_HAN}]{{1,2}})"
_STOP: Final = r"(?=[ \t]*(?:[,.!?;:)(\n\r，。！？；、、\"”」]|$))"

_SAID: Final = re.compile(
    rf"(?:(?:我|他|她|朋友|同事|儿子|女儿|老公|老婆|弟弟|妹妹|哥哥|姐姐|孩子|老板|室友|本人"
    rf"|名字)(?:的?名字)?(?:叫做?|名叫|是叫) ?(?:({_ANY}){_STOP}|({NAME}))"
    rf"|(?:我|他|她)?的?(?:名字|姓名|真名|本名)(?:是|为) ?(?:({_ANY}){_STOP}|({NAME}))"
    rf"|(?<![{_HAN}])(?:你好|您好|大家好)?,?我是 ?(?:({_SURE}){_STOP}|({NAME}){_STOP}))"
)
_LABELLED: Final = re.compile(
    r"(?:姓名|联系人|收件人|收货人|寄件人|患者|病人|户名|持卡人|开户人|申请人|签收人|经办人"
    r"|紧急联系人|氏名|お名前)(?:姓名)?[\"*]{0,3}[ \t]{0,2}"
    rf"(?::|=|\|)[ \t\"*]{{0,4}}(?:({_ANY})(?![{_HAN}])|({NAME}))"
)
_OWNER: Final = re.compile(
    rf"(?:(?<![{_HAN}])|员工|客户|患者|病人|同事|用户|朋友|联系|学生|老师|请|给|找|和|是|人)({_SURE})"
    r"(?:的(?:身份证|手机|电话|邮箱|住址|地址|银行卡|护照|微信|生日)|先生|女士|小姐"
    r"|,? ?(?:电话|手机|身份证)| ?[<(]?(?:1[3-9][0-9]{9}|[\w.+-]{1,40}@))"
)
_WORD_ENDS: Final = "于任何余钟江周段田龙"
"""Surnames that end many a word: 关于某, 担任院长, 任何女士, 分钟."""
_CALLABLE: Final = "".join(sorted((set(CLEAR_SURNAMES) | set("钱马程")) - set(_WORD_ENDS)))
_CALLED: Final = re.compile(
    rf"([{_CALLABLE}](?:女士|先生|小姐|太太|某某?|(?:院|局|处|科|校|市|县|队)长|书记|法官|警官))(?![某])"
)
_BYLINE: Final = re.compile(rf"(?:记者|通讯员|摄影|编辑)({_ANY})(?=摄|报道|图|文[/、])")
_JAPANESE: Final = re.compile(rf"(?<![{_HAN}々])([{_HAN}々]{{2,4}})(?:さん|様)(?![{_HAN}])")
_NO_NAME_END: Final = (
    *"生员师座人者户手粉族民工党家长的了吗呢吧领卓色们什么谁个位名",
    *(
        "经理",
        "主任",
        "医生",
        "总监",
        "同学",
        "师傅",
        "护士",
        "教授",
        "阿姨",
        "叔叔",
        "先生",
        "女士",
        "小姐",
        "太太",
        "总",
        "哥",
        "姐",
    ),
)
_WEEKDAY: Final = re.compile("周[1-7一二三四五六日末]")
_NO_PERSON: Final = re.compile(
    "(?:.*[者員師屋人業社店達客方]|大家|旦那|息子|奥様|皆々|学生|先生|母親|父親|神様|同様|多様|王様|仏様|一様|各位)$"
)


_CALLING: Final = ("某", "女士", "先生", "小姐", "太太", "长", "书记", "官", "记者", "通讯员", "摄影", "编辑")


def find_chinese_people(reading: Reading) -> Iterator[Finding]:
    """Names that are said or labelled in Chinese or Japanese."""
    text = reading.text
    if text.isascii():
        return
    patterns = []
    if "叫" in text or "是" in text or "名" in text:
        patterns.append((_SAID, "name-said"))
    if ":" in text or "=" in text or "|" in text:
        patterns.append((_LABELLED, "name-label"))
    if reading.has_digit or "@" in text or "的" in text or "先生" in text or "女士" in text or "小姐" in text:
        patterns.append((_OWNER, "name-owner"))
    for pattern, source in patterns:
        for found in pattern.finditer(text):
            start, end = found.span(found.lastindex or 0)
            value = text[start:end]
            if _is_person(value):
                yield Finding(start, end, EntityType.NAME, CONTEXT, source)
    if any(map(text.__contains__, _CALLING)):
        yield from _called(text)
    if "さん" in text or "様" in text:
        for found in _JAPANESE.finditer(text):
            if not _NO_PERSON.match(found[1]):
                yield Finding(found.start(1), found.end(1), EntityType.NAME, CONTEXT, "name-title")


def _is_person(name: str) -> bool:
    if name[0] < "\u3400":
        return is_name(name)
    return not name.endswith(_NO_NAME_END) and not _WEEKDAY.match(name)


def _called(text: str) -> Iterator[Finding]:
    """Yield surnames with what somebody is called by, and names of those who sign a report."""
    for pattern, source in ((_CALLED, "name-called"), (_BYLINE, "name-byline")):
        for found in pattern.finditer(text):
            yield Finding(found.start(1), found.end(1), EntityType.NAME, CONTEXT, source)
