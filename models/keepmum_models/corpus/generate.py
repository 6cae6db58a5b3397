"""Users and their dialogues.

A user's randomness depends on seed, side and number only, so any user can be made alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from keepmum_models.corpus import grammar
from keepmum_models.corpus.compose import Composer
from keepmum_models.corpus.pieces import LabelledText
from keepmum_models.corpus.scenarios import SCENARIOS
from keepmum_models.corpus.scene import Scene
from keepmum_models.corpus.splits import Split
from keepmum_models.corpus.values.names import person

LANGUAGES = ("en", "zh")
HELD_BACK_USERS = 40


@dataclass(frozen=True, slots=True)
class Message:
    """One user message of a dialogue.

    Attributes:
        identity: `USER-DIALOGUE-TURN`.
        scenario: `category/subcategory`.
    """

    identity: str
    user: str
    language: str
    scenario: str
    style: str
    labelled: LabelledText


def messages_of(number: int, *, seed: int, split: Split) -> Iterator[Message]:
    """Yield the messages of one user: 6 to 10 dialogues of 2 to 5 turns. Users of even numbers write English."""
    rng = Random(f"{seed}/{split.value}/{number}")  # noqa: S311 - a corpus, not a secret
    language = LANGUAGES[number % 2]
    user = f"{'h' if split is Split.HELD_BACK else 'u'}{number:05d}"
    scene = Scene(language, rng, split)
    scene.cast["0"] = person(scene)
    composer = Composer(scene, grammar.load(language))
    for dialogue, scenario in enumerate(rng.sample(SCENARIOS, rng.randrange(6, 11))):
        for turn in range(rng.randrange(2, 6)):
            style, labelled = composer.message(scenario)
            if labelled.text:
                yield Message(f"{user}-{dialogue}-{turn}", user, language, scenario.label, style, labelled)


def training(messages: int, *, seed: int) -> Iterator[Message]:
    """Yield training messages until there are so many, half of them in each language.

    Both languages advance together: a user of one is followed by a user of the other.
    """
    left = {language: messages // 2 + (messages % 2 if language == "en" else 0) for language in LANGUAGES}
    number = 0
    while any(left.values()):
        for message in messages_of(number, seed=seed, split=Split.TRAINING):
            if left[message.language]:
                left[message.language] -= 1
                yield message
        number += 1


def held_back(*, seed: int) -> Iterator[Message]:
    """Yield all messages of the 40 held-back users, 20 of each language."""
    for number in range(HELD_BACK_USERS):
        yield from messages_of(number, seed=seed, split=Split.HELD_BACK)
