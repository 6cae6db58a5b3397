"""Where in a text names stand that are known from elsewhere (pure).

Latin     Of "Sigrid Tanaka" also "sigrid tanaka", "Tanaka, Sigrid" and "TANAKA"; of its parts each capitalised one
          of three letters or more. An everyday word (`ordinary_words`) counts only where its capital is not owed to
          the start of a sentence: "will" is not Will Rose. In lower case a part counts only in a line that has no
          capitals at all: whoever writes "tell tanaka" there would have written "Tanaka" elsewhere.
Chinese   There are no borders, and a given name is mostly a word too, so a name is looked for whole and as its surname
          with an appellation: of 张建国 also 老张, 张总 and 张女士.

Time is linear in the text and, apart from it, in the number of names; a text of thousands of names is no worse.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from keepmum_edge.spans.normalise import read
from keepmum_edge.spans.ordinary_words import is_ordinary
from keepmum_edge.spans.patterns.name_forms import NO_NAME
from keepmum_edge.spans.patterns.people_chinese import CLEAR_SURNAMES, DOUBLE_SURNAMES, OTHER_SURNAMES
from keepmum_edge.spans.spellings import has_no_capitals

_MIN_PART: Final = 3
"""Letters of a part that is found as it is written; shorter ones are too often other words."""
_MIN_ANY_CASE: Final = 4
"""Letters of a part that is found in any case."""
_MAX_WORDS: Final = 8
"""A longer name is none; this bounds the time of one place."""
_MIN_CHINESE: Final = 2
_MAX_CHINESE: Final = 16

_EAST: Final = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN: Final = re.compile(rf"[^\W_{_EAST}]+(?:['’-][^\W\d_{_EAST}]{{2,}})*")
_BETWEEN: Final = re.compile(r",?[ \t\u00a0]{1,3}|[ \t]?\r?\n|\. ?|[-_]")
_HAN: Final = re.compile("[\u3400-\u9fff]+")
_SENTENCE_START: Final = re.compile(r"(?:^|[.!?:;\n。！？；]|[-*•>])[\s\"'“‘(]{0,4}\Z")
_PARTICLES: Final = frozenset({"van", "von", "der", "den", "del", "dos", "das", "bin", "ibn", "ter", "zur", "della"})
SURNAMES: Final = frozenset(CLEAR_SURNAMES + OTHER_SURNAMES)
DOUBLE: Final = frozenset(DOUBLE_SURNAMES.split("|"))
_CALLED_BEFORE: Final = ("老", "小", "阿")
_CALLED_AFTER: Final = (
    *("先生", "女士", "小姐", "太太", "老师", "医生", "大夫", "护士", "教授", "经理", "总", "主任", "律师", "师傅"),
    *("阿姨", "叔叔", "哥", "姐"),
)
TITLES: Final = frozenset(
    "mr mrs ms miss mx dr prof professor sir rev herr frau mme mlle monsieur madame señor señora".split()  # noqa: SIM905
)
NO_PART: Final = (
    TITLES
    | NO_NAME
    | frozenset(
        """
        the and for jun phd mother father mom dad mum mama papa brother sister uncle aunt auntie grandma grandpa granny
        son daughter wife husband baby coach captain god lord king queen prince princess saint boss chef nanny officer
        judge plaintiff defendant kollegin kollege tante onkel oma opa
        """.split()  # noqa: SIM905
    )
)
"""Words, lower case, that stand in found names and are no part of them to look for."""


class Place(NamedTuple):
    """Where a name stands, half-open; the lower the rank, the surer: 0 whole, 1 turned round, 2 parts."""

    rank: int
    start: int
    end: int


class _Token(NamedTuple):
    start: int
    end: int
    low: str


class NameIndex:
    """Known names, made ready to be found in any text."""

    def __init__(self, names: Iterable[str]) -> None:
        self._wholes: dict[tuple[str, ...], int] = {}
        """Words of a whole name -> rank."""
        self._lengths: dict[str, set[int]] = {}
        """First word of a whole name -> how many words such names have."""
        self._as_written: set[str] = set()
        self._any_case: set[str] = set()
        self._chinese: dict[str, set[int]] = {}
        """First two characters of what is looked for -> its lengths."""
        self._chinese_names: set[str] = set()
        for name in {read(name).text for name in names}:
            if re.search(rf"[{_EAST}]", name):
                self._add_chinese(name)
            if re.search("[A-Za-z\u00c0-\u1fff]", name):
                self._add_latin(name)
        first = "".join(sorted({head[0] for head in self._chinese}))
        self._chinese_starts = re.compile(f"[{re.escape(first)}]") if first else None

    def __bool__(self) -> bool:
        """Return whether there is anything to look for."""
        return bool(self._lengths or self._any_case or self._as_written or self._chinese)

    def places(self, text: str) -> Iterator[Place]:
        """Yield every place of a name in a text as `normalise` reads it; they may overlap."""
        yield from self._latin(text)
        if self._chinese_starts is not None:
            yield from self._east(text, self._chinese_starts)

    def _add_latin(self, name: str) -> None:
        words = [word[0] for word in _TOKEN.finditer(name)]
        while len(words) > 1 and is_ordinary(words[0].lower()) and words[0].lower() in TITLES:
            del words[0]
        if not 1 <= len(words) <= _MAX_WORDS:
            return
        low = tuple(word.lower() for word in words)
        if len(low) > 1 and any(map(_is_distinct, low)):
            for rank, form in enumerate((low, (low[-1], *low[:-1]))):
                self._wholes[form] = min(rank, self._wholes.get(form, rank))
                self._lengths.setdefault(form[0], set()).add(len(form))
        for word in words:
            if len(word) >= _MIN_PART and word.lower() not in _PARTICLES and word.lower() not in NO_PART:
                if word[0].isupper():
                    self._as_written.add(word.title() if word.isupper() else word)
                if _is_distinct(word.lower()):
                    self._any_case.add(word.lower())

    def _add_chinese(self, name: str) -> None:
        forms = [name]
        surname = name[:2] if name[:2] in DOUBLE else name[:1] if name[:1] in SURNAMES else ""
        given = name[len(surname) :]
        if surname and len(given) <= 2 and _HAN.fullmatch(name):
            forms += [before + surname for before in _CALLED_BEFORE if len(surname) == 1]
            forms += [surname + after for after in _CALLED_AFTER]
        for form in forms:
            if _MIN_CHINESE <= len(form) <= _MAX_CHINESE:
                self._chinese_names.add(form)
                self._chinese.setdefault(form[:2], set()).add(len(form))

    def _latin(self, text: str) -> Iterator[Place]:
        tokens = [_Token(found.start(), found.end(), found[0].lower()) for found in _TOKEN.finditer(text)]
        part: Place | None = None  # parts with one blank between them are one name
        for i, token in enumerate(tokens):
            for length in self._lengths.get(token.low, ()):
                run = tokens[i : i + length]
                rank = self._wholes.get(tuple(t.low for t in run))
                if rank is not None and _is_run(text, run):
                    yield Place(rank, token.start, run[-1].end)
            if not self._is_part(text, token):
                continue
            if part is not None and text[part.end : token.start] == " ":
                part = part._replace(end=token.end)
                continue
            if part is not None:
                yield part
            part = Place(2, token.start, token.end)
        if part is not None:
            yield part

    def _is_part(self, text: str, token: _Token) -> bool:
        word = text[token.start : token.end]
        if token.low in self._any_case:
            return not word.islower() or has_no_capitals(text, token.start, token.end)
        if word not in self._as_written:
            return False
        if not is_ordinary(token.low):
            return True
        # an everyday word may owe its capital to its place
        return _SENTENCE_START.search(text[max(0, token.start - 6) : token.start]) is None

    def _east(self, text: str, starts: re.Pattern[str]) -> Iterator[Place]:
        for found in starts.finditer(text):
            start = found.start()
            for length in self._chinese.get(text[start : start + 2], ()):
                form = text[start : start + length]  # shorter than `length` at the end of the text
                if form in self._chinese_names:
                    yield Place(0, start, start + len(form))


def _is_distinct(low: str) -> bool:
    return len(low) >= _MIN_ANY_CASE and not is_ordinary(low) and not low.isdigit()


def _is_run(text: str, run: list[_Token]) -> bool:
    return all(_BETWEEN.fullmatch(text, a.end, b.start) for a, b in pairwise(run))
