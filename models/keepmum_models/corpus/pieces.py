"""A text as a row of pieces. Spans are read off the row, so an offset can not be wrong."""

from collections.abc import Iterable
from dataclasses import dataclass

from keepmum_shared.taxonomy import EntityType, Level, default_level


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text with one meaning.

    Attributes:
        text: The characters.
        entity_type: What it denotes, or None for ordinary words.
        public: It denotes a public person, place or firm: not private, though an extractor may well find it.
    """

    text: str
    entity_type: EntityType | None = None
    public: bool = False


@dataclass(frozen=True, slots=True)
class LabelledSpan:
    """Half-open code-point offsets of one labelled piece."""

    start: int
    end: int
    entity_type: EntityType

    @property
    def level(self) -> Level:
        """The default level of the type."""
        return default_level(self.entity_type)


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text with its private spans and its public ones, each sorted and free of overlap."""

    text: str
    private: tuple[LabelledSpan, ...]
    public: tuple[LabelledSpan, ...]


def _trimmed(pieces: Iterable[Piece]) -> list[Piece]:
    """Drop blanks at both ends of a message, never inside a labelled piece."""
    row = [piece for piece in pieces if piece.text]
    while row and row[0].entity_type is None and not row[0].text.lstrip():
        row.pop(0)
    while row and row[-1].entity_type is None and not row[-1].text.rstrip():
        row.pop()
    if row and row[0].entity_type is None:
        row[0] = Piece(row[0].text.lstrip())
    if row and row[-1].entity_type is None:
        row[-1] = Piece(row[-1].text.rstrip())
    return row


def join(pieces: Iterable[Piece]) -> LabelledText:
    """Join the pieces; the spans are those of the labelled ones."""
    parts: list[str] = []
    private: list[LabelledSpan] = []
    public: list[LabelledSpan] = []
    at = 0
    for piece in _trimmed(pieces):
        end = at + len(piece.text)
        if piece.entity_type is not None:
            (public if piece.public else private).append(LabelledSpan(at, end, piece.entity_type))
        parts.append(piece.text)
        at = end
    return LabelledText("".join(parts), tuple(private), tuple(public))
