"""Which parts of a message are its author's own words (pure).

Only the owner's own words are a source of memories (design section 7). A message often carries others': code, quoted
lines, a pasted page or mail, a transcript, a prompt that an application wrote around a conversation. Those are cut out
here, generously: what is lost is a memory that was not made; what slipped through would be a stranger's word believed.
"""

import re
from typing import Final

from keepmum_edge.memory.fact_forms_en import VETO_EN
from keepmum_edge.memory.fact_forms_zh import VETO_ZH

MAX_OWN: Final = 4000
"""Code points; of a longer message only the first paragraph is taken to be typed."""
_LONG_QUOTE: Final = 4
"""Words (or, in Chinese, twice as many characters) from which a quotation is no mere name."""

_FENCE: Final = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_MARKUP: Final = re.compile(
    r"<(?![A-Z][A-Z_]*_\d+>)([A-Za-z][\w-]*)(?:\s[^<>]*)?>.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL
)
_QUOTED_LINE: Final = re.compile(r"^[ \t]*(?:>|\|).*$", re.MULTILINE)
_QUOTE: Final = re.compile(
    r"\"[^\"\n]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|『[^』]*』|《[^》]*》|'''.*?'''", re.DOTALL
)
_FOREIGN_START: Final = re.compile(
    r"^[ \t]*(?:"
    r"#{1,6}\s|-{3,}|={3,}|\[(?:system|inst|tool|document|page|source)"
    r"|(?:system|assistant|user|human|ai|bot|model|tool|function|customer|agent|doctor|patient)\s*(?:\(.*?\))?[:：]"
    r"|(?:from|to|cc|subject|date|sent|re|fwd?|reply-to)[ \t]*:[ \t]*\S"
    r"|(?:begin|start) (?:of )?(?:forwarded|original|message|page|document)"
    r"|on .{4,80} wrote:"
    r"|(?:系统|助手|用户|客服|医生|患者|发件人|收件人|主题|抄送|发送时间)\s*[:：]"
    r")",
    re.IGNORECASE | re.MULTILINE,
)
_INTRODUCES: Final = re.compile(
    r"(?:"
    r"\b(?:summari[sz]e|translat\w*|rewrite|rephrase|paraphrase|proofread|edit|correct|improve|shorten|expand|polish"
    r"|explain|analy[sz]e|review|classify|extract|parse|convert|format|reply to|answer|respond to|continue|complete"
    r"|check|fix|debug|read|process|here(?:'s| is| are)|this is|below is|following|i (?:got|received|found|copied)"
    r"|(?:page|article|site|website|mail|email|e-mail|letter|text|post|message|document|tool|result|log|transcript"
    r"|passage|paragraph|essay|review|comment|note|he|she|they|it|boss|client|customer)\s+(?:says?|said|reads?|wrote"
    r"|writes|sent|states?|returned))\b"
    r"[^.!?\n]{0,120}?[:：][ \t]*(?=\S|\n)"
    r"|\b(?:summari[sz]e|translate|rewrite|proofread|analy[sz]e|explain)\b[^.!?\n:]{0,80}(?:\n|$)"
    r"|(?:总结|概括|翻译|改写|润色|修改|校对|解释|分析|提取|回复|续写|检查|阅读|看看|看一下|以下|下面|如下|内容是|写道|说|收到|原文)"
    r"[^。！？\n]{0,60}?[:：][ \t]*(?=\S|\n)"
    r")",
    re.IGNORECASE,
)
_CUT: Final = "\n"


def source_words(message: str, *, with_request: bool = False) -> str:
    """Return what of a message may be a source of memories: its author's own words; nothing if that was forbidden.

    Args:
        message: As it was written.
        with_request: With the words that ask for something to be done with others' text.
    """
    if VETO_EN.search(message) or VETO_ZH.search(message):
        return ""
    return own_words(message, with_request=with_request)


def own_words(message: str, *, with_request: bool = False) -> str:
    """Return what its author said in a message; what was cut out leaves a line break."""
    text = message if len(message) <= MAX_OWN else message[:MAX_OWN].split("\n\n", 1)[0]
    for pattern in (_FENCE, _MARKUP):
        text = pattern.sub(_CUT, text)
    if found := _FOREIGN_START.search(text):
        text = text[: found.start()]
    if found := _INTRODUCES.search(text):
        text = text[: found.end() if with_request else found.start()]
    text = _QUOTED_LINE.sub(_CUT, text)
    return _QUOTE.sub(lambda quote: quote[0] if _is_short(quote[0]) else _CUT, text)


def _is_short(quote: str) -> bool:
    inner = quote[1:-1]
    words = len(inner.split())
    return words < _LONG_QUOTE and (inner.isascii() or len(inner) < 2 * _LONG_QUOTE)
