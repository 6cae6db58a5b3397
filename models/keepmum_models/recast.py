"""A public set's people played by others: its sentences are real and few, its names are learnt by heart all too soon.

Each person of a text gets a drawn name of the same shape, the same one wherever the text names the person again: a
full name, a given or family name alone, a nickname in lower case, a user name, a Chinese name of as many characters,
a transliterated one.
"""

from dataclasses import replace
from random import Random
from typing import Final

from keepmum_shared.taxonomy import EntityType

from keepmum_models.corpus.scene import Person, Scene
from keepmum_models.corpus.splits import Split
from keepmum_models.corpus.values import names, transliteration
from keepmum_models.examples import Example, Marked
from keepmum_models.vocabulary import is_chinese

_SHORT_CHINESE: Final = 4
"""Characters; a longer name without a blank is a foreign one."""
_FOREIGN: Final = 0.12
_TRIES: Final = 12


class Recaster:
    """Draws other names; the names of the generator's held-back users are never among them."""

    def __init__(self, *, share: float, rng: Random) -> None:
        """Recast this share of the texts, in [0, 1]."""
        self._share = share
        self._rng = rng
        self._scenes = {language: Scene(language, rng, Split.TRAINING) for language in ("en", "zh")}

    def recast(self, example: Example) -> Example:
        """Return the text with other people in it, or as it is; spans keep their labels and follow the text."""
        people = [s for s in example.spans if EntityType.NAME in example.meaning.private.get(s.label, ())]
        if not people or self._rng.random() >= self._share or _overlap(example.spans):
            return example
        cast = self._cast({example.text[s.start : s.end] for s in people})
        parts: list[str] = []
        spans: list[Marked] = []
        copied = length = 0
        for span in sorted(example.spans, key=lambda s: s.start):
            before, surface = example.text[copied : span.start], example.text[span.start : span.end]
            surface = cast[surface] if span in people else surface
            length += len(before)
            spans.append(replace(span, start=length, end=length + len(surface)))
            parts += [before, surface]
            length += len(surface)
            copied = span.end
        return replace(example, text="".join([*parts, example.text[copied:]]), spans=tuple(spans))

    def _cast(self, surfaces: set[str]) -> dict[str, str]:
        """Give every surface another; a part of a longer one gets the part of that one's."""
        cast: dict[str, str] = {}
        words: dict[str, str] = {}
        for surface in sorted(surfaces, key=lambda s: (-len(s), s)):
            cast[surface] = self._chinese(surface) if is_chinese(surface) else self._latin(surface, words)
        return cast

    def _chinese(self, surface: str) -> str:
        scene = self._scenes["zh"]
        if "·" in surface:
            return transliteration.full(scene)
        if len(surface) == 1:
            return names.chinese(scene).family[:1]
        if len(surface) > _SHORT_CHINESE or scene.chance(_FOREIGN):
            return transliteration.spoken(scene)
        for _ in range(_TRIES):
            name = names.person(scene).full
            if len(name) == len(surface) and is_chinese(name):
                return name
        return surface

    def _latin(self, surface: str, words: dict[str, str]) -> str:
        scene = self._scenes["en"]
        found = surface.split()
        if len(found) == 1:
            person = names.western(scene) if scene.chance(0.8) else names.romanised(scene)
            drawn = words.get(found[0]) or self._single(found[0], person)
        else:
            person = names.person(scene)
            words.update({found[0]: person.given, found[-1]: person.family})
            drawn = person.full
        return (
            drawn.lower() if surface.islower() else drawn.upper() if surface.isupper() and len(surface) > 1 else drawn
        )

    def _single(self, word: str, person: Person) -> str:
        scene = self._scenes["en"]
        if not word.isalpha():
            mark = word[0] if word[0] in "@#" else ""
            return mark + names.username(scene, person)
        return person.given if scene.chance(0.6) else person.family


def _overlap(spans: tuple[Marked, ...]) -> bool:
    reach = 0
    for span in sorted(spans, key=lambda s: s.start):
        if span.start < reach:
            return True
        reach = span.end
    return False
