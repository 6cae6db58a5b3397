"""The vocabulary that English and Chinese need, cut out of the 250,002 pieces of multilingual-e5-small (pure).

Kept: the marks; every single character, of every script, with and without the blank mark (a name in any script must
have borders); Chinese only character by character, since a piece of two would hide a border; Latin words and groups of
digits that the counted texts use, then the most frequent. Never kept: a piece that mixes letters, digits and marks.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

BLANK: Final = "▁"
SPECIAL: Final = ("<s>", "<pad>", "</s>", "<unk>")
"""The first four pieces, in the order of the source."""

_CHINESE: Final = "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
_MOST_DIGITS: Final = 4

Vocabulary = Sequence[tuple[str, float]]


def build_tokenizer(vocabulary: Vocabulary) -> Tokenizer:
    """Return a tokenizer over pieces and scores, the first four being SPECIAL.

    A Chinese character that has no piece is one unknown piece of its own, not part of a longer unknown run.
    """
    tokenizer = Tokenizer(models.Unigram(list(vocabulary), unk_id=SPECIAL.index("<unk>"), byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_CHINESE), "isolated"),
            pre_tokenizers.Metaspace(replacement=BLANK, prepend_scheme="first", split=True),
        ]
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return tokenizer


def choose_pieces(pieces: Vocabulary, texts: Iterable[str], *, size: int) -> list[int]:
    """Return the numbers of the pieces to keep, at most `size`, the SPECIAL ones first, then in their old order.

    Args:
        pieces: The whole vocabulary.
        texts: What to count on.
        size: More than the single characters, which are all kept.
    """
    single = {i for i, (piece, _) in enumerate(pieces) if i >= len(SPECIAL) and _is_single(piece)}
    words = [i for i, (piece, _) in enumerate(pieces) if i >= len(SPECIAL) and i not in single and _is_word(piece)]
    allowed = sorted({*range(len(SPECIAL)), *single, *words})
    tokenizer = build_tokenizer([pieces[i] for i in allowed])
    used: Counter[int] = Counter()
    for text in texts:
        used.update(tokenizer.encode(text, add_special_tokens=False).ids)
    count = {number: used[place] for place, number in enumerate(allowed)}
    ranked = sorted(words, key=lambda i: (-count[i], not pieces[i][0].lstrip(BLANK).isascii(), -pieces[i][1]))
    room = max(0, size - len(SPECIAL) - len(single))
    return [*range(len(SPECIAL)), *sorted({*single, *ranked[:room]})]


def _is_single(piece: str) -> bool:
    core = piece.removeprefix(BLANK)
    return len(core) <= 1 and not (piece.startswith(BLANK) and is_chinese(core))


def _is_word(piece: str) -> bool:
    core = piece.removeprefix(BLANK)
    if core.isdigit():
        return core.isascii() and len(core) <= _MOST_DIGITS
    return core.isalpha() and all(unicodedata.name(c, "").startswith("LATIN ") for c in core)


def is_chinese(text: str) -> bool:
    """Whether any character is Chinese."""
    return any("\u3400" <= c <= "\u9fff" or "\uf900" <= c <= "\ufaff" for c in text)
