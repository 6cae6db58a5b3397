"""Plain facts with words that nobody knows: a rare word alone implies nothing.

People's memories are full of names of things, places and products that no model has met. Words are made of syllables.
"""

import random
from collections.abc import Iterator
from typing import Final

_SYLLABLES: Final = """
    ba be bo bra chi da dor el fa fin ga gri ha hil ja ka kel lo lun ma mer mo na nis o pa pel qua ra rin ro sa sel ta
    tor u va ver wi xa ya zel zo zqu
"""
_ENGLISH: Final = (
    "I live in {Rare} with my {kin}",
    "I live on {Rare} street",
    "I live with my {kin} and a {pet} called {Rare}",
    "My {thing} is called {Rare}",
    "My {thing} {Rare} belongs to my {kin} and me",
    "I own the {rare} with <NAME_1>",
    "I own a {rare}",
    "My {kin} has a {rare} {thing}",
    "The {rare} is in the {place}",
    "I keep the {rare} in the {place}",
    "We drove the {rare} to {Rare}",
    "I bought a {rare} {thing} from {Rare}",
    "Our {pet} {Rare} likes the {thing}",
    "I work at {Rare} on the {rare} team",
    "My {kin} works for {Rare}",
    "I play the {rare} on {day}",
    "The {rare} club meets on {day} in {Rare}",
    "My favourite {thing} is the {rare}",
    "I moved from {Rare} to {Rare} with my {kin}",
    "Remember that the {rare} costs {number}",
    "My project is called {Rare}-{number}",
    "We call the {thing} {rare}",
    "<NAME_1> gave me a {rare}",
    "I am reading {Rare} by {Rare}",
    "My {kin} <NAME_1> lives in {Rare}",
)
_CHINESE: Final = (
    "我和{kin}住在{Rare}",
    "我的{thing}叫{Rare}",
    "我有一个{rare}",
    "{rare}放在{place}里",
    "我{day}去{Rare}",
    "我在{Rare}工作",
    "我的项目叫{Rare}{number}",
    "我家的{pet}叫{Rare}",
    "{kin}送了我一个{rare}",
    "我们把{thing}叫做{rare}",
)
_WORDS: Final = {
    "en": {
        "kin": ("cousin", "brother", "friend", "aunt", "flatmate", "sister", "grandfather"),
        "pet": ("cat", "dog", "parrot", "rabbit"),
        "thing": ("boat", "bike", "tea", "editor", "garden", "violin", "lamp", "car", "recipe"),
        "place": ("garage", "kitchen", "attic", "blue box", "office", "shed"),
        "day": ("Mondays", "Fridays", "Saturday", "the first of May"),
    },
    "zh": {
        "kin": ("表哥", "朋友", "姐姐", "室友", "爷爷"),
        "pet": ("猫", "狗", "鹦鹉"),
        "thing": ("自行车", "小船", "吉他", "台灯", "菜谱"),
        "place": ("车库", "厨房", "蓝色盒子", "办公室"),
        "day": ("周一", "周五", "下个月"),
    },
}


def plain_facts(count: int, *, seed: int = 0) -> Iterator[str]:
    """Yield so many sentences, one in four Chinese."""
    chance = random.Random(f"{seed}:plain")  # noqa: S311 - no secret
    for number in range(count):
        language, frames = ("zh", _CHINESE) if number % 4 == 3 else ("en", _ENGLISH)
        words = {name: chance.choice(each) for name, each in _WORDS[language].items()}
        said = chance.choice(frames).format(
            rare=_rare(chance), Rare=_rare(chance).capitalize(), number=chance.randrange(2, 9999), **words
        )
        yield said + ("。" if language == "zh" else ".")


def _rare(chance: random.Random) -> str:
    return "".join(chance.choice(_SYLLABLES.split()) for _ in range(chance.randrange(2, 5)))
