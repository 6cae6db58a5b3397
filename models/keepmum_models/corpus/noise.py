"""Rougher spellings of a message: lower case, speech, typos, full width, loose tokens.

Works on pieces, so that labels move with their text. Secrets keep their exact characters: a changed one is another.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from keepmum_shared.taxonomy import EntityType, Level, default_level

from keepmum_models.corpus.pieces import Piece

Noise = Callable[[Sequence[Piece], Random], list[Piece]]

_EXACT = frozenset({EntityType.CRYPTO_WALLET, EntityType.LOCATION_TRACE, EntityType.PROFILE_URL})
_FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
_PUNCTUATION = re.compile(r"[,.!?;:\"()，。！？；：、“”（）…]+")
_LATIN_WORD = re.compile(r"[a-z]{4,}")
_SMALL_WORD = re.compile(r"(?<![\w'’@./])[a-z]{2,}(?![\w@]|[./]\w)", re.ASCII)
_EMOJI = ("😅", "🙏", "😂", "❤️", "👍", "😭", "🎉", "🤔", "[捂脸]", "[doge]", ":)", "xD")


def _is_exact(piece: Piece) -> bool:
    kind = piece.entity_type
    return kind is not None and (default_level(kind) is Level.PL4 or kind in _EXACT)


def lower_case(pieces: Sequence[Piece], _: Random) -> list[Piece]:
    """Everything in small letters but secrets."""
    return [piece if _is_exact(piece) else replace(piece, text=piece.text.lower()) for piece in pieces]


def upper_case(pieces: Sequence[Piece], _: Random) -> list[Piece]:
    """Everything in capitals but secrets."""
    return [
        piece
        if _is_exact(piece) or len(piece.text.upper()) != len(piece.text)
        else replace(piece, text=piece.text.upper())
        for piece in pieces
    ]


def speech(pieces: Sequence[Piece], rng: Random) -> list[Piece]:
    """As a recogniser writes it: small letters, no punctuation between the words."""
    spoken = []
    for piece in lower_case(pieces, rng):
        text = piece.text if piece.entity_type else _spoken(piece.text)
        spoken.append(replace(piece, text=text))
    return spoken


def _spoken(text: str) -> str:
    if re.search(r"[\u4e00-\u9fff]", text) or not (text.isascii() or any(map(str.isalpha, text))):
        return re.sub(r"\s+", "", _PUNCTUATION.sub("", text))
    return re.sub(r"\s+", " ", _PUNCTUATION.sub(" ", text))


def title_case(pieces: Sequence[Piece], _: Random) -> list[Piece]:
    """Ordinary words with a capital, as headings, products and careless writers have them."""
    return [
        piece
        if piece.entity_type
        else replace(piece, text=_SMALL_WORD.sub(lambda found: found.group().capitalize(), piece.text))
        for piece in pieces
    ]


def slang(pieces: Sequence[Piece], rng: Random) -> list[Piece]:
    """Ordinary words drawn out, shortened, in capitals or with a capital, as posts have them."""

    def spoil(found: re.Match[str]) -> str:
        word = found.group()
        if rng.random() > 0.25:
            return word
        return rng.choice(
            (
                word + word[-1] * 3,
                word.upper(),
                word.capitalize(),
                word.removesuffix("g"),
                word[:-1],
                word[0] + word[2:],
            )
        )

    return [piece if piece.entity_type else replace(piece, text=_LATIN_WORD.sub(spoil, piece.text)) for piece in pieces]


def typos(pieces: Sequence[Piece], rng: Random) -> list[Piece]:
    """Swapped, doubled or lost letters in ordinary words."""

    def spoil(found: re.Match[str]) -> str:
        word = found.group()
        if rng.random() > 0.12:
            return word
        at = rng.randrange(1, len(word) - 1)
        return rng.choice(
            (
                word[:at] + word[at + 1 :],
                word[:at] + word[at] + word[at:],
                word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :],
            )
        )

    return [piece if piece.entity_type else replace(piece, text=_LATIN_WORD.sub(spoil, piece.text)) for piece in pieces]


def full_width(pieces: Sequence[Piece], rng: Random) -> list[Piece]:
    """Digits and letters of some pieces in full width."""
    return [
        replace(piece, text=piece.text.translate(_FULL_WIDTH))
        if not _is_exact(piece) and piece.text.isascii() and "@" not in piece.text and rng.random() < 0.7
        else piece
        for piece in pieces
    ]


def loose_tokens(pieces: Sequence[Piece], rng: Random) -> list[Piece]:
    """Blanks around punctuation and between runs of Chinese characters, as tokenised text has them."""

    def loosen(text: str) -> str:
        if re.search(r"[\u4e00-\u9fff]", text):
            return re.sub(
                r"([\u4e00-\u9fff]{2})(?=[\u4e00-\u9fff，。？])",
                lambda m: m.group() + (" " if rng.random() < 0.7 else ""),
                text,
            )
        text = re.sub(r"(?<=\w)([,.!?;:])(?=\s|$)", r" \1", text)
        return re.sub(r"^([,.!?;:)]|'s\b)|(?<=\w)('s\b)", r" \1\2", text)

    loose: list[Piece] = []
    for piece in pieces:
        if (
            loose
            and (piece.entity_type or loose[-1].entity_type)
            and re.search(r"[\u4e00-\u9fff]", piece.text + loose[-1].text)
        ):
            loose.append(Piece(" "))
        loose.append(piece if piece.entity_type else replace(piece, text=loosen(piece.text)))
    return loose


def emoji(pieces: Sequence[Piece], rng: Random) -> list[Piece]:
    """An emoji at the end."""
    return [*pieces, Piece(rng.choice((" ", ""))), Piece(rng.choice(_EMOJI))]


_CHAT: tuple[tuple[float, Noise], ...] = (
    (0.14, lower_case),
    (0.02, upper_case),
    (0.07, speech),
    (0.05, typos),
    (0.03, loose_tokens),
    (0.03, emoji),
    (0.03, title_case),
    (0.03, slang),
)
_SPOKEN: tuple[tuple[float, Noise], ...] = ((0.6, speech), (0.25, lower_case))
_TWEET: tuple[tuple[float, Noise], ...] = (
    (0.3, lower_case),
    (0.25, loose_tokens),
    (0.1, emoji),
    (0.05, upper_case),
    (0.12, slang),
)
_BLOCK: tuple[tuple[float, Noise], ...] = ((0.04, lower_case), (0.02, upper_case), (0.03, title_case))
_NEGATIVE: tuple[tuple[float, Noise], ...] = (
    (0.15, lower_case),
    (0.02, upper_case),
    (0.15, speech),
    (0.05, typos),
    (0.05, loose_tokens),
    (0.08, title_case),
    (0.06, slang),
)
_NEWS: tuple[tuple[float, Noise], ...] = ((0.7, speech), (0.05, loose_tokens))
_PROSE: tuple[tuple[float, Noise], ...] = ((0.1, lower_case), (0.03, upper_case), (0.25, speech), (0.1, loose_tokens))
_BY_STYLE = {
    "chat": _CHAT,
    "sentence": _CHAT,
    "memory": _CHAT,
    "negative": _NEGATIVE,
    "prose": _PROSE,
    "news": _NEWS,
    "ordinary": _PROSE,
    "encyclopaedia": ((0.06, speech), (0.06, loose_tokens)),
    "fragment": ((0.06, loose_tokens), (0.04, speech)),
    "venue": _CHAT,
    "sms": _CHAT,
    "command": _SPOKEN,
    "speech": _SPOKEN,
    "tweet": _TWEET,
    "code": (),
    "config": (),
    "log": (),
    "credential": (),
}


def roughen(pieces: Sequence[Piece], style: str, language: str, rng: Random) -> list[Piece]:
    """Apply at most one noise that suits the style; full width in Chinese messages besides."""
    row = list(pieces)
    draw = rng.random()
    for share, noise in _BY_STYLE.get(style, _BLOCK):
        if draw < share:
            row = noise(row, rng)
            break
        draw -= share
    if language == "zh" and style not in {"code", "config", "log", "credential"} and rng.random() < 0.03:
        row = full_width(row, rng)
    return row
