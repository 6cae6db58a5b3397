"""Text to pieces of the vocabulary, with the stretch of text that each piece stands for."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from keepmum_inference.errors import ArtefactError

_BLANKS: Final = {ord(c): " " for c in "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\u2028\u2029"}
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_IS_BLANK: Final = np.array([chr(code).isspace() for code in range(0x3002)])
"""By code point; the last stands for all beyond, none of which is a blank."""
_SECTION: Final = 16_384
"""Characters that the tokenizer gets at once: it needs a hundred bytes for each while it works."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """The pieces of one text without begin and end marks.

    Attributes:
        ids: Vocabulary numbers.
        starts, ends: Code-point offsets, half-open, without blanks at either end; equal for a piece that is a blank.
    """

    ids: NDArray[np.int64] = field(repr=False)
    starts: NDArray[np.int64] = field(repr=False)
    ends: NDArray[np.int64] = field(repr=False)


class Subwords:
    """The tokenizer of a model. Any string can be read, also with line breaks and lone surrogates."""

    def __init__(self, tokenizer_json: str) -> None:
        """Read a tokenizer.

        Raises:
            ArtefactError: not a tokenizer, or without its begin and end marks.
        """
        try:
            self._tokenizer: Tokenizer = Tokenizer.from_str(tokenizer_json)
        except Exception as error:  # noqa: BLE001 - the binding raises bare Exception
            raise ArtefactError("tokenizer.json", f"not a tokenizer ({type(error).__name__})") from None
        begin, end = self._tokenizer.token_to_id("<s>"), self._tokenizer.token_to_id("</s>")
        if begin is None or end is None:
            raise ArtefactError("tokenizer.json", "lacks <s> or </s>")
        self.begin, self.end = int(begin), int(end)
        blank = self._tokenizer.token_to_id("▁")
        self._blank = -1 if blank is None else int(blank)

    @property
    def size(self) -> int:
        """Pieces in the vocabulary."""
        return int(self._tokenizer.get_vocab_size())

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """Piece to number."""
        return dict(self._tokenizer.get_vocab())

    def encode(self, text: str) -> Pieces:
        """Return the pieces of a text, in order."""
        plain = text.translate(_BLANKS)
        if not plain.isascii():
            plain = _SURROGATE.sub("\ufffd", plain)
        sections = [self._encode(plain[start:end], start) for start, end in _sections(plain)]
        ids, starts, ends = (np.concatenate(parts) for parts in zip(*sections, strict=True))
        # The blank mark that is put before the first word has no text of its own but claims that of the word.
        ends = np.where(ids == self._blank, starts, ends)
        if len(starts):
            codes = np.frombuffer(plain.encode("utf-32-le"), dtype=np.uint32)
            blank = _IS_BLANK[np.minimum(codes, len(_IS_BLANK) - 1)]
            starts, ends = _trim(blank, starts, ends)
        return Pieces(ids=ids, starts=starts, ends=ends)

    def _encode(self, section: str, start: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return ids, starts and ends of a section of a text that begins at `start`."""
        encoding = self._tokenizer.encode(section, add_special_tokens=False)
        offsets = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2) + start
        return np.array(encoding.ids, dtype=np.int64), offsets[:, 0], offsets[:, 1]


def _sections(text: str) -> Iterator[tuple[int, int]]:
    """Cut a text into sections, before blanks where there are any: then the pieces are those of the whole."""
    start = 0
    while len(text) - start > _SECTION:
        end = text.rfind(" ", start + _SECTION // 2, start + _SECTION)
        while end > start and text[end - 1] == " ":
            end -= 1
        end = end if end > start else start + _SECTION
        yield start, end
        start = end
    yield start, len(text)


def _trim(
    blank: NDArray[np.bool_], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    padded = np.append(blank, False)
    while (moving := (starts < ends) & padded[starts]).any():
        starts[moving] += 1
    while (moving := (starts < ends) & padded[ends - 1]).any():
        ends[moving] -= 1
    return starts, ends
