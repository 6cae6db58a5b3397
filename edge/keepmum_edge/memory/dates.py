"""Words for a day or a span of days, resolved against when the message was written (pure).

Everything is in the writer's own days: `at` is Unix seconds, `offset_s` the writer's distance from UTC. A day that is
named by its weekday is the next one for a plan and the last one for what is past.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

_DAYS_EN: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAYS_ZH: Final = "一二三四五六日"
_NUMBERS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10,
    "一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "十": 10,
}  # fmt: skip
_NUMBER: Final = r"(?P<n>\d{1,3}|" + "|".join(_NUMBERS) + ")"
_NUMBER_ZH: Final = _NUMBER.replace("<n>", "<n2>") + "(?:个)?(?P<unit2>天|星期|周|礼拜)"
_DAY_EN: Final = "(?P<day>" + "|".join(_DAYS_EN) + ")"
_FORMS: Final = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("iso", r"(?<!\d)(?P<iso>\d{4}-\d{2}-\d{2})(?!\d)"),
        ("zh_iso", r"(?P<y>\d{4})年(?P<m>\d{1,2})月(?P<d>\d{1,2})[日号]"),
        (
            "ago",
            rf"\b{_NUMBER} (?P<unit>day|week)s? ago\b|{_NUMBER_ZH}(?:之)?前",
        ),
        (
            "ahead",
            rf"\bin {_NUMBER} (?P<unit>day|week)s?\b|{_NUMBER_ZH}(?:之|以)?后",
        ),
        ("day_before", r"\bthe day before yesterday\b|前天"),
        ("day_after", r"\bthe day after tomorrow\b|后天"),
        ("yesterday", r"\byesterday\b|\blast night\b|昨天|昨晚"),
        ("today", r"\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b|今天|今晚|今早"),
        ("tomorrow", r"\btomorrow\b|明天|明早|明晚"),
        ("weekday", rf"\b(?:(?P<which>last|this|next|on|by|until|every) )?{_DAY_EN}\b"),
        ("weekday_zh", rf"(?P<which>上|这|本|下|每)?(?:个)?(?:周|星期|礼拜)(?P<day>[{_DAYS_ZH}天])"),
        (
            "week",
            (
                r"\b(?P<which>last|this|next) week(?P<end>end)?\b"
                r"|(?P<which2>上|这|本|下)(?:个)?(?:周末(?P<end2>)|周|星期|礼拜)"
            ),
        ),
        ("month", r"\b(?P<which>last|this|next) month\b|(?P<which2>上|这|本|下)个?月"),
        ("year", r"\b(?P<which>last|this|next) year\b|(?P<which2>去|今|明)年"),
    )
)
_SHIFT: Final = {"last": -1, "上": -1, "去": -1, "next": 1, "下": 1, "明": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """Whole days, both included, and where their words stand in the text."""

    first: date
    last: date
    start: int
    end: int

    def interval(self, offset_s: int) -> tuple[int, int]:
        """Return it as Unix seconds, half-open."""
        return _unix(self.first, offset_s), _unix(self.last + timedelta(days=1), offset_s)


def local_day(at: int, offset_s: int) -> date:
    """Return the writer's day."""
    return datetime.fromtimestamp(at + offset_s, UTC).date()


def find_period(text: str, *, at: int, offset_s: int, past: bool) -> Period | None:
    """Return the first span of days that a text names, or None.

    Args:
        past: The text tells what was, so that a bare weekday is the last one.
    """
    today = local_day(at, offset_s)
    for name, pattern in _FORMS:
        found = pattern.search(text)
        days = None if found is None else _days(name, found, today, past=past)
        if found is not None and days is not None:
            return Period(first=days[0], last=days[1], start=found.start(), end=found.end())
    return None


def with_days(text: str, period: Period) -> str:
    """Write the days behind the words that name them, so that the text means the same on any later day."""
    days = str(period.first) if period.first == period.last else f"{period.first} to {period.last}"
    return text if str(period.first) in text else f"{text[: period.end]} ({days}){text[period.end :]}"


def _days(name: str, found: re.Match[str], today: date, *, past: bool) -> tuple[date, date] | None:
    groups = {key: value for key, value in found.groupdict().items() if value is not None}
    which = (groups.get("which") or groups.get("which2") or "").lower()
    if name in ("iso", "zh_iso"):
        return _named(groups)
    if name in _BY_DAYS:
        day = today + timedelta(days=_BY_DAYS[name])
        return day, day
    if name in ("ago", "ahead"):
        number = groups.get("n") or groups["n2"]
        count = int(number) if number.isdecimal() else _NUMBERS[number.lower()]
        unit = groups.get("unit") or groups["unit2"]
        distance = timedelta(days=count * (1 if unit.lower() in ("day", "天") else 7))
        day = today - distance if name == "ago" else today + distance
        return day, day
    if name in ("weekday", "weekday_zh"):
        return None if which in ("every", "每") else _weekday(groups["day"].lower(), which, today, past=past)
    return _span(name, _SHIFT.get(which, 0), today, weekend="end" in groups or "end2" in groups)


_BY_DAYS: Final = {"day_before": -2, "yesterday": -1, "today": 0, "tomorrow": 1, "day_after": 2}


def _named(groups: dict[str, str]) -> tuple[date, date] | None:
    try:
        day = date.fromisoformat(groups["iso"]) if "iso" in groups else date(*(int(groups[key]) for key in "ymd"))
    except ValueError:
        return None
    return day, day


def _weekday(name: str, which: str, today: date, *, past: bool) -> tuple[date, date]:
    number = _DAYS_EN.index(name) if name in _DAYS_EN else _DAYS_ZH.replace("天", "日").index(name.replace("天", "日"))
    monday = today - timedelta(days=today.weekday())
    if which in ("上", "下", "这", "本"):
        day = monday + timedelta(days=number + 7 * _SHIFT.get(which, 0))
    elif which == "last" or (past and which in ("", "on")):
        day = today - timedelta(days=(today.weekday() - number - 1) % 7 + 1)
    else:
        day = today + timedelta(days=(number - today.weekday() - 1) % 7 + 1)
    return day, day


def _span(name: str, shift: int, today: date, *, weekend: bool) -> tuple[date, date]:
    if name == "week":
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=shift)
        return (
            (monday + timedelta(days=5), monday + timedelta(days=6))
            if weekend
            else (monday, monday + timedelta(days=6))
        )
    if name == "year":
        return date(today.year + shift, 1, 1), date(today.year + shift, 12, 31)
    months = today.year * 12 + today.month - 1 + shift
    first, after = date(months // 12, months % 12 + 1, 1), date((months + 1) // 12, (months + 1) % 12 + 1, 1)
    return first, after - timedelta(days=1)


def _unix(day: date, offset_s: int) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) - offset_s
