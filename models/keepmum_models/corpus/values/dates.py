"""Dates and times as people write them: of birth (private), of meetings and releases (not)."""

from datetime import date, timedelta

from keepmum_models.corpus.scene import Scene

_MONTHS = ("January February March April May June July August September October November December").split()
_ZH_DIGITS = "〇一二三四五六七八九"
_FIRST_BIRTH, _LAST_BIRTH = date(1938, 1, 1).toordinal(), date(2014, 12, 31).toordinal()
_FIRST_MEETING, _LAST_MEETING = date(2019, 1, 1).toordinal(), date(2028, 12, 31).toordinal()


def _english(scene: Scene, day: date) -> str:
    month = _MONTHS[day.month - 1]
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10 if day.day not in {11, 12, 13} else 0, "th")
    return scene.pick(
        (
            f"{day:%m/%d/%Y}",
            f"{day:%d/%m/%Y}",
            f"{day:%Y-%m-%d}",
            f"{month} {day.day}, {day.year}",
            f"{day.day} {month} {day.year}",
            f"{month[:3]} {day.day}, {day.year}",
            f"{day.day} {month[:3]} {day.year}",
            f"{day:%d.%m.%Y}",
            f"{day.day}{suffix} of {month} {day.year}",
            f"{month} {day.day}{suffix}, {day.year}",
            f"{day.month}/{day.day}/{day:%y}",
            f"{day:%Y/%m/%d}",
            f"{day:%d-%m-%Y}",
        )
    )


def _chinese(scene: Scene, day: date) -> str:
    spelled = "".join(_ZH_DIGITS[int(digit)] for digit in str(day.year))
    return scene.pick(
        (
            f"{day.year}年{day.month}月{day.day}日",
            f"{day.year}年{day.month}月{day.day}号",
            f"{day:%Y-%m-%d}",
            f"{day:%Y.%m.%d}",
            f"{day:%Y/%m/%d}",
            f"{day:%Y%m%d}",
            f"{day:%y}年{day.month}月{day.day}日",
            f"{spelled}年{day.month}月{day.day}日",
        )
    )


def _written(scene: Scene, day: date) -> str:
    return _chinese(scene, day) if scene.language == "zh" else _english(scene, day)


def birth_day(scene: Scene) -> date:
    """A day on which somebody alive was born."""
    return date.fromordinal(scene.rng.randrange(_FIRST_BIRTH, _LAST_BIRTH))


def date_of_birth(scene: Scene) -> str:
    """A date of birth; a birthday without its year at times."""
    if scene.chance(0.1):
        day = birth_day(scene)
        return f"{day.month}月{day.day}日" if scene.language == "zh" else f"{_MONTHS[day.month - 1]} {day.day}"
    return _written(scene, birth_day(scene))


def meeting_date(scene: Scene) -> str:
    """A date that is not of birth; sometimes far back, like that of a founding or a treaty."""
    if scene.chance(0.2):
        return _written(scene, date(1900, 1, 1) + timedelta(days=scene.rng.randrange(40000)))
    day = date.fromordinal(scene.rng.randrange(_FIRST_MEETING, _LAST_MEETING))
    if scene.chance(0.4):
        return f"{day.month}月{day.day}日" if scene.language == "zh" else f"{_MONTHS[day.month - 1]} {day.day}"
    return _written(scene, day)


def clock(scene: Scene) -> str:
    """A time of day."""
    hour, minute = scene.rng.randrange(24), scene.pick((0, 15, 30, 45, scene.rng.randrange(60)))
    if scene.language == "zh":
        return scene.pick(
            (f"{hour}:{minute:02d}", f"{hour}点", f"下午{hour % 12 or 12}点半", f"{hour}点{minute or 10}分")
        )
    return scene.pick(
        (
            f"{hour:02d}:{minute:02d}",
            f"{hour % 12 or 12} {scene.pick(('am', 'pm'))}",
            f"{hour % 12 or 12}:{minute:02d} {scene.pick(('am', 'pm'))}",
        )
    )


def timestamp(scene: Scene) -> str:
    """A log's time stamp."""
    day = date.fromordinal(scene.rng.randrange(_FIRST_MEETING, _LAST_MEETING))
    clock_text = f"{scene.rng.randrange(24):02d}:{scene.rng.randrange(60):02d}:{scene.rng.randrange(60):02d}"
    return scene.pick(
        (
            f"{day:%Y-%m-%d} {clock_text}",
            f"{day:%Y-%m-%d}T{clock_text}Z",
            f"[{day:%Y-%m-%d} {clock_text},{scene.digits(3)}]",
            f"{day:%d}/{_MONTHS[day.month - 1][:3]}/{day.year}:{clock_text} +0000",
        )
    )
