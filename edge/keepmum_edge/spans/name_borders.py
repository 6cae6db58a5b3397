"""Where a found name really begins and ends (pure).

possessive   "Tanaka's" is Tanaka and 's.
one script   In "Adriana 想去" and "周末Tanaka" the Chinese beside a Latin name is the sentence; 小Tanaka is a name.
whole words  Half a word gives the other half away, and so does half of "Anne-Marie" or of 阿卜杜拉·穆罕默德.
whole sounds Of a foreign name in Chinese characters that stand for sounds (布尔格哈德特) those before it are part too.
byline       Behind 记者 and the like a surname with one character is mostly half a name: 记者王颖春.
one span     Two finds with one blank or middle dot between them are one name; Chinese ones only with the dot.

No span grows into another span, and nothing but names is touched.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.span import PrivateSpan

_EAST: Final = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
"""Scripts that put no blanks between words."""
_LONGEST_GROWTH: Final = 40
"""Characters by which a border moves; a longer run of letters is no name."""
_DOTS: Final = "·•・‧"
_POSSESSIVE: Final = re.compile(r"['’][sS]\Z")
_NO_CHINESE_NAME: Final = "的说是在和与了对为也就都到去来从把被给让跟同及或叫请问"
"""Characters at which a Chinese run of letters beside a middle dot ends: they are hardly ever in a transcribed name."""
_LETTERS_AFTER: Final = re.compile(rf"(?:[^\W\d_{_EAST}]|\u0301|['’-](?=[^\W\d_{_EAST}]{{2}}))+")
_LETTERS_BEFORE: Final = re.compile(rf"(?:[^\W\d_{_EAST}]|(?<=[^\W\d_{_EAST}])['’-])+\Z")
_CHINESE_AHEAD: Final = re.compile(rf"(?![小老阿大])[\u3400-\u9fff] ?(?=[^\W\d_{_EAST}]{{3}}[^{_EAST}]*\Z)")
_CHINESE_BEHIND: Final = re.compile(rf"(?<=[^\W\d_{_EAST}]{{3}}) [\u3400-\u9fff]{{1,2}}\Z")
_SOUNDS: Final = (
    "阿艾埃安奥巴贝本比毕宾伯波博布查达大戴丹当道德登迪丁杜顿多尔凡范菲费芬弗佛福盖甘冈戈格古哈海汉赫亨洪胡华惠霍基吉加贾杰"
    "金卡凯坎康考科克肯库奎拉莱兰朗劳勒雷李里历利莲林琳卢鲁路伦罗洛马玛迈麦曼梅门蒙米密明莫默姆穆纳南内尼宁纽诺努欧帕潘"
    "庞佩彭皮珀普奇恰乔切琼热仁荣茹瑞若撒萨塞桑瑟沙山尚舍申施史士舒斯丝思苏索塔泰坦汤特腾提廷图托瓦旺威韦维魏温沃乌伍武西"
    "希锡夏谢辛休雪亚扬耶叶伊易因英尤约泽詹扎占哲兹佐"
)
"""Characters that names of other languages are written with, by their sound."""
_SOUNDS_BEFORE: Final = re.compile(f"[{_SOUNDS}]{{2,8}}\\Z")
_SOUNDS_ALONE: Final = re.compile(f"[{_SOUNDS}]{{4,}}")
_REPORTS: Final = re.compile(r"(?:记者|通讯员|编辑|摄影)\Z")
_AFTER_NAME: Final = frozenset(
    "报摄说称在就从向于昨今日近了也电获前文图发现编采综整通和与及对到来去是为已将又都还正曾随则当最特专连跟用以给把被让问的"
)
"""Characters that begin what a reporter does, behind a name of two."""
_DOT_AFTER: Final = re.compile(rf"(?:[{_DOTS}][\u3400-\u9fff]{{1,8}})+")
_DOT_BEFORE: Final = re.compile(rf"(?:[\u3400-\u9fff]{{1,8}}[{_DOTS}])+\Z")


def with_whole_names(text: str, spans: Iterable[PrivateSpan]) -> Iterator[PrivateSpan]:
    """Yield the spans, sorted and not overlapping as they came, with better borders of names."""
    last: PrivateSpan | None = None
    sorted_spans = list(spans)
    for i, span in enumerate(sorted_spans):
        low = last.end if last is not None else 0
        high = sorted_spans[i + 1].start if i + 1 < len(sorted_spans) else len(text)
        better = _bordered(text, span, low, high) if span.entity_type is EntityType.NAME else span
        if last is not None and _are_one(text, last, better):
            last = _moved(text, max(last, better, key=lambda s: s.certainty), last.start, better.end)
            continue
        if last is not None:
            yield last
        last = better
    if last is not None:
        yield last


def _are_one(text: str, first: PrivateSpan, second: PrivateSpan) -> bool:
    between = text[first.end : second.start]
    if not first.entity_type is second.entity_type is EntityType.NAME or first.level is not second.level:
        return False
    if len(between) != 1:
        return False
    # Chinese names have no blank inside: "张三 李四" are two people.
    return between in _DOTS or (between in " \u00a0" and not _is_chinese(text[first.end - 1]))


def _bordered(text: str, span: PrivateSpan, low: int, high: int) -> PrivateSpan:
    """Move the borders of a name, inside [low, high)."""
    start, end = span.start, span.end
    if (found := _POSSESSIVE.search(span.surface)) and found.start() > 0:
        end = start + found.start()
    start, end = _in_one_script(text, start, end)
    if _is_word(text[start]) and start > low:
        before = text[max(low, start - _LONGEST_GROWTH) : start]
        found = _LETTERS_BEFORE.search(before)
        if found and len(found[0]) < _LONGEST_GROWTH:
            start -= len(found[0])
    if _is_word(text[end - 1]) and end < high and end == span.end:
        after = text[end : min(high, end + _LONGEST_GROWTH)]
        found = _LETTERS_AFTER.match(after)
        if found and found.end() < _LONGEST_GROWTH and found[0].lower() not in ("'s", "’s"):
            end += found.end()
    if end - start == 2 and end < high and _is_chinese(text[end]) and text[end] not in _AFTER_NAME:
        end += _REPORTS.search(text[max(low, start - 3) : start]) is not None
    if _is_chinese(text[end - 1]) and (found := _DOT_AFTER.match(text[end : min(high, end + _LONGEST_GROWTH)])):
        end += _until_no_name(found[0])
    if _is_chinese(text[start]):
        before = text[max(low, start - _LONGEST_GROWTH) : start]
        if _SOUNDS_ALONE.fullmatch(text, start, end) and (found := _SOUNDS_BEFORE.search(before)):
            return _moved(text, span, start - len(found[0]), end)
        if found := _DOT_BEFORE.search(before):
            start -= _until_no_name(found[0][::-1])
    return span if (start, end) == (span.start, span.end) else _moved(text, span, start, end)


def _in_one_script(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a name without one or two Chinese characters of the sentence at its ends, where the rest is Latin."""
    if found := _CHINESE_AHEAD.match(text[start:end]):
        start += found.end()
    if found := _CHINESE_BEHIND.search(text[start:end]):
        end = start + found.start()
    return start, end


def _until_no_name(run: str) -> int:
    """Return how much of a run, which begins or ends with a dot, is name."""
    for i, character in enumerate(run):
        if character in _NO_CHINESE_NAME:
            run = run[:i]
            break
    return len(run.rstrip(_DOTS))


def _moved(text: str, span: PrivateSpan, start: int, end: int) -> PrivateSpan:
    return replace(span, start=start, end=end, surface=text[start:end])


def _is_word(character: str) -> bool:
    return unicodedata.category(character)[0] in "LM" and not re.match(f"[{_EAST}]", character)


def _is_chinese(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff"
