"""The pieces of multilingual-e5-small that English and Chinese sentences need (pure).

Unlike the span model's vocabulary (`keepmum_models.vocabulary`), which wants borders, this one wants the meaning that
the encoder learnt with its own segmentation: Chinese words stay whole, and a piece may mix letters, digits and marks.
Kept: the marks; every single character of every script; every piece that the counted texts use; all Chinese pieces;
then Latin pieces in ASCII by their SentencePiece scores, which are log-probabilities.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

from keepmum_models.vocabulary import BLANK, SPECIAL, Vocabulary, is_chinese

_KANA: Final = ("\u3040", "\u30ff")


def build_tokenizer(vocabulary: Vocabulary) -> Tokenizer:
    """Return the tokenizer of the source over pieces and scores, the first four being SPECIAL."""
    tokenizer = Tokenizer(models.Unigram(list(vocabulary), unk_id=SPECIAL.index("<unk>"), byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement=BLANK, prepend_scheme="always", split=True)
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
    tokenizer = build_tokenizer(pieces)
    used: Counter[int] = Counter()
    for text in texts:
        used.update(tokenizer.encode(text, add_special_tokens=False).ids)
    plain = range(len(SPECIAL), len(pieces))
    single = {i for i in plain if len(pieces[i][0].removeprefix(BLANK)) <= 1}
    rest = [i for i in plain if i not in single and (used[i] or _is_wanted(pieces[i][0]))]
    rest.sort(key=lambda i: (-used[i], not is_chinese(pieces[i][0]), -pieces[i][1]))
    return [*range(len(SPECIAL)), *sorted({*single, *rest[: max(0, size - len(SPECIAL) - len(single))]})]


def pieces_of(tokenizer: Tokenizer, pieces: Vocabulary) -> list[int]:
    """Return the numbers of the pieces that a tokenizer over some of them has, in its order.

    Raises:
        KeyError: it has one that is not among them.
    """
    numbers = {piece: number for number, (piece, _) in enumerate(pieces)}
    return [numbers[str(tokenizer.id_to_token(each))] for each in range(tokenizer.get_vocab_size())]


def _is_wanted(piece: str) -> bool:
    """Whether a piece is Chinese (and not Japanese), or of ASCII letters."""
    core = piece.removeprefix(BLANK)
    if is_chinese(core):
        return not any(_KANA[0] <= character <= _KANA[1] for character in core)
    return core.isascii() and core.isalpha()
