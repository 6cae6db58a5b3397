"""A text and its private spans become placeholder text; `restore` undoes it byte for byte (design section 5).

Everything in the input that tolerant restoring would read as a token is masked too, as LITERAL. Where such a stretch
overlaps a span, both become one span of the span's type, so that nothing secret enters a stored LITERAL. Replacing a
span can also bring neighbours together that then read as a token ("a@b.example" + "NAME_1"); so the result is laid out
with the final shapes, read again, and whatever it holds beyond the placed tokens is masked with what it touches, until
the only tokens in it are ours. Each round masks at least one more character, so this ends.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from keepmum_shared.placeholder import Placeholder
from keepmum_shared.taxonomy import EntityType, Level

from keepmum_edge.errors import InvalidRequestError
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.vault.binding import Origin
from keepmum_edge.vault.conversation import ConversationVault, ProfileNumbers
from keepmum_edge.vault.tolerant import scan


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskSettings:
    """What the user chose (design section 4).

    Attributes:
        mask_from: The lowest level that is masked, PL2..PL4.
        levels: Types that the user raised or lowered.
        coarse: Send every PL3 type as DETAIL.
    """

    mask_from: Level = Level.PL2
    levels: Mapping[EntityType, Level] = field(default_factory=dict)
    coarse: bool = False

    def level_of(self, span: PrivateSpan) -> Level:
        """Return the level of a span under these settings."""
        return self.levels.get(span.entity_type, span.level)

    def masks(self, span: PrivateSpan) -> bool:
        """Say whether a span is replaced; PL1 never is."""
        level = self.level_of(span)
        return level is not Level.PL1 and level >= self.mask_from


@dataclass(frozen=True, slots=True)
class Masked:
    """A text in placeholder form and its placeholders, left to right."""

    text: str = field(repr=False)
    placeholders: tuple[Placeholder, ...]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the input that becomes one placeholder; level None: LITERAL."""

    start: int
    end: int
    entity_type: EntityType
    level: Level | None


_NO_LITERAL: Final = (EntityType.LITERAL, None)


def pseudonymise(
    text: str,
    spans: Sequence[PrivateSpan],
    vault: ConversationVault,
    *,
    origin: Origin,
    profile: ProfileNumbers,
    settings: MaskSettings,
) -> Masked:
    """Replace the spans of a text, and what looks like a placeholder already.

    Args:
        spans: Not overlapping.

    Raises:
        InvalidRequestError: the text holds a lone surrogate.
        VaultUnavailableError: numbers are used up.
    """
    pieces: list[str] = []
    placeholders: list[Placeholder] = []
    position = 0
    for stretch in stretches(text, spans, settings):
        placeholder = bind(stretch, text[stretch.start : stretch.end], vault, origin, profile, settings)
        pieces += (text[position : stretch.start], str(placeholder))
        placeholders.append(placeholder)
        position = stretch.end
    pieces.append(text[position:])
    return Masked("".join(pieces), tuple(placeholders))


def bind(
    stretch: Stretch,
    surface: str,
    vault: ConversationVault,
    origin: Origin,
    profile: ProfileNumbers,
    settings: MaskSettings,
    *,
    json_number: bool = False,
) -> Placeholder:
    """Return the placeholder of a stretch whose value is `surface`."""
    return vault.bind(
        stretch.entity_type,
        stretch.level,
        surface,
        origin=origin,
        profile=profile,
        json_number=json_number,
        wire_type=_wire_type(stretch, settings),
    )


def stretches(text: str, spans: Sequence[PrivateSpan], settings: MaskSettings) -> list[Stretch]:
    """Return what is replaced in a text, left to right, not overlapping.

    Raises:
        InvalidRequestError: the text holds a lone surrogate.
    """
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise InvalidRequestError("a text holds a lone surrogate; send valid Unicode") from None
    found = [
        Stretch(span.start, span.end, span.entity_type, settings.level_of(span))
        for span in spans
        if settings.masks(span)
    ]
    found += [Stretch(match.start, match.end, *_NO_LITERAL) for match in scan(text)]
    placed = _joined(found)
    while strays := _strays(text, placed):
        placed = _joined([*placed, *strays])
    return placed


def _joined(found: list[Stretch]) -> list[Stretch]:
    """Join what overlaps; the union takes the type of its highest level, a span before a LITERAL."""
    joined: list[Stretch] = []
    for stretch in sorted(found, key=lambda s: (s.start, -s.end)):
        if not joined or stretch.start >= joined[-1].end:
            joined.append(stretch)
            continue
        last = joined.pop()
        strong = max(last, stretch, key=lambda s: s.level or 0)
        joined.append(Stretch(last.start, max(last.end, stretch.end), strong.entity_type, strong.level))
    return joined


def _strays(text: str, placed: Sequence[Stretch]) -> list[Stretch]:
    """Lay the text out with tokens in place and return, in its own offsets, what reads as a token and is none.

    A stray that touches a placed token covers that token's stretch, so that joining makes them one.
    """
    if not placed:
        return []
    pieces: list[str] = []
    parts: list[_Part] = []
    position = laid = 0
    for stretch in placed:
        token = f"<{stretch.entity_type}_1>"
        plain = text[position : stretch.start]
        token_at = laid + len(plain)
        parts += (
            _Part(laid, token_at, position, stretch.start, False),
            _Part(token_at, token_at + len(token), stretch.start, stretch.end, True),
        )
        laid = token_at + len(token)
        pieces += (plain, token)
        position = stretch.end
    pieces.append(text[position:])
    parts.append(_Part(laid, laid + len(text) - position, position, len(text), False))
    strays: list[Stretch] = []
    for match in scan("".join(pieces)):
        first, last = _part_at(match.start, parts), _part_at(match.end - 1, parts)
        if match.is_exact and first.is_token and (first.laid_start, first.laid_end) == (match.start, match.end):
            continue
        start = first.start if first.is_token else first.start + match.start - first.laid_start
        end = last.end if last.is_token else last.start + match.end - last.laid_start
        strays.append(Stretch(start, end, *_NO_LITERAL))
    return strays


@dataclass(frozen=True, slots=True)
class _Part:
    """`text[start:end]`, which stands at `laid_start:laid_end` of the text laid out: as it is, or as a token."""

    laid_start: int
    laid_end: int
    start: int
    end: int
    is_token: bool


def _part_at(laid: int, parts: Sequence[_Part]) -> _Part:
    return parts[bisect_right(parts, laid, key=lambda part: part.laid_start) - 1]


def _wire_type(stretch: Stretch, settings: MaskSettings) -> EntityType | None:
    return EntityType.DETAIL if settings.coarse and stretch.level is Level.PL3 else None
