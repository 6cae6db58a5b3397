"""Texts for memory are masked as they would be sent, and judged by that; numbers are looked at, and none is allotted.

`read` finds the private spans, on the readers' threads; `mask` and `judge` run on the writer's.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from keepmum_shared.placeholder import Placeholder
from keepmum_shared.taxonomy import Level
from keepmum_shared.view import Layout

from keepmum_edge.daemon.readers import Extract, Readers
from keepmum_edge.errors import RefusedMemoryError
from keepmum_edge.memory.classify import Category, Classifier, Judgement
from keepmum_edge.memory.record import CloudState, MemoryRecord
from keepmum_edge.spans.extractor import TextKind
from keepmum_edge.spans.merge import merge
from keepmum_edge.spans.recurrence import Known, find_again
from keepmum_edge.spans.span import PrivateSpan
from keepmum_edge.vault import binding
from keepmum_edge.vault.conversation import ConversationVault, MemoryProfileNumbers, PeekProfileNumbers
from keepmum_edge.vault.pseudonymise import MaskSettings, pseudonymise
from keepmum_edge.vault.store import VaultStore

Spans = tuple[PrivateSpan, ...]


@dataclass(frozen=True, slots=True)
class Masked:
    """A text as the cloud would see it, and its values."""

    text: str = field(repr=False)
    vault: ConversationVault = field(repr=False)

    def value_of(self, token: Placeholder) -> str | None:
        """Return the value behind a placeholder of the text."""
        bound = self.vault.get(token)
        return None if bound is None else bound.surface


class Judging:
    """Masks and judges texts for one profile.

    Args:
        readers: Give way to requests before their departure.
        secrets: The PL4 values that are known now.
        classifier: Returns the one in force.
    """

    def __init__(
        self,
        *,
        vaults: VaultStore,
        readers: Readers,
        settings: MaskSettings,
        secrets: Callable[[], Iterable[Known]],
        classifier: Callable[[], Classifier],
    ) -> None:
        self._vaults = vaults
        self._readers = readers
        self._settings = settings
        self._secrets = secrets
        self._classifier: Final = classifier

    async def read(self, text: str) -> Spans:
        """Find the private spans of a text."""
        return await self._readers.run(len(text), lambda extract: extract(text, TextKind.PROSE))

    async def read_to_judge(self, text: str) -> Spans:
        """Find the private spans of a text, and read what it means: no model runs when it is judged."""

        def reading(extract: Extract) -> Spans:
            found = extract(text, TextKind.PROSE)
            self._readers.hold()
            self._classifier().foresee(masked_alone(text, found, self._settings))
            return found

        return await self._readers.run(len(text), reading)

    def mask(self, text: str, found: Spans) -> Masked:
        """Mask a text as it would be sent, without allotting a number. Raises RefusedMemoryError for a PL4 secret."""
        spans = self._with_known_secrets(text, found)
        vault = ConversationVault(profile_scope=True, volatile_all=False)
        profile = PeekProfileNumbers(self._vaults, self._vaults.next_number)
        made = pseudonymise(text, spans, vault, origin=binding.Origin.OWNER, profile=profile, settings=self._settings)
        return Masked(made.text, vault)

    def judge(self, masked: Masked) -> tuple[str, Judgement]:
        """Return by which classifier and policy a text is judged now, and what they say."""
        classifier = self._classifier()
        return classifier.judge_id, classifier.judge(masked.text, masked.value_of)

    def _with_known_secrets(self, text: str, found: Spans) -> Spans:
        """Add what is known to be secret to the spans of a text. Raises RefusedMemoryError for a PL4 secret."""
        spans = merge(text, found, find_again(text, self._secrets()))
        secrets = sorted({str(span.entity_type) for span in spans if self._settings.level_of(span) is Level.PL4})
        if secrets:
            raise RefusedMemoryError(
                f"the text holds a secret ({', '.join(secrets)}), and secrets are never remembered; leave it out",
                param="text",
            )
        return spans


def masked_alone(text: str, found: Sequence[PrivateSpan], settings: MaskSettings) -> str:
    """Return a text masked with numbers that mean nothing elsewhere."""
    vault = ConversationVault(profile_scope=True, volatile_all=False)
    origin, profile = binding.Origin.OWNER, MemoryProfileNumbers()
    return pseudonymise(text, found, vault, origin=origin, profile=profile, settings=settings).text


def with_sources(judgement: Judgement, sources: Sequence[MemoryRecord], layout: Layout) -> Judgement:
    """Return the judgement of what is derived from records: the union of their attributes, and local-only if one is."""
    local = [source for source in sources if source.cloud is CloudState.LOCAL_ONLY]
    if not local:
        return judgement
    attributes = judgement.attributes.union(*(source.attributes for source in local))
    category = judgement.category or next((source.category for source in local if source.category), None)
    return replace(
        judgement,
        attributes=attributes,
        category=None if category is None else Category(category),
        slot=layout.slot_for(attributes),
    )
