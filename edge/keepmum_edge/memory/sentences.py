"""A text into sentences, and a sentence into clauses that can each be one fact; English and Chinese (pure)."""

import re
from typing import Final

_PROTECTED: Final = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|Prof|St|vs|etc|approx|dept|e\.g|i\.e|a\.m|p\.m|U\.S|U\.K)\.|\d[.,]\d|\.{2,}", re.IGNORECASE
)
_END: Final = re.compile(r"(?<=[.!?])[\"')\]]*\s+|(?<=[。！？；;])|\n+")
_CLAUSE_EN: Final = re.compile(
    r"(?:;\s+|,?\s+(?:but|while|whereas|although|so|and)\s+|,\s+)"
    r"(?=(?:I|I'm|I've|I'll|I'd|my|mine|he|she|his|her|hers|they|their|we|our|<[A-Z][A-Z_]*_\d+>(?:'s)?)\s"
    r"|(?:what|how|where|when|why|which|who|can|could|would|should|is|are|do|does|did|will|any|please)\b[^,;]*\?)",
    re.IGNORECASE,
)
_CLAUSE_ZH: Final = re.compile(
    r"[，,；]\s*(?=(?:但是?|不过|可是|而且?|所以|现在)?(?:我|他|她|我们|咱|你|<[A-Z]|请|能|可以|怎么|什么|有没有))"
)
_STAND_IN: Final = "\u2024"
"""One dot leader: stands for a full stop that ends no sentence."""


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, stripped, with their closing mark."""
    kept = _PROTECTED.sub(lambda found: found[0].replace(".", _STAND_IN), text)
    return tuple(part for raw in _END.split(kept) if (part := raw.replace(_STAND_IN, ".").strip()))


def clauses(sentence: str) -> tuple[str, ...]:
    """Return the clauses of a sentence that have a subject of their own, without commas at their ends."""
    parts = _CLAUSE_ZH.split(sentence) if is_chinese(sentence) else _CLAUSE_EN.split(sentence)
    return tuple(part for raw in parts if (part := raw.strip(" \t,;，；")))


def is_chinese(text: str) -> bool:
    """Say whether a text is read by the Chinese rules: it holds an ideograph."""
    return any("\u4e00" <= character <= "\u9fff" for character in text)
