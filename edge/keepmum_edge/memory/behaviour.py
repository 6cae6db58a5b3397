"""What a message shows of its author's choices, from a closed public list (pure).

trait   something a person chooses again and again: how long answers are asked for, the language written in
option  one of its choices; each has the words in which it is remembered, and no others are ever inferred

Only the owner's own words are read, the request before a pasted text among them, in placeholder text, and only of a
message that may imply nothing protected: what a message about a condition asks for is no evidence. The list is data
(`lexicons/behaviour.toml`).
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, Final

from keepmum_shared.placeholder import EXACT

from keepmum_edge.memory.classify import Classifier
from keepmum_edge.memory.lexicon import Cues, fold
from keepmum_edge.memory.own_words import source_words
from keepmum_edge.memory.preference import FITTED, LEAST_SESSIONS, UNHURRIED, Tuning
from keepmum_edge.memory.sentences import is_chinese

HALF: Final = Fraction(1, 2)
_NEGATION: Final = re.compile(
    r"\b(?:no|not|never|without|don't|avoid|stop|instead of)\b(?:\s+[^\s.,;!?]+){1,4}"
    r"|(?:不要|不用|不必|无需|(?<![特分区个级性类差识告离])别)[^，。！？；,.!?;\s]{0,8}"
)
_LATIN: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_IDEOGRAPH: Final = re.compile(r"[\u4e00-\u9fff]")
_ENGLISH: Final = frozenset(
    """
    a an the i you we my your is are am was do does did can could would should what how why when where which who to of
    in on for with and or but it this that me please not have has be if about
    """.split()
)
_LEAST_LETTERS: Final = 4
_LEAST_WORDS: Final = 3
_WRITING: Final = "writing language"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trait:
    """Something that is chosen again and again.

    Attributes:
        share: A choice is preferred if it is likely made in more than this share of sessions.
        single: Whether a session shows at most one choice, the newest.
        least: So many sessions must have shown a choice before it is inferred.
        wordings: For each option how it is remembered, in English and in Chinese.
    """

    id: str
    share: Fraction
    single: bool
    least: int
    wordings: Mapping[str, tuple[str, str]]

    @property
    def tuning(self) -> Tuning:
        """How fast a belief about it follows."""
        return FITTED if self.share == HALF else UNHURRIED

    def topic_of(self, option: str) -> str:
        """Return the topic of a record: what of its subject it tells (`MemoryRecord.topic`)."""
        return self.id if self.share == HALF else f"{self.id} {option}"

    def wording(self, option: str, *, chinese: bool) -> str:
        """Return the words in which an option is remembered."""
        return self.wordings[option][chinese]

    def option_of(self, text: str) -> str | None:
        """Return the option that these words remember, or None."""
        return next((option for option, wordings in self.wordings.items() if text in wordings), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """That a text shows an option of a trait."""

    trait: Trait
    option: str

    @property
    def topic(self) -> str:
        """What a record of it tells."""
        return self.trait.topic_of(self.option)


@dataclass(frozen=True, slots=True)
class Matter:
    """What a record is about: a trait, or one option of it where options are no alternatives (`option` is not None)."""

    topic: str
    trait: Trait
    option: str | None


def choices(message: str, classifier: Classifier) -> tuple[Choice, ...]:
    """Return what the owner's newest message, in placeholder text, shows."""
    said = source_words(message, with_request=True)
    if classifier.judge(said, lambda _: None).is_local_only:
        return ()
    found = told(said)
    language = _language(said)
    return (*found, Choice(trait=shipped_traits()[_WRITING], option=language)) if language else found


def told(text: str) -> tuple[Choice, ...]:
    """Return the choices that the words of a text tell, whether it asks or states."""
    found = _shipped()
    folded = fold(text)
    labels = found.denials.labels(folded) | found.cues.labels(_NEGATION.sub(" | ", folded))
    seen = (label.split("/") for label in sorted(labels))
    shown = [Choice(trait=found.traits[trait], option=option) for trait, option in seen]
    counts = {each.trait.id: sum(other.trait is each.trait for other in shown) for each in shown}
    return tuple(each for each in shown if not each.trait.single or counts[each.trait.id] == 1)


def matter_of(topic: str | None) -> Matter | None:
    """Return what a record with this topic is about, None if nothing of it can be inferred."""
    return None if topic is None else _shipped().matters.get(topic)


def shipped_traits() -> Mapping[str, Trait]:
    """Return every trait by its id."""
    return _shipped().traits


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lexicon:
    traits: Mapping[str, Trait]
    matters: Mapping[str, Matter]
    cues: Cues
    denials: Cues


@cache
def _shipped() -> _Lexicon:
    content = files(__package__ or "keepmum_edge.memory").joinpath("lexicons", "behaviour.toml").read_bytes()
    read: dict[str, Any] = tomllib.loads(content.decode("utf-8"))
    cues: list[tuple[str, str]] = []
    denials: list[tuple[str, str]] = []
    traits: dict[str, Trait] = {}
    for name, trait in read.items():
        options: dict[str, dict[str, Any]] = trait["options"]
        for option, about in options.items():
            for cue in about["cues"]:
                (denials if _NEGATION.match(fold(cue)) else cues).append((cue, f"{name}/{option}"))
        traits[name] = Trait(
            id=name,
            share=Fraction(trait["share"]),
            single=trait["single"],
            least=trait.get("least", LEAST_SESSIONS),
            wordings={option: (about["en"], about["zh"]) for option, about in options.items()},
        )
    topics = ((trait, option, trait.topic_of(option)) for trait in traits.values() for option in trait.wordings)
    matters = {topic: Matter(topic, trait, None if topic == trait.id else option) for trait, option, topic in topics}
    return _Lexicon(traits=traits, matters=matters, cues=Cues(cues), denials=Cues(denials))


def _language(text: str) -> str | None:
    """Return the language that a text is surely written in, if it is one of those that are told apart."""
    words = [word.casefold() for word in _LATIN.findall(EXACT.sub(" ", text)) if not is_chinese(word)]
    ideographs = len(_IDEOGRAPH.findall(text))
    if ideographs >= _LEAST_LETTERS and ideographs >= len(words):
        return "chinese"
    if not ideographs and len(words) >= _LEAST_WORDS and 4 * sum(word in _ENGLISH for word in words) >= len(words):
        return "english"
    return None
