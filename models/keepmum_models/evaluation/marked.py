"""A text with its gold: what must be masked, what may be, what need not (pure)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from keepmum_shared.taxonomy import EntityType, Level, default_level

from keepmum_models.evaluation.sets import EvaluationSet

Stretch = tuple[int, int]
"""Half-open code-point offsets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """A private stretch.

    Attributes:
        types: Types that are right for it, the likeliest first; empty: the set does not say.
        levels: Levels that are right for it; empty: the set does not say.
    """

    start: int
    end: int
    types: tuple[EntityType, ...] = ()
    levels: tuple[Level, ...] = ()

    @property
    def is_secret(self) -> bool:
        """Whether it opens a door, so that every character of it counts and not only letters and digits."""
        return bool(self.levels) and self.levels[0] is Level.PL4


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedText:
    """One text of a set.

    Attributes:
        language: `en`, `zh`, `code` or `other`.
        is_negative: Whether nothing in it is private, so that any mask but an excused one is false.
    """

    id: str
    language: str
    text: str = field(repr=False)
    private: tuple[Gold, ...]
    neutral: tuple[Stretch, ...]
    is_negative: bool


def marked_text(spec: EvaluationSet, record: Mapping[str, Any]) -> MarkedText:
    """Read one record of a set: `id`, `lang`, `text`, `spans`, and `must_not` where it names what may not fire.

    Raises:
        ValueError: a span lies outside the text.
    """
    private: list[Gold] = []
    neutral: list[Stretch] = []
    for span in record["spans"]:
        start, end, label = span["start"], span["end"], span["label"]
        if not 0 <= start < end <= len(record["text"]):
            msg = f"{spec.name}: [{start}, {end}) is not in the text"
            raise ValueError(msg)
        if spec.is_private(label):
            types = spec.types.get(label, ())
            private.append(Gold(start=start, end=end, types=types, levels=_levels(types, span.get("level"))))
        elif spec.is_neutral(label):
            neutral.append((start, end))
    return MarkedText(
        id=str(record["id"]),
        language=language_of(record["lang"]),
        text=record["text"],
        private=tuple(private),
        neutral=tuple(neutral),
        is_negative=not private and (spec.complete or _nothing_may_fire(spec, record)),
    )


def at_level(text: MarkedText, level: Level) -> MarkedText:
    """Return the text as if only gold of one level were private, and all other gold neutral."""
    return _with_only(text, lambda gold: gold.levels[:1] == (level,))


def of_type(text: MarkedText, entity_type: EntityType) -> MarkedText:
    """Return the text as if only gold whose likeliest type this is were private, and all other gold neutral."""
    return _with_only(text, lambda gold: gold.types[:1] == (entity_type,))


def _with_only(text: MarkedText, keep: Callable[[Gold], bool]) -> MarkedText:
    others = tuple((gold.start, gold.end) for gold in text.private if not keep(gold))
    kept = tuple(gold for gold in text.private if keep(gold))
    return replace(text, private=kept, neutral=text.neutral + others, is_negative=False)


def language_of(tag: str) -> str:
    """Return the group that a language tag is counted in."""
    if tag.startswith("zh"):
        return "zh"
    return tag if tag in {"en", "code"} else "other"


def _levels(types: tuple[EntityType, ...], said: str | int | None) -> tuple[Level, ...]:
    if said is None:
        return tuple(dict.fromkeys(default_level(t) for t in types))
    return (Level[said] if isinstance(said, str) else Level(said),)


def _nothing_may_fire(spec: EvaluationSet, record: Mapping[str, Any]) -> bool:
    """Of a set that is incomplete: whether this record forbids every mask ("any"), or a rule of its source's own."""
    forbidden = record.get("must_not")
    return forbidden is not None and (forbidden == "any" or not spec.types.get(forbidden))
