"""What a placeholder means inside one conversation, and who wrote the text it was found in.

origin  who wrote a text: the owner, the application's system or developer text, or anyone else (foreign: tools,
        pages, mails, assistant turns that this edge did not produce). The same value from two origins gets two
        placeholders, so that a number never tells one author what another wrote (design section 5).
"""

from dataclasses import dataclass, field
from enum import StrEnum

from keepmum_shared.placeholder import Placeholder
from keepmum_shared.taxonomy import EntityType, Level


class Origin(StrEnum):
    """Who wrote a text."""

    OWNER = "owner"
    SYSTEM = "system"
    FOREIGN = "foreign"


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """One placeholder of one conversation and its value.

    Attributes:
        surface: The characters as they stood in this conversation; what is restored.
        canonical: The form that decides whether two surfaces are one value (`vault.canonical`).
        level: Level in force when it was bound; None for LITERAL.
        volatile: Kept in memory only, never stored: PL4, and everything in incognito.
        json_number: The surface stood as a bare JSON number, and is restored as one in tool arguments.
    """

    placeholder: Placeholder
    surface: str = field(repr=False)
    canonical: str = field(repr=False)
    origin: Origin
    level: Level | None
    volatile: bool
    json_number: bool = False

    @property
    def entity_type(self) -> EntityType:
        """The type under which it was found, also where a coarser one is sent; such a canonical form begins with it."""
        return found_type(self.placeholder, self.canonical)


def found_type(placeholder: Placeholder, canonical: str) -> EntityType:
    """Return the type under which a value was found, by the token that is sent and its canonical form."""
    sent = placeholder.entity_type
    return EntityType(canonical.partition(":")[0]) if sent is EntityType.DETAIL else sent
