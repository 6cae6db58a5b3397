"""How a block is written, and how it is removed from whatever text it comes back in (pure).

    --- from this computer [k7f3q2mzaaqaaxyz] ---
    - [k7f3q2mzadaar2ab] 2026-03-01 I have type-2 diabetes
    --- end, from this computer [k7f3q2mzbgaaq3cd] ---

In brackets stands a token: the mark of the install, how many characters of canonical text (`canonical`) belong to the
block before it and behind it, and a check. So each token says alone how far the block reaches around it, and any part
of a block that holds one is removed to its last letter, however it was quoted, wrapped or escaped. Where a part was cut
off, as many letters of what stands there instead may go with it; a line has at most MOST_OF_LINE.

Blocks of other installs (the owner's other computer) are known by the words before their tokens, or the brackets.
"""

import hashlib
import re
from base64 import b32encode
from collections.abc import Iterable, Sequence
from typing import Final

from keepmum_edge.daemon.block.canonical import canonical, canonical_text

TITLE: Final = "from this computer"
MARK: Final = re.compile(r"[a-z2-7]{8}")
MOST_OF_LINE: Final = 72
"""Letters and digits of one line: a longer text is continued on the next."""
_TITLE: Final = canonical_text(TITLE)
_END: Final = f"end, {TITLE}"
_DIGITS: Final = "abcdefghijklmnopqrstuvwxyz234567"
_MARK_SIZE: Final = 8
_NUMBER_SIZE: Final = 2
_CHECK_SIZE: Final = 3
_TOKEN_SIZE: Final = _MARK_SIZE + 2 * _NUMBER_SIZE + _CHECK_SIZE
_UNKNOWN: Final = MOST_OF_LINE + _TOKEN_SIZE
_TOKEN: Final = re.compile(r"[a-z2-7]{15}")
_IN_BRACKETS: Final = re.compile(rf"\[({_TOKEN.pattern})\]")
_MOST_SIGNS: Final = 5
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_BEFORE: Final = re.compile(r"(?:-{3} |- )?\[?\Z")
_BEHIND: Final = re.compile(r"\]?(?: -{3})?")


def written(memories: Iterable[tuple[str, str]], mark: str) -> tuple[str, tuple[str, ...]]:
    """Write a block.

    Args:
        memories: Day (YYYY-MM-DD) and text of each, at least one.
        mark: Of this install, as MARK says.

    Returns:
        The block, and the content of each of its lines, as it stands behind the token.
    """
    contents = [f"{day} {piece}" for day, text in memories for piece in pieces(text)]
    sizes = [len(_TITLE), 0, *(len(canonical_text(content)) for content in contents)]
    rows = [f"--- {TITLE} [{_token(mark, sizes[0], 0)}] ---"]
    for before, own, content in zip(sizes[1:], sizes[2:], contents, strict=False):
        rows.append(f"- [{_token(mark, _TOKEN_SIZE + before, own)}] {content}")
    last = _TOKEN_SIZE + sizes[-1] + len(canonical_text(_END))
    rows.append(f"--- {_END} [{_token(mark, last, 0)}] ---")
    return "\n".join(rows), tuple(contents)


def pieces(text: str) -> list[str]:
    """Cut a text into what one line each may hold, between words where there are any.

    A control character could rewrite a terminal, and JSON writes it in letters that a hard wrap may cut: it is a blank.
    """
    rows: list[str] = []
    room = 0
    for word in " ".join(_CONTROL.sub(" ", text).split()).split(" "):
        size = len(canonical_text(word))
        if rows and size <= room:
            rows[-1] += f" {word}"
            room -= size
            continue
        for part in [word] if size <= MOST_OF_LINE else _parts(word):
            rows.append(part)
            room = MOST_OF_LINE - len(canonical_text(part))
    return rows


def _parts(word: str) -> list[str]:
    """Cut what has no blank, as Chinese has none."""
    parts = [""]
    for char in word:
        if len(canonical_text(parts[-1] + char)) > MOST_OF_LINE:
            parts.append("")
        parts[-1] += char
    return parts


def without_frames(text: str, mark: str) -> str:
    """Return a text without any block or part of one that holds a token; the text itself if it holds none."""
    plain = canonical_text(text)
    marks = {mark, *_foreign_marks(text, plain)}
    if not any(each in plain for each in marks):
        return text
    mapped = canonical(text)
    return without(text, mapped.starts, mapped.ends, _regions(mapped.text, marks))


def without(text: str, starts: Sequence[int], ends: Sequence[int], regions: Iterable[tuple[int, int]]) -> str:
    """Return a text without stretches of its canonical text, and without the signs that a block has around them."""
    kept: list[str] = []
    position = 0
    for first, last in _merged(regions):
        start, end = starts[first], ends[last - 1]
        before = _BEFORE.search(text, max(position, start - _MOST_SIGNS), start)
        kept.append(text[position : start if before is None else before.start()])
        behind = _BEHIND.match(text, end)
        position = end if behind is None else behind.end()
    kept.append(text[position:])
    return "".join(kept)


def _regions(plain: str, marks: Iterable[str]) -> list[tuple[int, int]]:
    """Return which stretches of a canonical text belong to blocks with these marks."""
    regions: list[tuple[int, int]] = []
    for mark in marks:
        start = plain.find(mark)
        while start >= 0:
            reach = _reach(plain[start : start + _TOKEN_SIZE])
            # A mark whose token was cut or altered: what it reached is not known, but no line is longer than that.
            before, behind = (_UNKNOWN, _UNKNOWN) if reach is None else reach
            regions.append((max(0, start - before), min(len(plain), start + _TOKEN_SIZE + behind)))
            start = plain.find(mark, start + 1)
    return regions


def _foreign_marks(text: str, plain: str) -> set[str]:
    """Return the marks of installs whose tokens stand in brackets in a text, or behind the title in its letters."""
    tokens = _IN_BRACKETS.findall(text)
    start = plain.find(_TITLE)
    while start >= 0:
        tokens.append(plain[start + len(_TITLE) :][:_TOKEN_SIZE])
        start = plain.find(_TITLE, start + 1)
    return {token[:_MARK_SIZE] for token in tokens if _reach(token) is not None}


def _token(mark: str, before: int, behind: int) -> str:
    numbers = "".join(_DIGITS[number >> 5] + _DIGITS[number & 31] for number in (before, behind))
    return mark + numbers + _check(mark + numbers)


def _check(numbered: str) -> str:
    digest = hashlib.sha256(b"keepmum block\0" + numbered.encode()).digest()
    return b32encode(digest).decode().lower()[:_CHECK_SIZE]


def _reach(token: str) -> tuple[int, int] | None:
    """Return how far a block reaches before and behind a token; None for what is none, or was cut off."""
    numbered, check = token[:-_CHECK_SIZE], token[-_CHECK_SIZE:]
    if not _TOKEN.fullmatch(token) or check != _check(numbered):
        return None
    digits = [_DIGITS.index(digit) for digit in numbered[_MARK_SIZE:]]
    return digits[0] << 5 | digits[1], digits[2] << 5 | digits[3]


def _merged(regions: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join stretches that touch or overlap; empty ones go."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(regions):
        if first >= last:
            continue
        if merged and first <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return merged
