"""What a person is called besides the name belongs to the name (pure).

"Mr. Tanaka" left as "Mr. <NAME_1>" tells the sex, "Dr." and "Sgt." the trade. In Chinese an appellation makes a name of
a mere surname: 王女士, 张总, 小李, 老张 are whole names. After a full name it stays outside: 李明老师 and 李明 are one
person.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.patterns.people_chinese import CLEAR_SURNAMES, DOUBLE_SURNAMES, OTHER_SURNAMES
from keepmum_edge.spans.span import PrivateSpan

_TITLE: Final = re.compile(
    r"(?<![A-Za-z])(?:Mrs?|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Rev|Herr|Frau|Mme|Mlle|Sra?|Señora?"
    r"|(?-i:Colonel|Col|Captain|Capt|Lieutenant|Lt|Major|Maj|General|Gen|Sergeant|Sgt|Corporal|Cpl|Admiral|Commander"
    r"|Pastor|Rabbi|Imam|Judge|Senator|Sen|Inspector|Detective|Constable))\.?[ \u00a0]{1,2}\Z",
    re.IGNORECASE,
)
_LONGEST: Final = 14
"""Characters before a name that are looked at."""
_SURNAME: Final = re.compile(f"{DOUBLE_SURNAMES}|[{CLEAR_SURNAMES}{OTHER_SURNAMES}]")
_FAMILIAR: Final = re.compile(r"(?<![从大幼古至最胆细窄矮弱缩狭])[小老阿]\Z")
_APPELLATION: Final = re.compile(
    "先生|女士|小姐|太太|夫人|同学|老师|医生|大夫|护士|教授|经理|主任|律师|会计|师傅|阿姨|叔叔|伯伯|大爷|大妈|大哥|大姐"
    "|奶奶|爷爷|哥|姐|姨|叔|总(?!是|有|会|得|算|体|结|共|部|要|能|之|数|理|统|和)"
)


def with_titles(text: str, spans: Iterable[PrivateSpan]) -> Iterator[PrivateSpan]:
    """Yield the spans, sorted and not overlapping as they came, names with the title before or after them."""
    free = 0
    sorted_spans = list(spans)
    for i, span in enumerate(sorted_spans):
        start, end = span.start, span.end
        if span.entity_type is EntityType.NAME:
            high = sorted_spans[i + 1].start if i + 1 < len(sorted_spans) else len(text)
            start, end = _called(text, span, free, high)
        yield span if (start, end) == (span.start, span.end) else _moved(text, span, start, end)
        free = end


def _called(text: str, span: PrivateSpan, low: int, high: int) -> tuple[int, int]:
    """Return the borders of a name with its title, inside [low, high)."""
    if _SURNAME.fullmatch(span.surface):
        if found := _APPELLATION.match(text, span.end, high):
            return span.start, found.end()
        if (
            span.start > low
            and len(span.surface) == 1
            and _FAMILIAR.search(text[max(low, span.start - 2) : span.start])
        ):
            return span.start - 1, span.end
    before = max(low, span.start - _LONGEST)
    title = _TITLE.search(text[before : span.start])
    return (span.start if title is None else before + title.start()), span.end


def _moved(text: str, span: PrivateSpan, start: int, end: int) -> PrivateSpan:
    return replace(span, start=start, end=end, surface=text[start:end])
