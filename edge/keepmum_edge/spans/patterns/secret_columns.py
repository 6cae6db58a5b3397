"""Secrets in tables: a column whose head says `password`, `PIN`, `API key`, `密码`, in Markdown, CSV or tab-separated.

A table is a line of at least two short cells, one of them such a head, and the lines below it with as many cells. Where
a rule such as `--- | ---` says that the line is a head, its first cell may stand behind a sentence.
"""

import re
from collections.abc import Iterator
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.finding import CONTEXT, Finding
from keepmum_edge.spans.normalise import Reading
from keepmum_edge.spans.patterns import secrecy

_HEADS: Final = (
    (
        EntityType.PASSWORD,
        re.compile(
            r"(?:(?:user|login|account|wifi|wi-fi|admin|root|db|new|old|temp(?:orary)?|default|initial)[ _-]?)?"
            r"(?:passwords?|passwd|pass|pwd|pw|passphrase|pass ?code)"
            r"|(?:登录|初始|默认|新|旧)?(?:密码|密碼|口令)|パスワード|비밀번호"
        ),
    ),
    (
        EntityType.PIN,
        re.compile(
            r"(?:card |door |sim )?pins?(?: code)?|cvv2?|cvc2?|csc|security code|pin码|取款密码|支付密码|安全码"
        ),
    ),
    (
        EntityType.API_KEY,
        re.compile(r"(?:api|access|secret|auth|private)[ _-]?(?:keys?|tokens?)|secrets?|tokens?|密钥|令牌|接口密钥"),
    ),
)
_HINT: Final = re.compile(r"pass|pw|pin|cv[cv]|csc|code|安全码|key|token|secret|密|令牌|口令|パスワード|비밀번호")
_MARKS: Final = ("|", "\t", ";", ",")
_RULE: Final = re.compile(r"[-:=+ |\t]+$")
_LONGEST_HEAD: Final = 24
_IN_A_SENTENCE: Final = re.compile(r"(?:and|or|but|the|my|your) |(?:[^ ]+ ){2}|.*[.?!]$")
"""What no head of a column looks like, and a list of words in a sentence may."""
_LONGEST_LINE: Final = 2000
_NO_VALUE: Final = re.compile(
    r"[-–—/\\.?]*$|(?:n/?a|none|no|yes|same|required|optional|string|text|无|空|同上)$", re.IGNORECASE
)


def find_secret_columns(reading: Reading) -> Iterator[Finding]:
    """The values below such a head; heads, rules and stand-ins stay."""
    if "\n" not in reading.lower or not _HINT.search(reading.lower):
        return
    open_table: tuple[str, int, dict[int, EntityType]] | None = None
    place = 0
    lines = reading.text.split("\n")
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        start, place = place, place + len(line) + 1
        if len(line) > _LONGEST_LINE:
            open_table = None
            continue
        if open_table is not None:
            mark, count, columns = open_table
            if _RULE.match(line):
                continue
            cells = _cells(line, mark)
            if len(cells) == count:
                yield from _values(cells, start, columns)
                continue
        open_table = _table(line, is_ruled=len(following) <= _LONGEST_LINE and _RULE.match(following) is not None)


def _table(line: str, *, is_ruled: bool) -> tuple[str, int, dict[int, EntityType]] | None:
    """Return the mark between cells, their number and the columns of secrets, where a line is the head of a table."""
    lower = line.lower()
    if not _HINT.search(lower):
        return None
    for mark in _MARKS:
        cells = _cells(lower, mark)
        if is_ruled and len(cells) > 1:
            cells[0] = cells[0][0], cells[0][1][-_LONGEST_HEAD:].rpartition(" ")[2]
        if len(cells) < 2 or any(len(cell) > _LONGEST_HEAD or _IN_A_SENTENCE.match(cell) for _, cell in cells):
            continue
        columns = {at: kind for at, (_, cell) in enumerate(cells) for kind, head in _HEADS if head.fullmatch(cell)}
        if columns:
            return mark, len(cells), columns
    return None


def _cells(line: str, mark: str) -> list[tuple[int, str]]:
    """Split a line; each cell with the offset of its first character, without blanks and quotes around it."""
    cells: list[tuple[int, str]] = []
    place = 0
    for cell in line.split(mark):
        bare = cell.lstrip(" \t\"'`*")
        cells.append((place + len(cell) - len(bare), bare.rstrip(" \t\r\"'`*")))
        place += len(cell) + len(mark)
    if mark == "|" and len(cells) > 2:  # the outer bars of a Markdown row
        cells = cells[1:] if not cells[0][1] else cells
        cells = cells[:-1] if not cells[-1][1] else cells
    return cells


def _values(cells: list[tuple[int, str]], start: int, columns: dict[int, EntityType]) -> Iterator[Finding]:
    for column, kind in columns.items():
        at, value = cells[column]
        if _is_value(value, kind):
            yield Finding(start + at, start + at + len(value), kind, CONTEXT, "secret-column")


def _is_value(value: str, kind: EntityType) -> bool:
    if len(value) < 3 or len(value) > 400 or _NO_VALUE.match(value) or secrecy.is_stand_in(value):
        return False
    if kind is EntityType.PIN:
        return any(c.isdigit() for c in value) and len(value) <= 16
    if kind is EntityType.PASSWORD:
        return not secrecy.is_code_in_prose(value) and value.count(" ") <= 4
    return len(value) >= 8 and " " not in value and any(c.isdigit() for c in value) and not secrecy.is_address(value)
