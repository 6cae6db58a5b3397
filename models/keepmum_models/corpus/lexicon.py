"""Chinese words by kind, from the dictionary that the word segmenter `jieba` ships: only its word list is read.

Any word can stand in ordinary text, so negatives are made of tens of thousands of them: a model that has seen ordinary
text of a few hundred words takes every rare noun for a name. The names of persons in the dictionary are too mixed to be
used whole; the characters of their given names are used, with the frequency that they have there.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

_CHINESE = re.compile(r"[\u4e00-\u9fff]+")
_KINDS = {
    "noun": ("n", "nz"),
    "verb": ("v", "vn"),
    "adjective": ("a",),
    "manner": ("d", "z"),
    "saying": ("i", "l"),
    "place": ("ns",),
    "body": ("nt",),
    "spot": ("s",),
}
"""Our word for a kind of word, and the tags of the dictionary."""

_PROPER = frozenset({"nr", "nrt", "nrfg", "ns", "nt", "nz"})
_RARE = 3
_COMMON = 12
_FAMILIES = frozenset(
    "王李张刘陈杨赵周吴徐孙朱郭何林罗梁宋唐许韩冯邓曹彭曾肖董袁潘蒋蔡余杜叶程苏魏吕丁沈姚卢姜崔谭陆汪范石廖贾夏韦邹孟熊秦薛段雷侯龙史陶黎"
    "贺顾毛郝龚邵钱严覃武戴莫孔汤"
)
"""Family names that begin few other words, so that three characters tagged as a name mostly are one."""

_TRAPS = _FAMILIES | frozenset(
    "马黄高任方于白金成安常万平和温时关查车许雷夏牛史石余童国路花毛施明向水张严戴伍尤管单连项祝左"
)
_NOT_GIVEN = frozenset(
    "嫂爷氏公家庄山县村市区省河街路王军队们族国城女兄弟姐妹妈父母哥叔伯婶婆夫侯相帝后妃姑某局长总董党系门桥镇乡沟湾店寺庙馆院法型号者版的了着"
    "过是在被把给和与及等性化度率那这怒忙便即曰"
)


@cache
def _rows() -> tuple[tuple[str, int, str], ...]:
    text = (files("jieba") / "dict.txt").read_text(encoding="utf-8")
    rows = (line.split(" ") for line in text.splitlines())
    return tuple((word, int(count), tag) for word, count, tag in rows if _CHINESE.fullmatch(word))


@cache
def words() -> Mapping[str, tuple[str, ...]]:
    """Return the words of each kind, and under `common KIND` the more frequent ones.

    A `trap` is an ordinary word that begins with what could be a family name.
    """
    found: dict[str, list[str]] = {name: [] for kind in (*_KINDS, "trap") for name in (kind, f"common {kind}")}
    kinds = {tag: kind for kind, tags in _KINDS.items() for tag in tags}
    for word, count, tag in _rows():
        if not 2 <= len(word) <= 6 or count < _RARE:
            continue
        names = [kinds[tag]] if tag in kinds else []
        if word[0] in _TRAPS and len(word) < 4 and tag not in _PROPER:
            names.append("trap")
        for name in names:
            found[name].append(word)
            if count >= _COMMON:
                found[f"common {name}"].append(word)
    return {kind: tuple(row) for kind, row in found.items()}


@cache
def given_characters() -> tuple[str, str]:
    """Return the first and the second characters of given names, each as often as the dictionary has them."""
    first: list[str] = []
    second: list[str] = []
    for word, _, tag in _rows():
        if tag in {"nr", "nrfg"} and len(word) == 3 and word[0] in _FAMILIES and word[2] not in _NOT_GIVEN:
            first.append(word[1])
            second.append(word[2])
    return "".join(first), "".join(second)
