"""Chinese postal addresses: a street or an estate with a house number, and a word before or a unit behind it."""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CONTEXT, Finding
from keepmum_edge.spans.normalise import Reading

_NUMBER: Final = "[0-9零一二三四五六七八九十百]{1,5}"
_UNITS: Final = (
    rf"(?:(?:(?:[A-Za-z]|{_NUMBER}) ?(?:栋|棟|幢|号楼|號樓|座|单元|室|层|楼|樓|院|弄)|(?:栋|单元)){{0,5}}"
    r"(?:[0-9]{3,4}(?![0-9年月日元块]))?)"
)
_CORE: Final = re.compile(
    rf"(?:(?:路|街|巷|道|弄|胡同|村|里|段) ?{_NUMBER} ?(?:[号號]院?|弄)(?!线|線|楼|门|出口)"
    rf"|(?:小区|社区|花园|公寓|家园|新村|苑|城|园|府) ?{_NUMBER} ?(?:栋|棟|幢|号楼|座)){_UNITS}"
)
_BACK: Final = re.compile("[\u3400-\u9fff0-9]{0,24}$")
_SAID: Final = re.compile(
    "住在|家住|住址是?|住|寄到|寄给|寄往|送到|送往|发到|发往|地址是?|搬到|搬去|家在|位于"
    "|收货|就在|在|到|去|是|我家|我|的|了|从"
)
_OWN: Final = re.compile("住|寄|送|收货|地址|搬|我家|家在|发到|发往|快递")
_HINTS: Final = "号號栋棟幢弄座"
_PARTS: Final = re.compile("[省市区區县縣镇乡]")


def find_chinese_places(reading: Reading) -> Iterator[Finding]:
    """Addresses down to the house number; a bare street number counts only after words such as 住在 or 寄到."""
    text = reading.text
    if not any(map(text.__contains__, _HINTS)):
        return
    reached = 0
    for core in _CORE.finditer(text):
        back = _BACK.search(text, max(reached, core.start() - 24), core.start())
        start = back.start() if back else core.start()
        for word in _SAID.finditer(text, start, core.start()):
            start = word.end()
        reached = core.end()
        if start == core.start():
            continue
        place = text[start : core.start()]
        has_units = core[0][-1] in "室栋棟幢座元楼樓" or core[0][-1].isdigit()
        if has_units or _PARTS.search(place) or _OWN.search(text, max(0, start - 8), start):
            yield Finding(start, core.end(), EntityType.ADDRESS, CONTEXT, "address-chinese")
