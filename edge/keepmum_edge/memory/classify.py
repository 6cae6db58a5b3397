"""What a text may imply, and where a record of it may be kept (design sections 6 and 7; pure).

Whether a text may go to the cloud is decided by its placeholder text alone: its words, what they mean
(`memory.implied`) and the types of what is masked. A masked value never decides, so nothing that the cloud sees depends
on one. A text that may imply a protected attribute, is of a category that needs consent, or falls between classes, is
local-only. Only then, for a text that will never leave, are its clear words read too, to find its slot: one that is
listed for every attribute it may imply, else `other`. A private span that no cue explains may imply every attribute of
its type; a text between classes, and one that only its meaning gives away, any.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Final

from keepmum_shared.placeholder import Placeholder, scan
from keepmum_shared.taxonomy import NOT_A_LEVEL, EntityType, Level, default_level
from keepmum_shared.view import AttributeId, Policy, SlotId

from keepmum_edge.memory.implied import NOTHING, Implied
from keepmum_edge.memory.lexicon import ATTRIBUTE, CATEGORY, HINT, LANGUAGES, Cues, fold, lexicon_bytes, shipped_words


class Category(StrEnum):
    """GDPR Article 9, and finances: neither stored nor inferred unless the owner asked for it."""

    HEALTH = "health"
    RELIGION = "religion"
    ETHNICITY = "ethnicity"
    POLITICS = "politics"
    ORIENTATION = "orientation"
    BIOMETRICS = "biometrics"
    FINANCES = "finances"


_OF_TYPE: Final = {
    EntityType.HEALTH: Category.HEALTH,
    EntityType.RELIGION: Category.RELIGION,
    EntityType.ETHNICITY: Category.ETHNICITY,
    EntityType.POLITICS: Category.POLITICS,
    EntityType.ORIENTATION: Category.ORIENTATION,
    EntityType.BIOMETRIC: Category.BIOMETRICS,
    EntityType.FINANCE: Category.FINANCES,
    EntityType.BANK_ACCOUNT: Category.FINANCES,
    EntityType.BANK_CARD: Category.FINANCES,
    EntityType.CRYPTO_WALLET: Category.FINANCES,
}
_OF_ATTRIBUTE: Final = {
    "type_2_diabetes": Category.HEALTH,
    "pregnancy": Category.HEALTH,
    "mental_health": Category.HEALTH,
    "addiction": Category.HEALTH,
    "disability": Category.HEALTH,
    "fertility": Category.HEALTH,
    "unsecured_debt": Category.FINANCES,
    "religion": Category.RELIGION,
    "orientation": Category.ORIENTATION,
}
_TYPE_OF: Final = {Category.HEALTH: EntityType.HEALTH, Category.FINANCES: EntityType.FINANCE}
_HIDES_ITS_TYPE: Final = frozenset({EntityType.DETAIL, EntityType.PRIVATE_MESSAGE})
"""Behind these may stand a value of any type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the classifier says of a text.

    Attributes:
        attributes: All that it may imply.
        category: The first category that needs consent, or None.
        level: The highest default level of what is masked in it; PL1 if nothing is.
        slot: Where it lies on this computer; None: it may go to the cloud.
    """

    attributes: frozenset[AttributeId] = field(repr=False)
    category: Category | None = field(repr=False)
    level: Level
    slot: SlotId | None = field(repr=False)

    @property
    def is_local_only(self) -> bool:
        """Whether no part of it may ever leave."""
        return self.slot is not None


def judged_under(digest: str) -> str:
    """Return how every `judge_id` ends that goes by the policy of a digest."""
    return f":{digest[:16]}"


class Classifier:
    """Judges texts under one policy.

    Args:
        policy: The public policy, whose attributes, cues, types and slots count.
        meaning: Reads what no cue says.
    """

    def __init__(self, policy: Policy, meaning: Implied) -> None:
        self._layout = policy.layout
        attributes = policy.layout.attributes
        own = [(cue, f"{ATTRIBUTE}{each.id}") for each in attributes.values() for cue in each.cues]
        self._cues = Cues([*own, *shipped_words()])
        self._by_type: dict[EntityType, frozenset[AttributeId]] = {}
        for each in attributes.values():
            for name in each.types:
                kind = EntityType(name)
                self._by_type[kind] = self._by_type.get(kind, frozenset()) | {each.id}
        self._meaning = meaning
        self._words = sha256(b"".join(lexicon_bytes(language) for language in LANGUAGES)).hexdigest()[:16]
        self._digest = policy.digest

    @property
    def judge_id(self) -> str:
        """Names this classifier, its model and policy; a record judged by another is judged again."""
        return f"cues-2:{self._words}:{self._meaning.reader_id}{judged_under(self._digest)}"

    @property
    def is_whole(self) -> bool:
        """Whether it reads meaning too, as far as that is known; if not, every text may imply anything."""
        return self._meaning.is_usable

    def foresee(self, placeholder_text: str) -> None:
        """Read what a text means, on a reader's thread, so that to judge it takes no time."""
        self._meaning.read(placeholder_text)

    def is_of(self, policy: Policy) -> bool:
        """Whether it judges by this policy."""
        return policy.digest == self._digest

    def judge(self, placeholder_text: str, value_of: Callable[[Placeholder], str | None]) -> Judgement:
        """Judge a text.

        Args:
            placeholder_text: What the cloud would get; alone decides whether it may.
            value_of: The value of each placeholder, None if it is not known; for the slot of what stays here only.
        """
        tokens = [(start, end, token) for start, end, token in scan(placeholder_text)]
        types = {token.entity_type for _, _, token in tokens}
        seen = fold(placeholder_text)
        labels = self._cues.labels(seen)
        meaning = self._meaning.read(placeholder_text)
        meant = NOTHING if meaning is None else meaning
        ours = self._layout.attributes.keys()
        named = self._implied(labels)
        implied = named | (meant.implied & ours)
        by_type = frozenset[AttributeId]().union(*(self._of_type(kind) for kind in types))
        category = _category(labels, types, implied)
        is_told = bool(named or by_type or _category(labels, types, named))
        unclear = meaning is None or HINT in labels or bool(types & _HIDES_ITS_TYPE)
        level = max((default_level(kind) for kind in types - NOT_A_LEVEL), default=Level.PL1)
        if not (implied or by_type or category or unclear):
            return Judgement(attributes=frozenset(), category=None, level=level, slot=None)
        attributes = frozenset(ours)
        if is_told and not unclear:
            # Of what a masked value tells, its own words say more than what stands around it.
            attributes = self._of_kept(placeholder_text, tokens, value_of) | ((meant.sure & ours) - by_type)
        slot = self._layout.slot_for(attributes)
        return Judgement(attributes=attributes, category=category, level=level, slot=slot)

    def _implied(self, labels: Iterable[str]) -> frozenset[AttributeId]:
        named = {AttributeId(each.removeprefix(ATTRIBUTE)) for each in labels if each.startswith(ATTRIBUTE)}
        return frozenset(named & self._layout.attributes.keys())

    def _of_type(self, kind: EntityType) -> frozenset[AttributeId]:
        return self._by_type.get(kind, frozenset())

    def _of_kept(
        self,
        text: str,
        tokens: Iterable[tuple[int, int, Placeholder]],
        value_of: Callable[[Placeholder], str | None],
    ) -> frozenset[AttributeId]:
        """Return what a text that tells something by words or types may imply by its clear words; any, if none says."""
        clear, position, unexplained = "", 0, set[EntityType]()
        for start, end, token in tokens:
            value = value_of(token) or ""
            clear += text[position:start] + value
            position = end
            if not self._implied(self._cues.labels(fold(value))) & self._of_type(token.entity_type):
                unexplained.add(token.entity_type)
        labels = self._cues.labels(fold(clear + text[position:]))
        found = self._implied(labels)
        for category, kind in _TYPE_OF.items():
            if CATEGORY + category in labels and not found & self._of_type(kind):
                unexplained.add(kind)
        for kind in unexplained:
            found |= self._of_type(kind)
        return found or frozenset(self._layout.attributes)


def _category(labels: Iterable[str], types: Iterable[EntityType], implied: Iterable[AttributeId]) -> Category | None:
    found = {_OF_TYPE[kind] for kind in types if kind in _OF_TYPE}
    found |= {_OF_ATTRIBUTE[each] for each in implied if each in _OF_ATTRIBUTE}
    found |= {Category(each.removeprefix(CATEGORY)) for each in labels if each.startswith(CATEGORY)}
    return min(found, key=list(Category).index, default=None)
