"""What the owner told in any conversation, held in memory and in step with the store, to be found in new texts.

Only the owner's own words are looked through: a page or a contact that writes names and sees which of them are masked
would learn what the vault holds (design section 5). Incognito is looked through like any other conversation: that masks
more, under numbers of its own, and writes nothing. What was told in incognito is looked for nowhere else.
"""

from collections.abc import Iterable, Mapping, Sequence

from keepmum_shared.ids import ConversationId
from keepmum_shared.placeholder import Placeholder
from keepmum_shared.taxonomy import EntityType

from keepmum_edge.spans.profile_values import LOOKED_FOR, ProfileValues
from keepmum_edge.spans.recurrence import Known, is_distinct
from keepmum_edge.vault.store import VaultStore


class OwnValues:
    """The profile's values. `refresh` and `forget` run on the writer's thread, `standing_in` on any."""

    def __init__(self, vaults: VaultStore) -> None:
        self._vaults = vaults
        self._values = ProfileValues()
        self._seen: dict[EntityType, int] = {}

    def refresh(self) -> None:
        """Take in what was stored since the last time: everything at first, later what the last turns brought.

        Raises:
            DatabaseUnavailableError: the store cannot be read; the next time goes on from here.
        """
        for sent_type, last in self._vaults.last_numbers().items():
            if sent_type not in _SENT_TYPES or last <= self._seen.get(sent_type, 0):
                continue
            for value in self._vaults.values_after(sent_type, self._seen.get(sent_type, 0)):
                self._values.add(value)
            self._seen[sent_type] = last

    def standing_in(self, texts: Sequence[str], secrets: Iterable[Known]) -> set[Known]:
        """Return the values, and the distinct ones of these secrets, that stand in any of these texts of the owner's.

        Args:
            secrets: PL4 values of other conversations, which are in memory alone (`Conversations.secrets`).
        """
        found = {value for text in texts for value in self._values.standing_in(text)}
        found |= {known for known in secrets if is_distinct(known[0]) and any(known[0] in text for text in texts)}
        return found

    def forget(
        self,
        cut: Iterable[ConversationId],
        chains: frozenset[bytes],
        bindings: Mapping[ConversationId, Iterable[Placeholder]],
        values: Iterable[Placeholder],
    ) -> None:
        """Let go of what was forgotten in the store (`daemon.forget.forgetting.LiveState`); only values are held."""
        del cut, chains, bindings
        self._values.forget(tuple(values))


_SENT_TYPES = LOOKED_FOR | {EntityType.DETAIL}
