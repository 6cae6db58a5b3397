"""Placeholder text back into text, all at once (design section 5). See `stream` for text that is still arriving."""

from dataclasses import dataclass, field

from keepmum_shared.placeholder import Placeholder

from keepmum_edge.vault.stream import Kind, Lookup, Restorable, StreamRestorer, Withheld

__all__ = ["Kind", "Lookup", "Restorable", "Restored", "Withheld", "restore"]


@dataclass(frozen=True, slots=True)
class Restored:
    """A restored text.

    Attributes:
        restored: How many tokens became their value.
        unresolved: The tokens of which nothing is known; they stay as they are.
    """

    text: str = field(repr=False)
    restored: int
    unresolved: tuple[Placeholder, ...]


def restore(
    text: str, lookup: Lookup, *, kind: Kind = "text", addresses: bool = True, tolerant: bool = True
) -> Restored:
    """Restore a whole text in one pass; a restored value is never read again. Arguments as in `StreamRestorer`.

    Raises:
        UnrestorableArgumentsError: `text` is tool arguments and a placeholder's value may not stand there.
    """
    restorer = StreamRestorer(lookup, kind=kind, addresses=addresses, tolerant=tolerant)
    shown = restorer.feed(text) + restorer.flush()
    return Restored(shown, restorer.restored, tuple(restorer.unresolved))
