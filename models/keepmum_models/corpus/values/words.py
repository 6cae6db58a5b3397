"""Ordinary words, titles made of them, trades and dishes: with a capital or without, they name nobody."""

from functools import cache

from faker.providers.job import Provider as Jobs
from faker.providers.lorem.en_US import Provider as Lorem
from mnemonic import Mnemonic

from keepmum_models.corpus import pools
from keepmum_models.corpus.scene import Scene
from keepmum_models.corpus.splits import Split

_LINKS = (
    "of the",
    "and",
    "for",
    "in",
    "without",
    "from",
    "on",
    "to the",
    "with",
    "or",
    "by",
    "against",
    "under the",
    "than",
)
_HEADS = ("The", "A", "This", "Every", "No", "Our", "That", "Their", "Its", "Any", "Most", "Another", "Each", "Some")
_VERBS = (
    "is", "was", "became", "needs", "gives", "changes", "follows", "explains", "keeps", "can improve", "should match", "does not need",
    "had shaped", "will reach", "makes", "causes", "covers", "moved past", "comes before", "sits beside", "would cost",
)  # fmt: skip


@cache
def _common() -> tuple[str, ...]:
    """English words that are neither a given nor a family name."""
    names = {
        word.casefold()
        for split in Split
        for path in (("names", "female"), ("names", "male"), ("surnames",))
        for word in pools.mimesis_words(split, "en", "person", *path)
    }
    words = (*Mnemonic("english").wordlist, *Lorem.word_list)
    return tuple(dict.fromkeys(word for word in words if len(word) > 2 and word.islower() and word not in names))


@cache
def _both_sides(table: str, *path: str) -> tuple[str, ...]:
    return tuple(word for split in Split for word in pools.mimesis_words(split, "en", table, *path))


@cache
def _jobs() -> tuple[str, ...]:
    return tuple(map(str, Jobs.jobs))


def word(scene: Scene) -> str:
    """One ordinary word in small letters."""
    return scene.pick(_common())


def title(scene: Scene) -> str:
    """Two or three ordinary words, each with a capital, as products, screens and headings have them."""
    count = scene.pick((1, 2, 2, 2, 3))
    return " ".join(scene.pick(_common()).capitalize() for _ in range(count))


def sentence(scene: Scene) -> str:
    """A sentence with the grammar of one and no sense: any word may stand in any place."""
    noun = scene.pick(_common())
    middle = f"{noun} {scene.pick(_common())}" if scene.chance(0.4) else noun
    parts = [scene.pick(_HEADS), middle, scene.pick(_VERBS), scene.pick(("a", "the", "more", "no", "some"))]
    parts.append(scene.pick(_common()))
    for _ in range(scene.rng.randrange(3)):
        parts += [scene.pick(_LINKS), scene.pick(_common())]
    return " ".join(parts) + scene.pick((".", ".", ".", "?", "!"))


def trade(scene: Scene) -> str:
    """A trade or office with capitals, as cards and adverts have it."""
    found = scene.pick(_both_sides("person", "occupation")) if scene.chance(0.6) else scene.pick(_jobs())
    return found.title() if scene.chance(0.7) else found


def dish(scene: Scene) -> str:
    """Something to eat or drink, or to grow."""
    return scene.pick(_both_sides("food", scene.pick(("dishes", "drinks", "fruits", "vegetables", "spices"))))


def people(scene: Scene) -> str:
    """A nationality or a language."""
    return scene.pick(_both_sides("person", scene.pick(("nationality", "language"))))
