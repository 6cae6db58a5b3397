"""A history as the cloud sees it: the product's own extractor and vault, under four settings.

off       everything in clear, as a memory without privacy has it
typed     placeholders as they are sent, `<NAME_3>`
untyped   the same numbers without the type, `<LITERAL_73>`: what the type tells is lost
stars     every value is `***`: what the number tells is lost too

Each session and each question is a conversation of its own; all belong to one profile, so that a value has the same
number everywhere, as in memory, and what one conversation told is masked in later ones, as the daemon sees to
(`daemon.own_values`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final

from histories import History
from keepmum_edge.daemon.turn import find_spans
from keepmum_edge.spans.extractor import SpanExtractor, TextKind
from keepmum_edge.spans.profile_values import ProfileValue, ProfileValues
from keepmum_edge.spans.recurrence import Known
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.vault.binding import Origin
from keepmum_edge.vault.conversation import ConversationVault, MemoryProfileNumbers
from keepmum_edge.vault.pseudonymise import MaskSettings, pseudonymise
from keepmum_shared.placeholder import EXACT, Placeholder
from keepmum_shared.taxonomy import EntityType

SPECIAL_CATEGORIES: Final = frozenset(
    {
        EntityType.HEALTH,
        EntityType.BIOMETRIC,
        EntityType.RELIGION,
        EntityType.ETHNICITY,
        EntityType.ORIENTATION,
        EntityType.POLITICS,
        EntityType.LEGAL_RECORD,
    }
)
"""A turn that holds a value of these may imply a protected attribute, and so stays on the edge."""


class Privacy(StrEnum):
    """What is done with private values."""

    OFF = "off"
    TYPED = "typed"
    UNTYPED = "untyped"
    STARS = "stars"


class Masker:
    """Masks the histories of one profile after another; what was found in a text is found once."""

    def __init__(self, extractor: SpanExtractor) -> None:
        self._extractor = extractor
        self._found: dict[str, Sequence[PrivateSpan]] = {}

    def masked(self, history: History, privacy: Privacy) -> History:
        """Return the history as the cloud sees it."""
        if privacy is Privacy.OFF:
            return history
        profile = _Profile()
        shown = _SHOWN[privacy]
        sessions = [
            replace(session, turns=tuple(map(shown, self._conversation(session.turns, profile))))
            for session in history.sessions
        ]
        questions = [
            replace(question, text=shown(self._conversation([question.text], profile)[0]))
            for question in history.questions
        ]
        return replace(history, sessions=tuple(sessions), questions=tuple(questions))

    def stays(self, turn: str) -> bool:
        """Say whether a turn stays on the edge."""
        return any(span.entity_type in SPECIAL_CATEGORIES for span in self._spans(turn))

    def _conversation(self, texts: Sequence[str], profile: "_Profile") -> list[str]:
        vault = ConversationVault(profile_scope=True, volatile_all=False)
        spans = find_spans(((text, TextKind.PROSE) for text in texts), self._spans, vault, lambda: profile.told(texts))
        settings = MaskSettings()
        masked = [
            pseudonymise(text, spans[text], vault, origin=Origin.OWNER, profile=profile.numbers, settings=settings).text
            for text in texts
        ]
        profile.learn(vault)
        return masked

    def _spans(self, text: str, kind: TextKind = TextKind.PROSE) -> Sequence[PrivateSpan]:
        if text not in self._found:
            self._found[text] = self._extractor.extract(text, kind=kind)
        return self._found[text]


class _Profile:
    """Numbers and values of one profile."""

    def __init__(self) -> None:
        self.numbers = MemoryProfileNumbers()
        self._values = ProfileValues()
        self._held: set[Placeholder] = set()

    def told(self, texts: Sequence[str]) -> set[Known]:
        """Return what earlier conversations told and these texts have again."""
        return {value for text in texts for value in self._values.standing_in(text)}

    def learn(self, vault: ConversationVault) -> None:
        """Take in what a conversation told first."""
        for binding in vault.bindings():
            placeholder = binding.placeholder
            if placeholder.is_profile and placeholder not in self._held:
                self._held.add(placeholder)
                kind = placeholder.entity_type
                self._values.add(ProfileValue(placeholder=placeholder, entity_type=kind, surface=binding.surface))


def _untyped(text: str) -> str:
    """One number for type and number together: no type, and still the same for the same value."""
    kinds = tuple(EntityType)
    return EXACT.sub(lambda found: f"<LITERAL_{int(found[2]) * len(kinds) + kinds.index(EntityType(found[1]))}>", text)


_SHOWN: Final[Mapping[Privacy, Callable[[str], str]]] = {
    Privacy.TYPED: lambda text: text,
    Privacy.UNTYPED: _untyped,
    Privacy.STARS: lambda text: EXACT.sub("***", text),
}
