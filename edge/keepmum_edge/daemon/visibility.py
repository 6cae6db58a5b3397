"""Which placeholder may become its value again, and where (design section 5).

In the answer: what this request carried, unless only system or developer text held it, and what belongs to memories
that the request's scope and audience admit. In the arguments of a tool call: only what the user typed in this
conversation, never PL4. LITERAL hides nothing private and comes back everywhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from keepmum_shared.placeholder import Placeholder
from keepmum_shared.taxonomy import EntityType, Level

from keepmum_edge.vault.binding import Binding, Origin
from keepmum_edge.vault.conversation import ConversationVault
from keepmum_edge.vault.restore import Restorable, Withheld


@dataclass(slots=True, kw_only=True)
class Visibility:
    """The restoration rights of one turn.

    Attributes:
        carried: Placeholders that stand in the messages of this request.
        memories: Values of the admitted memories' placeholders, by the edge's own index.
        show_secrets: False in traces, where PL4 stays a token.
    """

    vault: ConversationVault
    carried: frozenset[Placeholder]
    memories: Mapping[Placeholder, str] = field(default_factory=dict, repr=False)
    show_secrets: bool = True

    def in_text(self, placeholder: Placeholder) -> Restorable | Withheld | None:
        """Say what the placeholder becomes in the text of an answer."""
        binding = self._carried(placeholder)
        if binding is None:
            surface = self.memories.get(placeholder)
            return None if surface is None else Restorable(surface)
        if binding.origin is Origin.SYSTEM and placeholder.entity_type is not EntityType.LITERAL:
            return Withheld()
        if binding.level is Level.PL4 and not self.show_secrets:
            return Withheld()
        return Restorable(binding.surface)

    def in_arguments(self, placeholder: Placeholder) -> Restorable | Withheld | None:
        """Say what the placeholder becomes inside the arguments of a tool call."""
        binding = self._carried(placeholder)
        if binding is None:
            return Withheld() if placeholder in self.memories else None
        if placeholder.entity_type is EntityType.LITERAL:
            return Restorable(binding.surface)
        if binding.origin is not Origin.OWNER or binding.level is Level.PL4:
            return Withheld()
        return Restorable(binding.surface, json_number=binding.json_number)

    def in_own_text(self, placeholder: Placeholder) -> Restorable | Withheld | None:
        """Say what the placeholder becomes when the user looks at what was typed: all but PL4."""
        binding = self.vault.get(placeholder)
        if binding is None:
            return None
        return Withheld() if binding.level is Level.PL4 else Restorable(binding.surface)

    def _carried(self, placeholder: Placeholder) -> Binding | None:
        return self.vault.get(placeholder) if placeholder in self.carried else None
