"""What of a message is worth remembering (design section 7; pure, without a language model).

Read is the placeholder text of the owner's newest message, and nothing else: no answer, no recalled memory, no tool
result, no masked value. Of it only the author's own words count (`own_words`), sentence by sentence and clause by
clause: stable facts, preferences, habits, plans, relations, corrections, and whatever the owner asks to remember.
Questions, commands and small talk have no form here and give nothing. The same text, time and offset always give the
same proposals.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from keepmum_edge.memory.behaviour import Choice, told
from keepmum_edge.memory.dates import Period, find_period, with_days
from keepmum_edge.memory.fact_form import FactForm
from keepmum_edge.memory.fact_forms_en import (
    CHANGE_EN,
    FORMS_EN,
    NEGATION_EN,
    QUESTION_EN,
    REMEMBER_EN,
)
from keepmum_edge.memory.fact_forms_zh import (
    CHANGE_ZH,
    FORMS_ZH,
    NEGATION_ZH,
    QUESTION_ZH,
    REMEMBER_ZH,
)
from keepmum_edge.memory.own_words import source_words
from keepmum_edge.memory.record import SELF
from keepmum_edge.memory.sentences import clauses, is_chinese, sentences
from keepmum_edge.memory.subject import told_by
from keepmum_edge.memory.wording import content_words, normalised

MOST_PROPOSALS: Final = 12
"""Of one message; what is more was hardly said in passing."""
MOST_CHARACTERS: Final = 400
"""Of one record made from a message."""
_ASKED_IMPORTANCE: Final = 90
_PLAIN_IMPORTANCE: Final = 50
_ENDING_IMPORTANCE: Final = 55
_TELLS_A_CHOICE: Final = frozenset({"instruction", "preference", "habit"})
_OTHERS: Final = 10
"""By how much facts about others weigh less."""
_UNTIL: Final = re.compile(r"\b(?:until|till|through)\b|直到|到.{1,12}(?:为止|之前)", re.IGNORECASE)
_RECALLING: Final = re.compile(r"^(?:when|how|what|where|who|why|the time|our)\b|\?$", re.IGNORECASE)
_MINE: Final = re.compile(r"^mine\b", re.IGNORECASE)
_VERB: Final = re.compile(
    r"^i (?:\w+ly |always |often |never |now |still |also |only |sometimes |currently )*(\w+)"
    r"|^我\W*(?:现在|目前|每天|经常|通常|平时|一般|总是|早上|晚上|周末|也|都|只|还)*(\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A fact that may become a record, in placeholder text. Times are Unix seconds.

    Attributes:
        subject, topic: As in `MemoryRecord`, in placeholder text.
        importance: 0..100.
        asked: The owner asked for it to be remembered.
        replaces_topic: It closes what the subject's facts of this topic were.
        ends: Content words of facts of the subject that hold no longer.
        valid_from, valid_to: When it holds, half-open, as far as it says so.
    """

    text: str = field(repr=False)
    subject: str = field(default=SELF, repr=False)
    topic: str | None = field(default=None, repr=False)
    importance: int = _PLAIN_IMPORTANCE
    asked: bool = False
    replaces_topic: bool = False
    ends: frozenset[str] = field(default=frozenset(), repr=False)
    valid_from: int | None = None
    valid_to: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """When a message was written: Unix seconds, and the writer's distance from UTC in seconds."""

    at: int
    offset_s: int = 0


def propose(message: str, moment: Moment, step: Callable[[], None] = lambda: None) -> tuple[Proposal, ...]:
    """Return what is worth remembering of the owner's newest message, in its order.

    Args:
        message: Placeholder text.
        moment: When it was written; relative days mean days from then.
        step: Called before each sentence; may wait.
    """
    reading = _Reading(moment)
    found: list[Proposal] = []
    previous = ""
    for sentence in sentences(source_words(message)):
        step()
        found += reading.sentence(sentence, previous)
        previous = sentence
    unique = {proposal.text: proposal for proposal in found}  # what was asked for comes later and wins
    return tuple(unique.values())[:MOST_PROPOSALS]


def describe(text: str, moment: Moment, step: Callable[[], None] = lambda: None) -> tuple[Proposal, ...]:
    """Return the facts of a text that its owner told Keepmum itself to remember: all of it, whatever its form.

    A text whose every clause has a known form becomes one proposal a fact; any other stays one, word for word. `step`
    is called before each sentence and may wait.
    """
    reading = _Reading(moment)
    read = []
    for sentence in sentences(text):
        step()
        read.append(reading.clauses(sentence))
    if read and all(whole for _, whole in read):
        return tuple(replace(each, asked=True) for facts, _ in read for each in facts)
    return (replace(_Reading(moment).as_one(text.strip()), asked=True),)


