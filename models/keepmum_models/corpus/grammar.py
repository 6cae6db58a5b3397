r"""Templates: `‹slot›` is filled, `«one|other|»` is chosen from (an empty choice leaves it out), the rest is text.

A rule is a list of templates under a name; a slot that is not a value is a rule. Rules are data: in
`templates/LANG/*.rules` a line `== name` begins a rule, each line below it is one template (`\n` breaks the line, `;;`
begins a comment). The delimiters are characters that code, JSON and mails do not use, so that nothing needs escaping.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random

from keepmum_models.corpus.pieces import Piece

_MARKS = re.compile(r"[‹›«»|]")
_DEEPEST = 40


class TemplateError(ValueError):
    """A template that cannot be read, or a slot that nothing defines."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place to fill: `‹name›`, or `‹name@2›` where 2 is a person of the message."""

    name: str
    person: str | None


@dataclass(frozen=True, slots=True)
class Choice:
    """Alternatives of which one is taken."""

    branches: tuple["Template", ...]


Template = tuple[str | Slot | Choice, ...]
FillSlot = Callable[[Slot], Piece | None]


class _Reader:
    """Recursive descent over one template."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._at = 0

    def _next_mark(self) -> tuple[str, str]:
        found = _MARKS.search(self._source, self._at)
        if found is None:
            text, self._at = self._source[self._at :], len(self._source)
            return text, ""
        text, self._at = self._source[self._at : found.start()], found.end()
        return text, found.group()

    def sequence(self, *, inside: bool) -> tuple[Template, str]:
        """Read up to the end, or inside a choice up to `|` or `»`; return what was read and what ended it."""
        nodes: list[str | Slot | Choice] = []
        while True:
            text, mark = self._next_mark()
            if mark == "|" and not inside:
                text += mark
            if text:
                nodes.append(text)
            if mark == "‹":
                nodes.append(self._slot())
            elif mark == "«":
                nodes.append(self._choice())
            elif (mark in {"|", "»"} and inside) or not mark:
                return tuple(nodes), mark
            elif mark != "|":
                raise TemplateError(f"stray {mark} in: {self._source}")

    def _slot(self) -> Slot:
        text, mark = self._next_mark()
        if mark != "›":
            raise TemplateError(f"open slot in: {self._source}")
        name, _, person = text.partition("@")
        return Slot(name, person or None)

    def _choice(self) -> Choice:
        branches: list[Template] = []
        mark = "|"
        while mark == "|":
            branch, mark = self.sequence(inside=True)
            branches.append(branch)
        if mark != "»":
            raise TemplateError(f"open choice in: {self._source}")
        return Choice(tuple(branches))


def parse(source: str) -> Template:
    """Read one template.

    Raises:
        TemplateError: its marks do not pair.
    """
    template, _ = _Reader(source).sequence(inside=False)
    return template


class Grammar:
    """The rules of one language."""

    def __init__(self, rules: Mapping[str, tuple[Template, ...]]) -> None:
        self._rules = rules

    @property
    def names(self) -> frozenset[str]:
        """Names of all rules."""
        return frozenset(self._rules)

    def rules(self, name: str) -> tuple[Template, ...]:
        """Return the templates of a rule.

        Raises:
            TemplateError: there is no such rule.
        """
        try:
            return self._rules[name]
        except KeyError:
            raise TemplateError(f"no value or rule is named {name}") from None

    def expand(self, name: str, fill: FillSlot, rng: Random) -> list[Piece]:
        """Write one text of the rule: `fill` gives the pieces of slots that are values, None for rules."""
        return list(self._write(rng.choice(self.rules(name)), fill, rng, 0))

    def _write(self, template: Template, fill: FillSlot, rng: Random, depth: int) -> Iterator[Piece]:
        if depth > _DEEPEST:
            raise TemplateError("rules refer to each other without end")
        for node in template:
            if isinstance(node, str):
                yield Piece(node)
            elif isinstance(node, Choice):
                yield from self._write(rng.choice(node.branches), fill, rng, depth + 1)
            else:
                piece = fill(node)
                if piece is not None:
                    yield piece
                else:
                    yield from self._write(rng.choice(self.rules(node.name)), fill, rng, depth + 1)


def slots_of(template: Template) -> Iterator[Slot]:
    """Yield every slot that the template names."""
    for node in template:
        if isinstance(node, Slot):
            yield node
        elif isinstance(node, Choice):
            for branch in node.branches:
                yield from slots_of(branch)


def read_rules(text: str) -> dict[str, list[Template]]:
    """Read the rules of one file.

    Raises:
        TemplateError: a template stands before the first rule, or cannot be read.
    """
    rules: dict[str, list[Template]] = {}
    current: list[Template] | None = None
    for line in text.splitlines():
        if line.startswith("== "):
            current = rules.setdefault(line[3:].strip(), [])
        elif line.strip() and not line.startswith(";;"):
            if current is None:
                raise TemplateError(f"no rule yet: {line}")
            current.append(parse(line.replace("\\n", "\n").replace("\\t", "\t")))
    return rules


@cache
def load(language: str) -> Grammar:
    """Read the packaged rules of a language; a rule may stand in several files, its templates add up."""
    rules: dict[str, list[Template]] = {}
    folder = files("keepmum_models.corpus") / "templates" / language
    for entry in sorted(folder.iterdir(), key=lambda found: found.name):
        if entry.name.endswith(".rules"):
            for name, templates in read_rules(entry.read_text(encoding="utf-8")).items():
                rules.setdefault(name, []).extend(templates)
    return Grammar({name: tuple(templates) for name, templates in rules.items()})