class _Reading:
    """Reads the sentences of one message in order; remembers who was named last."""

    def __init__(self, moment: Moment) -> None:
        self._moment = moment
        self._antecedent: str | None = None
        self._owned: str | None = None

    def sentence(self, sentence: str, previous: str) -> list[Proposal]:
        """Return the proposals of a sentence; `previous` is the one before it."""
        chinese = is_chinese(sentence)
        asked = (REMEMBER_ZH if chinese else REMEMBER_EN).match(sentence)
        if asked is None:
            return self.clauses(sentence)[0]
        what = asked["what"].strip()
        if not what:
            what = previous
        elif _RECALLING.search(what) or sentence.endswith(("?", "？")):
            return []
        elif what.lower().startswith("to "):
            what = f"Remember {what}"
        if not normalised(what) or "<LITERAL_" in what:
            return []
        facts, whole = self.clauses(what)
        kept = facts if whole else [self.as_one(normalised(what))]
        return [replace(each, asked=True, importance=max(each.importance, _ASKED_IMPORTANCE)) for each in kept]

    def clauses(self, sentence: str) -> tuple[list[Proposal], bool]:
        """Return the proposals of a sentence's clauses, and whether every clause gave one or ended a fact."""
        found: list[Proposal] = []
        ended: Proposal | None = None
        whole = True
        for clause in clauses(sentence):
            proposal, is_ending = self._clause(clause, follows=bool(found))
            if proposal is None:
                whole = False
            elif is_ending:
                ended = proposal
                found.append(proposal)
            elif ended is not None and ended.subject == proposal.subject:
                found.remove(ended)
                found.append(replace(proposal, ends=ended.ends | proposal.ends, replaces_topic=True))
                ended = None
            else:
                found.append(proposal)
        return found, whole and bool(found)

    def as_one(self, text: str) -> Proposal:
        """Return a text as one fact, whatever its form."""
        told = told_by(text, self._antecedent, chinese=is_chinese(text))
        subject, said = (SELF, text) if told is None else (told.subject, told.text)
        form = None if told is None else _form_of(told.as_own, chinese=is_chinese(text))
        period = self._period(said, form)
        return self._proposal(said, said if told is None else told.as_own, subject, form, period)

    def _clause(self, clause: str, *, follows: bool) -> tuple[Proposal | None, bool]:
        chinese = is_chinese(clause)
        text = normalised(clause)
        if not text or len(text) > MOST_CHARACTERS or "<LITERAL_" in text:
            return None, False
        if (QUESTION_ZH if chinese else QUESTION_EN).search(clause):
            return None, False
        if self._owned is not None:
            text = _MINE.sub(f"My {self._owned}", text)
        told = told_by(text, self._antecedent, chinese=chinese)
        if told is None:
            return None, False
        if told.subject != SELF:
            self._antecedent = told.subject
        form = _form_of(told.as_own, chinese=chinese)
        topic = None if form is None else form.pattern.search(told.as_own)
        self._owned = topic["topic"] if topic and "topic" in topic.groupdict() else None
        if self._owned is not None and form is not None and (form.topic or "").startswith("favourite "):
            self._owned = f"favourite {self._owned}"
        is_ending = bool((NEGATION_ZH if chinese else NEGATION_EN).search(told.as_own)) and _is_told(told.as_own)
        if form is None and not is_ending and not (follows and told.subject != SELF):
            return None, False
        period = self._period(told.text, form)
        if form is not None and not _counts(form, period):
            return None, False
        proposal = self._proposal(told.text, told.as_own, told.subject, form, period)
        if is_ending:
            ends = content_words(told.as_own)
            proposal = replace(proposal, ends=ends, topic=None, importance=_ENDING_IMPORTANCE)
        return proposal, is_ending

    def _period(self, text: str, form: FactForm | None) -> Period | None:
        past = form is not None and form.past
        return find_period(text, at=self._moment.at, offset_s=self._moment.offset_s, past=past)

    def _proposal(self, text: str, as_own: str, subject: str, form: FactForm | None, period: Period | None) -> Proposal:
        importance = _PLAIN_IMPORTANCE if form is None else form.importance
        chinese = is_chinese(text)
        changes = bool((CHANGE_ZH if chinese else CHANGE_EN).search(as_own))
        choice = _choice(form, as_own)
        replaces = form is not None and form.topic is not None and (form.exclusive or changes)
        ends_then = period is not None and ((form is not None and form.plan) or bool(_UNTIL.search(text)))
        return Proposal(
            text=text if period is None else with_days(text, period),
            subject=subject,
            topic=_topic(form, as_own) if choice is None else choice.topic,
            importance=importance if subject == SELF else max(0, importance - _OTHERS),
            replaces_topic=replaces if choice is None else choice.trait.single or changes,
            valid_to=period.interval(self._moment.offset_s)[1] if ends_then and period is not None else None,
        )


def _form_of(as_own: str, *, chinese: bool) -> FactForm | None:
    forms: Iterator[FactForm] = iter(FORMS_ZH if chinese else FORMS_EN)
    return next((form for form in forms if form.pattern.search(as_own)), None)


def _counts(form: FactForm, period: Period | None) -> bool:
    """Say whether a clause of this form counts: plans that need a day have one, habits are not of one day."""
    if form.dated:
        return period is not None
    return not (form.name in ("habit", "preference") and period is not None and period.first == period.last)


def _is_told(as_own: str) -> bool:
    return as_own.lower().startswith(("i ", "i'", "my ", "we ")) or as_own.startswith(("我", "咱"))


def _choice(form: FactForm | None, as_own: str) -> Choice | None:
    """Return what a clause tells that could also be inferred: such a fact and such a conclusion have one topic."""
    return next(iter(told(as_own)), None) if form is not None and form.name in _TELLS_A_CHOICE else None


def _topic(form: FactForm | None, as_own: str) -> str | None:
    if form is None or form.topic is None:
        return None
    found = form.pattern.search(as_own)
    named = found["topic"].casefold() if found and "topic" in found.groupdict() else ""
    if form.topic == "habit":
        verb = _VERB.match(as_own)
        return None if verb is None else f"habit {(verb[1] or verb[2]).casefold()}"
    return form.topic.replace("{topic}", named)
